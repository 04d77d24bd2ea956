"""The result log: JSON lines, written as they come; reports and the exit code are made from nothing else.

Enters: values of a run. Leaves: lines on disk, lines read back, and the exit code that they add up to. Must not know
how a verdict was reached, nor how it is shown. See `lines` for the format.
"""

from bindproof.results.choices import joined_choices
from bindproof.results.file import Writer, encode, read
from bindproof.results.fold import Fold
from bindproof.results.lines import (
    FORMAT,
    OUTCOMES,
    REFERENCE_FACTS,
    AdapterLine,
    AdapterState,
    Broken,
    ChoicesLine,
    Emit,
    FindingLine,
    Line,
    RequirementFacts,
    RunLine,
    Speaks,
    StaleLine,
    SuiteFacts,
    SummaryLine,
    VerdictLine,
    joined,
    verdict_line,
    verdict_of,
)
from bindproof.results.log_file import LogFile

__all__ = [
    "FORMAT",
    "OUTCOMES",
    "REFERENCE_FACTS",
    "AdapterLine",
    "AdapterState",
    "Broken",
    "ChoicesLine",
    "Emit",
    "FindingLine",
    "Fold",
    "Line",
    "LogFile",
    "RequirementFacts",
    "RunLine",
    "Speaks",
    "StaleLine",
    "SuiteFacts",
    "SummaryLine",
    "VerdictLine",
    "Writer",
    "encode",
    "joined",
    "joined_choices",
    "read",
    "verdict_line",
    "verdict_of",
]
