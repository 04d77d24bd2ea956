"""What is offered for CI keeps its word: published schemas take it, and its scripts do what they say in a shell."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from check_jsonschema.cli.main_command import main as check_jsonschema
from click.testing import CliRunner
from ruamel.yaml import YAML

from tests.new_adapters import VECTORS, edit_as_marked, new_adapter
from tests.repo.continuous import Ended, files_of, given, read, runner, scripts, step_named
from tests.repo.sources import ROOT, fenced

ACTION, WORKFLOW, GITLAB = "action.yml", ".github/workflows/judge.yml", "templates/ci/gitlab.yml"
JOB = "templates/adapter/common/conformance.yml"
ARGUMENTS = " ".join(VECTORS)

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="unavailable: no bash; to have it: install bash")


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
    folder = tmp_path_factory.mktemp("programs")
    python = shlex.quote(sys.executable)
    for name, line in {"bindproof": f'exec {python} -m bindproof "$@"', "pip": f'echo "$@" >> {folder}/asked'}.items():
        (folder / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A checkout with an adapter in it."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    new_adapter(folder, "python")
    return folder


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


def test_the_workflow_judges_shards_and_joins_them(workspace: Path, programs: Path) -> None:
    workflow = read(WORKFLOW)
    inputs = {name: str(one.get("default", "")) for name, one in workflow["on"]["workflow_call"]["inputs"].items()}
    inputs |= {"adapter": "./gull", "arguments": ARGUMENTS}
    (version,) = json.loads(inputs["versions"])
    assert json.loads(inputs["shards"]) == ["1/1"]
    for shard in ("1/2", "2/2"):
        contexts = {f"inputs.{name}": text for name, text in inputs.items()}
        contexts |= {"matrix.version": version, "matrix.shard": shard}
        variables = given(workflow["jobs"]["judge"]["env"], contexts)
        ended = runner(step_named(workflow["jobs"]["judge"], "Judge a shard")["run"], workspace, variables, programs)
        assert ended.code == 0, ended.said
    assert {path.name for path in (workspace / "logs").iterdir()} == {"own-1.jsonl", "own-2.jsonl"}
    variables = given(workflow["jobs"]["join"]["env"], contexts)
    ended = runner(step_named(workflow["jobs"]["join"], "Join the shards")["run"], workspace, variables, programs)
    assert ended.code == 0, ended.said
    assert "1 of 1 adapter judged: 3 scenarios, 0 unexpected divergences" in ended.said
    assert {"run.jsonl", "run.html", "junit.xml"} <= {path.name for path in workspace.iterdir()}
    assert "everything is as expected" in written(workspace, "GITHUB_STEP_SUMMARY")


def test_the_template_for_gitlab_judges_with_junit(workspace: Path, programs: Path) -> None:
    job = read(GITLAB)[".bindproof"]
    variables = {**job["variables"], "ADAPTER": "./gull", "ARGUMENTS": ARGUMENTS, "SHARD": "1/1"}
    variables["BINDPROOF_CACHE"] = variables["BINDPROOF_CACHE"].replace("$CI_PROJECT_DIR", str(workspace))
    ended = runner("\n".join([*job["before_script"], *job["script"]]), workspace, variables, programs)
    assert ended.code == 0, ended.said
    assert (programs / "asked").read_text(encoding="utf-8").endswith("install --quiet bindproof\n")
    assert (workspace / "logs" / "own-1.jsonl").is_file()
    assert len(list(ElementTree.parse(workspace / job["artifacts"]["reports"]["junit"]).iter("testcase"))) == 4
    assert all((workspace / path).exists() for path in job["artifacts"]["paths"])


def test_the_job_of_a_new_adapter_judges_what_it_can_act_out(workspace: Path, programs: Path) -> None:
    job = read(JOB)
    variables = {**job["env"], "ADAPTER": "./gull"}
    ended = runner(step_named(job, "Judge")["run"], workspace, variables, programs)
    assert ended.code == 0, ended.said
    assert "3 scenarios, 0 unexpected divergences" in ended.said
    (kept,) = [step for step in job["jobs"]["judge"]["steps"] if "path" in step.get("with", {})]
    assert all((workspace / name).is_file() for name in kept["with"]["path"].split())


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
