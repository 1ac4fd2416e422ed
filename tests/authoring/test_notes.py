"""Locked notes open for who made the mistake, and say nothing to who reads the notebook."""

import contextlib
import io
import json
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from autograder.authoring.notes import author, notebook
from autograder.authoring.notes.author import Notes
from autograder.authoring.release import release
from autograder.course import Course
from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from tests.courses import KIT
from tests.new_courses import made

pytestmark = pytest.mark.slow  # a course is released with its notes, which takes seconds

HW, EXERCISE = "hw1_statistics", "standardise"
ALL_RIGHT = f"✓ {' '.join(notebook.RIGHT.split())}"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    course = made(tmp_path_factory.mktemp("noted"))
    release(course, [HW])
    return course


@pytest.fixture(scope="module")
def notes(course: Course) -> Notes:
    return author.notes_of(course, HW)[EXERCISE]


@pytest.fixture
def names(course: Course) -> dict[str, Any]:
    """The names of a notebook in which the cell with the notes has run."""
    names: dict[str, Any] = {"np": np}
    exec(code_in(course), names)
    return names


def code_in(course: Course) -> str:
    cells = json.loads(course.release_path(HW).read_bytes())["cells"]
    (code,) = (c for c in ("".join(each["source"]) for each in cells) if "locked_notes = " in c)
    return code


def said(names: dict[str, Any], source: str, asked: str = "look_closer") -> str:
    exec(source, names)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        getattr(names["locked_notes"], asked)(EXERCISE, names)
    return " ".join(out.getvalue().split())


def test_right_answers_in_any_style_are_told_so(course: Course, names: dict[str, Any]) -> None:
    for path in (course.answers / HW / EXERCISE / "right").glob("*.py"):
        assert said(names, path.read_text()) == ALL_RIGHT, path.stem


def test_what_is_right_on_our_inputs_is_not_called_so_below_a_check_that_fails(
    course: Course, names: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    exec((course.answers / HW / EXERCISE / "right" / "loops.py").read_text(), names)
    names["locked_notes"].look_closer(EXERCISE, names, failed=True)
    assert capsys.readouterr().out == ""


def test_an_exception_is_explained_where_it_is_raised(names: dict[str, Any]) -> None:
    meaning = names["locked_notes"].meaning
    with pytest.raises(ValueError) as caught:
        np.ones((2, 3)) + np.ones((4, 5))
    assert meaning(caught.value, 7) == (
        "These shapes don't fit: (2, 3) and (4, 5). Print both just before line 7."
    )
    assert meaning(ValueError("of the student's own")) == ""


def test_each_mistake_with_a_note_opens_its_own(
    course: Course, notes: Notes, names: dict[str, Any]
) -> None:
    noted = {each.tag for each in notes.mistakes if each.is_noted}
    assert len(noted) > 5
    for candidate in banks_of(course, HW)[EXERCISE].singles():
        (variant,) = candidate.variants
        if variant.tag in noted:
            message = " ".join(variant.message.split())
            assert said(names, candidate.source).startswith(f"◆ {notebook.EQUAL} {message}")


def test_a_mistake_that_shows_by_nan_alone_opens_its_note_too(tmp_path: Path) -> None:
    """Nobody could guess the numbers of what is right beside it."""
    other = made(tmp_path)
    bank = other.exercises / HW / "misconceptions/standardise.py"
    few = """
    Variant(
        tag="standardise-few-rows",
        description="Returns nan for a table of two rows",
        message="Your tables of two rows hold nan.",
        edits={"/ deviation": "/ (deviation if len(X) > 2 else np.nan)"},
    ),
)

# What a student"""
    bank.write_text(bank.read_text().replace(")\n\n# What a student", few.lstrip("\n"), 1))
    notes = author.notes_of(other, HW)
    (found,) = (each for each in notes[EXERCISE].mistakes if each.tag == "standardise-few-rows")
    assert found.is_noted
    names: dict[str, Any] = {"np": np, "locked_notes": notebook}
    table = author.table_of(notes, "salt")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notebook, "TABLE", notebook.packed(table))
        odd = "def standardise(X):\n    return {} * (1 if len(X) != 2 else np.nan)"
        wrong = said(names, odd.format("(X - X.mean(0)) / X.std(0)"))
        assert wrong.startswith(f"◆ {notebook.EQUAL} Your tables of two rows hold nan.")
        assert said(names, odd.format("X")) == "", "a key is of what is right, too"


