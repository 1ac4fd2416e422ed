"""`autograder test` finds what is wrong with hidden tests, answers and misconceptions."""

import re
from pathlib import Path

import pytest

from autograder.authoring.opening import Openings
from autograder.authoring.release import release
from autograder.authoring.trials import TrialResult, try_course
from autograder.course import Course, scaffold
from autograder.sandbox.host.probe import strongest
from tests.commands import autograder
from tests.new_courses import made

HW = "hw1_statistics"
# Whatever it is worth in this course, it is tried at what its hidden tests say.
LIMITS = f"\n[assignments.{HW}]\nlimits = {{ call_seconds = 1 }}\npoints = {{ standardise = 2 }}\n"
FREE = "\n\n@points(1)\ndef test_nothing(student: Student) -> None:\n    pass\n"
# One tag ends as a common mistake's does, but is the course's own, which can remove it.
SAME = """
MISCONCEPTIONS += (
    Variant(tag="harmless", description="", message="", edits={"return (X": "return (1 * X"}),
    Variant("mean-list-of-rows", "", "", edits={"X.std": "1 * X.std"}),
    Variant(tag="twin", description="", message="", edits={"X.std(": "X.var("}),
)
"""
ONE_NUMBER = """
import numpy as np
from autograder.testing import expect, points

@points(8)
def test_one_column_of_two(student):
    expect.close(student.standardise(np.array([[1.0], [3.0]]))[0, 0], -1, "It should be -1.")
"""
RIGHT, WRONG = f"answers/{HW}/standardise/right", f"answers/{HW}/standardise/wrong"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return made(tmp_path)


def results(course: Course, seeds: int = 0) -> list[TrialResult]:
    return list(try_course(Course.load(course.root, {}), [HW], strongest(), jobs=1, seeds=seeds))


def problems(course: Course) -> str:
    return "\n".join(problem for result in results(course) for problem in result.problems)


