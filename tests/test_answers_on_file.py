"""Wrong answers say in their first line what they are called; right ones are tried under seeds."""

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from tests.answering import exercise_of
from tests.courses import KIT, answered
from tests.mutants.exercises import (
    SOLUTION,
    Exercise,
    exercise_named,
    known_names,
    right_answers_of,
    true_names,
    wrong_answers_of,
)
from tests.mutants.trials import (
    SILENT,
    RightAnswer,
    RightTrial,
    Strict,
    diagnosis_of,
    too_strict,
    trial_of,
    trials_of_all,
)

KNOWN = {"slip", "slip-twice"}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("# named: slip-twice, slip", ("slip-twice", "slip")),
        ("# named: relation-sign, crash-shapes", ("relation-sign", "crash-shapes")),
        ("# named: nothing", ()),
    ],
)
def test_the_first_line_lists_the_true_names(line: str, names: tuple[str, ...]) -> None:
    assert true_names(f"{line}\n# divides by d_k\n", KNOWN) == names


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("# divides by d_k\n# named: slip\n", "its first line should be `# named: tag, tag`"),
        ("# named: slip twice\n", "its first line should be"),
        ("# named: slipp\n", "names 'slipp', a tag that is in no bank"),
        ("# named: slip, nothing\n", "names 'nothing', a tag"),
        ("# named: relations\n", "names 'relations', a tag"),
    ],
)
def test_a_first_line_that_gives_no_known_name_is_refused(source: str, sentence: str) -> None:
    with pytest.raises(CourseError, match=sentence):
        true_names(source, KNOWN)


@pytest.fixture
def softmax(tmp_path: Path) -> Exercise:
    """The exercise, without answers on file."""
    exercise = exercise_named(KIT, "softmax")
    course = replace(KIT, settings=KIT.settings.model_copy(update={"answers": str(tmp_path)}))
    return replace(exercise, course=course)


def put(exercise: Exercise, kind: str, **sources: str) -> None:
    folder = exercise.course.answers / exercise.assignment / exercise.name / kind
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source)


def test_wrong_answers_are_read_with_their_true_names_or_told_by_their_own(
    softmax: Exercise,
) -> None:
    named = "# named: softmax-no-shift, crash-shapes\n"
    put(softmax, "wrong", odd="# named: nothing\n", plain=named)
    answers = {mutant.name: mutant.tags for mutant in wrong_answers_of(softmax)}
    assert answers == {"odd": (), "plain": ("softmax-no-shift", "crash-shapes")}
    put(softmax, "wrong", plain="def softmax(x): ...\n")
    with pytest.raises(CourseError, match=r"^softmax: the wrong answer plain: its first line"):
        list(wrong_answers_of(softmax))


def test_every_wrong_answer_on_file_has_true_names_or_says_that_it_has_none() -> None:
    banks = {assignment: banks_of(KIT, assignment) for assignment in KIT.assignment_names()}
    complaints = {}
    for path in KIT.answers.glob("*/*/wrong/*.py"):
        assignment, exercise = exercise_of(path)
        try:
            true_names(path.read_text("utf-8"), known_names(banks[assignment].get(exercise)))
        except CourseError as error:
            complaints[path] = str(error)
    assert complaints == {}


def test_the_solution_is_the_first_right_answer(softmax: Exercise) -> None:
    put(softmax, "right", loops="def softmax(x): ...\n")
    answers = list(right_answers_of(softmax))
    assert answers == [(SOLUTION, softmax.solved["softmax"]), ("loops", "def softmax(x): ...\n")]


def test_an_exercise_is_tried_as_its_own_cell_left_it() -> None:
    cells = {"given": "import numpy", "f": "right", "g": "def helper(): ..."}
    assert answered(cells, "f", "def helper(): ...; wrong") == [
        "import numpy",
        "def helper(): ...; wrong",
    ]


def test_a_test_that_is_too_strict_is_listed_with_all_its_seeds_and_the_first_message() -> None:
    found = too_strict(
        [
            RightTrial("loops", 7, {"test_a": "It was 7."}),
            RightTrial("loops", 8, {}),
            RightTrial("loops", 9, {"test_a": "It was 9.", "test_b": "No."}),
        ]
    )
    assert found == [
        Strict("loops", "test_a", (7, 9), "It was 7."),
        Strict("loops", "test_b", (9,), "No."),
    ]


@pytest.mark.slow
def test_right_answers_are_tried_under_every_seed_and_each_failure_is_told(
    softmax: Exercise,
) -> None:
    deadly = "import os\ndef softmax(x):\n    os._exit(0)\n"
    put(softmax, "right", deadly=deadly, not_right="def softmax(x):\n    return x * 0 + 1\n")
    (trials,) = trials_of_all([softmax], range(5, 7))
    found = {(trial.answer, trial.seed): trial.messages for trial in trials}
    assert len(found) == len(trials) == 6
    for seed in (5, 6):
        assert found[SOLUTION, seed] == {}
        assert [*found["deadly", seed]] == [SILENT]
        assert "test_exponentials_are_divided_by_their_sum" in found["not_right", seed]


@pytest.mark.slow
def test_a_right_answer_that_fails_is_tried_by_the_diagnosis_too(softmax: Exercise) -> None:
    whole = "def softmax(x):\n    e = np.exp(x - x.max())\n    return e / e.sum()\n"
    put(softmax, "right", not_right=whole)
    diagnosis = diagnosis_of(softmax)
    (solution, answer) = (RightAnswer(*each, seed=0) for each in right_answers_of(softmax))
    assert trial_of(softmax, diagnosis, solution).named == ()
    assert trial_of(softmax, diagnosis, answer).named == ("softmax-whole-array",)
