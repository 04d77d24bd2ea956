"""What is offered for CI keeps its word: published schemas take it, and its scripts do what they say in a shell."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from check_jsonschema.cli.main_command import main as check_jsonschema
from click.testing import CliRunner
from ruamel.yaml import YAML

from tests.new_adapters import VECTORS, edit_as_marked
from tests.repo.continuous import Ended, checkout, files_of, given, read, runner, scripts, step_named
from tests.repo.github_runner import Job
from tests.repo.sources import ROOT, fenced

ACTION, WORKFLOW, GITLAB = "action.yml", ".github/workflows/judge.yml", "templates/ci/gitlab.yml"
JOB = "templates/adapter/common/conformance.yml"
ARGUMENTS = " ".join(VECTORS)

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="unavailable: no bash; to have it: install bash")


@pytest.mark.long
@pytest.mark.parametrize(
    ("schema", "files"),
    [("github-actions", [ACTION]), ("github-workflows", [WORKFLOW, JOB]), ("gitlab-ci", [GITLAB])],
)
def test_the_published_schema_takes_it(schema: str, files: list[str]) -> None:
    words = ["--builtin-schema", f"vendor.{schema}", *(str(ROOT / file) for file in files)]
    done = CliRunner().invoke(check_jsonschema, words)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("file", [ACTION, WORKFLOW, JOB])
def test_no_script_has_text_of_others_in_it(file: str) -> None:
    found = scripts(read(file))
    assert len(found) > 1
    assert [step["name"] for step in found if "${{" in step["run"]] == []


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `bindproof` and a `pip` that notes what it is asked to install."""
    return programs_in(tmp_path_factory.mktemp("programs"), '"$@"')


@pytest.fixture(scope="module")
def of_any_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Such a folder, in which `bindproof` takes an adapter that has no releases for each of those that tests name."""
    return programs_in(tmp_path_factory.mktemp("programs"), '"${@%%@1.0.0*}"')


def programs_in(folder: Path, words: str) -> Path:
    python = shlex.quote(sys.executable)
    for name, line in {
        "bindproof": f"exec {python} -m bindproof {words}",
        "pip": f'echo "$@" >> {folder}/asked',
    }.items():
        (folder / name).write_text(f"#!/usr/bin/env bash\n{line}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return checkout(tmp_path)


def act(workspace: Path, programs: Path, **inputs: str) -> Ended:
    """Do the action's step that judges, with these inputs beside its defaults."""
    action = read(ACTION)
    known = {f"inputs.{name}": str(one.get("default", "")) for name, one in action["inputs"].items()}
    asked = {f"inputs.{name}": text for name, text in inputs.items()}
    assert asked.keys() <= known.keys()
    step = step_named(action, "Judge")
    return runner(step["run"], workspace, given(step["env"], known | asked), programs)


def written(workspace: Path, name: str) -> str:
    return Path(files_of(workspace)[name]).read_text(encoding="utf-8")


@pytest.mark.long
def test_the_action_keeps_log_and_reports_and_is_as_red_as_the_run(workspace: Path, programs: Path) -> None:
    edit_as_marked(workspace / "gull", "python")
    ended = act(workspace, programs, adapter="./gull\n", arguments=ARGUMENTS)
    assert ended.code == 1, ended.said
    made = {path.name for path in (workspace / "bindproof-reports").iterdir()}
    assert made == {"run.jsonl", "run.html", "junit.xml", "run.sarif", "badge.json", "summary.md"}
    assert written(workspace, "GITHUB_OUTPUT") == "log=bindproof-reports/run.jsonl\nexit-code=1\n"
    assert "MID-002" in written(workspace, "GITHUB_STEP_SUMMARY")
    assert "::error" in ended.said
    cases = ElementTree.parse(workspace / "bindproof-reports" / "junit.xml").iter("testcase")
    assert any(case.find("failure") is not None for case in cases)


