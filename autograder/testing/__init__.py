"""All that a course's own code imports: hidden tests, their fixtures, and known mistakes.

A hidden test is a pytest function named `test_…` in `hidden_tests/test_<exercise>.py`:

    from autograder.testing import Student, expect, points

    @points(2)
    def test_every_row_sums_to_one(student: Student, rng: np.random.Generator) -> None:
        'Every row of the result sums to 1.'
        weights = student.softmax(rng.standard_normal((3, 5)))
        expect.close(weights.sum(-1), 1, "Your rows don't sum to 1. …")

Two fixtures are given: `student`, whose every attribute is a name in the student's notebook, called
in the student's own process; and `rng`, a NumPy generator seeded by the course's seed and the
test's name. `conftest.py` beside `hidden_tests/`, and one above all assignments, may define more.

points(n)         what a test is worth, in whole points
seconds(n)        a slow test: what all its calls together may take
forbids(*names)   built-ins that raise during its calls, such as "numpy.cumsum"
expect            checks that fail with a sentence: `close`, `array`, `pair`, `raises`,
                  `partial_credit`, `memory`
describe(value)   in words, what kind of thing came back; never its values
Model(function)   a model that stays with the grader; the student's code gets a module to call
stream(items)     an argument that the student's code receives as a generator
ModuleProxy       what `student.SomeModule(…)` returns: a torch module in the student's process
Variant, Bank     a known wrong answer, and all that is known about one exercise
"""

from autograder.testing.expect import describe, expect
from autograder.testing.marks import forbids, points, seconds, stream
from autograder.testing.misconceptions import Bank, Variant
from autograder.testing.model import Model
from autograder.testing.student import ModuleProxy, Student

__all__ = [
    "Bank",
    "Model",
    "ModuleProxy",
    "Student",
    "Variant",
    "describe",
    "expect",
    "forbids",
    "points",
    "seconds",
    "stream",
]
