"""The visible checks: no right answer is called wrong, and no wrong one ends in a traceback."""

import linecache
from pathlib import Path
from typing import Any

import pytest

from autograder.course.solution import cells
from autograder.diagnosis.banks import bugs_of
from tests.answering import answers, exercise_of, some
from tests.courses import KIT, ROOT, solved

WORKBENCH, DROPOUT, MEASURES, SIZES = (
    (ROOT / f"solutions/{name}.py").read_text("utf-8")
    for name in (
        "shared/workbench",
        "shared/dropout",
        "backstage/hw2_encoder/measures",
        "backstage/hw4_efficient_attention/sizes",
    )
)
SECONDS = 20  # in place of half a minute, for answers that loop for ever


def run_cell(names: dict[str, Any], source: str, name: str) -> None:
    """Run a cell as a notebook does, which keeps its text."""
    file = f"<cell {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), names)


def checked(path: Path) -> str:
    """Return what the visible checks of the answer at `path` raise; nothing if it passes."""
    assignment, exercise = exercise_of(path)
    names: dict[str, Any] = {"__name__": "__main__", "display": lambda *_, **__: None}
    run_cell(names, WORKBENCH, "workbench")
    if assignment in ("hw2_encoder", "hw3_transformer"):
        run_cell(names, DROPOUT, "dropout")
    if assignment != "hw1_attention":
        names["torch"] = pytest.importorskip("torch")
    if assignment == "hw2_encoder":
        run_cell(names, MEASURES, "measures")
        names["bug_of"] = bugs_of(KIT, assignment)["find_the_bug"].of
    if assignment == "hw4_efficient_attention":
        run_cell(names, SIZES, "sizes")
    names["MAX_SECONDS"] = SECONDS
    for name, source in solved(KIT, assignment).items():
        run_cell(names, path.read_text("utf-8") if name == exercise else source, name)
        if name == exercise:
            break
    (check,) = (c.source for c in cells(KIT, assignment) if c.metadata.get("test") == exercise)
    try:
        run_cell(names, check, "checks")
    except names["NotYet"] as error:
        return str(error)
    return ""


@pytest.mark.filterwarnings("ignore")  # as in a notebook, a warning ends nothing
@pytest.mark.parametrize("path", some(answers("right"), 8))
def test_a_right_answer_passes(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(path) == "", capsys.readouterr().out


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", some(answers("wrong"), 60))
def test_a_wrong_answer_ends_in_no_traceback_and_the_first_cross_is_what_to_begin_with(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, exercise = exercise_of(path)
    said = checked(path)
    assert ("✗" in capsys.readouterr().out) == bool(said)
    assert said in ("", f"{exercise}: begin with the first ✗, then run this cell again.")


HEAD = "what does the first axis of the mask stand for in yours?"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("exercise", "wrong", "says", "never"),
    [
        ("hw2_encoder/EncoderBlock", "changes_its_input", "Make a new tensor.", "dropout"),
        ("hw3_transformer/DecoderBlock", "changes_its_input", "Make a new tensor.", "dropout"),
        ("hw2_encoder/MultiHeadAttention", "mask_always_gets_a_head_axis", HEAD, "Your code stops"),
    ],
)
def test_what_follows_from_a_mistake_is_not_taken_for_another(
    exercise: str, wrong: str, says: str, never: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(ROOT / f"tests/answers/{exercise}/wrong/{wrong}.py")
    said = capsys.readouterr().out
    assert says in said
    assert never not in said


def test_what_came_back_in_place_of_two_things_is_named_with_its_parts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hw1_attention/scaled_dot_product_attention/wrong/three.py"
    path.parent.mkdir(parents=True)
    answer = "def scaled_dot_product_attention(Q, K, V):\n    {}\n"
    for line, says in (
        ("return Q, K, V", "Yours: tuple of ndarray, ndarray, ndarray.\n"),
        ("return Q", "Yours: ndarray.\n"),
        ("Q @ K.T", "Yours: NoneType. Does your function end with `return`?\n"),
    ):
        path.write_text(answer.format(line), "utf-8")
        assert checked(path)
        assert says in capsys.readouterr().out