def test_the_action_hands_its_inputs_on_as_words(workspace: Path, programs: Path, tmp_path: Path) -> None:
    """Text that a shell would obey, or take for a pattern of files, is text."""
    told = tmp_path / "told"
    echoing = tmp_path / "echoing"
    echoing.mkdir()
    (echoing / "bindproof").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {told}\n', encoding="utf-8")
    (echoing / "bindproof").chmod(0o755)
    inputs = {"adapter": "$(touch evil)\nnode\n", "versions": "0.9.4 * ", "expectations": "a b.toml", "shards": "1/2"}
    ended = act(workspace, echoing, **inputs, arguments="--jobs 2")
    assert ended.code == 0, ended.said
    words = told.read_text(encoding="utf-8").splitlines()
    named = [f"{name}@{version}" for name in ("$(touch evil)", "node") for version in ("0.9.4", "*")]
    expected = ["run", *(word for name in named for word in ("--adapter", name))]
    assert words[: len(expected) + 6] == [*expected, "--expectations", "a b.toml", "--shard", "1/2", "--jobs", "2"]
    assert not (workspace / "evil").exists()


def test_the_action_asks_for_an_adapter(workspace: Path, programs: Path) -> None:
    ended = act(workspace, programs, adapter="\n", versions="0.9.4")
    assert (ended.code, ended.said) == (2, "::error::give `adapter`: a name, or a folder\n")


Judged = Sequence[tuple[str, str]]
"""Releases and shards, of each a job that judges."""


def jobs_of_the_workflow(
    workspace: Path, programs: Path, judged: Judged, joined: str, **inputs: str
) -> dict[tuple[str, ...], Ended]:
    """Run jobs of the workflow, each in a checkout of its own, and one that joins; return how each ended."""
    workflow = read(WORKFLOW)
    given = {name: str(one.get("default", "")) for name, one in workflow["on"]["workflow_call"]["inputs"].items()}
    contexts = {f"inputs.{name}": text for name, text in (given | inputs).items()}
    ended: dict[tuple[str, ...], Ended] = {}
    for number, (name, version, shard) in enumerate([*(("judge", *one) for one in judged), ("join", joined, "")]):
        checkout = workspace.parent / f"{number}" / "workspace"
        shutil.copytree(workspace, checkout)
        matrix = {"matrix.version": version, "matrix.shard": shard, "strategy.job-index": str(number)}
        job = Job(checkout, programs, workspace.parent / "artifacts", contexts | matrix)
        ended[name, version, shard] = job.run(workflow["jobs"][name]["steps"], workflow["jobs"][name]["env"])
    return ended


KNOWN = """\
[[divergence]]
requirement = "MID-002"
target = "gull"
vectors = ["relay/outcomes/priority-limits"]
expected = "last"
observed = "first"
reason = "It is there so that a run is red without this file."
source = "a test"

[[divergence]]
requirement = "OUT-005"
target = "gull"
vectors = ["relay/outcomes/priority-limits"]
expected = [-2147483648, "first"]
observed = [2147483647, "last"]
reason = "So is this."
source = "a test"
"""


JUDGED: Judged = (("1.0.0", "1/2"), ("1.0.0", "2/2"), ("1.0.0-rc1", "1/2"))
"""The name of one release begins the name of the other."""

JOINED = "1 of 1 adapter judged: 3 scenarios, 0 unexpected divergences, 2 known"


@pytest.fixture
def red_but_known(workspace: Path) -> dict[str, str]:
    """What is asked for, of an adapter that breaks what a file knows."""
    edit_as_marked(workspace / "gull", "python")
    (workspace / "known.toml").write_text(KNOWN, encoding="utf-8")
    return {"adapter": "./gull", "arguments": ARGUMENTS, "expectations": "known.toml"}


@pytest.mark.long
def test_the_workflow_judges_shards_and_joins_those_of_one_release(
    workspace: Path, of_any_release: Path, red_but_known: dict[str, str]
) -> None:
    ended = jobs_of_the_workflow(workspace, of_any_release, JUDGED, "1.0.0", **red_but_known)
    assert {job: one.said for job, one in ended.items() if one.code} == {}
    assert JOINED in ended["join", "1.0.0", ""].said
    kept = workspace.parent / "artifacts" / "bindproof-1.0.0"
    assert {path.name for path in kept.iterdir()} == {"run.jsonl", "run.html", "junit.xml"}


def gitlab(name: str) -> dict[str, Any]:
    """Return a job of the template, with what it extends."""
    job: dict[str, Any] = read(GITLAB)[name]
    if "extends" not in job:
        return job
    extended = gitlab(job["extends"])
    return {**extended, **job, "artifacts": {**extended["artifacts"], **job["artifacts"]}}


