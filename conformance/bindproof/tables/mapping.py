"""What a mapping file may hold: how a table of others becomes vectors.

Enters: nothing. Leaves: a pydantic model. Import it where a file is read, not before: pydantic is slow to import.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bindproof.spec.files.form import Form, Some, Words


class RuleTable(Form):
    """The requirement of some of the cases."""

    exercises: Words
    """The requirement."""
    files: str = "*"
    """Of cases in files whose path this glob matches."""
    error: str | None = None
    """And which end in this error, in the table's own word."""


class MembersTable(Form):
    """Where a table of cases has what; each is a JSON pointer into a case."""

    list: str = ""
    """Into a file: its list of cases."""
    title: str = "/title"
    """What a case is called; one without is called by its number."""
    result: str = "/result"
    """The value that comes out."""
    error: str = "/error"
    """Or the error that does, in the table's own word."""


class MappingFile(Form):
    """A mapping: where a table is from, and what of it goes where."""

    source: Words
    """Where the table is kept, as a URL."""
    commit: Words
    """The commit, or the release, that was imported."""
    licence: Words
    """The name of its licence (SPDX)."""
    licence_file: str | None = None
    """The licence's file in the table's folder; it is kept beside the vectors."""
    folder: str = Field(default=".", alias="from")
    """The table's folder, as seen from this file; `--from` says another."""
    files: Some[str]
    """Globs of its files, as seen from that folder."""
    listed: str | None = None
    """A file of the table that names the files which are meant, one a line, as seen from its own folder; of those that
    `files` finds no others are read."""
    form: Literal["cases", "jmespath.test", "JSON-Schema-Test-Suite", "toml-test", "cel-spec"]
    """How they are written. Of toml-test the files are the TOML ones, and a case has the member `text`. Of cel-spec
    they are textprotos, a case has the members of its message, and values are as protobuf writes them in JSON."""
    members: MembersTable = MembersTable()
    """Of the form `cases`: where what is."""
    vectors: Words
    """The folder below the suite's `vectors/` that the vectors are written into, as seen from this file."""
    scenario: dict[str, str]
    """Member of a scenario → member of a case that it is taken from."""
    rule: Some[RuleTable]
    """The requirements: of each case the first whose conditions it meets."""
    errors: dict[str, str] = Field(default_factory=dict)
    """The table's own word for an error → its kind. `*` is every word that is not there; without it such a word is the
    kind."""
    numeric: bool = False
    """True: 1 and 1.0 are the same number in what is expected."""
