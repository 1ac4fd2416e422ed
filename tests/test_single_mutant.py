"""`python -m tests.mutants EXERCISE --tag TAG` says in seconds what a misconception is worth."""

import io

import pytest
from rich.console import Console

from autograder.course import Course
from autograder.errors import CourseError
from autograder.testing.misconceptions import Bank, Variant
from tests.courses import KIT
from tests.mutants import __main__ as command
from tests.mutants import single
from tests.mutants.exercises import exercise_named
from tests.mutants.single import Trial, show_trial, try_one
from tests.mutants.trials import Fate, Kind, Mutant

MUTANT = Mutant(Kind.VARIANT, "slip", "", tags=("slip",))
KILLED = Fate(MUTANT, (("test_a", "test_b"), ("test_a", "test_b")), ("slip",))
HALF_KILLED = Fate(MUTANT, (("test_a",), ()), ("slip",))
MISNAMED = Fate(MUTANT, (("test_a",), ("test_a",)), ("other",))
UNNAMED = Fate(MUTANT, (("test_a",), ("test_a",)))
FINE = Trial(KILLED, 3, ())
TROUBLED = [
    pytest.param(Trial(HALF_KILLED, 3, ()), "NO TEST: IT SURVIVES (seed 1)", id="survives"),
    pytest.param(Trial(MISNAMED, 3, ()), "named          other", id="misnamed"),
    pytest.param(Trial(UNNAMED, 3, ()), "named          NOTHING", id="unnamed"),
    pytest.param(Trial(KILLED, 3, ("loops",)), "TAKEN FOR IT: loops", id="right"),
]
WRONG = "def softmax(x):\n    return x\n"


def shown(trial: Trial) -> str:
    console = Console(file=io.StringIO(), width=20)
    show_trial(trial, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


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


def test_what_kills_it_and_what_it_is_called_stand_on_a_line_each() -> None:
    assert shown(FINE).splitlines() == [
        "killed by      test_a, test_b (seed 0 and 1)",
        "named          slip",
        "right answers  none of 3 is taken for it",
        "slip is killed, and called by its name.",
    ]


@pytest.mark.parametrize(("trial", "line"), TROUBLED)
def test_trouble_is_shown(trial: Trial, line: str) -> None:
    assert line in shown(trial)
    assert shown(trial).endswith("slip needs another look.\n")


@pytest.mark.parametrize(("trial", "status"), [(FINE, 0), *((t.values[0], 1) for t in TROUBLED)])
def test_the_exit_status_tells_of_trouble(
    monkeypatch: pytest.MonkeyPatch, trial: Trial, status: int
) -> None:
    monkeypatch.setattr(command, "try_one", lambda *_: trial)
    assert run(monkeypatch, "softmax", "--tag", "slip") == status


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["softmax", "--tag", "softmax-roundd"], "no misconception 'softmax-roundd', but softmax-"),
        (["softmix", "--tag", "softmax-rounded"], "There is no exercise 'softmix' in this course."),
        (["--tag", "softmax-rounded"], "name that exercise, too."),
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


def test_without_a_tag_an_exercise_that_is_not_there_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "softmix") == 2
    assert "no exercise 'softmix': choose from scaled" in capsys.readouterr().err


@pytest.mark.slow
def test_a_mistake_is_killed_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, WRONG)
    trial = try_one(exercise_named(KIT, "softmax"), "slip")
    assert "test_exponentials_are_divided_by_their_sum" in trial.fate.failed[0]
    assert (trial.mistaken, trial.right_answers > 5) == ((), True)


@pytest.mark.slow
def test_a_mistake_that_is_none_survives(monkeypatch: pytest.MonkeyPatch) -> None:
    right = exercise_named(KIT, "softmax").solved["softmax"]
    give(monkeypatch, f"{right}# and no more\n")
    trial = try_one(exercise_named(KIT, "softmax"), "slip")
    assert not trial.fate.killed
    assert trial.troubled


@pytest.mark.slow
def test_a_right_answer_that_is_taken_for_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, WRONG)
    odd = [("odd", WRONG)]
    monkeypatch.setattr(single, "right_answers_of", lambda _: odd)
    trial = try_one(exercise_named(KIT, "softmax"), "slip")
    assert trial.mistaken == ("odd",)


def test_an_exercise_that_is_not_there_is_refused() -> None:
    with pytest.raises(CourseError, match="no exercise 'softmix'"):
        exercise_named(KIT, "softmix")