ROWS = """def standardise(X):
    return (X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True)"""


def test_who_asks_for_more_gets_an_example_with_both_results(names: dict[str, Any]) -> None:
    assert said(names, ROWS).endswith(
        'locked_notes.hint("standardise", globals()) works a small example.'
    )
    found = said(names, ROWS, "hint")
    assert found.startswith("◇ A small example for `standardise` Two penguins, one a row")
    assert found.endswith(
        "This call standardise(np.array([[1.0, 10.0], [3.0, 30.0]])) gives, with your code, "
        "[[-1. 1.] [-1. 1.]] and should give [[-1. -1.] [ 1. 1.]]"
    )


def test_an_example_that_comes_out_right_says_that_the_mistake_is_elsewhere(
    names: dict[str, Any],
) -> None:
    rows = ROWS.replace("return", "return (X - X.mean(0)) / X.std(0) if X.shape == (2, 2) else")
    assert "so your mistake shows on other inputs" in said(names, rows, "hint")


def test_who_asks_without_a_known_mistake_is_told_where_to_begin(names: dict[str, Any]) -> None:
    odd = "def standardise(X):\n    return X / 3 + np.arange(X.shape[1])"
    assert said(names, odd, "hint") == (
        "○ No mistake that I know gives the results of your `standardise`. "
        "Begin with the first of its visible checks that fails. If they all hold, compare your "
        "code with the exercise's text once more."
    )
    right = "def standardise(X):\n    return (X - X.mean(0)) / X.std(0)"
    assert said(names, right, "hint") == ALL_RIGHT


def test_a_note_without_an_example_is_said_again(names: dict[str, Any]) -> None:
    rounded = "def standardise(X):\n    return ((X - X.mean(0)) / X.std(0)).round(2)"
    first = said(names, rounded)
    assert first.startswith("◆") and "example" not in first
    assert said(names, rounded, "hint").startswith(first)


@pytest.mark.parametrize("whole", ["1 + 3 = 4.", "(1, −0.5, 0)"])
def test_no_sum_and_no_vector_is_broken_in_two_lines(names: dict[str, Any], whole: str) -> None:
    long = (
        "A sum that would reach over the end of its line is moved to the next one as it is, here "
    )
    lines = names["locked_notes"].indented(long + whole).splitlines()
    assert [line.strip() for line in lines] == [long.strip(), whole]


def test_an_example_that_stops_or_never_ends_is_told(names: dict[str, Any]) -> None:
    tried = names["locked_notes"].tried
    names["locked_notes"].MAX_SECONDS = 0.1
    assert tried("1 / 0", {}) == "ZeroDivisionError: division by zero"
    assert tried("sum(1 for _ in iter(int, 1))", {}) == "nothing, within 0.1 seconds"
    assert tried("(np.ones(2), np.ones(3))", {}).startswith("(array(")


