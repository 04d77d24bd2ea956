"""Expectations made of logs, and files of them changed by command.

Enters: the log of a whole run, a file of expectations. Leaves: the file with what was found added, or what did not
occur taken out; its comments and its order stay.
"""
