"""One run at a time writes the gradebook, for as long as it writes; another is told whose that is.

The lock of a run that was killed is free at once.
"""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from threading import Thread

import pytest
from filelock import FileLock

from autograder.course import Course
from autograder.course.locking import Holder
from autograder.gradebook import recording
from autograder.gradebook.database import write_lock
from autograder.gradebook.recording import record
from autograder.report import Outcome, Report
from tests.commands import environment
from tests.gradebook.books import recorded_at
from tests.toy_class import ToyClass
from tests.toys import RIGHT
from tests.waiting import comes_true

HOLD = """
import sys, time
from pathlib import Path
from autograder.course import Course
from autograder.gradebook.database import write_lock

with write_lock(Course.load(Path.cwd())):
    print("held", flush=True)
    time.sleep(600)
"""
TAKE = HOLD.replace("    time.sleep(600)\n", "")


def program(course: Course, code: str, name: str) -> "subprocess.Popen[str]":
    """Start a program in the course, `name` being its first argument."""
    return subprocess.Popen(
        [sys.executable, "-c", code, name],
        cwd=course.root,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def holding(course: Course) -> Iterator["subprocess.Popen[str]"]:
    """Run a process that holds the lock, until it is killed."""
    with program(course, HOLD, "the-first") as process:
        assert process.stdout and process.stdout.readline() == "held\n"
        yield process
        process.kill()


def note_of(course: Course) -> Path:
    return course.work / "gradebook.holder"


@pytest.mark.slow
def test_whoever_waits_is_told_by_whom_and_goes_on_as_soon_as_that_one_is_killed(
    toys: ToyClass,
) -> None:
    with holding(toys.course) as first, program(toys.course, TAKE, "the-second") as second:
        assert second.stderr
        said = second.stderr.readline()
        assert re.fullmatch(
            r"Waiting: another run is writing this course's gradebook \(\S.* with `-c the-first`, "
            rf"process {first.pid} on \S+, since \d{{4}}-.* UTC\)\.\n",
            said,
        )
        assert second.poll() is None
        first.send_signal(signal.SIGKILL)
        out, rest = second.communicate(timeout=30)
    assert (out, rest, second.returncode) == ("held\n", "", 0)
    assert not note_of(toys.course).exists()


@pytest.mark.slow
def test_what_another_machine_has_left_is_waited_for_until_a_person_deletes_it(
    toys: ToyClass,
) -> None:
    elsewhere = replace(Holder.here(), host="far-away", boot="another", user="bo", pid=7)
    note = note_of(toys.course)
    note.parent.mkdir(exist_ok=True)
    note.write_text(json.dumps(asdict(elsewhere)))
    with program(toys.course, TAKE, "here") as waiting:
        assert waiting.stderr
        said = waiting.stderr.readline()
        assert "bo with" in said
        assert "process 7 on far-away" in said
        assert f"delete {note}" in said
        assert waiting.poll() is None
        note.unlink()
        assert waiting.communicate(timeout=30)[0] == "held\n"


def test_a_damaged_note_and_one_of_a_machine_that_was_started_again_keep_nobody_out(
    toys: ToyClass, capfd: pytest.CaptureFixture[str]
) -> None:
    note = note_of(toys.course)
    note.parent.mkdir(exist_ok=True)
    for text in ("{", "[]", json.dumps(asdict(replace(Holder.here(), boot="before")))):
        note.write_text(text)
        with write_lock(toys.course):
            pass
    assert capfd.readouterr().err == ""


@pytest.mark.slow
def test_a_second_run_waits_for_the_first(toys: ToyClass) -> None:
    toys.hand_in("a", RIGHT)
    report = toys.report("a", *9 * [Outcome.PASSED])
    notebook = toys.course.root / "autograded" / "a" / "toys" / "toys.ipynb"
    with holding(toys.course):
        second = Thread(target=record, args=(toys.course, [report]))
        second.start()
        assert not comes_true(notebook.exists, 1)
    second.join(30)
    assert notebook.exists()


def test_the_lock_is_free_while_a_run_waits_for_reports(
    toys: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "MAX_BATCH", 1)
    for name in ("a", "b"):
        toys.hand_in(name, RIGHT)
    reports = [toys.report(name, *9 * [Outcome.PASSED]) for name in ("a", "b")]

    def graded() -> Iterator[Report]:
        for report in reports:
            with FileLock(toys.course.work / "gradebook.lock", timeout=0):
                pass
            yield report

    assert recording.record(toys.course, graded()) == []
    assert recorded_at(toys.course) > 0


def test_a_run_alone_says_nothing(toys: ToyClass, capfd: pytest.CaptureFixture[str]) -> None:
    with write_lock(toys.course):
        pass
    assert capfd.readouterr().err == ""