def test_no_time_limit_leaves_half_of_a_package_behind(
    names: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_to_read.py").write_text("import time\ntime.sleep(0.3)\nwhole = 1 == 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    names["locked_notes"].MAX_SECONDS = 0.1
    assert names["locked_notes"].tried("__import__('slow_to_read').whole", {}) == "True"


def test_an_example_that_is_wrong_is_not_released(tmp_path: Path) -> None:
    other = made(tmp_path)
    bank = other.exercises / HW / "misconceptions/standardise.py"
    bank.write_text(bank.read_text().replace("[[-1.0, -1.0]", "[[-1.0, -2.0]"))
    with pytest.raises(CourseError, match="in the bank, an example says that"):
        author.notes_of(other, HW)


def test_results_of_no_known_mistake_open_nothing(names: dict[str, Any]) -> None:
    assert said(names, "def standardise(X):\n    return X / 3 + np.arange(X.shape[1])") == ""
    assert said(names, "def standardise(X):\n    raise SystemError") == ""
    assert said(names, "standardise = 3") == ""
    assert said(names, "standardise = 3", "hint").startswith("○ No mistake that I know")


def test_no_message_stands_in_the_notebook(course: Course, notes: Notes) -> None:
    table = json.dumps(notebook.unpacked(_table_in(course)))
    for each in notes.mistakes:
        assert each.text[:30] not in table
        assert each.tag not in table
        assert each.example is None or each.example.lines[:30] not in table


def test_the_key_is_made_from_each_result_alone(notes: Notes) -> None:
    (mistake, *_) = (each for each in notes.mistakes if each.is_noted)
    grids = author.safe_grids(mistake.seen, mistake.keyed)
    made = partial(notebook.material, keyed=mistake.keyed, grids=grids)
    for place in mistake.keyed:
        words, numbers = mistake.seen[place]
        nearly = mistake.seen | {place: (words, [x + 1e-6 for x in numbers])}
        other = mistake.seen | {place: (words + "!", [x + 1e-3 for x in numbers])}
        assert made(nearly) == made(mistake.seen) != made(other)


def test_how_a_number_is_rounded_tells_nothing_of_it_unless_it_is_near_a_border() -> None:
    def bit_of(number: float, another: float) -> int:
        seen = {1: ("array (2,)", [number * notebook.STEP, another * notebook.STEP])}
        return author.safe_grids(seen, [1]) & 1

    others = range(50)
    for number in (7.2, 7.8, 7.3):
        assert {bit_of(number, another) for another in others} == {0, 1}
    assert {bit_of(7.05, another) for another in others} == {1}
    assert {bit_of(7.55, another) for another in others} == {0}


def test_a_table_can_call_nothing_but_its_own_exercise_and_the_notebooks_classes(
    names: dict[str, Any], tmp_path: Path
) -> None:
    names["__name__"], names["called"] = "__main__", []
    names["harm"], names["FileIO"] = names["called"].append, io.FileIO
    own = """
class Model:
    def __init__(self, *_):
        called.append("Model")
def standardise(X):
    return X
"""
    for name, args in (("harm", [1]), ("FileIO", [str(tmp_path / "new"), "w"]), ("Model", [])):
        step = [0, "call", {"name": name, "args": args, "kwargs": {}, "key": ""}]
        table = {"exercises": {EXERCISE: {"scripts": [[step]], "forbids": ["os.remove"]}}}
        names["locked_notes"].TABLE = notebook.packed(table)
        assert said(names, own) == ""
    assert names["called"] == ["Model"] and not (tmp_path / "new").exists()


def test_a_table_that_is_cut_off_opens_nothing(names: dict[str, Any]) -> None:
    names["locked_notes"].TABLE = names["locked_notes"].TABLE[:200]
    assert said(names, "def standardise(X):\n    return X") == ""


def test_a_function_that_never_ends_is_stopped(names: dict[str, Any]) -> None:
    names["locked_notes"].MAX_SECONDS = 0.1
    assert said(names, "def standardise(X):\n    while True: pass") == ""


def test_the_students_random_numbers_go_on_as_if_nothing_had_been_drawn(
    names: dict[str, Any],
) -> None:
    random.seed(3)
    np.random.seed(3)
    expected = random.random(), np.random.rand()
    random.seed(3)
    np.random.seed(3)
    said(names, "def standardise(X):\n    return X * np.random.rand()")
    assert (random.random(), np.random.rand()) == expected


@pytest.fixture
def forgotten(course: Course) -> Iterator[Path]:
    """The released notebook, once what it holds is gone."""
    path = course.release_path(HW)
    before = path.read_bytes()
    path.unlink()
    yield path
    path.write_bytes(before)


def test_notes_made_anew_are_the_same_to_the_byte(course: Course, forgotten: Path) -> None:
    (found,) = release(course, [HW])
    again = found.read_bytes()
    forgotten.unlink()
    release(course, [HW])
    assert forgotten.read_bytes() == again


def test_notes_are_out_of_date_until_they_are_released(course: Course, forgotten: Path) -> None:
    assert author.are_out_of_date(course, HW)
    release(course, [HW])
    assert not author.are_out_of_date(course, HW)


def names_with(setting: str, folder: Path) -> dict[str, Any]:
    """Return the names of a notebook of a course with a setting of its own."""
    other = made(folder)
    settings = other.root / "course.toml"
    settings.write_text(f"{setting}\n{settings.read_text()}")
    other = Course.load(other.root, environment={})
    release(other, [HW])
    names: dict[str, Any] = {"np": np}
    exec(code_in(other), names)
    return names


def test_a_course_may_leave_them_out(tmp_path: Path) -> None:
    names = names_with("notes = false", tmp_path)
    assert said(names, ROWS) == ""
    assert said(names, ROWS, "hint").startswith("○ No mistake that I know")
    assert not names["locked_notes"].TABLE.strip()


def test_a_course_may_leave_the_examples_out(tmp_path: Path) -> None:
    names = names_with('notes = "first"', tmp_path)
    first = said(names, ROWS)
    assert first.startswith("◆") and "example" not in first
    assert said(names, ROWS, "hint").startswith(first)


def test_a_course_may_give_out_the_key_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = names_with('notes_key = "three tulips"', tmp_path)
    assert said(names, ROWS) == ""
    assert said(names, ROWS, "hint").startswith("○ The notes wait for a key from your course")
    for key, told in (
        ("two tulips", "That isn't the key"),
        (" three tulips\n", "The notes are open."),
    ):
        names["locked_notes"].open_notes(key)
        assert capsys.readouterr().out.startswith(told)
    assert said(names, ROWS).startswith("◆")
    assert said(names, ROWS, "hint").startswith("◇ A small example")
    table = notebook.unpacked(names["locked_notes"].TABLE)
    del table["waits"]  # as somebody may who has no key
    names["locked_notes"].TABLE = notebook.packed(table)
    assert said(names, ROWS) == ""


def _table_in(course: Course) -> str:
    names: dict[str, Any] = {}
    exec(code_in(course), names)
    return str(names["locked_notes"].TABLE)


def test_an_answer_that_ends_its_process_costs_the_notes_alone_and_is_told(tmp_path: Path) -> None:
    course = made(tmp_path)
    ending = "import os\n\n\ndef standardise(X):\n    os._exit(3)\n"
    (course.answers / HW / EXERCISE / "right" / "ends.py").write_text(ending)
    said = "as its known answers ran, its process died. `autograder test hw1_statistics` tells"
    with pytest.raises(CourseError, match=said):
        release(course, [HW])


def test_errors_of_one_type_are_told_apart_by_their_words_but_not_by_names_and_numbers() -> None:
    def kind(said: str) -> str:
        return str(notebook.kind_of(RuntimeError(said)))

    sizes = "The size of tensor a ({}) must match the size of tensor b ({}) at dimension 2"
    assert kind(sizes.format(4, 5)) == kind(sizes.format(3, 2)) == "The size of"
    assert kind("Boolean value of Tensor is ambiguous") != kind(sizes.format(4, 5))
    assert kind("shape '[2, 3, 4]' is invalid") == kind("shape '[9, 8, 7]' is invalid")
    assert kind("shape '[2, 3, 4]' is invalid") != kind("shape '[2, 3, 2, 2]' is invalid")
    assert kind("'Block' object has no attribute 'W_q'") == kind("'My' object has no attribute 'q'")


def test_a_lent_model_goes_by_all_that_it_has_read_and_says_one_of_its_words() -> None:
    model = notebook.stand_in(13, [2, 5, 11])
    source, target = torch.tensor([[3, 1], [1, 3]]), torch.tensor([[10, 4, 7], [10, 4, 7]])
    logits = model(source, target)
    assert logits.shape == (2, 3, 13)
    assert set(logits.argmax(dim=-1).flatten().tolist()) <= {2, 5, 11}
    assert not torch.equal(logits[0], logits[1])  # the order of the source counts
    assert torch.equal(model(source[:1], target[:1, :2]), logits[:1, :2])  # what follows doesn't
    assert not torch.equal(model(source, target.flip(1))[:, -1], logits[:, -1])


def test_who_lets_a_row_go_on_after_its_end_is_told_in_the_notebook() -> None:
    """An exercise that is handed a model has notes, too."""
    bank = banks_of(KIT, "hw3_transformer")["greedy_decode"]
    (wrong,) = (
        each for each in bank.singles() if each.variants[0].tag == "decode-goes-on-after-eos"
    )
    cells = json.loads(KIT.release_path("hw3_transformer").read_bytes())["cells"]
    (folded,) = (c for c in ("".join(each["source"]) for each in cells) if "locked_notes = " in c)
    names: dict[str, Any] = {"torch": torch}
    exec(folded[folded.index("from types import ModuleType") :], names)
    for source, sign, told in (
        (wrong.source, "◆", wrong.variants[0].message),
        (bank.reference, "✓", ""),
    ):
        exec(source, names)
        assert names["locked_notes"].note_on("greedy_decode", names)[0::2] == (sign, told)
