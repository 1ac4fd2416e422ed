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

from autograder.authoring.notes import author, notebook
from autograder.authoring.notes.author import Notes, State
from autograder.authoring.release import release
from autograder.course import Course
from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from tests.new_courses import made

HW, EXERCISE = "hw1_statistics", "standardise"


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


def said(names: dict[str, Any], source: str) -> str:
    exec(source, names)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        names["locked_notes"].look_closer(EXERCISE, names)
    return " ".join(out.getvalue().split())


def test_right_answers_in_any_style_are_told_so(course: Course, names: dict[str, Any]) -> None:
    for path in (course.answers / HW / EXERCISE / "right").glob("*.py"):
        assert said(names, path.read_text()) == f"✓ {notebook.RIGHT}", path.stem


def test_each_mistake_with_a_note_opens_its_own(
    course: Course, notes: Notes, names: dict[str, Any]
) -> None:
    noted = {each.tag for each in notes.mistakes if each.state is State.NOTED}
    assert len(noted) > 5
    for candidate in banks_of(course, HW)[EXERCISE].singles():
        (variant,) = candidate.variants
        if variant.tag in noted:
            message = " ".join(variant.message.split())
            assert said(names, candidate.source) == f"◆ {notebook.EQUAL} {message}"


def test_results_of_no_known_mistake_open_nothing(names: dict[str, Any]) -> None:
    assert said(names, "def standardise(X):\n    return X / 3 + np.arange(X.shape[1])") == ""
    assert said(names, "def standardise(X):\n    raise SystemError") == ""
    assert said(names, "standardise = 3") == ""


def test_no_message_stands_in_the_notebook(course: Course, notes: Notes) -> None:
    table = json.dumps(notebook.unpacked(_table_in(course)))
    for each in notes.mistakes:
        assert each.text[:30] not in table
        assert each.tag not in table


def test_the_key_is_made_from_each_result_alone(notes: Notes) -> None:
    (mistake, *_) = (each for each in notes.mistakes if each.state is State.NOTED)
    grids = author.safe_grids(mistake.seen, mistake.keyed)
    made = partial(notebook.material, keyed=mistake.keyed, grids=grids)
    for place in mistake.keyed:
        words, numbers = mistake.seen[place]
        nearly = mistake.seen | {place: (words, [x + 1e-6 for x in numbers])}
        other = mistake.seen | {place: (words + "!", [x + 1e-3 for x in numbers])}
        assert made(nearly) == made(mistake.seen) != made(other)


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


def test_a_course_may_leave_them_out(course: Course, tmp_path: Path) -> None:
    other = made(tmp_path)
    settings = other.root / "course.toml"
    settings.write_text(f"notes = false\n{settings.read_text()}")
    other = Course.load(other.root, environment={})
    release(other, [HW])
    names: dict[str, Any] = {"np": np}
    exec(code_in(other), names)
    assert said(names, "def standardise(X):\n    return X - X.mean(axis=1, keepdims=True)") == ""
    assert not names["locked_notes"].TABLE.strip()


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
