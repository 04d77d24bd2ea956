"""The page of coverage: how much of all that each package offers is judged, what is not, and why.

`python docs/site/covered.py` has the adapters act the vectors out, keeps what was judged in `covered.json` and writes
`docs/coverage.md`; with names of adapters it renews theirs alone; `--page` writes the page, of what is kept. Enters:
the packages, the surface files, and the repository's history for what was there before. Leaves: the two files.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from bindproof.coverage import Covered, Offered, offered
from bindproof.spec.files.surface import SurfaceFile

Json = Any

ROOT: Final = Path(__file__).parents[2]
KEPT: Final = Path(__file__).with_name("covered.json")
PAGE: Final = ROOT / "docs" / "coverage.md"

ADAPTERS: Final = ("python", "node", "c", "go", "rust")

BEFORE: Final = "fd7a6197^"
"""The commit before faults of real packages were first counted, with which arguments began to be looked at."""

WIDTH: Final = 118

FATES: Final = {"unset": "no scenario sets it, or asks for it, yet", "apart": "the suite is not about it"}
"""Fate of what is not judged → what that means."""


def main(words: Sequence[str]) -> int:
    """Judge and keep what is asked for, and write the page; return 1 where a name stands nowhere."""
    found: Json = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {"of": {}}
    bad = 0
    if list(words) != ["--page"]:
        vectors, rules = before()
        for adapter in words or ADAPTERS:
            for one in offered(adapter, lambda _: None):
                now, then = one.covered(), one.of(vectors, rules, first(one.file)).covered()
                bad |= not now.good
                found["of"][adapter] = kept(one, now, then)
        found["of"] = {name: found["of"][name] for name in ADAPTERS if name in found["of"]}
        KEPT.write_text(written(found), encoding="utf-8")
    PAGE.write_text(page(found), encoding="utf-8")
    return bad


def before() -> tuple[set[str], set[str]]:
    """Return the vectors and the rules of the commit before."""
    files = _git("ls-tree", "-r", "--name-only", BEFORE, "spec/relay/").splitlines()
    vectors = {one.removeprefix("spec/relay/vectors/").removesuffix(".json") for one in files if "/vectors/" in one}
    chapters = [_git("show", f"{BEFORE}:{one}") for one in files if re.fullmatch(r"spec/relay/\d\d-[\w-]+\.md", one)]
    rules = {rule for text in chapters for rule in re.findall(r"^## ([A-Z]{2,4}-\d{3}) ", text, re.MULTILINE)}
    return {f"relay/{one}" for one in vectors}, rules


def first(file: str) -> SurfaceFile:
    """Return a surface file as it was first written: it claims what adapters of that time did."""
    path = file if file.startswith("spec/") else f"spec/{file}"
    commit = _git("log", "--reverse", "--format=%H", "--", path).split()[0]
    return SurfaceFile.model_validate_json(json.dumps(tomllib.loads(_git("show", f"{commit}:{path}"))))


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def kept(one: Offered, now: Covered, then: Covered) -> Json:
    """Return what is kept of an adapter: counts, and the names that are not judged, by fate and reason."""
    reasons: dict[str, dict[str, list[str]]] = {fate: {} for fate in FATES}
    for part in now.parts:
        if part.fate in reasons:
            reasons[part.fate].setdefault(part.reason, []).append(part.name)
    return {
        "target": one.target,
        "names": len(now.parts),
        "judged": Counter(part.fate for part in now.parts)["judged"],
        "before": Counter(part.fate for part in then.parts)["judged"],
        **{fate: reasons[fate] for fate in FATES},
    }


def written(found: Json) -> str:
    """Return the file's text."""
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def page(found: Json) -> str:
    """Return the page's text."""
    rows = [_row(adapter, one) for adapter, one in found["of"].items()]
    parts = [line for adapter, one in found["of"].items() for line in _unjudged(adapter, one)]
    return "\n".join([*_HEAD.splitlines(), *rows, "", *parts]).rstrip() + "\n"


_HEAD = """\
# What of each package is judged

A package offers functions with parameters, and objects with members. Of each of these names `bindproof coverage
--adapter NAME` says what becomes of it: a vector that the adapter acts out sets it and a rule is judged there, or it
stands in a file of [spec/relay/surfaces](../spec/relay/surfaces/) with the reason why not. The share is that of what is
the suite's subject. *Before* is how many of the same names the vectors and rules judge that there were before faults
were first put into the real packages, with what adapters of that time did. `python docs/site/covered.py` wrote it.

| adapter | package | names | of another subject | judged before | judged | not judged yet |
|-|-|-:|-:|-:|-:|-:|"""


def _row(adapter: str, one: Json) -> str:
    apart, unset = (sum(map(len, one[fate].values())) for fate in ("apart", "unset"))
    subject = one["names"] - apart
    then, now = (f"{one[key]} ({100 * one[key] / subject:.0f} %)" for key in ("before", "judged"))
    return f"| `{adapter}` | {one['target']} | {one['names']} | {apart} | {then} | {now} | {unset} |"


def _unjudged(adapter: str, one: Json) -> Iterator[str]:
    """Yield what of a package is not judged, and why, the most frequent reason first."""
    yield from (f"## {adapter}", "")
    for fate, words in FATES.items():
        yield from (f"What is not judged because {words}:", "")
        for reason, names in sorted(one[fate].items(), key=lambda pair: (-len(pair[1]), pair[0])):
            yield from _item(f"**{len(names)}** {reason} {_listed(names)}")
        yield ""


def _listed(names: Sequence[str]) -> str:
    """Return names, those of one function or object together: `call:{data,name}`."""
    groups: dict[str, list[str]] = {}
    for name in names:
        owner, sign, member = re.fullmatch(r"(.*?)([:.]?)([^:.]*)", name).groups()  # type: ignore[union-attr]
        groups.setdefault(owner + sign, []).append(member)
    shown = [f"{owner}{{{', '.join(each)}}}" if len(each) > 1 else owner + each[0] for owner, each in groups.items()]
    return " · ".join(f"`{one}`" for one in shown)


def _item(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
