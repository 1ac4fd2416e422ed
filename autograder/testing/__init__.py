"""Everything that a course's own code imports: for hidden tests, fixtures and misconceptions.

A hidden test is a pytest function named `test_…` in `hidden_tests/test_<exercise>.py`:

    from autograder.testing import Student, expect, points

    @points(2)
    def test_every_column_has_mean_zero(student: Student, rng: np.random.Generator) -> None:
        'Every column of the result has mean 0.'
        standardised = student.standardise(rng.standard_normal((5, 3)))
        expect.close(standardised.mean(0), 0, "The means of your columns are not 0. …")

Built in are the fixtures `student`, whose attributes are the names in the student's notebook and
run in the student's own process; `rng`, a NumPy generator seeded by the course's seed and the
test's name; `banks`, the bank of each exercise of the assignment, by its name; and `bugs`, the
known mistakes of which each student finds one, where `bugs.toml` names some. A `conftest.py` beside
`hidden_tests/`, and one above all assignments, may add more.

points(n)         the number of whole points that a test is worth
seconds(n)        marks a slow test: the time limit for all its calls together
open_ended        marks tests of an exercise that everybody may answer differently: `pytestmark =
                  open_ended` keeps results from being compared with those of other answers
after_deadline    marks a test that runs only once the student's due date has passed
forbids(*names)   built-ins that raise during the test's calls, such as "numpy.cumsum"
expect            checks that fail with a sentence: `that`, `close`, `equal`, `array`, `pair`,
                  `raises`, `partial_credit`, `memory`
laws              what holds for every exercise of a kind: inputs are left alone, equal calls
                  repeat, gradients arrive, any size works
implementation(…) what sources of ours define, such as `Bank.reference`, called as a student's are
examples_of(f, n) the n examples that `f()` returns: each an input, and what must hold
expect_passed, expect_caught    what such examples must say of right and wrong implementations
expect_difference that an input tells a wrong implementation from a right one
create(f, …)      the object that `f(…)` makes, where `f` is a class, such as `student.Stack`: its
                  methods can be called as here, its attributes not be read
printed(f, …)     what `f(…)` prints, where `f` is a function `student.name` or an object's method
figure(f, …)      what `f(…)` draws with Matplotlib: axes, with their lines, bars and points
files(f, …)       the files that `f(…)` writes in its working folder, by name
file(text, name)  an argument: a file with this text; the student's code receives its name
describe(value)   the type and shape of a returned value, in words; never its entries
Model(function)   a function or model that stays with the grader; the student's code gets what it
                  can call, a module where the notebook imports torch
stream(items)     an argument that the student's code receives as an iterator
ModuleProxy       returned by `student.SomeModule(…)`: a torch module in the student's process
ObjectProxy       returned by `create(student.SomeClass, …)`: an object in the student's process
Variant, Bank     a known wrong answer; the reference and all known wrong answers of one exercise
WorkedExample     a small worked example, which a student can ask for
Bugs              known mistakes that students are given to find
"""

from autograder.sandbox.host.callbacks import Model
from autograder.testing import expect, laws
from autograder.testing.bugs import Bugs, expect_difference
from autograder.testing.comparison import describe
from autograder.testing.effects import create, figure, file, files, printed
from autograder.testing.examples import (
    Example,
    examples_of,
    expect_caught,
    expect_passed,
    implementation,
)
from autograder.testing.expect import (
    after_deadline,
    forbids,
    open_ended,
    points,
    seconds,
    stream,
)
from autograder.testing.misconceptions import Bank, Variant, WorkedExample
from autograder.testing.student import ModuleProxy, ObjectProxy, Student

__all__ = ["Bank", "Bugs", "Example", "Model", "ModuleProxy", "ObjectProxy", "Student", "Variant"]
__all__ += ["create", "describe", "examples_of", "expect", "expect_caught", "expect_difference"]
__all__ += ["WorkedExample", "after_deadline", "expect_passed"]
__all__ += ["figure", "file", "files", "forbids", "implementation", "laws", "open_ended", "points"]
__all__ += ["printed", "seconds", "stream"]
