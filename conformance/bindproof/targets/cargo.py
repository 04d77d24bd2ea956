"""Builds Rust crates of ours with cargo, and says how far it is.

Enters: the folder of a crate and of a cache entry. Leaves: what was built, below the entry, or Unmet with the reason.
Must not know what the crate is for.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from bindproof.targets import building
from bindproof.targets.environment import for_builds
from bindproof.targets.terms import Progress
from bindproof.targets.unmet import Unmet

INSTALL: Final = "install Rust as https://rustup.rs tells, so that `cargo` and `rustc` are on PATH"
"""What helps where there is no cargo."""

_REMEDIES: Final = {
    "no default is configured": "rustup default stable",
    "no default toolchain": "rustup default stable",
}
"""What helps where cargo or rustc is there and cannot run, by what it says."""

LOG: Final = "build.log"
"""Where an entry keeps what cargo printed."""

_SECONDS_BETWEEN_LINES: Final = 3.0
_SETTINGS: Final = {
    "CARGO_INCREMENTAL": "0",
    "CARGO_TERM_COLOR": "never",
    "CARGO_TERM_PROGRESS_WHEN": "always",
    "CARGO_TERM_PROGRESS_WIDTH": "80",
}
_BAR: Final = re.compile(r"\[[=> ]+\] (\d+)/(\d+)")


def toolchain() -> str:
    """Return the compiler's version, commit and host, for the key of a cache entry.

    Raises Unmet without a Rust, and where one cannot run, such as that of a rustup which has no toolchain.
    """
    lines = _told("rustc", "--version", "--verbose").splitlines()
    _told("cargo", "--version")
    return " ".join(line for line in lines if line.startswith(("release:", "commit-hash:", "host:")))


@contextmanager
def shared() -> Iterator[Path | None]:
    """Yield the folder that CARGO_TARGET_DIR names, for one build at a time; None where it is not set.

    Builds that have it in common compile the crates that they have in common once. What is made has the same name
    there in builds of two releases, so it is taken before the next build begins, and then it goes: each is large, and
    no other build needs it.
    """
    named = os.environ.get("CARGO_TARGET_DIR")
    if not named:
        yield None
        return
    from filelock import FileLock  # only builds need it; start-up does not pay for it

    folder = Path(named).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "bindproof.lock"):
        yield folder
        _forget_what_was_made(folder / "debug")


def _forget_what_was_made(folder: Path) -> None:
    """Delete the programs and libraries that cargo made in a folder, under both names that it gives each.

    Cargo's own lock stays: whoever waits for it and whoever makes a new one would write there at the same time.
    """
    made = {path.stat().st_ino for path in folder.glob("[!.]*") if path.is_file()}
    for path in (*folder.glob("[!.]*"), *folder.glob("deps/*")):
        if path.is_file() and path.stat().st_ino in made:
            path.unlink()


def build(crate: Path, entry: Path, *, locked: bool, target: Path | None = None, progress: Progress) -> None:
    """Run `cargo build` in the folder `crate`; what it makes is below `entry/target`, its output in `entry/build.log`.

    locked: the `Cargo.lock` beside the crate holds, and a build that needs another fails; else cargo takes from such a
    lock what goes with the crate, and writes it anew. target: the folder to make it in instead. progress: told every
    few seconds how many crates are compiled. Raises Unmet, saying which command failed and why.
    """
    import subprocess  # only builds need it; start-up does not pay for it

    command = ["cargo", "build", *(["--locked"] if locked else [])]
    settings = {**for_builds(), **_SETTINGS, "CARGO_TARGET_DIR": str(target or entry / "target")}
    with (
        (entry / LOG).open("w", encoding="utf-8") as log,
        subprocess.Popen(
            command, cwd=crate, env=settings, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as started,
    ):
        tail = _follow(started.stdout, log, _Pace(crate.name, progress)) if started.stdout else ""
    if started.returncode != 0:
        raise Unmet(f"`{shlex.join(command)}` failed with exit status {started.returncode}:\n{tail}", _remedy(tail))


def take(entry: Path, name: str, target: Path | None = None) -> Path:
    """Take a file that cargo made into the entry itself; all else that it made is deleted, unless it is in `target`."""
    made = (target or entry / "target") / "debug" / name
    taken = Path(shutil.copy2(made, entry / name))
    if target is None:
        shutil.rmtree(entry / "target")
    return taken


class _Pace:
    """Tells how far a build is, but not all the time."""

    def __init__(self, crate: str, progress: Progress) -> None:
        self._crate = crate
        self._progress = progress
        self._started = self._told = time.monotonic()

    def seen(self, line: str) -> bool:
        """Take in one line; answers whether it was only cargo's bar."""
        bar = _BAR.search(line)
        now = time.monotonic()
        if bar and now - self._told >= _SECONDS_BETWEEN_LINES:
            self._told = now
            self._progress(f"cargo: {self._crate}: {bar[1]} of {bar[2]} crates, {now - self._started:.0f} s")
        return bar is not None


def _follow(output: IO[bytes], log: IO[str], pace: _Pace) -> str:
    """Write all that is said, less the bar, to the log as it comes; return its last lines."""
    last: deque[str] = deque(maxlen=building.TAIL_LINES)
    for line in _lines(output):
        if line and not pace.seen(line):
            last.append(line)
            log.write(f"{line}\n")
            log.flush()
    return "\n".join(last) or "(it printed nothing)"


def _lines(output: IO[bytes]) -> Iterator[str]:
    """Yield lines as they come; the bar ends its own with a carriage return alone."""
    rest = b""
    while chunk := os.read(output.fileno(), 65536):
        *whole, rest = re.split(rb"[\r\n]", rest + chunk)
        yield from (line.decode("utf-8", "replace").rstrip() for line in whole)
    yield rest.decode("utf-8", "replace").rstrip()


def _told(name: str, *words: str) -> str:
    absent = Unmet(f"there is no {name} on PATH, and the target is a Rust crate", INSTALL)
    return building.told(name, words, absent, _REMEDIES)


def _remedy(tail: str) -> str:
    if "failed to select a version" in tail or "no matching package" in tail:
        return "ask for a release that the crate registry has; `cargo info CRATE` shows one"
    if "linker" in tail:
        return "install a C compiler and linker, such as the package build-essential"
    return "mend what the last lines say; a network is needed for the first build"
