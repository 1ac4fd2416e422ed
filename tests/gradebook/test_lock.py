"""One run at a time writes the gradebook, for as long as it writes; another waits, and says so."""

from collections.abc import Iterator
from threading import Thread

import pytest
from filelock import FileLock

from autograder.gradebook import recording
from autograder.gradebook.database import write_lock
from autograder.gradebook.recording import record
from autograder.report import Outcome, Report
from tests.gradebook.books import recorded_at
from tests.toy_class import ToyClass
from tests.toys import RIGHT
from tests.waiting import comes_true

WAITS = "Waiting: another run is writing this course's gradebook.\n"


def test_a_second_run_waits_for_the_first_and_says_so(
    toys: ToyClass, capfd: pytest.CaptureFixture[str]
) -> None:
    toys.hand_in("a", RIGHT)
    report = toys.report("a", *9 * [Outcome.PASSED])
    notebook = toys.course.root / "autograded" / "a" / "toys" / "toys.ipynb"
    second = Thread(target=record, args=(toys.course, [report]))
    said = ""

    def says_so() -> bool:
        nonlocal said
        said += capfd.readouterr().err
        return said == WAITS

    with write_lock(toys.course):
        second.start()
        assert comes_true(says_so, 20)
        assert not notebook.exists()
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
