"""What comes in is graded and recorded, whatever dies meanwhile."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import pytest

from autograder.gradebook.marks import marks_to_export, read_marks
from autograder.grading.settings import Settings
from autograder.grading.submissions import Graded, Job
from autograder.report import Outcome
from autograder.sandbox.host.probe import strongest
from autograder.serve import line as serving
from autograder.serve.line import Grading
from autograder.serve.people import Identity, Role
from autograder.serve.tables import TryState
from autograder.serve.tries import Tries, Try
from tests.commands import autograder
from tests.serve.houses import PASSED, ROSTER, Person, School, house_without_threads, school_of
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, WRONG, with_settings
from tests.visitors import browser_at
from tests.waiting import comes_true

pytestmark = pytest.mark.slow
LONG = 300  # seconds, of a machine that does much else


def grading(school: School) -> AbstractContextManager[None]:
    settings = Settings(school.house.store.course, strongest())
    return Grading(settings, school.house.line).running()


def settled(tries: Tries) -> bool:
    return not tries.in_state(TryState.WAITING, TryState.GRADED)


def test_once_it_is_due_what_was_graded_early_is_graded_by_all_tests(toys: ToyClass) -> None:
    due = "[assignments.toys]\ndue = 2020-01-01T00:00:00\n"
    with school_of(toys, settings=due) as school:
        early = school.grade(school.keep(), [*8 * [Outcome.PASSED], Outcome.LATER])
        whole = school.grade(school.keep("bob"))
        assert (early.score, whole.score) == (8, 9)
        with grading(school):
            assert comes_true(lambda: school.tries.on(TOYS)[0].score == 9, LONG)
            assert comes_true(lambda: settled(school.tries), LONG)
        assert school.tries.find(whole.number) == whole
        marks = {each.student: each.score for each in read_marks(school.toys.course, [TOYS])}
        assert marks == {"ada": 9, "bob": 9}


def test_what_an_extension_made_early_again_is_graded_by_all_tests_again(toys: ToyClass) -> None:
    with school_of(toys, settings="[assignments.toys]\ndue = 2020-01-01T00:00:00\n") as school:
        line, found = school.house.line, school.grade(school.keep())
        work = Grading(Settings(school.house.store.course, strongest()), line)
        work._threads.stopping.set()
        work._grade_what_is_due()
        assert school.tries.find(found.number) == found
        school.tries.update(found.number, state=TryState.WAITING)
        job = line.next()
        assert job
        toys.hand_in_bytes("ada", school.notebook())
        early = toys.report("ada", *8 * [Outcome.PASSED], Outcome.LATER)
        work._keep_result(job, Graded(job, early))
        work._grade_what_is_due()
        assert line.order() == [school.tries.find(found.number)]


def test_what_comes_in_is_graded_recorded_and_exported(school: School) -> None:
    with grading(school), school.student() as ada:
        ada.hand_in(school.notebook(WRONG))
        number = ada.number
        assert comes_true(lambda: settled(school.tries), LONG)
        ada.hand_in(school.notebook())
        assert comes_true(lambda: settled(school.tries), LONG)
        ada.open(f"/try/{ada.number}")
        assert "9 of 11 points" in ada.text
        assert "Since the try before double : 2 → 5 points" in ada.text
        assert school.tries.find(number) != school.tries.counting("ada", TOYS)
    (marks,) = read_marks(school.toys.course, [TOYS])
    assert marks.score == 9
    exported = marks_to_export(school.toys.course, TOYS)["ada"]
    assert exported.outdated == ""


def test_who_replaces_what_is_being_graded_gets_no_more_results_than_tries(
    toys: ToyClass,
) -> None:
    with school_of(toys, "tries_a_day = 2") as school:
        line, begun = school.house.line, []
        for number in range(4):
            school.keep(note=str(number))
            begun.append(line.next())
        toys.hand_in_bytes("ada", school.notebook())
        report = toys.report("ada", *PASSED)
        work = Grading(Settings(school.house.store.course, strongest()), line)
        for job in filter(None, begun):
            work._keep_result(job, Graded(job, report))
        assert [each.is_graded for each in school.tries.of("ada", TOYS)] == [
            True,
            False,
            False,
            True,
        ]
        assert line.standings() == {}


HOSTILE = {
    "garbage": b"\xff\x00" * 1000,
    "nothing": b"",
    "another document": b'{"cells": "none"}',
    "deep": b"[" * 200_000,
    "long numbers": b"9" * 1_000_000,
    "a page": b"<html><script>alert(1)</script>",
    "many cells": json.dumps({"cells": 5000 * [{"cell_type": "raw"}], "nbformat": 4}).encode(),
}


def test_hostile_uploads_cost_their_author_alone(school: School) -> None:
    kills = "import os\nos.kill(os.getppid(), 9)\nos._exit(0)\ndef double(x):\n    return 2 * x"
    with grading(school), ExitStack() as stack:
        eve = stack.enter_context(school.student("eve"))
        for body in HOSTILE.values():
            eve.hand_in(body)
            assert eve.status == 200
            assert comes_true(lambda: settled(school.tries), LONG)
        assert {each.state for each in school.tries.of("eve", TOYS)} == {TryState.REJECTED}
        eve.hand_in(school.notebook({"double": kills}))
        ada = stack.enter_context(school.student())
        ada.hand_in(school.notebook())
        assert comes_true(lambda: settled(school.tries), LONG)
        newest = {who: school.tries.of(who, TOYS)[0] for who in ("ada", "eve")}
        assert newest["ada"].score == 9
        assert newest["eve"].state is TryState.RECORDED
        assert (newest["eve"].score or 0) < 9


def deadly(job: Job, settings: Settings) -> Graded:
    """Die of eve's notebook, and find that all others are no notebooks."""
    if job.student == "eve":
        os._exit(1)
    return Graded(job, rejection="It is no notebook.")


