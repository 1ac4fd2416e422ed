"""One run at a time writes the gradebook; another one waits, and says so."""

from __future__ import annotations

from threading import Thread

import pytest

from autograder import gradebook
from autograder.gradebook.database import write_lock
from autograder.report import Outcome
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
    second = Thread(target=gradebook.record, args=(toys.course, [report]))
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


def test_a_run_alone_says_nothing(toys: ToyClass, capfd: pytest.CaptureFixture[str]) -> None:
    with write_lock(toys.course):
        pass
    assert capfd.readouterr().err == ""
