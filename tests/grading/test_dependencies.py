"""Which cells need which, by the names that they bind and read."""

import pytest

from autograder.grading.dependencies import Dependencies
from autograder.intake.notebook import Cell, CellRole
from autograder.intake.submission import SubmittedCell


def notebook(**sources: str) -> Dependencies:
    """Return the dependencies of cells: solutions, but for a student's own, named `own…`."""
    return Dependencies(
        [
            SubmittedCell(
                CellRole.FREE if name.startswith("own") else CellRole.SOLUTION,
                Cell(cell_type="code", source=source, id=name),
                by_student=name.startswith("own"),
            )
            for name, source in sources.items()
        ]
    )


def uses(**sources: str) -> dict[str, str]:
    """Return the exercises that each cell uses, in one word."""
    found = notebook(**sources)
    return {name: "".join(sorted(found.exercises_of(name))) for name in sources}


def test_exercises_are_used_directly_and_by_way_of_others() -> None:
    found = uses(a="def a(): ...", b="def b(): a()", c="def c(): [b() for _ in y]", d="c.e")
    assert found == {"a": "", "b": "a", "c": "ab", "d": "abc"}


def test_a_cell_that_is_perhaps_meant_is_needed_and_not_used() -> None:
    found = notebook(a="def a(): ...", b="def b(): a()", c="def c(x): return x.b()")
    assert found.cells_of("c") == {"a", "b"}
    assert found.exercises_of("c") == set()


def test_only_earlier_exercises_count_and_broken_cells_use_nothing() -> None:
    assert uses(a="b()", b="a(", c="c()") == {"a": "", "b": "", "c": ""}


def test_an_exercise_is_used_by_way_of_a_helper_in_a_cell_of_the_students_own() -> None:
    found = uses(a="def a(): ...", own="def helper(): return a()", b="def b(): helper()")
    assert found["b"] == "a"


@pytest.mark.parametrize(
    "filled", ['OPS["a"] = a', "for name in names:\n    OPS[name] = a", "with x:\n    OPS.a[0] = a"]
)
def test_an_exercise_is_used_by_way_of_a_table_that_holds_it(filled: str) -> None:
    cells = {"a": "def a(): ...", "own_table": "OPS = {}", "own": filled, "b": "def b(): OPS"}
    assert uses(**cells)["b"] == "a"


@pytest.mark.parametrize(
    "own", ["a = wrapped(a)", "old = a\ndef a(): return old()", "a += 1", "@wraps(a)\ndef a(): ..."]
)
def test_an_exercise_that_is_bound_again_from_itself_is_still_used(own: str) -> None:
    assert uses(a="def a(): ...", own=own, b="def b(): a()")["b"] == "a"


@pytest.mark.parametrize(
    "source",
    [
        "def a(): ...\ndef b(): a()",
        "def b():\n    a = 1\n    return a",
        "def b(a): return a()",
        "from somewhere import a\ndef b(): a()",
        "b = [a for a in range(3)]",
    ],
)
def test_an_exercise_is_not_used_where_the_cell_itself_binds_its_name(source: str) -> None:
    assert uses(a="def a(): ...", b=source)["b"] == ""


def test_what_a_cell_in_between_binds_again_is_no_longer_the_exercise() -> None:
    found = uses(a="def a(): ...", own="def a(): return 1", b="def b(): a()")
    assert found["b"] == ""


def test_what_a_hidden_test_calls_is_used_too_unless_the_cell_has_its_own() -> None:
    cells = notebook(a="def a(): ...", b="def b(): a()", c="def c(): ...", d="def b(): ...")
    assert cells.exercises_of("c", {"b", "c", "elsewhere"}) == {"a", "b"}
    assert cells.exercises_of("d", {"b"}) == frozenset()


def test_a_name_that_is_bound_further_down_is_found() -> None:
    cells = notebook(a="def a(): ...", b="def helper(): ...", own="a = 1")
    later = cells.bound_later("a", "a")
    assert later is not None and later.name == "own"
    assert cells.bound_later("helper", "b") is None
