"""Checks the Rust and Go sources: format, lints, and the SDKs' own tests.

Leaves: 0, or 1 when a check failed. What needs the C library to compile is checked in tests/bindings. Where a toolchain
is missing, or cannot run, its checks are left out, and a line says so.

What cargo makes stays where CARGO_TARGET_DIR says, beside what builds of adapters have in common, or in the cache of
builds; the next run finds it there, whichever checkout it runs in. Cargo compiles and lints anew what has changed
since; the tests are run each time.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bindproof.suites.relay.targets import go_target
from bindproof.targets import cargo
from bindproof.targets.cache import key_of, own_root
from bindproof.targets.unmet import Unmet

ADAPTERS = Path(__file__).resolve().parents[2] / "adapters"
CRATES = ("rust", "sdk/rust", "sdk/clib", "llm-stack", "native/plugin")
COMPILED = ("sdk/rust", "rust", "llm-stack", "native/plugin")
"""The library itself is left out: to compile it takes minutes, and there are two lines in it."""
CASES = "sdk/cases"
"""What the SDKs' tests read besides."""
MODULES = ("go", "go-upstream", "sdk/go")
GO = {"GOFLAGS": "", "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOWORK": "off", "CGO_ENABLED": "1"}


@dataclass(frozen=True, slots=True)
class Check:
    """A command that must succeed in a folder."""

    command: Sequence[str]
    folder: Path
    env: Mapping[str, str] = field(default_factory=dict)
    silent: bool = False
    """It must say nothing besides."""

    def passes(self) -> bool:
        """Runs it, with its output on ours."""
        print("+", " ".join(self.command), f"(in {self.folder})", flush=True)
        environment = {**os.environ, **self.env}
        output = subprocess.PIPE if self.silent else None
        ended = subprocess.run(self.command, cwd=self.folder, env=environment, stdout=output, check=False)
        if ended.stdout:
            print(ended.stdout.decode())
        return ended.returncode == 0 and not ended.stdout


def main() -> int:
    """Runs every check, also after one that failed."""
    results = [check.passes() for checks in (rust(), go()) for check in checks]
    return 0 if all(results) else 1


def rust() -> Iterator[Check]:
    """The checks of Rust sources; crates are compiled from copies, so that no lock file is left beside ours."""
    try:
        toolchain = cargo.toolchain()
    except Unmet as unmet:
        print(f"NOT CHECKED: the Rust sources: {unmet.reason}; to have it: {unmet.remedy}")
        return
    for crate in CRATES:
        yield Check(["cargo", "fmt", "--check"], ADAPTERS / crate)
    folder = own_root() / key_of("native-lint", "rust", toolchain, *(manifest(crate) for crate in COMPILED))
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield from compiled(folder / "sources", os.environ.get("CARGO_TARGET_DIR") or str(folder / "target"))


def compiled(copies: Path, target: str) -> Iterator[Check]:
    """The checks that cargo compiles for."""
    copy_what_changed(copies)
    env = {"CARGO_TARGET_DIR": target, "CARGO_INCREMENTAL": "0"}
    for crate in COMPILED:
        yield Check(["cargo", "clippy", "--quiet", "--all-targets", "--", "-D", "warnings"], copies / crate, env)
    yield Check(["cargo", "test", "--quiet"], copies / "sdk" / "rust", env)


def copy_what_changed(copies: Path) -> None:
    """Makes the copies what the sources are. Cargo goes by times, so a file that says the same is not touched."""
    sources = {path.relative_to(ADAPTERS): path for part in (CASES, *COMPILED) for path in files_of(ADAPTERS / part)}
    for copy in files_of(copies):
        if copy.relative_to(copies) not in sources and copy.name != "Cargo.lock":
            copy.unlink()
    for name, source in sources.items():
        copy = copies / name
        if not copy.is_file() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(source.read_bytes())


def files_of(folder: Path) -> list[Path]:
    """The files below a folder, without what cargo builds there."""
    return [path for path in folder.rglob("*") if path.is_file() and "target" not in path.relative_to(folder).parts]


def manifest(crate: str) -> str:
    """What a crate says that it needs."""
    return (ADAPTERS / crate / "Cargo.toml").read_text()


def go() -> Iterator[Check]:
    """The checks of Go sources; `go vet` of what goes through cgo needs the library."""
    try:
        go_target.toolchain()
    except Unmet as unmet:
        print(f"NOT CHECKED: the Go sources: {unmet.reason}; to have it: {unmet.remedy}")
        return
    yield Check(["gofmt", "-l", *MODULES], ADAPTERS, silent=True)
    # never from the cache of results, which does not see that a case has changed
    for command in (["go", "vet", "./..."], ["go", "test", "-race", "-count=1", "./..."]):
        yield Check(command, ADAPTERS / "sdk" / "go", GO)


if __name__ == "__main__":
    sys.exit(main())
