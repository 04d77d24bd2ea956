"""Files that people write, read at one place: whatever is in them, there is a value or a sentence with file and line.

Enters: paths. Leaves: texts, Documents, and forms with the line of each value. Must not know what a spec means.

| module | is |
|-|-|
| `text` | bytes and text of a file |
| `toml_lines`, `json_lines` | where in a text each value stands |
| `document` | TOML and JSON as values with lines |
| `form`, `models` | pydantic: what each kind of file may hold |
| `faults` | what pydantic finds, in words that say what to write instead |
| `reader` | all of it together |
"""
