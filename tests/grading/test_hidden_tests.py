"""Hidden tests are run for a student, and what they find becomes verdicts."""

from pathlib import Path
from typing import Any

import pytest

from autograder.course import Course
from autograder.errors import CourseError
from autograder.grading.hidden_tests import HiddenTests
from autograder.report import Outcome, Verdict
from autograder.sandbox.host.in_process import InProcess

TESTS = '''
import numpy as np
from autograder.testing import expect, forbids, points, seconds

@points(2)
def test_two_becomes_four(student):
    """Twice two is four."""
    expect.close(student.double(np.array([2.0])), np.array([4.0]), "You don't double.")

@points(1)
def test_drawn_numbers_are_doubled(student, rng):
    """Drawn numbers are doubled."""
    x = rng.normal(size=3)
    expect.close(student.double(x), 2 * x, "You don't double.")

@points(3)
def test_a_text_is_refused(student):
    """A text is refused."""
    with expect.raises("TypeError", "A text should raise TypeError."):
        student.double("ab")

@points(1)
@forbids("math.fsum")
def test_without_fsum(student):
    """You do it without fsum."""
    assert student.double(3.0).real == 6, "Three is not doubled."

@points(4)
@seconds(60)
def test_most_numbers_are_doubled(student):
    """Most numbers are doubled."""
    right = sum(student.double(float(n)) == 2 * n for n in range(10))
    expect.partial_credit(right / 9, "Fewer than nine in ten are doubled.")
'''
IN_PART = """
@points({points})
def test_as_many_as_{points}_are_right(student):
    expect.partial_credit(student.right() / {points}, "Not all are right.")
"""
RIGHT = "def double(x):\n    return x / 1 * 2"


@pytest.fixture(scope="module")
def tests(tmp_path_factory: pytest.TempPathFactory) -> HiddenTests:
    """The hidden tests of a course whose one exercise is named `double`."""
    return HiddenTests(course_with(tmp_path_factory.mktemp("course"), TESTS), "toys")


def course_with(root: Path, tests: str) -> Course:
    """Make a course at `root` with these hidden tests of `double`."""
    folder = root / "exercises" / "toys" / "hidden_tests"
    folder.mkdir(parents=True)
    (folder / "test_double.py").write_text(tests)
    (root / "course.toml").touch()
    return Course.load(root)


def verdicts_on(tests: HiddenTests, source: str, seed: int = 0, **how: Any) -> list[Verdict]:
    channel = InProcess([source], guarded=["math.fsum"])
    try:
        (name,) = tests.points
        return [each.verdict for each in tests.examine(name, lambda: channel, seed, **how)]
    finally:
        channel.close()


def outcomes_of(tests: HiddenTests, source: str) -> list[Outcome]:
    return [verdict.outcome for verdict in verdicts_on(tests, source)]


class TestVerdicts:
    def test_a_right_answer_passes_with_all_points(self, tests: HiddenTests) -> None:
        verdicts = verdicts_on(tests, RIGHT)
        assert [(v.outcome, v.score, v.message) for v in verdicts] == [
            (Outcome.PASSED, points, "") for points in (2, 1, 3, 1, 4)
        ]
        assert verdicts[0].title == "Twice two is four."

    def test_a_wrong_answer_fails_with_the_tests_sentence(self, tests: HiddenTests) -> None:
        first = verdicts_on(tests, "def double(x):\n    return x / 1 * 3")[0]
        assert (first.outcome, first.score, first.message) == (
            Outcome.FAILED,
            0,
            "You don't double.",
        )

    def test_an_exception_of_the_students_is_an_error_that_names_it(
        self, tests: HiddenTests
    ) -> None:
        first = verdicts_on(tests, "def double(x):\n    return x / 1 + nothing")[0]
        assert first.outcome is Outcome.ERROR
        assert "NameError in line 2" in first.message

    def test_a_stub_is_not_attempted(self, tests: HiddenTests) -> None:
        source = "def double(x):\n    raise NotImplementedError()"
        assert set(outcomes_of(tests, source)) == {Outcome.NOT_ATTEMPTED}

    def test_a_forbidden_built_in_raises_in_the_test_that_forbids_it_alone(
        self, tests: HiddenTests
    ) -> None:
        source = f"from math import fsum\n{RIGHT.replace('return', 'fsum([1]); return')}"
        *others, last, _ = verdicts_on(tests, source)
        assert {verdict.outcome for verdict in others} == {Outcome.PASSED}
        assert "math.fsum is not allowed" in last.message

    def test_a_value_that_the_test_stumbles_over_is_described(self, tests: HiddenTests) -> None:
        last = verdicts_on(tests, "def double(x):\n    return None if x == 3.0 else x / 1 * 2")[3]
        assert (last.outcome, last.score) == (Outcome.GRADER_ERROR, 0)
        assert "`double` returned None" in last.message

    def test_what_holds_in_part_earns_that_part_of_the_points_rounded_down(
        self, tests: HiddenTests
    ) -> None:
        last = verdicts_on(tests, "def double(x):\n    return x / 1 * (2 if x <= 6.0 else 3)")[-1]
        assert (last.outcome, last.score) == (Outcome.FAILED, 3)
        assert last.message == "Fewer than nine in ten are doubled."

    def test_tests_that_need_long_can_be_left_out(self, tests: HiddenTests) -> None:
        assert len(verdicts_on(tests, RIGHT, skip_slow=True)) == 4
        assert tests.seconds == 60

    def test_pytest_options_of_the_instructors_own_change_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing")
        fresh = HiddenTests(course_with(tmp_path, TESTS), "toys")
        assert len(verdicts_on(fresh, RIGHT)) == 5

    def test_the_same_seed_draws_the_same_inputs_and_another_seed_others(
        self, tests: HiddenTests
    ) -> None:
        source = "def double(x):\n    raise ValueError(int(1000 * abs(x).sum()))"
        first, again, other = (verdicts_on(tests, source, seed)[1].message for seed in (5, 5, 6))
        assert first == again != other

    def test_a_request_does_not_tell_which_test_asks(self, tests: HiddenTests) -> None:
        found = tests.examine("double", lambda: InProcess([RIGHT]), 5)
        requests = [each.exchanges[0].request for each in found if each.exchanges]
        assert len(requests) > 1
        assert len({request["seed"] for request in requests}) == 1


