"""An exercise is graded as its own cell left it, whatever cells further down do."""

import json

from autograder.grading.grader import Grader
from tests.graders import full, hand_in, scores
from tests.notebooks import code, filled
from tests.toys import RIGHT, TOYS

STUB = "def double(x):\n    raise NotImplementedError"
LATER = "\n\ndef double(x):\n    return {}\n"


def test_a_helper_of_the_same_name_in_a_later_cell_doesnt_hurt(grader: Grader) -> None:
    report = hand_in(grader, RIGHT | {"Counter": RIGHT["Counter"] + LATER.format("x")})
    assert scores(report) == full(report)
    (warning,) = report.warnings
    assert warning.startswith("`double` is defined again in the cell of `Counter`. It was graded")


def test_nothing_is_defined_again_where_one_cell_answers_all(grader: Grader) -> None:
    content = filled(grader.settings.course.release_path(TOYS), {})
    content["cells"] = [code("\n\n".join(RIGHT.values()))]
    report = grader.grade(json.dumps(content).encode())
    assert scores(report) == full(report)
    assert not any("defined again" in warning for warning in report.warnings)


def test_a_right_function_in_a_later_cell_doesnt_help(grader: Grader) -> None:
    answers = {"double": STUB, "Counter": RIGHT["Counter"] + LATER.format("2 * x")}
    report = hand_in(grader, answers, LATER.format("2 * x"))
    assert scores(report) == {"double": 0, "Counter": 4}


def test_a_cell_that_ends_the_process_further_down_costs_nothing_above_it(grader: Grader) -> None:
    report = hand_in(grader, RIGHT, "import os\nos._exit(1)", "print('still here')")
    assert scores(report) == full(report)
    assert report.cells[-1].text == "still here\n"


def test_what_a_function_needs_and_a_lower_cell_defines_is_asked_for(grader: Grader) -> None:
    answers = RIGHT | {"double": "def double(x):\n    return twice(x)"}
    report = hand_in(grader, answers, "def twice(x):\n    return 2 * x")
    double = report.exercises[0]
    assert double.score == 0
    assert {test.message for test in double.tests} == {
        "`double` uses `twice`, which only a cell further down defines, so it isn't there when the "
        "notebook runs from top to bottom. Where should it stand?"
    }


def test_a_call_that_ends_the_process_is_retried_with_the_helpers_that_it_needs(
    grader: Grader,
) -> None:
    """The second process runs the cells that the exercise needs, a student's own among them."""
    content = filled(grader.settings.course.release_path(TOYS), RIGHT)
    places = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in content["cells"]]
    place = places.index("Counter")
    content["cells"][place]["source"] = (
        "class Counter:\n    steps = 0\n    def step(self):\n        return step_of(self)\n"
        "def count(times):\n    c = Counter()\n    return [c.step() for _ in range(times)]"
    )
    content["cells"][place:place] = [
        code("import sys\nsys.is_trapped = True"),
        code(
            "def step_of(counter):\n"
            "    import os, sys\n"
            "    if hasattr(sys, 'is_trapped'): os._exit(1)\n"
            "    counter.steps += 1\n"
            "    return counter.steps"
        ),
    ]
    report = grader.grade(json.dumps(content).encode())
    assert scores(report) == full(report)
