"""Executable reference of the specs: pure functions on plain JSON values, standard library only.

One package a suite, one module a chapter. `predict` says what a contract allows to be seen of a scenario; `resolve`
turns a
prediction into one lawful run.
"""
