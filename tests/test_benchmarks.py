"""What `make bench` measures is still there to be measured."""

import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course import Course
from tests.benchmarks.breakdown import STEPS, breakdown
from tests.courses import ROOT
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

# A command that leaves an orphan behind, while a process that was there before goes on.
MEASURED = """
import subprocess, sys
from pathlib import Path
from tests.benchmarks.measure import run
before = subprocess.Popen(["sleep", "1000"])
usage = run(["sh", "-c", f"{sys.executable} -c 'sum(range(3 * 10**7))' &"], Path())
print(usage.cpu > 0.1, before.poll())
before.kill()
"""


@pytest.mark.slow
def test_every_step_of_grading_is_timed(fresh: Course, tmp_path: Path) -> None:
    toys = ToyClass.like(fresh, tmp_path)
    toys.hand_in("ada", RIGHT)
    toys.hand_in("bob", RIGHT | {"double": "def double(x):\n    return x"})
    seconds = breakdown(toys.course, TOYS)
    assert {step for _, _, step in STEPS} <= set(seconds)
    assert all(each > 0 for each in seconds.values())


def test_a_run_is_measured_with_its_orphans_and_without_what_ran_before() -> None:
    command = [sys.executable, "-c", MEASURED]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "True None\n"
