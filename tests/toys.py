"""A small course with one assignment, for tests of what is done with assignments."""

from __future__ import annotations

import shutil
from pathlib import Path

from autograder.course import Course

ROOT = Path(__file__).parents[1]
POINTS = {"double": 5, "Counter": 4}
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

# %% test="Counter"
assert Counter().step() == 1

# %% [markdown] written="why" points=2
# Because of the **model answer**.
#
# **Rubric**: one point for each half.
'''


def course_of(root: Path, script: str = SCRIPT) -> Course:
    """Return a course at `root` whose one assignment, `toys`, is made from `script`."""
    course = Course(root)
    course.solutions.mkdir()
    course.assignments.mkdir()
    shutil.copy(ROOT / "nbgrader_config.py", root)
    (course.solutions / "toys.py").write_text(script)
    return course


def points_of(assignment: str) -> dict[str, int]:
    """Stand in for the hidden tests, which toys have none of."""
    return POINTS
