"""`python -m tests.mutants EXERCISE --tag TAG` says in seconds what a misconception is worth."""

import pytest

from autograder.course import Course
from autograder.testing.misconceptions import Bank, Variant
from tests.courses import KIT
from tests.mutants import __main__ as command
from tests.mutants import single
from tests.mutants.exercises import Kind, Mutant, exercise_named, right_answers_of
from tests.mutants.single import Trial, try_one
from tests.mutants.trials import Fate

MUTANT = Mutant(Kind.VARIANT, "slip", "", tags=("slip",))
KILLED = Fate(MUTANT, (("test_a", "test_b"), ("test_a", "test_b")), ("slip",))
HALF_KILLED = Fate(MUTANT, (("test_a",), ()), ("slip",))
MISNAMED = Fate(MUTANT, (("test_a",), ("test_a",)), ("other",))
UNNAMED = Fate(MUTANT, (("test_a",), ("test_a",)))
WRONG = "def softmax(x):\n    return x\n"


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    monkeypatch.setattr("sys.argv", ["tests.mutants", *arguments])
    with pytest.raises(SystemExit) as ended:
        command.main()
    return ended.value.code


def give(monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    """Give softmax a bank with one misconception, `slip`."""
    right = exercise_named(KIT, "softmax").solved["softmax"]
    slip = Variant("slip", "Is wrong", "It is wrong.", source=source)

    def banks_of(course: Course, assignment: str) -> dict[str, Bank]:
        return {"softmax": Bank("softmax", right, (slip,))}

    monkeypatch.setattr("autograder.diagnosis.diagnosis.banks_of", banks_of)
    monkeypatch.setattr(single, "banks_of", banks_of)


def test_what_kills_it_and_what_it_is_called_stand_on_a_line_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "try_one", lambda *_: Trial(KILLED, 3, ()))
    assert run(monkeypatch, "softmax", "--tag", "slip") == 0
    assert capsys.readouterr().out.splitlines() == [
        "killed by      test_a, test_b (seed 0 and 1)",
        "named          slip",
        "right answers  none of 3 is taken for it",
        "slip is killed, and called by its name.",
    ]


@pytest.mark.parametrize(
    ("trial", "line"),
    [
        pytest.param(Trial(HALF_KILLED, 3, ()), "NO TEST: IT SURVIVES (seed 1)", id="survives"),
        pytest.param(Trial(MISNAMED, 3, ()), "named          other", id="misnamed"),
        pytest.param(Trial(UNNAMED, 3, ()), "named          NOTHING", id="unnamed"),
        pytest.param(Trial(KILLED, 3, ("loops",)), "TAKEN FOR IT: loops", id="right"),
    ],
)
def test_trouble_is_shown_and_told_by_the_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], trial: Trial, line: str
) -> None:
    monkeypatch.setattr(command, "try_one", lambda *_: trial)
    assert run(monkeypatch, "softmax", "--tag", "slip") == 1
    said = capsys.readouterr().out
    assert line in said
    assert said.endswith("slip needs another look.\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["softmax", "--tag", "softmax-roundd"], "no misconception 'softmax-roundd', but softmax-"),
        (["softmix", "--tag", "softmax-rounded"], "There is no exercise 'softmix' in this course."),
        (["--tag", "softmax-rounded"], "name that exercise, too."),
        (["softmix"], "no exercise 'softmix': choose from scaled"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    assert run(monkeypatch, *arguments) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.slow
def test_a_mistake_is_killed_and_a_right_answer_that_is_taken_for_it_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    softmax = exercise_named(KIT, "softmax")
    right = [*right_answers_of(softmax), ("odd", WRONG)]
    give(monkeypatch, WRONG)
    monkeypatch.setattr(single, "right_answers_of", lambda _: right)
    trial = try_one(softmax, "slip")
    assert "test_exponentials_are_divided_by_their_sum" in trial.fate.failed[0]
    assert (trial.mistaken, trial.right_answers) == (("odd",), len(right))


@pytest.mark.slow
def test_a_mistake_that_is_none_survives(monkeypatch: pytest.MonkeyPatch) -> None:
    softmax = exercise_named(KIT, "softmax")
    give(monkeypatch, f"{softmax.solved['softmax']}# and no more\n")
    trial = try_one(softmax, "slip")
    assert not trial.fate.killed
    assert trial.troubled
