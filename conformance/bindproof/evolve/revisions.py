"""A file or folder as it was in a revision of a git repository.

Enters: a revision and a path. Leaves: the same path below a temporary folder. Nothing of the repository is changed, and
nothing is fetched.
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from pathlib import Path
from typing import Final

from bindproof.core.errors import UsageError

_SECONDS: Final = 60


def at_revision(revision: str, path: str, into: Path) -> Path:
    """Write what a path held in a revision below a folder, and return where.

    path: as one types it, from the working folder. Raises UsageError where git has no such thing.
    """
    top = Path(_git("rev-parse", "--show-toplevel").decode().rstrip("\n"))
    inside = os.path.relpath(os.path.realpath(path), os.path.realpath(top))
    commit = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}").decode().strip()
    words = ["archive", "--format=tar", commit] + ([] if inside == "." else ["--", inside])
    archive = _git(*words, folder=top)
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(into, filter="data")
    found = into / inside
    if not found.exists():
        raise UsageError(f"{revision} has nothing at {path}")
    return found


def merge_base(revision: str) -> str:
    """Return the commit where the working branch left another revision. Raises UsageError where there is none."""
    return _git("merge-base", "--end-of-options", revision, "HEAD").decode().strip()


def _git(*words: str, folder: Path | None = None) -> bytes:
    try:
        ended = subprocess.run(
            ["git", *words], cwd=folder, capture_output=True, check=False, stdin=subprocess.DEVNULL, timeout=_SECONDS
        )
    except FileNotFoundError:
        raise UsageError("git is not installed; compare files, folders or editions instead") from None
    except subprocess.TimeoutExpired:
        raise UsageError(f"git {words[0]} took longer than {_SECONDS} seconds") from None
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise UsageError(f"git {words[0]}: {said or 'there is no such revision'}")
    return ended.stdout
