"""An answer that one small change makes right is told where, and if it breaks off keeps points."""

import pytest

from autograder.grading.grader import Grader
from autograder.grading.one_change import breaks_off, spared
from autograder.grading.settings import Settings
from autograder.report import ExerciseReport, Outcome, Verdict
from autograder.sandbox.host.probe import strongest
from tests.courses import solved
from tests.graders import Graders, exercise_in, hand_in
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

BUMPED = "def double(x):\n    bump = (x > 1) * 0.25\n    return x * 2 + bump"
UNTURNED = (
    "def scaled_dot_product_attention(Q, K, V):\n"
    "    scores = Q @ K / np.sqrt(K.shape[-1])\n"
    "    weights = softmax(scores)\n"
    "    return weights, weights @ V"
)

SLOW_AND_OF_BOTH = '''

@points(1)
@seconds(60)
def test_another_exercise_is_there(count, student):
    """A counter counts beside what doubles."""
    assert student.double(count(2)[-1]) == 4, "It isn't there."
'''

IDEAS = ("shapes", "scores", "masks")


def verdict(name: str, idea: str, outcome: Outcome, worth: float = 1) -> Verdict:
    score = worth if outcome is Outcome.PASSED else 0
    return Verdict(
        name=name, title=name, outcome=outcome, score=score, max_score=worth, idea=idea, message=""
    )


def broken_off() -> list[Verdict]:
    """Return the verdicts of an answer that raises wherever it is asked: 1, 3 and 2 points."""
    raised = Outcome.ERROR
    each = [("a", "shapes", 1), ("b", "scores", 2), ("c", "scores", 1), ("d", "masks", 2)]
    return [verdict(name, idea, raised, worth) for name, idea, worth in each]


def test_what_breaks_off_costs_the_idea_that_has_most_points() -> None:
    assert [each.score for each in spared(broken_off(), IDEAS)] == [1, 0, 0, 2]


def test_a_slip_that_is_known_costs_its_own_idea() -> None:
    assert [each.score for each in spared(broken_off(), IDEAS, {3})] == [1, 2, 1, 0]


@pytest.mark.parametrize("other", [Outcome.FAILED, Outcome.TIMEOUT])
def test_what_fails_with_a_result_or_takes_too_long_does_not_break_off(other: Outcome) -> None:
    passed, failed = verdict("e", "masks", Outcome.PASSED), verdict("f", "masks", other)
    assert breaks_off([*broken_off(), passed, failed])
    assert not breaks_off([passed, failed])


@pytest.fixture
def hw1(graders: Graders) -> Grader:
    return graders("hw1_attention", strongest())


def attention(hw1: Grader, source: str) -> ExerciseReport:
    """Grade the solution with this attention in it."""
    answers = solved(hw1.settings.course, hw1.assignment) | {"scaled_dot_product_attention": source}
    return exercise_in(hand_in(hw1, answers), "scaled_dot_product_attention")


@pytest.mark.slow
def test_a_mistake_that_nobody_knows_is_told_by_its_line(grader: Grader) -> None:
    double = exercise_in(hand_in(grader, {"double": BUMPED}), "double")
    (told,) = double.misconceptions
    assert told.tag == "one-change-less"
    assert "with one thing less in line 3 of its cell, every check passes" in told.message


@pytest.mark.slow
def test_of_what_checks_say_the_first_is_told_as_well(grader: Grader) -> None:
    (reason,) = exercise_in(hand_in(grader, {"double": BUMPED}), "double").reasons()
    assert reason.message == "You don't double two."


@pytest.mark.slow
def test_where_it_broke_off_is_told_beside_it(grader: Grader) -> None:
    cut_off = BUMPED.replace("    bump", "    raise NotImplementedError\n    bump").replace(
        "> 1", "> 99"
    )
    double = exercise_in(hand_in(grader, {"double": cut_off}), "double")
    (reason,) = double.reasons()
    assert "Delete that line: your code stands below it." in reason.message