def test_a_notebook_of_which_workers_die_is_tried_twice_and_then_told(
    school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "grade_in_worker", deadly)
    for student in ("ada", "eve", "bob"):
        school.keep(student)
    with grading(school):
        assert comes_true(lambda: settled(school.tries), LONG)
    found = {each.student: each for each in school.tries.on(TOYS)}
    assert found["eve"].state is TryState.FAILED
    assert found["eve"].said == "The process that graded it was killed."
    assert found["ada"].state is found["bob"].state is TryState.REJECTED


def test_a_report_that_never_reached_the_disk_is_made_again(school: School) -> None:
    found = school.keep()
    school.tries.update(found.number, state=TryState.GRADED)
    with grading(school):
        assert comes_true(lambda: settled(school.tries), LONG)
    (after,) = school.tries.on(TOYS)
    assert (after.state, after.score) == (TryState.RECORDED, 9)


class Served:
    """The server as a process that can be killed."""

    def __init__(self, toys: ToyClass) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.site = f"http://127.0.0.1:{self._port}"
        (toys.course.root / "roster.csv").write_text(ROSTER)
        self.course = with_settings(toys.course.root, f'[serve]\naddress = "{self.site}"\n')

    @contextmanager
    def running(self) -> Iterator[None]:
        command = [sys.executable, "-m", "autograder", "serve", "--port", str(self._port)]
        with subprocess.Popen(command, cwd=self.course.root, stdout=subprocess.PIPE) as process:
            try:
                assert process.stdout
                assert b"is open at" in process.stdout.readline()
                yield
            finally:
                process.send_signal(signal.SIGKILL)

    @contextmanager
    def student(self, name: str) -> Iterator[Person]:
        made = autograder(self.course.root, "serve", "invite", name)
        with browser_at(self.site) as http:
            person = Person(http)
            person.open(made.stdout.split("\t")[1].strip())
            person.send("main form")
            yield person


def test_what_was_acknowledged_survives_a_kill_and_is_recorded_once(toys: ToyClass) -> None:
    with school_of(toys) as school:
        raw = {who: school.notebook(RIGHT, who) for who in ("ada", "bob")}
    served = Served(toys)
    for who, notebook in raw.items():
        with served.running(), served.student(who) as person:  # and killed at once
            person.hand_in(notebook)
            assert person.status == 200
    notes = Path(served.course.work, "serve")
    notes.mkdir(exist_ok=True)
    Path(notes, "999").touch()  # of a job that was killed as it ended
    with served.running(), house_without_threads(served.course) as house:
        assert comes_true(lambda: settled(house.tries), LONG)
        found: list[Try] = house.tries.on(TOYS)
        assert comes_true(lambda: not list(notes.glob("*")))
    assert [(each.student, each.state) for each in found] == [
        (who, TryState.RECORDED) for who in raw
    ]
    marks = read_marks(served.course, [TOYS])
    assert sorted((each.student, each.score) for each in marks) == [(who, 9.0) for who in raw]


def test_what_could_not_be_recorded_is_told_and_tried_again(
    school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = school.keep()
    report = school.toys.course.submission_path("ada", TOYS)
    school.toys.hand_in_bytes("ada", school.tries.path(found).read_bytes())
    school.tries.save_report(school.toys.report("ada", *9 * [Outcome.PASSED]))
    report.unlink()
    school.tries.update(found.number, state=TryState.GRADED, score=9, max_score=9)
    answers = [[f"ada, {TOYS}: not recorded: the moon is full"], []]
    monkeypatch.setattr(serving, "record", lambda *_: answers.pop(0))
    monkeypatch.setattr(serving, "_AFTER_FAILURE", 1.0)
    with grading(school), school.signed_in(Identity("ida", Role.INSTRUCTOR)) as ida:
        assert comes_true(lambda: bool(school.tries.on(TOYS)[0].said), LONG)
        ida.open("/class")
        assert "the moon is full" in ida.text
        assert comes_true(lambda: settled(school.tries), LONG)
    (after,) = school.tries.on(TOYS)
    assert (after.state, after.said) == (TryState.RECORDED, "")
