"""What a scheduler is told of a run, and what becomes of a run that it ends."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.commands import autograder, run, running, wait_until_graded
from tests.gradebook.books import grades
from tests.grading.test_interrupted_runs import left_running
from tests.toy_class import ToyClass
from tests.toys import RIGHT
from tests.waiting import comes_true

pytestmark = pytest.mark.slow
GRADE = ("grade", "--jobs", "1", "--json-lines")
IN_A_CALLBACK = """
import os, signal, weakref
from autograder import cli

class Thing: pass

def app():
    thing = Thing()
    watched = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGTERM))
    del thing
    print("it goes on")

cli.app = app
cli.main()
"""
ENDLESS = RIGHT | {"double": "while True:\n    pass"}


def events(said: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said.splitlines()]


def test_each_submission_is_an_object_a_line_and_no_word_is_a_students(toys: ToyClass) -> None:
    toys.hand_in("ada", RIGHT | {"why": "SECRET TEXT", "double": "raise ValueError('SECRET')"})
    toys.hand_in_bytes("bo", b"SECRET BYTES")
    toys.hand_in(" cy", RIGHT)  # a folder that is left out
    done = autograder(toys.course.root, *GRADE)
    started, *each, finished = events(done.stdout)
    assert (started["event"], started["schema"]) == ("started", "autograder/progress/v1")
    found = {e["student"]: (e["event"], e.get("score"), e.get("max_score"), e["of"]) for e in each}
    assert found == {"ada": ("graded", 4, 9, 2), "bo": ("rejected", None, None, 2)}
    counts = {"graded": 1, "rejected": 1, "failed": 0, "not_recorded": 0, "left_out": 1}
    assert finished == finished | counts | {"event": "finished", "status": 1}
    assert done.returncode == 1
    assert "SECRET" not in done.stdout + done.stderr


def test_sigterm_ends_a_run_with_its_workers_and_the_next_one_goes_on(toys: ToyClass) -> None:
    toys.hand_in("ada", RIGHT)
    toys.hand_in("bo", ENDLESS)
    with running(toys.course.root, *GRADE) as program:
        wait_until_graded(program)
        program.send_signal(signal.SIGTERM)
        out, complained = program.communicate(timeout=20)  # the endless one has minutes
    assert program.returncode == 128 + signal.SIGTERM
    assert (out, complained.count("\n")) == ("", 1)
    assert "Run it again" in complained
    assert comes_true(lambda: not left_running(toys.course), 10)
    toys.hand_in("bo", RIGHT)
    done = autograder(toys.course.root, *GRADE)
    assert done.returncode == 0, done.stderr
    assert {grades(toys.course, name)["double_test"] for name in ("ada", "bo")} == {(5, False)}


def test_sigterm_ends_a_program_wherever_it_comes_even_where_exceptions_are_ignored(
    tmp_path: Path,
) -> None:
    done = run(tmp_path, "-c", IN_A_CALLBACK)
    assert (done.returncode, done.stdout) == (128 + signal.SIGTERM, "")
