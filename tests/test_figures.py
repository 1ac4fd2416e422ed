"""What is counted of the answers on file, what is kept of it, and what is said of it.

Marks and names get no worse: no figure may fall below the one in `tests/mutants/figures.toml`.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from tests.courses import EXERCISES, KIT
from tests.mutants import __main__ as command
from tests.mutants import figures, marks
from tests.mutants.exercises import (
    Exercise,
    Kind,
    Mutant,
    exercise_named,
    right_answers_of,
    wrong_answers_of,
)
from tests.mutants.figures import Figures, Share, on_file, worse, write
from tests.mutants.results import ExerciseResult
from tests.mutants.tables import show_answers
from tests.mutants.trials import (
    SEEDS,
    Fate,
    RightAnswer,
    RightTrial,
    diagnosis_of,
    fate_of,
    trial_of,
)

Show = Callable[[Sequence[ExerciseResult], Console], None]

EXERCISE = Exercise(KIT, "hw", "f", given=(), solved={}, guarded=(), tests=("test_a",), ideas=())
OTHER = replace(EXERCISE, name="g")
GOOD = Figures(Share(3, 3), Share(8, 8), Share(7, 8), Share(1, 8))


def answer(name: str, tags: tuple[str, ...], named: tuple[str, ...], failed: bool = True) -> Fate:
    mutant = Mutant(Kind.ANSWER, name, "", tags)
    return Fate(mutant, (("test_a",) if failed else (),), named, seconds=0.1, diagnosis_seconds=0.3)


WRONG = [
    answer("by_one_of_its_names", ("a", "b"), ("b",)),
    answer("by_a_false_one_as_well", ("a",), ("a", "x")),
    answer("by_a_false_one", ("a",), ("x",)),
    answer("by_none", ("a",), ()),
    answer("has_none", (), ()),
    answer("has_none_and_gets_one", (), ("x",)),
    answer("passes", ("a",), (), failed=False),
]
RIGHT = [
    RightTrial("SOLUTION", 0, {}),
    RightTrial("SOLUTION", 1, {}),
    RightTrial("loops", 0, {}),
    RightTrial("loops", 1, {"test_a": "It was 7."}, ("x",)),
]


def variant(tag: str, scale: float, shape: float) -> Fate:
    mutant = Mutant(Kind.VARIANT, tag, "", (tag,))
    costs, worth = {"scale": scale, "shape": shape}, {"scale": 3.0, "shape": 1.0}
    return Fate(mutant, (("test_a",),), (tag,), costs=costs, worth=worth)


VARIANTS = ExerciseResult(EXERCISE, [variant("nothing", 3, 1), variant("one-idea", 3, 0)], [])


def shown(show: Show, *fates: Fate, times: int = 1) -> list[str]:
    console = Console(file=io.StringIO(), width=300)
    show(times * [ExerciseResult(EXERCISE, fates, [], RIGHT)], console)
    assert isinstance(console.file, io.StringIO)
    return [" ".join(line.split()) for line in console.file.getvalue().splitlines()]


def test_right_caught_named_and_false_are_counted() -> None:
    found = Figures.of(RIGHT, WRONG)
    assert found.right == Share(1, 2)  # whole under every seed
    assert found.caught == Share(6, 7)
    assert found.named == Share(2, 5)  # of those that have a name
    assert found.false == Share(4, 9)  # right answers have no true name
    assert Share(0, 0).percent == 100  # all of nothing is all


def test_figures_are_kept_by_assignment_and_exercise(tmp_path: Path) -> None:
    file = tmp_path / "figures.toml"
    write([(EXERCISE, Figures.of(RIGHT, WRONG))], file)
    write([(OTHER, GOOD)], file)
    kept = {"right": 50.0, "caught": 85.7, "named": 40.0, "false": 44.4}
    assert on_file(file) == {"hw": {"f": kept, "g": GOOD.percentages}}


def test_each_figure_that_is_worse_is_told_and_a_better_one_is_not() -> None:
    kept = {"hw": {"f": GOOD.percentages}}
    better = Figures(Share(3, 3), Share(8, 8), Share(8, 8), Share(0, 8))
    assert not list(worse(EXERCISE, GOOD, kept))
    assert not list(worse(EXERCISE, better, kept))
    assert list(worse(EXERCISE, Figures.of(RIGHT, WRONG), kept)) == [
        "f: `right` fell from 100.0% to 50.0%.",
        "f: `caught` fell from 100.0% to 85.7%.",
        "f: `named` fell from 87.5% to 40.0%.",
        "f: `false` rose from 12.5% to 44.4%.",
    ]
    (sentence,) = worse(OTHER, GOOD, kept)
    assert sentence == "g has no figures on file; write them by --write-figures."


def test_each_answer_that_went_wrong_is_told() -> None:
    lines = shown(show_answers, *WRONG)
    assert "f 1/2 50% 6/7 85.7% 2/5 40% 4/9 44.4%" in lines
    assert "f: the right answer loops FAILS test_a under 1 seeds: 1" in lines
    assert "It was 7." in lines
    assert "Again: python -m tests.mutants f --answers --seeds 1 --seed-base 1" in lines
    assert "f: the right answer loops is called x (seed 1)" in lines
    told = [line.removeprefix("f: the wrong answer ") for line in lines if "wrong answer " in line]
    assert told[1:] == [
        "by_a_false_one_as_well is FALSELY called x",
        "by_a_false_one is FALSELY called x",
        "by_a_false_one isn't called a",
        "by_none isn't called a",
        "has_none_and_gets_one is FALSELY called x",
        "passes PASSES all hidden tests",
        "passes isn't called a",
    ]


def test_all_exercises_together_and_the_time_that_diagnosis_adds_are_told() -> None:
    lines = shown(show_answers, *WRONG, times=2)
    assert "all 2/4 50% 12/14 85.7% 4/10 40% 8/18 44.4%" in lines
    assert "f 0.100 0.300 0.300 3.0" in lines


def test_what_a_misconception_costs_of_each_idea_is_shown_and_what_it_costs_beyond_one() -> None:
    console = Console(file=io.StringIO(), width=80)
    console.print(marks.table_of(VARIANTS))
    assert isinstance(console.file, io.StringIO)
    lines = [" ".join(line.split()) for line in console.file.getvalue().splitlines()]
    assert "nothing 3 1 4 1" in lines
    assert "one-idea 3 3" in lines
    assert "1: scale; 2: shape" in lines


def test_a_misconception_that_costs_more_or_less_than_on_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "marks.toml"
    marks.write([VARIANTS], file)
    assert list(marks.changed(VARIANTS, marks.on_file(file))) == []
    cheaper = replace(VARIANTS, fates=[variant("nothing", 3, 1), variant("one-idea", 1, 0)])
    (told,) = marks.changed(cheaper, marks.on_file(file))
    assert told.startswith("f: one-idea costs [1, 0], and [3, 0] on file.")
    (told,) = marks.changed(VARIANTS, {})
    assert told == "f has no marks on file; write them by --marks --write-figures."


def run(monkeypatch: pytest.MonkeyPatch, file: Path, *arguments: str) -> int | str | None:
    """Run the command on one exercise, of which only `RIGHT` and `WRONG` became something."""
    result = ExerciseResult(EXERCISE, WRONG, [], RIGHT)
    monkeypatch.setattr("sys.argv", ["tests.mutants", "--answers", *arguments])
    monkeypatch.setattr(command, "exercises_of", lambda *_: [EXERCISE])
    monkeypatch.setattr(command, "wrong_results_of", lambda *_: [result])
    monkeypatch.setattr(command, "with_right_answers", lambda results, *_: results)
    monkeypatch.setattr(figures, "FILE", file)
    with pytest.raises(SystemExit) as ended:
        command.main()
    return ended.value.code


def test_a_figure_that_is_worse_is_trouble_until_it_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.toml"
    write([(EXERCISE, GOOD)], file)
    assert run(monkeypatch, file) == 1
    assert "f: `named` fell from 87.5% to 40.0%." in capsys.readouterr().out
    assert run(monkeypatch, file, "--write-figures") == 0
    assert on_file(file)["hw"]["f"]["named"] == 40.0
    assert run(monkeypatch, file) == 0


def test_at_least_one_seed_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path / "figures.toml", "--seeds", "0") == 2
    assert "one at least" in capsys.readouterr().err


@pytest.mark.exhaustive  # `make mutants` tries right answers under several seeds, too
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("exercise", [exercise for _, exercise in EXERCISES])
def test_no_figure_is_worse_than_the_one_on_file(exercise: str) -> None:
    tried = exercise_named(KIT, exercise)
    diagnosis = diagnosis_of(tried)
    answers = [RightAnswer(*answer, seed=SEEDS[0]) for answer in right_answers_of(tried)]
    right = [trial_of(tried, diagnosis, answer) for answer in answers]
    wrong = [fate_of(tried, diagnosis, mutant) for mutant in wrong_answers_of(tried)]
    assert list(worse(tried, Figures.of(right, wrong), on_file())) == []
