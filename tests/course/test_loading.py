"""A course's own code is loaded by path: of two courses at once, and anew when it has changed."""

import ast
from pathlib import Path

import pytest

from autograder.course.loading import is_installed, load_module, modules_imported, package_of
from autograder.errors import CourseError


def values(folder: Path) -> tuple[object, object]:
    module = load_module(package_of(folder), "hw1.numbers")
    return module.VALUE, module.TWICE


def write(folder: Path, value: str) -> Path:
    (folder / "hw1").mkdir(parents=True, exist_ok=True)
    (folder / "hw1" / "shared.py").write_text(f"VALUE = {value}\n")
    (folder / "hw1" / "numbers.py").write_text("from .shared import VALUE\nTWICE = 2 * VALUE\n")
    return folder


def test_files_import_their_neighbours_relatively(tmp_path: Path) -> None:
    assert values(write(tmp_path, "3")) == (3, 6)


def test_two_courses_with_files_of_the_same_names_are_open_at_once(tmp_path: Path) -> None:
    one, other = write(tmp_path / "a", "1"), write(tmp_path / "b", "2")
    assert (values(one), values(other), values(one)) == ((1, 2), (2, 4), (1, 2))


def test_what_has_changed_is_loaded_anew_with_all_that_uses_it(tmp_path: Path) -> None:
    assert values(write(tmp_path, "1")) == (1, 2)
    assert values(write(tmp_path, "10")) == (10, 20)


def test_a_file_that_cannot_be_imported_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path, "1 / 0")
    with pytest.raises(CourseError, match=r"numbers\.py can't be imported \(ZeroDivisionError"):
        values(folder)


@pytest.mark.parametrize(
    ("statement", "modules"),
    [
        ("import numpy as np, torch.nn", ["numpy", "torch.nn"]),
        ("from torch import nn, optim", ["torch", "torch.nn", "torch.optim"]),
        ("from torch.nn import *", ["torch.nn"]),
        ("from . import sentences", []),
        ("from .sentences import check", []),
        ("x = 1", []),
    ],
)
def test_an_import_names_what_may_be_modules(statement: str, modules: list[str]) -> None:
    (parsed,) = ast.parse(statement).body
    assert list(modules_imported(parsed)) == modules


@pytest.mark.parametrize(("module", "is_there"), [("json.tool", True), ("no_such.thing", False)])
def test_a_module_in_a_package_that_is_not_there_is_not_there(module: str, is_there: bool) -> None:
    assert is_installed(module) is is_there
