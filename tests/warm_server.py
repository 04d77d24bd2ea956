"""Acts commands of bindproof out one after the other, each in a fork of a process that has imported it already.

Enters: a line of JSON on stdin for each command. Leaves: its exit code, on a line of stdout. It is run by the
interpreter of whatever place bindproof is installed in, and so needs nothing of ours but that. It has no threads, so
that a fork of it is whole; what a command does to the process goes with the fork.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import site
import sys
import traceback
from typing import Any


def main() -> None:
    """Serve until stdin ends."""
    _import_all()
    gc.freeze()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            os._exit(_acted(json.loads(line)))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


def _import_all() -> None:
    import bindproof

    for module in pkgutil.walk_packages(bindproof.__path__, "bindproof."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # what needs an extra that is not installed
                importlib.import_module(module.name)


def _acted(asked: Any) -> int:
    """Act one command out in this process; return its exit code."""
    try:
        for number, file in enumerate((asked["out"], asked["err"]), 1):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        os.chdir(asked["folder"])
        os.environ.update(asked["environment"])
        for path in asked["sites"]:
            site.addsitedir(path)
        for path in asked["paths"]:
            sys.path.insert(0, path)
        _forget()
        sys.argv = ["bindproof", *asked["words"]]
        from bindproof.cli import main as command

        code = command()
        sys.stdout.flush()
        sys.stderr.flush()
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
        return 1
    return code


def _forget() -> None:
    """Forget what was found out about installed packages."""
    importlib.invalidate_caches()
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "bindproof":
            for value in vars(module).values():
                if callable(getattr(value, "cache_clear", None)):
                    value.cache_clear()


if __name__ == "__main__":
    main()
