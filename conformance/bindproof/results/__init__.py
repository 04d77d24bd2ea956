"""The result log: JSON lines, written as they come; reports and the exit code are made from nothing else.

Enters: values of a run. Leaves: lines on disk, lines read back, and the exit code that they add up to. Must not know
how a verdict was reached, nor how it is shown. `lines` has the format, `reader` its only reader:

    from pathlib import Path

    from bindproof.results import VerdictLine, read

    log = read(Path("run.jsonl"))
    print(log.run.started)
    for line in log:
        if isinstance(line, VerdictLine) and line.unexpected:
            print(line.adapter, line.plan, [broken.requirement for broken in line.broken])

What is named here is public, and typed; the modules below are not, but for the exit codes in `fold`.
"""

from bindproof.results.choices import joined_choices
from bindproof.results.class_claims import asked_of, claims
from bindproof.results.exercise import Exercise
from bindproof.results.fold import Fold
from bindproof.results.lines import (
    FORMAT,
    OUTCOMES,
    REFERENCE_FACTS,
    TIMES,
    AdapterLine,
    AdapterState,
    Broken,
    ChoicesLine,
    ClassFacts,
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
    noted,
    verdict_line,
    verdict_of,
)
from bindproof.results.log_file import LogFile
from bindproof.results.reader import Log, read
from bindproof.results.several import together
from bindproof.results.writer import Writer, encode

__all__ = [
    "FORMAT",
    "OUTCOMES",
    "REFERENCE_FACTS",
    "TIMES",
    "AdapterLine",
    "AdapterState",
    "Broken",
    "ChoicesLine",
    "ClassFacts",
    "Emit",
    "Exercise",
    "FindingLine",
    "Fold",
    "Line",
    "Log",
    "LogFile",
    "RequirementFacts",
    "RunLine",
    "Speaks",
    "StaleLine",
    "SuiteFacts",
    "SummaryLine",
    "VerdictLine",
    "Writer",
    "asked_of",
    "claims",
    "encode",
    "joined",
    "joined_choices",
    "noted",
    "read",
    "together",
    "verdict_line",
    "verdict_of",
]