def act_gitlab(name: str, workspace: Path, programs: Path, **variables: str) -> Ended:
    """Run a job of the template: all its commands are one script."""
    job = gitlab(name)
    given = {**job["variables"], "CI_PROJECT_DIR": str(workspace), **variables}
    given["BINDPROOF_CACHE"] = given["BINDPROOF_CACHE"].replace("$CI_PROJECT_DIR", str(workspace))
    return runner("\n".join([*job["before_script"], *job["script"]]), workspace, given, programs)


@pytest.mark.long
def test_the_template_for_gitlab_judges_with_junit(workspace: Path, programs: Path) -> None:
    ended = act_gitlab(".bindproof", workspace, programs, ADAPTER="./gull", ARGUMENTS=ARGUMENTS, SHARD="1/1")
    assert ended.code == 0, ended.said
    assert (programs / "asked").read_text(encoding="utf-8").endswith("install --quiet bindproof\n")
    kept = gitlab(".bindproof")["artifacts"]
    assert len(list(ElementTree.parse(workspace / kept["reports"]["junit"]).iter("testcase"))) == 4
    assert all((workspace / path).exists() for path in kept["paths"])
    assert (workspace / "logs" / "own" / "1.jsonl").is_file()


@pytest.mark.long
def test_the_template_for_gitlab_joins_the_shards_of_one_release(
    workspace: Path, of_any_release: Path, red_but_known: dict[str, str]
) -> None:
    """The job that joins gets what all jobs kept that it needs, of other releases too."""
    variables = {name.upper(): text for name, text in red_but_known.items()}
    for version, shard in JUDGED:
        ended = act_gitlab(".bindproof", workspace, of_any_release, VERSION=version, SHARD=shard, **variables)
        assert ended.code == 0, ended.said
    ended = act_gitlab(".bindproof-join", workspace, of_any_release, VERSION="1.0.0", **variables)
    assert ended.code == 0, ended.said
    assert JOINED in ended.said
    kept = gitlab(".bindproof-join")["artifacts"]
    assert all((workspace / path).exists() for path in [*kept["paths"], kept["reports"]["junit"]])


@pytest.mark.long
def test_the_job_of_a_new_adapter_judges_what_it_can_act_out(workspace: Path, programs: Path) -> None:
    job = read(JOB)
    variables = {**job["env"], "ADAPTER": "./gull"}
    ended = runner(step_named(job, "Judge")["run"], workspace, variables, programs)
    assert ended.code == 0, ended.said
    assert "3 scenarios, 0 unexpected divergences" in ended.said
    (kept,) = [step for step in job["jobs"]["judge"]["steps"] if "path" in step.get("with", {})]
    assert all((workspace / name).is_file() for name in kept["with"]["path"].split())


@pytest.mark.long
def test_the_hook_for_adapters_judges(workspace: Path, programs: Path) -> None:
    (hook,) = [hook for hook in read(".pre-commit-hooks.yaml") if hook["id"] == "bindproof-adapter"]
    assert hook["pass_filenames"] is False
    ended = runner(f"{hook['entry']} --adapter ./gull --vector 'relay/lifecycle/no*'", workspace, {}, programs)
    assert ended.code == 0, ended.said


def test_the_examples_of_the_page_say_what_there_is() -> None:
    """Of the action and the workflow their inputs, of GitLab's file its jobs, of the hooks one."""
    page = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    examples = [YAML(typ="safe").load(block) for language, block in fenced(page) if language == "yaml"]
    action, workflow, gitlab, hooks = examples
    (step,) = [one for one in action["jobs"]["conformance"]["steps"] if "bindproof" in one.get("uses", "")]
    assert step["with"].keys() <= read(ACTION)["inputs"].keys()
    called = workflow["jobs"]["conformance"]
    assert called["uses"].split("@")[0].endswith(WORKFLOW)
    assert called["with"].keys() <= read(WORKFLOW)["on"]["workflow_call"]["inputs"].keys()
    assert gitlab["include"][0]["file"] == GITLAB
    assert {gitlab["conformance"]["extends"], ".bindproof-join"} <= read(GITLAB).keys()
    (used,) = hooks["repos"][0]["hooks"]
    assert used["id"] in {hook["id"] for hook in read(".pre-commit-hooks.yaml")}
    told = re.findall(r"^\| `(.*?)` \|", page, re.MULTILINE)
    assert {name for row in told for name in row.split("`, `")} == read(ACTION)["inputs"].keys()
