"""The files with which a student's repository is graded at each push do what they say."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.courses import ROOT
from tests.notebooks import filled
from tests.toy_class import ToyClass
from tests.toys import TOYS, WRONG

CI = ROOT / "docs" / "ci"
MISTAKE = "You don't double three."


def read(name: str) -> dict[str, Any]:
    found = yaml.safe_load((CI / name).read_text("utf-8"))
    assert isinstance(found, dict)
    return found


@pytest.fixture
def work(toys: ToyClass, tmp_path: Path) -> Path:
    """A student's repository beside the course, in which the grader is installed."""
    program = toys.course.root / ".venv" / "bin" / "autograder"
    program.parent.mkdir(parents=True)
    line = f'PYTHONPATH={ROOT} exec {sys.executable} -m autograder "$@" --every 0.1\n'
    program.write_text(f"#!/bin/sh\n{line}")
    program.chmod(0o755)
    folder = tmp_path / "work"
    folder.mkdir()
    if not (tmp_path / "course").exists():
        (tmp_path / "course").symlink_to(toys.course.root)
    notebook = json.dumps(filled(toys.course.release_path(TOYS), WRONG))
    (folder / f"{TOYS}.ipynb").write_text(notebook)
    return folder


def run(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_on_github_the_mistake_is_named_in_the_summary(work: Path) -> None:
    (job,) = read("github.yml")["jobs"].values()
    (step,) = (each for each in job["steps"] if each.get("name") == "Grade")
    assert step["env"] == {"AUTOGRADER_SEED": "${{ secrets.AUTOGRADER_SEED }}"}
    summary = work.parent / "summary.md"
    done = run(
        step["run"],
        work.parent / step["working-directory"],
        GITHUB_STEP_SUMMARY=str(summary),
        AUTOGRADER_SEED="5",
    )
    assert done.returncode == 0, done.stderr
    assert MISTAKE in summary.read_text()
    (uploaded,) = (each["with"]["path"] for each in job["steps"] if "artifact" in str(each))
    (page,) = work.parent.glob(uploaded)
    assert page.parent == work


@pytest.mark.exhaustive  # as on GitHub
def test_on_gitlab_the_mistake_is_named_in_the_log_and_pages_are_kept(work: Path) -> None:
    job = read("gitlab.yml")["feedback"]
    programs, course = work.parent / "programs", work.parent / "clone"
    programs.mkdir()
    for name, does in (("apt-get", ":"), ("make", ":"), ("git", 'cp -r "$4/." "$5"')):
        (programs / name).write_text(f"#!/bin/sh\n{does}\n")
        (programs / name).chmod(0o755)
    script = "\n".join(job["script"]).replace("/tmp/course", str(course))
    variables = {"CI_PROJECT_DIR": str(work), "COURSE": str(work.parent / "course")}
    variables |= {"PATH": f"{programs}:{os.environ['PATH']}", "AUTOGRADER_SEED": "5"}
    done = run(script, work, **variables)
    assert done.returncode == 0, done.stderr
    log = run("\n".join(job["after_script"]), work)
    assert MISTAKE in log.stdout
    for kept in job["artifacts"]["paths"]:
        assert list(work.glob(kept)), kept


@pytest.mark.slow
def test_without_the_secret_it_says_so(work: Path) -> None:
    """A secret that nobody set is an empty text."""
    done = run(
        ".venv/bin/autograder watch ../work --once", work.parent / "course", AUTOGRADER_SEED=""
    )
    assert done.returncode == 1
    assert "AUTOGRADER_SEED is '': give a whole number." in done.stderr


def test_who_runs_them_may_read_the_repository_and_nothing_more() -> None:
    workflow = read("github.yml")
    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in str(workflow)
    (job,) = workflow["jobs"].values()
    for step in job["steps"]:
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False