def test_so_many_right_of_so_many_points_are_so_many_points(tmp_path: Path) -> None:
    numbers = (3, 7, 10, 22, 49, 93)
    source = "from autograder.testing import expect, points\n"
    source += "".join(IN_PART.format(points=number) for number in numbers)
    tests = HiddenTests(course_with(tmp_path, source), "toys")
    for right in range(100):
        verdicts = verdicts_on(tests, f"def right():\n    return {right}")
        scores = dict(zip(numbers, (verdict.score for verdict in verdicts), strict=True))
        assert scores == {number: min(right, number) for number in numbers}


def test_the_points_of_an_exercise_are_those_of_its_tests(tests: HiddenTests) -> None:
    assert tests.points == {"double": 11}
    assert tests.forbidden == ("math.fsum",)


def test_an_exercise_without_hidden_tests_is_named(tests: HiddenTests) -> None:
    with pytest.raises(CourseError, match=r"test_triple\.py"):
        tests.examine("triple", lambda: InProcess([]))


def test_a_conftest_above_the_folder_of_exercises_is_not_run(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "course"):
        folder.mkdir(exist_ok=True)
        (folder / "conftest.py").write_text("raise RuntimeError('this is not the course's')\n")
    tests = HiddenTests(course_with(tmp_path / "course", TESTS), "toys")
    assert [verdict.outcome for verdict in verdicts_on(tests, RIGHT)] == 5 * [Outcome.PASSED]


def test_the_fixtures_of_an_assignment_go_before_those_of_the_course(tmp_path: Path) -> None:
    told = """
from autograder.testing import points

@points(1)
def test_it_is_told(student, near, far):
    assert (near, far) == ("assignment", "course"), f"{near}, {far}"
"""
    course = course_with(tmp_path, told)
    fixture = "import pytest\n\n@pytest.fixture\ndef {}():\n    return {!r}\n"
    above = fixture.format("near", "course") + fixture.format("far", "course")
    (course.exercises / "conftest.py").write_text(above)
    (course.exercises / "toys" / "conftest.py").write_text(fixture.format("near", "assignment"))
    (verdict,) = verdicts_on(HiddenTests(course, "toys"), RIGHT)
    assert verdict.message == ""


def test_what_everybody_may_answer_differently_is_compared_with_no_other_answer(
    tmp_path: Path,
) -> None:
    source = """
from autograder.testing import open_ended, points

@points(1)
def test_of_ours(student):
    assert student.double(1) == 2

@points(1)
@open_ended
def test_of_theirs(student):
    assert student.double(1) == 2
"""
    tests = HiddenTests(course_with(tmp_path, source), "toys")
    found = tests.examine("double", lambda: InProcess([RIGHT]))
    assert [each.is_replayable for each in found] == [True, False]


def test_a_hidden_test_gets_the_banks_of_its_assignment(tmp_path: Path) -> None:
    source = """
from autograder.testing import implementation, points

@points(1)
def test_it_does_what_a_known_mistake_does(student, banks):
    bank = banks["double"]
    assert implementation(bank.reference).double(3) == 6
    (mistake, *_) = bank.singles()
    assert implementation(mistake.source).double(3) == student.double(3)
"""
    bank = """
from autograder.testing import Variant

REFERENCE = "def double(x):\\n    return 2 * x\\n"
MISCONCEPTIONS = (Variant("double-square", "squares", "You square.", {"2 * x": "x * x"}),)
"""
    course = course_with(tmp_path, source)
    folder = course.exercises / "toys" / "misconceptions"
    folder.mkdir()
    (folder / "double.py").write_text(bank)
    (verdict,) = verdicts_on(HiddenTests(course, "toys"), "def double(x):\n    return x**2")
    assert (verdict.outcome, verdict.message) == (Outcome.PASSED, "")