def add(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text((path.read_text() if path.is_file() else "") + text)


@pytest.mark.slow
def test_a_sound_course_has_no_problems_even_before_its_seed_is_drawn(course: Course) -> None:
    release(Course.load(course.root, {"AUTOGRADER_SEED": "1"}), [HW])
    (result,) = results(course)
    assert result.summary() == (
        f"{HW} standardise: 3 right answers, 6 wrong answers, 7 misconceptions, notes of 1.5 KB "
        "name 8 of 13 wrong ones, not changes_its_input, not_centred, sample_deviation, "
        "whole_table, standardise-nothing-returned: all as it should be"
    )


@pytest.mark.slow
def test_the_notes_are_opened_by_the_answers(course: Course) -> None:
    release(Course.load(course.root, {"AUTOGRADER_SEED": "1"}), [HW])
    right, wrong = course.root / RIGHT, course.root / WRONG
    add(wrong / "also_right.py", (right / "loops.py").read_text())
    add(wrong / "ends.py", "def standardise(X):\n    import os\n    os._exit(0)\n")
    add(right / "also_wrong.py", (wrong / "variance.py").read_text())
    (result,) = results(course)
    named = "name 8 of 15 wrong ones, not changes_its_input, ends, not_centred, "
    assert named in result.summary()
    assert ", and 1 more, and are blind to also_right: " in result.summary()
    taken = f"{RIGHT}/also_wrong.py: a locked note takes this right answer to standardise for a"
    assert [said for said in result.problems if said.startswith(taken)]


@pytest.mark.slow
def test_an_exercise_whose_results_are_too_few_numbers_for_a_note_is_told(course: Course) -> None:
    tests = course.exercises / HW / "hidden_tests/test_standardise.py"
    tests.write_text(ONE_NUMBER)
    release(course, [HW])
    (result,) = results(course)
    assert ", no locked notes: " in result.summary()


@pytest.mark.slow
def test_notes_that_open_for_no_wrong_answer_are_told_as_such() -> None:
    said = Openings(tried=2, silent=("one", "two"), blind=(), size=500).summary()
    assert said.startswith("notes that name none of 2 wrong ones")


def test_each_problem_is_a_line_with_its_file(course: Course) -> None:
    release(course, [HW])
    add(course.root / "course.toml", LIMITS)
    add(course.exercises / HW / "hidden_tests/test_standardise.py", FREE)
    add(course.exercises / HW / "misconceptions/standardise.py", SAME)
    root = course.root
    add(root / RIGHT / "loops_forever.py", "def standardise(X):\n    while True: pass\n")
    add(root / RIGHT / "dies.py", "import os\ndef standardise(X):\n    os._exit(1)\n")
    add(root / RIGHT / "variance.py", (root / WRONG / "variance.py").read_text())
    add(root / WRONG / "loops.py", (root / RIGHT / "loops.py").read_text())
    add(root / f"answers/{HW}/standardize/right/a.py", "")
    said = problems(course).splitlines()
    bank = f"exercises/{HW}/misconceptions/standardise"
    for start, end in (
        (
            f"assignments/{HW}/{HW}.ipynb is not what solutions/{HW}.py and its known",
            f"run `autograder release {HW}`.",
        ),
        (f"answers/{HW}/standardize belongs to no exercise", "or remove it."),
        (f"solutions/{HW}.py: standardise left unwritten earns 1 of 9 points in test_nothing", "."),
        (f"{RIGHT}/dies.py: this right answer", "correct it or the hidden test."),
        (f"{RIGHT}/loops_forever.py: this right answer", "correct it or the hidden test."),
        (f"{RIGHT}/variance.py: this right answer", "correct it or the hidden test."),
        (f"{WRONG}/loops.py: this wrong answer gets full marks", "move it to right/."),
        (f"{bank}: harmless gets full marks", "or remove it."),
        (f"{bank}: mean-list-of-rows gets full marks", "or remove it."),
        (f"{bank}: twin is taken for standardise-variance", "or merge the two."),
    ):
        line = said.pop(0)
        assert line.startswith(start) and line.endswith(end), line
    assert said == []


COMPUTES_A_NUMBER = """
import numpy as np
from autograder.testing import expect, points

@points(8)
def test_one_column(student):
    result = student.standardise(np.array([[1.0], [3.0], [8.0]]))
    expect.close(np.asarray(result)[0, 0], -1.0190493307301367, "It should be -1.02.")
"""


@pytest.mark.slow
def test_all_common_mistakes_that_make_no_difference_are_one_line_to_paste(course: Course) -> None:
    path = course.exercises / HW / "hidden_tests/test_standardise.py"
    path.write_text(COMPUTES_A_NUMBER)
    (said,) = (each for each in problems(course).splitlines() if "NOT_MISTAKES" in each)
    assert said == (
        f"exercises/{HW}/misconceptions/standardise: standardise-plain-list gets full marks, "
        "standardise-list-of-rows gets full marks: add a hidden test that tells them apart, or "
        'write NOT_MISTAKES = ("plain-list", "list-of-rows") below REFERENCE if they are none here.'
    )


COMPUTES_A_COLUMN = """
import numpy as np
from autograder.testing import expect, points

@points(8)
def test_a_column_alone(student):
    result = student.standardise(np.array([1.0, 3.0, 5.0]))
    expect.close(result, np.sqrt(1.5) * np.array([-1, 0, 1]), "The middle one should be 0.")
"""


@pytest.mark.slow
def test_a_list_of_rows_may_be_called_a_plain_list_where_arrays_have_one_axis(
    course: Course,
) -> None:
    path = course.exercises / HW / "hidden_tests/test_standardise.py"
    path.write_text(COMPUTES_A_COLUMN)
    assert "list-of-rows" not in problems(course)


LUCK = """

@points(1)
def test_luck(student: Student, rng: np.random.Generator) -> None:
    student.standardise(rng.random((4, 2)))
    assert rng.random() < 0.7, "You were out of luck."
"""


@pytest.mark.slow
def test_a_right_answer_that_passes_by_luck_alone_is_found_under_other_seeds(
    course: Course,
) -> None:
    add(course.exercises / HW / "hidden_tests/test_standardise.py", LUCK)
    (course.root / "seed.txt").write_text("1")
    assert "test_luck" not in problems(course)
    (result,) = results(course, seeds=8)
    (said,) = (each for each in result.problems if "test_luck (You were out of luck)" in each)
    assert said.endswith(". That is so under the seed 4, not under your own.")


@pytest.mark.slow
def test_where_the_solution_fails_nothing_else_is_tried(course: Course) -> None:
    path = course.solutions / f"{HW}.py"
    path.write_text(path.read_text().replace("X.std(axis=0)", "X.var(axis=0)"))
    (said,) = problems(course).splitlines()
    assert said.startswith(f"solutions/{HW}.py: the solution of standardise fails")
    assert "is taken for standardise-variance" in said


@pytest.mark.slow
def test_a_hidden_test_that_is_out_of_order_is_named(course: Course) -> None:
    text = "\n\n@points(1)\ndef test_typo(student: Student, rnd: object) -> None:\n    pass\n"
    add(course.exercises / HW / "hidden_tests/test_standardise.py", text)
    (said,) = problems(course).splitlines()
    assert "test_typo (The hidden test asks for a fixture 'rnd'" in said


@pytest.mark.slow
def test_a_hidden_test_that_ends_its_process_is_told_with_the_answer(course: Course) -> None:
    text = (
        "\n\n@points(1)\ndef test_ends(student: Student) -> None:\n    __import__('os')._exit(1)\n"
    )
    add(course.exercises / HW / "hidden_tests/test_standardise.py", text)
    (said,) = problems(course).splitlines()
    assert said == (
        f"solutions/{HW}.py: grading the solution answer didn't finish (its process died), so the "
        "rest of standardise was not tried: look at what the hidden tests do with it."
    )


@pytest.mark.slow
def test_a_broken_misconception_is_named(course: Course) -> None:
    broken = 'MISCONCEPTIONS += (Variant("broken", "", "", {"X.std(": "X.std(("}),)\n'
    add(course.exercises / HW / "misconceptions/standardise.py", broken)
    assert "broken: The course's own code fails" in problems(course)


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("hidden_tests/test_standardise.py", "(\n", "can't be imported (SyntaxError"),
        ("hidden_tests/test_standardise.py", "def test_x(student): ...\n", "has no points"),
        ("misconceptions/standardise.py", "MISCONCEPTIONS = MISCONCEPTIONS[0]\n", "(Variant(…),)"),
        ("misconceptions/standardise.py", "REFERENCE = 'x = 1'\n", "which isn't in REFERENCE"),
    ],
)
def test_code_that_cannot_be_used_is_a_line(
    course: Course, file: str, text: str, says: str
) -> None:
    add(course.exercises / HW / file, text)
    (said,) = problems(course).splitlines()
    assert says in said


@pytest.mark.slow
def test_problems_make_the_exit_status_1(course: Course) -> None:
    add(course.root / WRONG / "right.py", (course.root / RIGHT / "loops.py").read_text())
    done = autograder(course.root, "test")
    assert done.returncode == 1
    assert "1 to correct" in done.stdout
    assert "wrong/right.py: this wrong answer gets full marks" in done.stdout
    assert re.fullmatch("note: a seed was drawn for this course, .*\n", done.stderr)


@pytest.mark.slow
def test_one_exercise_alone_may_be_tried(course: Course) -> None:
    scaffold.new(course, HW, "scale")
    done = autograder(course.root, "test", "--exercise", "scale")
    tried = [line.split(":")[0] for line in done.stdout.splitlines() if line[0] != " "]
    assert tried == [f"{HW} scale"]


def test_an_exercise_that_is_nowhere_is_told(course: Course) -> None:
    done = autograder(course.root, "test", "--exercise", "scales")
    assert done.returncode == 1
    assert f"No hidden tests of {HW} are for 'scales': correct the name." in done.stderr