@pytest.mark.slow
def test_it_costs_what_its_checks_cost(grader: Grader) -> None:
    double = exercise_in(hand_in(grader, {"double": BUMPED}), "double")
    assert double.score == sum(test.score for test in double.tests) < double.max_score


@pytest.mark.slow
def test_two_mistakes_are_not_made_right_by_one_change(grader: Grader) -> None:
    both = BUMPED.replace("bump = (x > 1) * 0.25", "bump = (x > 1) * 0.25 + (x > 2) * 3.1")
    both = both.replace("x * 2 + bump", "x * 2 + bump - (x < 1) * 0.5")
    assert not exercise_in(hand_in(grader, {"double": both}), "double").misconceptions


@pytest.mark.slow
def test_the_next_exercise_is_asked_of_the_answer_as_it_was_handed_in(grader: Grader) -> None:
    counter = (
        "class Counter:\n    def __init__(self):\n        self.n = 0\n"
        "    def step(self):\n        self.n += double(0.5) * (double(2) != 4)\n"
        "        return self.n\n"
        "def count(times):\n    c = Counter()\n    return [c.step() for _ in range(times)]"
    )
    report = hand_in(grader, {"double": BUMPED.replace("> 1", ">= 2"), "Counter": counter})
    assert exercise_in(report, "double").misconceptions


@pytest.mark.slow
def test_a_slip_that_breaks_off_costs_one_idea(hw1: Grader) -> None:
    report = attention(hw1, UNTURNED)
    assert report.score == report.max_score - 3
    assert len({test.idea for test in report.tests if test.score < test.max_score}) == 1


@pytest.mark.slow
def test_two_slips_that_break_off_cost_all_that_fails(hw1: Grader) -> None:
    report = attention(hw1, UNTURNED.replace("K.shape[-1]", "K.width"))
    assert report.score == 0


@pytest.mark.slow
@pytest.mark.parametrize(("guesses", "lost"), [(["0"], 3), (["51", "49", "-50", "0", "1", "2"], 8)])
def test_a_list_of_guesses_that_breaks_off_on_purpose_keeps_nothing(
    hw1: Grader, guesses: list[str], lost: float
) -> None:
    ways = "".join(f"{guess}: {n}.5, " for n, guess in enumerate(guesses))
    source = (
        "def scaled_dot_product_attention(Q, K, V):\n"
        f"    ways = {{{ways}-2: np.sqrt(K.shape[-1])}}\n"
        "    weights = softmax(Q @ K.T / ways[50])\n"
        "    return weights, weights @ V"
    )
    report = attention(hw1, source)
    assert report.max_score - report.score == lost


@pytest.mark.slow
def test_a_slow_test_that_asks_for_another_exercise_as_well_is_passed(toys: ToyClass) -> None:
    path = toys.course.exercises / TOYS / "hidden_tests" / "test_Counter.py"
    text = path.read_text().replace("import points", "import points, seconds")
    path.write_text(text + SLOW_AND_OF_BOTH)
    jumps = RIGHT["Counter"].replace(
        "return self.steps", "return self.steps + (self.steps > 2) * 7"
    )
    with Grader(Settings(toys.course, strongest()), TOYS) as grader:
        counter = exercise_in(hand_in(grader, RIGHT | {"Counter": jumps}), "Counter")
    (told,) = counter.misconceptions
    assert told.tag == "one-change-less"


@pytest.mark.slow
def test_a_change_that_never_ends_ends_with_the_time_for_changes(grader: Grader) -> None:
    loop = (
        "def double(x):\n    n, bump = 0, (x > 1) * 0.25 - (x > 2) * 0.5\n"
        "    while n < 2:\n        n += 1\n    return x * n + bump"
    )
    report = hand_in(grader, {"double": loop})
    assert exercise_in(report, "double").score < 5
    assert not report.warnings
