"""The page on GitOps: its pipelines run, as they are written there, on a repository with a change in it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.resources import Policy, Raw, Set, a_class, a_policy, a_pool, a_set

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/gitops.md"
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
GITHUB, GITLAB = (yaml.load(each, yaml.BaseLoader) for each in BLOCKS)  # noqa: S506 - it only makes texts
STAND_INS = ("pip", "curl", "gh")
"""What would leave this machine; each writes down how it was called."""


@dataclass(frozen=True)
class Change:
    """A pull request: what was there, what it makes of it, and what is said of it.

    Attributes:
        fails: whether the pipeline is to end badly.
        says: words of the comment.
    """

    before: tuple[Set, Policy]
    after: tuple[Set, Policy]
    fails: bool
    says: str


SETTLED = (a_set().with_objects(3), a_policy())
CHANGES = {
    "none": Change(SETTLED, SETTLED, fails=False, says="The plan stays as it is."),
    "more-data": Change(
        SETTLED, (a_set().with_objects(9), a_policy()), fails=False, says="| before | after |"
    ),
    "impossible": Change(SETTLED, (a_set("other"), a_policy()), fails=True, says="there is no BackupSet"),
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clone on a branch of its own, with a remote that has `main`."""
    origin = tmp_path / "origin"
    origin.mkdir()
    git(origin, "init", "--quiet", "--bare", "--initial-branch=main")
    git(tmp_path, "clone", "--quiet", str(origin), "checkout")
    return tmp_path / "checkout"


def git(folder: Path, *arguments: str) -> None:
    """Run git, as somebody."""
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.com")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, objects: Sequence[Set | Policy]) -> None:
    """Write the files of a state, and commit them."""
    shared: list[Raw] = [a_pool().with_drives().build(), a_class().build()]
    for name, resources in (("storage", shared), ("backup", [each.build("backup") for each in objects])):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "all.yaml").write_text(yaml.safe_dump_all(resources))
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message=A state")


def run(checkout: Path, script: str, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a script of a pipeline with our command, and stand-ins for what would leave this machine."""
    tools = checkout.parent / "tools"
    tools.mkdir()
    program = f'exec {sys.executable} -c "from flexlbf.cli.main import main; main()" "$@"'
    for name in ("flexlbf", *STAND_INS):
        text = program if name == "flexlbf" else f'echo "{name} $*" >> "{checkout.parent}/calls"'
        (tools / name).write_text(f"#!/bin/bash\n{text}\n")
        (tools / name).chmod(0o755)
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=checkout,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **environment, "PATH": f"{tools}:{os.environ['PATH']}"},
    )
    return done.returncode, done.stdout + done.stderr


def commented(checkout: Path) -> str:
    """The text of the comment."""
    calls = (checkout.parent / "calls").read_text()
    assert "plan.md" in calls
    return (checkout / "plan.md").read_text()


def of_github(steps: Sequence[Raw]) -> Iterator[str]:
    """The scripts of its steps, the last one whatever became of those before it."""
    for step in steps:
        if "run" in step:
            yield step["run"]


@pytest.mark.parametrize("name", ["more-data", "impossible"])
def test_the_workflow_for_github_says_what_a_change_does(checkout: Path, name: str):
    change = CHANGES[name]
    prepare(checkout, change)
    install, plan, comment = of_github(GITHUB["jobs"]["diff"]["steps"])
    facts = {"RUNNER_TEMP": str(checkout.parent), "GITHUB_BASE_REF": "main", "NUMBER": "7"}
    summary = checkout.parent / "summary.md"
    script = f"{install}\nfailed=0\n(set -e\n{plan}) || failed=$?\n{comment}\nexit $failed"
    status, said = run(checkout, script, {**facts, "GITHUB_STEP_SUMMARY": str(summary)})
    assert bool(status) is change.fails, said
    assert change.says in commented(checkout) + said
    assert summary.read_text() == commented(checkout)


@pytest.mark.parametrize("name", ["none", "impossible"])
def test_the_job_for_gitlab_says_what_a_change_does(checkout: Path, name: str):
    change = CHANGES[name]
    prepare(checkout, change)
    facts = {
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "PLAN_COMMENT_TOKEN": "token",
        "CI_API_V4_URL": "https://gitlab.example.com/api/v4",
        "CI_PROJECT_ID": "1",
        "CI_MERGE_REQUEST_IID": "7",
    }
    status, said = run(checkout, "\n".join(GITLAB["backup-plan"]["script"]), facts)
    assert bool(status) is change.fails, said
    assert change.says in commented(checkout) + said


def prepare(checkout: Path, change: Change) -> None:
    """`main` as it was, and a branch with the change."""
    commit(checkout, change.before)
    git(checkout, "push", "--quiet", "origin", "HEAD:main")
    git(checkout, "checkout", "--quiet", "-b", "change")
    commit(checkout, change.after)


def test_the_workflows_are_what_their_services_read():
    """The keys that make them start, and the right to comment."""
    assert GITHUB["permissions"]["pull-requests"] == "write"
    assert "pull_request" in GITHUB["on"]
    assert GITLAB["backup-plan"]["rules"][0]["if"] == '$CI_PIPELINE_SOURCE == "merge_request_event"'


def test_every_file_that_the_page_names_is_there():
    text = PAGE.read_text("utf-8")
    links = re.findall(r"\]\((?!http)([^)#]+)", text)
    named = re.findall(r"--patch-file (\S+)", text)
    assert links
    assert [each for each in links if not (PAGE.parent / each).exists()] == []
    assert [each for each in named if not (ROOT / each).exists()] == []


def test_the_healths_that_the_page_names_are_those_of_the_scripts():
    """All of them, of the policies; a pool has two."""
    cases: Any = ROOT / "config/argocd/resource_customizations/flexlbf.io"
    table = set(
        re.findall(r"^\| (Progressing|Healthy|Degraded|Suspended) \|", PAGE.read_text(), re.MULTILINE)
    )
    tests = yaml.safe_load((cases / "BackupPolicy/health_test.yaml").read_text())["tests"]
    assert {each["healthStatus"]["status"] for each in tests} == table
