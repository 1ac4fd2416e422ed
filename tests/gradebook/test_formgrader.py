"""The formgrader starts, as root too, and what a person does there counts like everything else."""

import json
import os
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from autograder.gradebook.marks import read_marks
from autograder.gradebook.recording import record
from autograder.gradebook.steps import formgrader_command
from autograder.report import Outcome
from tests.commands import environment
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS
from tests.waiting import comes_true

TOKEN = "toys"
DUE = "late = { per_day = 0.5 }\n[assignments.toys]\ndue = 2026-02-01T12:00:00Z\n"


@pytest.fixture
def graded(toys: ToyClass) -> ToyClass:
    """A class in which ada handed in a day late and what she wrote waits for a person."""
    with (toys.course.root / "course.toml").open("a") as file:
        file.write(DUE)
    course = type(toys.course).load(toys.course.root)
    toys = ToyClass(course)
    toys.hand_in("ada", RIGHT | {"why": "Because."})
    path = course.submission_path("ada", TOYS).with_name("timestamp.txt")
    path.write_text("2026-02-02 11:00:00 UTC")
    assert record(course, [toys.report("ada", *9 * [Outcome.PASSED])]) == []
    return toys


@pytest.fixture
def address(graded: ToyClass) -> Iterator[str]:
    """Where the formgrader answers."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
    command = formgrader_command(graded.course)
    options = ["--no-browser", f"--ServerApp.port={port}", f"--IdentityProvider.token={TOKEN}"]
    with subprocess.Popen(
        [*command, *options],
        cwd=graded.course.root,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        address = f"http://127.0.0.1:{port}"
        try:
            assert comes_true(lambda: answers(address), 60)
            yield address
        finally:
            process.terminate()


def answers(address: str) -> bool:
    try:
        return "formgrader" in fetch(f"{address}/formgrader").lower()
    except OSError:
        return False


def fetch(url: str, method: str = "GET", content: Any = None) -> str:
    headers = {"Authorization": f"token {TOKEN}"}
    body = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(url, body, headers, method=method)
    with urllib.request.urlopen(request, timeout=10) as reply:
        text: str = reply.read().decode()
    return text


@pytest.mark.slow
def test_points_given_in_the_formgrader_count_and_so_does_lateness(
    graded: ToyClass, address: str
) -> None:
    api = f"{address}/formgrader/api"
    (submission,) = json.loads(fetch(f"{api}/submitted_notebooks/{TOYS}/{TOYS}"))
    grades = json.loads(fetch(f"{api}/grades?submission_id={submission['id']}"))
    (why,) = (grade for grade in grades if grade["name"] == "why")
    assert why["needs_manual_grade"]
    (marks,) = read_marks(graded.course, [TOYS])
    assert (marks.score, marks.max_score, marks.penalty) == (4.5, 9, 4.5)
    fetch(f"{api}/grade/{why['id']}", "PUT", {"manual_score": 1.5, "extra_credit": None})
    (marks,) = read_marks(graded.course, [TOYS])
    assert (marks.score, marks.max_score, marks.penalty) == (5.25, 11, 5.25)


def test_jupyter_is_told_that_it_may_run_as_root(
    toys: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    for user, told in ((0, True), (1000, False)):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        assert ("--allow-root" in formgrader_command(toys.course)) is told
