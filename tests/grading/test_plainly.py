"""What stands in the way of an answer is told as what it is, and once."""

import json

import pytest

from autograder.grading.grader import Grader
from autograder.grading.session import MAX_MISSING
from autograder.grading.settings import Settings
from autograder.grading.submissions import find_submissions, holds
from autograder.report import Outcome, Report
from autograder.sandbox.limits import Isolation
from tests.graders import full, hand_in, messages, scores
from tests.toy_class import ToyClass
from tests.toys import RIGHT

HEADING = "def double(x):\n"
LACKS = "The grader has no module `rope`."
NEEDS = "This needs the module `rope`, which the grader doesn't have."


@pytest.mark.parametrize(
    ("answer", "first"),
    [
        ("from rope import rearrange\n" + RIGHT["double"], ""),
        (HEADING + "    import rope.axes\n    return 2 * x", ""),
        (HEADING + "    return rearrange(2 * x)", "from rope import rearrange"),
    ],
    ids=["above the answer", "in the answer", "in a cell of one's own"],
)
def test_a_module_that_the_grader_lacks(grader: Grader, answer: str, first: str) -> None:
    report = hand_in(grader, RIGHT | {"double": answer}, first=first)
    assert {test.message for test in report.exercises[0].tests} == {NEEDS}
    assert [said for said in report.warnings if said.startswith(LACKS)] == [*report.warnings[:1]]
    assert report.missing_modules == ("rope",)
    assert not report.exercises[0].misconceptions


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    import rope\nexcept ImportError:\n    rope = None",
        "from google.colab import drive",
        "import json.decoders",
    ],
    ids=["in try", "of a host", "misspelt in one that is there"],
)
def test_a_module_that_nobody_needs_to_install_is_not_told(grader: Grader, source: str) -> None:
    report = hand_in(grader, RIGHT, first=source)
    assert scores(report) == full(report)
    assert (report.missing_modules, report.warnings) == ((), ())


def test_a_module_that_a_cell_wrote_is_found_as_in_jupyter(grader: Grader) -> None:
    written = "%%writefile helper.py\n" + RIGHT["double"]
    report = hand_in(grader, RIGHT | {"double": "from helper import double"}, first=written)
    assert (scores(report), report.missing_modules) == (full(report), ())


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("def double(x: flaot):\n    return 2 * x", "no `flaot` here. Did you mean `float`?"),
        ("def double(x):\n    return x \u2212 -x", "Which keys are meant in line 2?"),
    ],
)
def test_why_a_cell_defines_nothing_is_explained_like_a_failed_call(
    grader: Grader, answer: str, said: str
) -> None:
    report = hand_in(grader, RIGHT | {"double": answer})
    assert messages(report, "double").splitlines()[0].endswith(said)


@pytest.mark.parametrize(
    "stop",
    [
        "breakpoint()",
        "import pdb; pdb.set_trace()",
        "from pdb import set_trace; set_trace()",
        "from IPython.core.debugger import set_trace; set_trace()",
    ],
)
def test_no_debugger_stops_an_answer(grader: Grader, stop: str) -> None:
    report = hand_in(grader, RIGHT | {"double": f"{HEADING}    {stop}\n    return 2 * x"})
    assert scores(report) == full(report)


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        (("def", "yield"), "a generator (made by `yield`, or by a loop in parentheses)"),
        (("async def", "return"), "a coroutine (made by `async def`)"),
    ],
)
def test_what_only_promises_a_result_is_told_by_its_keyword(
    grader: Grader, keywords: tuple[str, str], said: str
) -> None:
    answer = "{} double(x):\n    {} 2 * x".format(*keywords)
    report = hand_in(grader, RIGHT | {"double": answer})
    assert said in messages(report, "double")


def test_a_notebook_is_graded_again_when_its_module_is_there(toys: ToyClass) -> None:
    toys.hand_in("ada", {"double": "import rope\n" + RIGHT["double"]})
    (job,) = find_submissions(toys.course, ["toys"], None, print)
    with Grader(Settings(toys.course, Isolation.UNSAFE), "toys") as grader:
        report = grader.grade(job.read(), job)
    level = Isolation(report.isolation)
    assert holds(report, job, report.fingerprint, level)
    there = report.model_copy(update={"missing_modules": ("json",)})
    assert not holds(there, job, report.fingerprint, level)


@pytest.mark.parametrize(
    "answer",
    [
        HEADING + "    # YOUR CODE HERE\n    raise NotImplementedError()\n    return 2 * x",
        HEADING + "    if 1:\n        raise NotImplementedError\n        x = 2 * x\n    return x",
    ],
)
def test_a_raise_above_ones_own_code(grader: Grader, answer: str) -> None:
    report = hand_in(grader, RIGHT | {"double": answer})
    assert messages(report, "double").splitlines()[0] == (
        "`double` stops at the `raise NotImplementedError` in line 3 of its cell. "
        "Delete that line: your code stands below it."
    )


def test_a_raise_with_nothing_below_it_is_not_attempted(grader: Grader) -> None:
    report = hand_in(
        grader, RIGHT | {"double": HEADING + "    y = x\n    raise NotImplementedError"}
    )
    assert report.exercises[0].outcome is Outcome.NOT_ATTEMPTED


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            "from numpy import *",
            "`from numpy import *`, which hides Python's own `abs`",
        ),
        ("%reset -f", "holds `%reset`, which deletes what the cells above it define"),
    ],
)
def test_a_trap_is_told_to_whom_something_failed(grader: Grader, source: str, told: str) -> None:
    wrong: Report = hand_in(grader, RIGHT | {"double": HEADING + "    return math.e"}, first=source)
    assert told in wrong.warnings[0]
    assert hand_in(grader, RIGHT, first=source).warnings == ()


@pytest.mark.parametrize(
    ("source", "most"),
    [
        ("from math import *\n" * 500, 1),
        ("raise ModuleNotFoundError(\"No module named 'missing_{number}'\")", MAX_MISSING),
    ],
)
def test_nobody_is_told_the_same_a_thousand_times(grader: Grader, source: str, most: int) -> None:
    wrong = RIGHT | {"double": HEADING + "    return math.e"}
    cells = [source.replace("{number}", str(number)) for number in range(50)]
    assert len(hand_in(grader, wrong, *cells).warnings) == most


def test_a_helper_below_its_answer_and_above_the_checks_is_there(grader: Grader) -> None:
    release = json.loads(grader.settings.course.release_path("toys").read_text())
    place = [cell["id"] for cell in release["cells"]].index("double")
    release["cells"][place]["source"] = HEADING + "    return twice(x)"
    cell = release["cells"][place] | {"metadata": {}, "id": "own"}
    helper = cell | {"source": "def twice(x):\n    return 2 * x"}
    demo = cell | {"source": "shown = twice(double(1))", "id": "demo"}
    release["cells"][place + 1 : place + 1] = [demo, helper]
    report = grader.grade(json.dumps(release).encode())
    assert scores(report)["double"] == full(report)["double"]
    assert [output.error for output in report.cells if output.cell.startswith("own")] == ["", ""]
