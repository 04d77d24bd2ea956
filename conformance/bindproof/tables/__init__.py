"""Tables of cases that others keep, as vectors.

Enters: a mapping file, the files of a table. Leaves: vectors with what is expected of each. Must not know suites' code,
nor what a scenario means.
"""

from bindproof.tables.writing import Imported, import_table

__all__ = ["Imported", "import_table"]
