"""A small course with one assignment, for tests of what is done with assignments."""

import shutil
from pathlib import Path

from autograder.course import Course
from tests.courses import ROOT

TOYS = "toys"
SCRIPT = '''\
# %% [markdown]
# # Toys, TOTAL_POINTS points

# %% setup="imports"
import math

# %% solution="double"
def double(x):
    """Return twice `x`."""
    ### BEGIN SOLUTION
    secret_factor = 2
    return secret_factor * x
    ### END SOLUTION

# %% test="double"
assert double(2) == 4, "Twice two is four."

# %% [markdown]
# Predict first.

# %%
print(math.pi)

# %% solution="Counter"
class Counter:
    def __init__(self):
        super().__init__()
        ### BEGIN SOLUTION
        self.hidden_count = 0
        ### END SOLUTION

    def step(self):
        ### BEGIN SOLUTION
        self.hidden_count += 1
        return self.hidden_count
        ### END SOLUTION

def count(times):
    counter = Counter()
    return [counter.step() for _ in range(times)]

# %% test="Counter"
assert Counter().step() == 1

# %% [markdown] written="why" points=2
# Because of the **model answer**.
#
# **Rubric**: one point for each half.
'''
CODE_BY_HAND = (
    SCRIPT.partition("# %% [markdown] written=")[0]
    + """\
# %% written="why" points=2
plt.plot(secret_model)

# **Rubric**
#
# - 1 point: it shows **all** of
#   the data
# - 1 point: its axes are named
"""
)
POINTS = {"double": 5, "Counter": 4}  # a point for each hidden test
DOUBLE_TESTS = '''\
import numpy as np

from autograder.testing import expect, points


@points(1)
def test_two_becomes_four(student):
    """Twice two is four."""
    expect.close(student.double(np.array([2.0])), np.array([4.0]), "You don't double two.")


@points(1)
def test_three_becomes_six(student):
    """Twice three is six."""
    expect.close(student.double(np.array([3.0])), np.array([6.0]), "You don't double three.")


@points(1)
def test_nothing_stays_nothing(student):
    """Twice nothing is nothing."""
    expect.close(student.double(np.array([0.0])), np.array([0.0]), "Twice nothing is more.")


@points(1)
def test_drawn_numbers_are_doubled(student, rng):
    """Drawn numbers are doubled."""
    x = rng.normal(size=3)
    expect.close(student.double(x), 2 * x, "You don't double what is drawn.")


@points(1)
def test_a_table_is_doubled(student, rng):
    """A table is doubled entry by entry."""
    x = rng.normal(size=(2, 3))
    expect.close(student.double(x), 2 * x, "You don't double a table.")
'''
COUNTER_TESTS = '''\
import pytest

from autograder.testing import points


@pytest.fixture
def count(student):
    student.Counter()
    return student.count


@points(1)
def test_it_begins_at_one(count):
    """The first step is number 1."""
    assert count(1) == [1], "Your counter doesn't begin at 1."


@points(1)
def test_it_goes_on(count):
    """Each step adds 1."""
    assert count(3) == [1, 2, 3], "Your counter doesn't go on."


@points(1)
def test_it_goes_far(count):
    """A hundred steps lead to 100."""
    assert count(100)[-1:] == [100], "Your counter doesn't come to 100."


@points(1)
def test_each_counter_has_its_own_count(count):
    """Another counter begins at 1 again."""
    assert count(2) == count(2), "Your counters share their count."
'''
RIGHT = {
    "double": "def double(x):\n    return x + x",
    "Counter": """\
class Counter:
    def __init__(self):
        self.steps = 0

    def step(self):
        self.steps += 1
        return self.steps

def count(times):
    counter = Counter()
    return [counter.step() for _ in range(times)]
""",
}
WRONG = RIGHT | {"double": "def double(x):\n    return x * x"}


def course_of(root: Path, script: str = SCRIPT, settings: str = "") -> Course:
    """Make a course at `root` whose one assignment, `toys`, is made from `script`.

    `settings` stand in its `course.toml`, below an id.
    """
    tests = root / "exercises" / TOYS / "hidden_tests"
    for folder in (root / "solutions", root / "assignments", tests):
        folder.mkdir(parents=True)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    (root / "solutions" / f"{TOYS}.py").write_text(script)
    (tests / "test_double.py").write_text(DOUBLE_TESTS)
    (tests / "test_Counter.py").write_text(COUNTER_TESTS)
    return with_settings(root, settings)


def with_settings(root: Path, settings: str) -> Course:
    """Let `settings` stand in the `course.toml` at `root`, below an id and a seed.

    Returns the course.
    """
    seed = "" if "seed =" in settings else "seed = 0\n"
    (root / "course.toml").write_text(f'id = "toys"\n{seed}{settings}')
    return Course.load(root)
