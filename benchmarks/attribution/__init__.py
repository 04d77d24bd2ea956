"""How many changes of a lawful log in one place are named by the rule that speaks of what was changed.

| module | takes | gives | does not know |
|-|-|-|-|
| `changes` | a log | every place in which it can be changed, and the log that is changed there | what is lawful |
| `words` | a scenario | what tells of a record in words: what it is of, and what stands beside it | changes |
| `classes` | the class of a change | why no statement speaks of it, or why it is lawful | logs |
| `measuring` | scenarios | counts by what is said of each change | how they are printed |
"""
