"""What is offered for CI installs itself: the action, workflow and template with pip, the hooks by pre-commit.

What bindproof depends on is taken from this environment, so that no index is asked; bindproof is built and installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.new_adapters import VECTORS, edit_as_marked
from tests.repo.continuous import checkout, read, runner
from tests.repo.github_runner import Job
from tests.repo.installing import bare_environment_beside, wheel_of
from tests.repo.sources import ROOT, fenced, text

ARGUMENTS = " ".join(VECTORS)

BESIDE = {
    "PIP_NO_INDEX": "1",
    "PIP_NO_BUILD_ISOLATION": "0",
    "PYTHONPATH": os.pathsep.join(dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])),
}
"""Variables by which pip of any environment finds what is here already. pip reads the second one as `no isolation`."""

ALONE = {"PIP_NO_INDEX": "1", "PIP_FORCE_REINSTALL": "1", "PIP_NO_DEPS": "1"}
"""Variables by which pip installs bindproof where the same release is among what is here already, and nothing else."""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("bash") is None, reason="unavailable: no bash; to have it: install bash"),
]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return checkout(tmp_path)


def test_the_action_installs_itself_and_judges(workspace: Path, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    (programs / "python").chmod(0o755)
    action = read("action.yml")
    inputs = {f"inputs.{name}": str(one.get("default", "")) for name, one in action["inputs"].items()}
    contexts = inputs | {"inputs.adapter": "./gull", "inputs.arguments": ARGUMENTS, "runner.os": "Linux"}
    job = Job(workspace, programs, tmp_path / "artifacts", contexts)
    ended = job.run(action["runs"]["steps"], BESIDE | {"GITHUB_ACTION_PATH": str(ROOT)})
    assert ended.code == 0, ended.said
    assert "3 scenarios, 0 unexpected divergences" in ended.said
    installed = tmp_path / "runner" / "bindproof" / "bin" / "bindproof"
    assert (tmp_path / "runner" / "GITHUB_PATH").read_text(encoding="utf-8").strip() == str(installed.parent)
    kept = {path.name for path in (tmp_path / "artifacts" / "bindproof").iterdir()}
    assert kept == {"run.jsonl", "run.html", "junit.xml", "run.sarif", "badge.json", "summary.md"}
    assert job.contexts["steps.judge.outputs.exit-code"] == "0"


def test_the_workflow_and_the_template_for_gitlab_install_bindproof_and_judge(workspace: Path, tmp_path: Path) -> None:
    programs = bare_environment_beside(tmp_path).parent
    wheel = str(wheel_of(ROOT, tmp_path))
    workflow = read(".github/workflows/judge.yml")
    inputs = {name: str(one.get("default", "")) for name, one in workflow["on"]["workflow_call"]["inputs"].items()}
    inputs |= {"adapter": "./gull", "arguments": ARGUMENTS, "bindproof": wheel}
    contexts = {f"inputs.{name}": text for name, text in inputs.items()}
    contexts |= {"matrix.version": "", "matrix.shard": "1/1", "strategy.job-index": "0"}
    for name in ("judge", "join"):
        job = Job(workspace, programs, tmp_path / "artifacts", contexts)
        ended = job.run(workflow["jobs"][name]["steps"], ALONE | workflow["jobs"][name]["env"])
        assert ended.code == 0, ended.said
    assert {path.name for path in (tmp_path / "artifacts").iterdir()} == {"log-0-of-own", "bindproof-own"}
    (programs / "bindproof").unlink()
    template = read("templates/ci/gitlab.yml")[".bindproof"]
    given = {**template["variables"], "ADAPTER": "./gull", "ARGUMENTS": ARGUMENTS, "BINDPROOF": wheel}
    given |= ALONE | {"BINDPROOF_CACHE": str(tmp_path / "c")}
    ended = runner("\n".join([*template["before_script"], *template["script"]]), workspace, given, programs)
    assert ended.code == 0, ended.said
    assert (programs / "bindproof").is_file()


def example(page: str, hook: str) -> dict[str, Any]:
    """Return a hook as a page has it: among `repos`, or alone."""
    blocks = [YAML(typ="safe").load(block) for language, block in fenced(text(Path(page))) if language == "yaml"]
    lists = [*(block for block in blocks if isinstance(block, list))]
    lists += [repo["hooks"] for block in blocks if isinstance(block, dict) for repo in block.get("repos", [])]
    (found,) = [one for hooks in lists for one in hooks if one.get("id") == hook]
    return dict(found)


def git(folder: Path, *words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    settings = ["-c", "user.name=n", "-c", "user.email=n@a.example", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *settings, *words], cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="unavailable: no checkout; pre-commit clones one")
def test_pre_commit_installs_the_hooks_and_holds_commits(workspace: Path, tmp_path: Path) -> None:
    """As the pages have them. What pre-commit clones is the last commit of this checkout."""
    (workspace / "conformance").mkdir()
    (workspace / "gull").rename(workspace / "conformance" / "gull")
    hooks = [example("docs/ci.md", "bindproof-adapter"), example("docs/evolution.md", "bindproof-evolve")]
    hooks[0]["args"][-2:] = VECTORS  # a few of those that the page has
    release = git(ROOT, "rev-parse", "HEAD").stdout.strip()
    config = {"repos": [{"repo": str(ROOT), "rev": release, "hooks": hooks}]}
    with (workspace / ".pre-commit-config.yaml").open("w", encoding="utf-8") as file:
        YAML().dump(config, file)
    schema = workspace / "schemas" / "a.json"
    schema.parent.mkdir()
    schema.write_text('{"type": "object"}\n', encoding="utf-8")
    (workspace / "policy.toml").write_text("", encoding="utf-8")
    (workspace / ".gitignore").write_text("__pycache__/\n", encoding="utf-8")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    env = {"HOME": str(tmp_path), "PATH": path, "PRE_COMMIT_HOME": str(tmp_path / "hooks"), **BESIDE}
    env |= {"BINDPROOF_CACHE": str(tmp_path / "cache")}
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "first"], ["checkout", "-qb", "work"]):
        assert git(workspace, *words).returncode == 0
    installed = subprocess.run(["pre-commit", "install"], cwd=workspace, env=env, capture_output=True, check=False)
    assert installed.returncode == 0, installed.stdout
    edit_as_marked(workspace / "conformance" / "gull", "python")
    schema.write_text('{"type": "object", "required": ["a"]}\n', encoding="utf-8")
    refused = git(workspace, "commit", "-qam", "red", env=env)
    assert refused.returncode == 1, refused.stderr
    assert "MID-002" in refused.stderr
    assert "schemas/a.json:1: required added" in refused.stderr
    git(workspace, "checkout", "-q", "conformance")
    schema.write_text('{"type": "object", "title": "A"}\n', encoding="utf-8")
    (workspace / "conformance" / "gull" / "NOTES.md").write_text("None.\n", encoding="utf-8")
    git(workspace, "add", ".")
    taken = git(workspace, "commit", "-qm", "green", env=env)
    assert taken.returncode == 0, taken.stderr
    assert taken.stderr.count("Passed") == 2
