"""What `make bench` measures is still there to be measured."""

from __future__ import annotations

from pathlib import Path

from autograder.course import Course
from tests.benchmarks.breakdown import STEPS, breakdown
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS


def test_every_step_of_grading_is_timed(fresh: Course, tmp_path: Path) -> None:
    toys = ToyClass.like(fresh, tmp_path)
    toys.hand_in("ada", RIGHT)
    toys.hand_in("bob", RIGHT | {"double": "def double(x):\n    return x"})
    seconds = breakdown(toys.course, TOYS)
    assert {step for _, _, step in STEPS} <= set(seconds)
    assert all(each > 0 for each in seconds.values())
