"""Programs of scenarios in Rust, many in one executable: what they have in common is compiled once, and linked once.

Enters: programs' names and texts, and the adapter of the release that they are for. Leaves: for each the words that run
it. What is built is kept in the cache, by what it was built of.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from bindproof.core.model import AdapterCommand
from bindproof.core.paths import adapters_root
from bindproof.targets import cache, cargo, crate_lock
from bindproof.targets.rust_target import with_requirement
from bindproof.targets.terms import Terms

CRATE = "nemo-relay"
TOGETHER = 60
"""So many programs are one executable: of more the compiler would hold too much at a time."""

_MANIFEST = """\
[package]
name = "programs"
version = "0.0.0"
edition = "2024"

[dependencies]
chrono = "0.4"
nemo-relay = { version = "=0.10.4", default-features = false }
regex = "1"
serde = "1"
serde_json = "1"
tokio = { version = "1", features = ["macros", "rt-multi-thread", "sync", "time"] }
tokio-stream = "0.1"

"""


def built(programs: Mapping[str, str], command: AdapterCommand) -> dict[str, list[str]]:
    """Return the words that run each program; raises Unmet where the compiler does not take them, warnings included.

    programs: name, which is that of a module, → text. command: the adapter of the release that they are for.
    """
    assert command.version is not None
    sources = _sources(programs, command)
    texts = [f"{name}\0{text}" for name, text in sorted(sources.items())]
    key = cache.key_of("programs-rust", command.version, cargo.toolchain(), *texts)
    terms = Terms(lambda _: None)
    entry = cache.ensure(key, partial(_build, sources), terms)
    return {name: [str(entry.folder / f"programs{at // TOGETHER}"), name] for at, name in enumerate(sorted(programs))}


def _build(sources: Mapping[str, str], entry: Path) -> None:
    folder = entry / "sources"
    for name, text in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    made = [name.split("/")[1] for name in sources if name.endswith("/main.rs")]
    with cargo.shared() as common:
        cargo.build(folder, entry, locked=False, target=common, progress=lambda _: None)
        for name in made:
            shutil.copy2((common or entry / "target") / "debug" / name, entry / name)
    shutil.rmtree(entry / "target", ignore_errors=True)
    shutil.rmtree(folder)


def _sources(programs: Mapping[str, str], command: AdapterCommand) -> dict[str, str]:
    """Return the files of a package, by their paths."""
    adapter = (adapters_root() / "rust" / "Cargo.toml").read_text("utf-8")
    profile = re.sub(r"^bindproof-.*\n", "", adapter[adapter.index("[profile.dev]") :], flags=re.M)
    profile = profile[: profile.index("[lints.")]
    parts = _parts(programs)
    bins = [f'[[bin]]\nname = "programs{at}"\npath = "src/programs{at}/main.rs"\n' for at in range(len(parts))]
    manifest = with_requirement(_MANIFEST, CRATE, f'version = "={command.version}"')
    found = {
        "Cargo.toml": "\n".join([manifest, *bins, profile]),
        crate_lock.LOCK: (adapters_root() / "rust" / crate_lock.LOCK).read_text("utf-8"),
    }
    for at, part in enumerate(parts):
        found[f"src/programs{at}/main.rs"] = _limit_of(programs[part[0]]) + _main(part)
        found |= {f"src/programs{at}/{name}.rs": _module(programs[name]) for name in part}
    return found


def _main(names: list[str]) -> str:
    modules = "\n".join(f"mod {name};" for name in names)
    arms = "\n".join(f'        "{name}" => {name}::run(),' for name in names)
    return (
        f"#![deny(warnings)]\n\n{modules}\n\n"
        "fn main() -> std::process::ExitCode {\n"
        '    match std::env::args().nth(1).expect("a program\'s name").as_str() {\n'
        f'{arms}\n        other => panic!("no program is called {{other}}"),\n    }}\n}}\n'
    )


def _parts(programs: Mapping[str, str]) -> list[list[str]]:
    """Return the names of the programs that are one executable each: all of them have the same limits."""
    alike: dict[str, list[str]] = {}
    for name in sorted(programs):
        alike.setdefault(_limit_of(programs[name]), []).append(name)
    return [names[at : at + TOGETHER] for names in alike.values() for at in range(0, len(names), TOGETHER)]


def _limit_of(text: str) -> str:
    found = re.search(r"^#!\[recursion_limit.*\n", text, re.M)
    return found[0] if found else ""


def _module(text: str) -> str:
    """Return a program as a module, whose limits are those of the crate."""
    return text.replace(_limit_of(text), "", 1) + ("\npub fn run() -> ExitCode {\n    main()\n}\n")
