"""No feedback states of somebody's code what that code rules out."""

from pathlib import Path

import pytest

from tests.answering import answers, diagnosis, examined, exercise_of, given
from tests.claims import ruled_out

# In a notebook, too, warnings stand beside the result.
pytestmark = pytest.mark.filterwarnings("ignore")
WRONG = answers("wrong")

FALSE = {
    "a number of a line": ("Your check breaks off at `f`, line 9.", "def f(x):\n    return x"),
    "what is quoted": ("You `view` the keys in place of turning them.", "k.transpose(1, 2)"),
    "the name of a function": ("Between your layers stands GELU.", "F.relu(self.linear1(x))"),
    "what is done": ("You write into an argument.", "def f(x):\n    return x + 1"),
}
POSSIBLE = {
    "a line that is there": ("Your check breaks off at `f`, line 2.", "def f(x):\n    return x"),
    "one of two quoted": ("You `view` or `reshape` the keys.", "k.reshape(2, 3)"),
    "what was done": ("You write into an argument.", "def f(x):\n    x += 1\n    return x"),
    "a question": ("Do you `view` the keys?", "k.transpose(1, 2)"),
    "a condition": ("If you `view` the keys, they are cut up.", "k.transpose(1, 2)"),
    "an absence": ("Your module has no `W_Q`.", "self.w_q = nn.Linear(2, 2)"),
}


@pytest.mark.parametrize(("message", "code"), FALSE.values(), ids=FALSE)
def test_a_statement_that_the_code_rules_out_is_found(message: str, code: str) -> None:
    assert list(ruled_out(message, code)) == [message]


@pytest.mark.parametrize(("message", "code"), POSSIBLE.values(), ids=POSSIBLE)
def test_what_may_be_true_is_left_alone(message: str, code: str) -> None:
    assert not list(ruled_out(message, code))


def test_what_the_notebook_gives_may_be_quoted() -> None:
    message = "Your mask isn't that of `full_attention`."
    assert not list(ruled_out(message, "", given="def full_attention(q, k, v): ..."))


def told(path: Path) -> list[str]:
    """Return what a student reads of a wrong answer: its mistakes, or what single tests say."""
    assignment, exercise = exercise_of(path)
    findings = examined(assignment, exercise, path.read_text())
    mistakes = [mistake.message for mistake in diagnosis(assignment).of(exercise, findings)]
    return mistakes or [found.verdict.message for found in findings]


def assert_possible(path: Path) -> None:
    notebook = "\n".join(given(exercise_of(path)[0]))
    for message in told(path):
        assert not list(ruled_out(message, path.read_text(), notebook))


@pytest.mark.slow
@pytest.mark.parametrize("path", WRONG[::20])
def test_a_wrong_answer_is_told_nothing_that_its_code_rules_out(path: Path) -> None:
    assert_possible(path)


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", WRONG)
def test_no_wrong_answer_is_told_what_its_code_rules_out(path: Path) -> None:
    assert_possible(path)
