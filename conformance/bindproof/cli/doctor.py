"""`bindproof doctor`: what is here, what each adapter needs of it, and the command that mends what is missing.

Enters: nothing. Leaves: text on stdout, an exit code. It starts nothing, and fetches nothing.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bindproof import __version__
from bindproof.cli.options import command
from bindproof.cli.streams import tell
from bindproof.core.counting import plural
from bindproof.core.errors import UsageError
from bindproof.results.fold import EXIT_NOTHING_JUDGED, EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

EXAMPLES = """\
  bindproof doctor          suites, tools, adapters and the cache, and what to do about each that is missing
  bindproof doctor --json   the same for programs

exit codes: 0 suites and cache can be used · 3 one of them cannot
"""

TOOLS: dict[str, tuple[tuple[str, ...], str]] = {
    "Node.js": (("node",), "nothing: one is fetched where it is needed"),
    "Rust": (("cargo",), "https://rustup.rs"),
    "C compiler": (("cc", "gcc", "clang"), "your system's package, such as build-essential"),
    "Go": (("go",), "https://go.dev/doc/install"),
}
"""What adapters may need besides Python → the programs of which one will do, and where to have it."""


NEED_NONE = frozenset({"bindproof", "folder"})
"""Where adapters come from that are not built."""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "doctor", "show what is here, and what to do about what is missing", EXAMPLES, act=act)
    parser.add_argument("--json", action="store_true", help="print JSON")


def act(args: argparse.Namespace) -> int:
    """Prints what was found; the exit code tells whether suites and cache can be used."""
    found = {
        "bindproof": __version__,
        "python": platform.python_version(),
        "platform": f"{sys.platform} {platform.machine()}",
        "suites": list(_suites()),
        "tools": [_tool(name) for name in TOOLS],
        "cache": _cache(),
        "adapters": _adapters(),
    }
    bad = [*found["suites"], found["cache"]]
    unusable = any("problem" in one for one in bad)
    if args.json:
        tell(json.dumps(found, indent=1))
    else:
        _print(found)
    return EXIT_NOTHING_JUDGED if unusable else EXIT_OK


def _suites() -> Iterator[dict[str, Any]]:
    from bindproof import spec

    for one in spec.all_installed():
        try:
            from bindproof.suites import provider

            provider(one)
        except UsageError as error:
            yield {"name": one.name, "problem": str(error)}
            continue
        yield {"name": one.name, "requirements": len(one.requirements), "editions": list(one.edition_names)}


def _tool(name: str) -> dict[str, Any]:
    programs, remedy = TOOLS[name]
    found = next((path for program in programs if (path := shutil.which(program))), None)
    return {"name": name, "found": found} if found else {"name": name, "found": None, "to have it": remedy}


def _cache() -> dict[str, Any]:
    from bindproof.targets.cache_contents import REMEMBERED, contents
    from bindproof.targets.unmet import Unmet

    try:
        root, kept = contents()
    except Unmet as error:
        return {"problem": error.reason, "to have it": error.remedy}
    builds = [one for one in kept if one.name != REMEMBERED]
    return {"folder": str(root), "builds": len(builds), "bytes": sum(one.size for one in kept)}


def _adapters() -> list[dict[str, Any]]:
    from bindproof.targets import known
    from bindproof.targets.cache_contents import contents
    from bindproof.targets.unmet import Unmet

    try:
        built = [one.name for one in contents()[1]]
    except Unmet:
        built = []
    return [
        {
            "name": one.name,
            "default": one.default,
            "judged": one.when_judged,
            "what": one.title,
            "here": one.get.source in NEED_NONE or any(re.match(rf"{re.escape(one.name)}-\d", name) for name in built),
            "to have it": f"bindproof adapters build {one.name}",
        }
        for one in known()
    ]


def _print(found: dict[str, Any]) -> None:
    tell(f"bindproof {found['bindproof']}, Python {found['python']}, {found['platform']}")
    tell("suites")
    for suite in found["suites"]:
        said = suite.get("problem") or f"{suite['requirements']} requirements, editions {', '.join(suite['editions'])}"
        tell(f"  {suite['name']:<14}{said}")
    tell("tools")
    for tool in found["tools"]:
        tell(f"  {tool['name']:<14}{tool['found'] or f'''not found; to have it: {tool['to have it']}'''}")
    cache = found["cache"]
    tell("cache")
    if "problem" in cache:
        tell(f"  {cache['problem']}: {cache['to have it']}")
    else:
        tell(
            f"  {cache['folder']}: {plural(cache['builds'], 'build')}, {cache['bytes'] >> 20} MiB; bindproof cache list"
        )
    tell("adapters")
    for one in found["adapters"]:
        default = f", {one['judged']}" if one["judged"] else ""
        state = "here" if one["here"] else f"built when it is first used, or now: {one['to have it']}"
        tell(f"  {one['name']:<14}{one['what']}{default}")
        tell(f"  {'':<14}{state}")
