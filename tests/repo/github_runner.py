"""Jobs of GitHub Actions, run to their end as its runner runs them: each step, in order, in a workspace of its own.

Enters: steps as data, values for their expressions. Leaves: what each job ended with, and artifacts in a folder. Must
not know what the jobs are for. Of the actions of others it knows those that ours use: what is checked out and which
Python there is the caller says, and artifacts are folders.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from tests.repo.continuous import Ended, files_of, runner

Json = Any

_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")


class Job(Struct):
    """One job. programs: a folder that stands first on PATH. artifacts: what the jobs of one run leave each other."""

    workspace: Path
    programs: Path
    artifacts: Path
    contexts: dict[str, str]
    environment: dict[str, str] = field(default_factory=dict)
    code: int = 0
    said: str = ""

    def run(self, steps: list[Json], env: Mapping[str, str] = {}) -> Ended:
        """Run steps; env: of the job. Once one has failed, those alone that say `always()`."""
        self.environment |= self._filled(env)
        for step in steps:
            if _is_meant(step.get("if", ""), self.contexts, failed=self.code != 0):
                self._step(step)
        return Ended(self.code, self.said)

    def _step(self, step: Json) -> None:
        if "run" not in step:
            action, _, release = step["uses"].partition("@")
            assert re.fullmatch(r"v\d+", release)
            OTHERS[action](self, self._filled(step.get("with", {})))
            return
        env = self.environment | self._filled(step.get("env", {}))
        ended = runner(step["run"], self.workspace, env, *self._added(), self.programs)
        self.code = self.code or ended.code
        self.said += ended.said
        if "id" in step:
            lines = Path(files_of(self.workspace)["GITHUB_OUTPUT"]).read_text(encoding="utf-8").splitlines()
            outputs = dict(line.split("=", 1) for line in lines)
            self.contexts |= {f"steps.{step['id']}.outputs.{name}": text for name, text in outputs.items()}

    def _added(self) -> list[str]:
        """Return the folders that steps before this one had put on PATH, the last one first."""
        file = Path(files_of(self.workspace)["GITHUB_PATH"])
        return file.read_text(encoding="utf-8").splitlines()[::-1] if file.exists() else []

    def _filled(self, values: Mapping[str, object]) -> dict[str, str]:
        return {name: filled(str(text), self.contexts) for name, text in values.items()}


def filled(text: str, contexts: Mapping[str, str]) -> str:
    """Return a text with its expressions filled in. Raises KeyError for a name that there is no value for."""
    return _EXPRESSION.sub(lambda found: value(found[1], contexts), text)


def value(expression: str, contexts: Mapping[str, str]) -> str:
    """Return what an expression comes to: names and texts, `!=`, `&&`, `||`; an empty text is false."""
    if "||" in expression:
        return next(filter(None, (value(one, contexts) for one in expression.split("||"))), "")
    if "&&" in expression:
        each = [value(one, contexts) for one in expression.split("&&")]
        return each[-1] if all(each) else ""
    if "!=" in expression:
        one, other = expression.split("!=")
        return "true" if value(one, contexts) != value(other, contexts) else ""
    word = expression.strip()
    if word == "always()":
        return "true"
    return word[1:-1] if word.startswith("'") else contexts[word]


def _is_meant(condition: str, contexts: Mapping[str, str], *, failed: bool) -> bool:
    if failed and "always()" not in condition:
        return False
    inner = _EXPRESSION.fullmatch(condition)
    return not condition or bool(value(inner[1] if inner else condition, contexts))


def _nothing(job: Job, given: Mapping[str, str]) -> None:
    """What it does is done."""


def _upload(job: Job, given: Mapping[str, str]) -> None:
    """Keep what paths name; of one folder what is in it. A name may be given once, and has no `/` in it."""
    artifact = job.artifacts / given["name"]
    assert artifact.parent == job.artifacts
    artifact.mkdir(parents=True)
    paths = [job.workspace / path for path in given["path"].split()]
    if len(paths) == 1 and paths[0].is_dir():
        shutil.copytree(paths[0], artifact, dirs_exist_ok=True)
        return
    for path in filter(Path.exists, paths):
        shutil.copy(path, artifact)


def _download(job: Job, given: Mapping[str, str]) -> None:
    """Lay what artifacts of a pattern hold into one folder."""
    assert given["merge-multiple"] == "True"
    for artifact in sorted(job.artifacts.iterdir()):
        if fnmatchcase(artifact.name, given["pattern"]):
            shutil.copytree(artifact, job.workspace / given["path"], dirs_exist_ok=True)


OTHERS: dict[str, Callable[[Job, Mapping[str, str]], None]] = {
    "actions/checkout": _nothing,
    "actions/setup-python": _nothing,
    "actions/cache": _nothing,
    "actions/upload-artifact": _upload,
    "actions/download-artifact": _download,
}
"""Actions of others that ours use, and what stands in for each."""
