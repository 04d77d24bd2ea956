"""Who keeps what today: judges every binding that can be had here, and keeps the status of each requirement.

`python docs/site/kept_by.py` writes `kept_by.json` anew; `python docs/site/kept_by.py RUN.jsonl` takes a log of all of
them. Enters: a whole run. Leaves: the file from which the pages of the spec say it. Must not know how a page says it.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from bindproof.cli import main as bindproof
from bindproof.results.fold import EXIT_NOTHING_JUDGED, EXIT_OK

FILE = Path(__file__).with_name("kept_by.json")

ADAPTERS = ("python", "node", "c", "go", "rust", "llm-stack", "codex", "tagged-1", "afk", "reference")
"""What cannot be had is left out."""


def main(logs: list[str]) -> int:
    """Judge, or take logs, and write the file; return the exit code of what was judged where that is no success."""
    with tempfile.TemporaryDirectory() as name:
        document = Path(name) / "summary.json"
        if logs:
            code = bindproof(["report", *logs, "--report", "badge", "--summary", str(document)])
        else:
            each = [word for adapter in ADAPTERS for word in ("--adapter", adapter)]
            code = bindproof(["run", *each, "--summary", str(document)])
        if code not in (EXIT_OK, EXIT_NOTHING_JUDGED):
            return code
        FILE.write_text(written(json.loads(document.read_text(encoding="utf-8"))), encoding="utf-8")
    return EXIT_OK


def written(summary: dict[str, Any]) -> str:
    """Return the file's text, of what `bindproof report --summary` says: a line for each target and requirement."""
    ready = [one for one in summary["targets"] if one["state"] == "ready"]
    targets = {one["name"]: {key: one[key] for key in ("target", "version", "editions")} for one in ready}
    rows = {
        one["id"]: {name: one["status"][name] for name in targets if name in one["status"]}
        for one in summary["requirements"]
    }
    head = {"bindproof": summary["bindproof"], "on": summary["started"][:10]}
    parts = [f' "{key}": {json.dumps(value)}' for key, value in head.items()]
    parts += [_lines("targets", targets), _lines("requirements", {name: row for name, row in rows.items() if row})]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(key: str, each: dict[str, Any]) -> str:
    inner = ",\n".join(f'  "{name}": {json.dumps(value)}' for name, value in each.items())
    return f' "{key}": {{\n{inner}\n }}'


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
