"""Jobs of CI as data, and their steps as a runner runs them.

Enters: files of GitHub Actions and GitLab. Leaves: what each script ended with, printed and wrote. Must not know what
the scripts are for.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from ruamel.yaml import YAML

from tests.new_adapters import new_adapter
from tests.repo.sources import ROOT

Json = Any

_EXPRESSION = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")


class Ended(Struct, frozen=True):
    """What came of a script."""

    code: int
    said: str


def checkout(folder: Path) -> Path:
    """Return a checkout with an adapter in it, made in a folder."""
    workspace = folder / "workspace"
    workspace.mkdir()
    new_adapter(workspace, "python")
    return workspace


def read(path: str) -> Json:
    """Return a file of this repository as a value; YAML 1.2, in which `on` is a text."""
    return YAML(typ="safe").load((ROOT / path).read_text(encoding="utf-8"))


def scripts(value: Json) -> list[Json]:
    """Return every step that is a script, of an action or of all jobs of a workflow."""
    if isinstance(value, dict):
        found = [value] if isinstance(value.get("run"), str) else []
        return found + [step for inner in value.values() for step in scripts(inner)]
    return [step for inner in value for step in scripts(inner)] if isinstance(value, list) else []


def step_named(value: Json, name: str) -> Json:
    """Return the one script of this name."""
    (found,) = [step for step in scripts(value) if step.get("name") == name]
    return found


def given(environment: Mapping[str, str], contexts: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a step with their expressions filled in, such as `inputs.adapter`.

    Raises KeyError for an expression that there is no value for.
    """
    return {name: _EXPRESSION.sub(lambda found: contexts[found[1]], str(text)) for name, text in environment.items()}


def runner(script: str, folder: Path, environment: Mapping[str, str], *programs: Path | str) -> Ended:
    """Run a script as GitHub's runner does: bash that ends with the first command that fails, a pipe's too.

    programs: folders that stand first on PATH.
    """
    path = os.pathsep.join([*map(str, programs), os.environ["PATH"]])
    env = {"HOME": os.environ["HOME"], "PATH": path, **files_of(folder), **environment}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    ran = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    return Ended(ran.returncode, ran.stdout + ran.stderr)


def files_of(folder: Path) -> dict[str, str]:
    """Return the files that a runner has scripts write into."""
    outside = folder.parent / "runner"
    outside.mkdir(exist_ok=True)
    names = ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_PATH")
    return {**{name: str(outside / name) for name in names}, "RUNNER_TEMP": str(outside)}
