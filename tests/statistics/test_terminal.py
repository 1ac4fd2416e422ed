"""What a class came to, in a terminal: a table, and the faults of the grader."""

import io
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from autograder.course import Course
from autograder.gradebook.changes import Change
from autograder.gradebook.marks import Mark, Marks
from autograder.grading.submissions import Graded, Job
from autograder.report import Report
from autograder.statistics.terminal import (
    faults_in,
    missing_in,
    show_changes,
    show_class,
    show_faults,
)
from tests.statistics.reports import blank, broken, exercise, report


def shown(*results: Graded, marks: Sequence[Marks] = (), colours: bool = True) -> str:
    page = io.StringIO()
    marked = {(each.assignment, each.student): each for each in marks}
    show_class(results, Console(file=page, width=1000, force_terminal=colours), marked)
    return page.getvalue()


def graded(each: Report) -> Graded:
    return Graded(Job(each.student, each.assignment, Path("nowhere")), each)


def cells(table: str, student: str) -> list[str]:
    """What stands in a student's row."""
    (row,) = (line for line in table.splitlines() if student in line)
    return [cell.strip() for cell in row.split("│")[1:-1]]


def rejected(course: Course, student: str, why: str) -> Graded:
    return Graded(Job(student, "hw", course.submission_path(student, "hw")), rejection=why)


@pytest.mark.slow
def test_what_is_true_of_thousands_is_one_line(course: Course) -> None:
    empty = [rejected(course, f"s{number:04}", "The file is empty.") for number in range(3000)]
    lines = shown(*empty, rejected(course, "ada", "It is large.")).splitlines()
    (line,) = (line for line in lines if "The file is empty." in line)
    assert line.startswith("s0000, s0001, s0002")
    assert line.endswith("s0009, and 2990 more, hw: The file is empty.")
    assert "ada, hw: It is large." in lines


def test_names_are_neither_obeyed_nor_taken_for_colours(course: Course) -> None:
    page = shown(rejected(course, "[red]x", "rename \x1b]0;pwned\x07.ipynb"))
    assert "[red]x, hw: rename \\x1b]0;pwned\\x07.ipynb" in page
    assert "\x1b]0" not in page


def test_a_row_has_the_points_of_each_exercise_and_answer_with_a_sign() -> None:
    ada = report("ada", exercise("f", [1, 1]), exercise("g", [1, 0]), written=["why"])
    bo = report("bo", blank("f"), broken("g"), written=["why"])
    table = shown(graded(bo), graded(ada), colours=False)
    assert cells(table, "ada") == ["ada", "2/2 ✓", "1/2 ✗", "…", "3/4"]
    assert cells(table, "bo") == ["bo", "0/1 –", "/2 !", "…", "0/1"]


def test_points_that_a_person_gave_go_before_the_graders() -> None:
    ada = report("ada", exercise("f", [1, 0]), written=["why"])
    given = (Mark("f", "f_test", 2, 2, manual=2), Mark("why", "why", 3, 4, manual=3))
    waiting = (Mark("f", "f_test", 1, 2), Mark("why", "why", None, 4))
    decided = (Mark("f", "f_test", 1.5, 2), Mark("why", "why", None, 4))
    by_hand, waits, after = (
        shown(graded(ada), marks=[Marks("toys", "ada", each)], colours=False)
        for each in (given, waiting, decided)
    )
    assert cells(by_hand, "ada") == ["ada", "2/2 *", "3/4 *", "5/6"]
    assert cells(waits, "ada") == ["ada", "1/2 ✗", "/4 …", "1/2"]
    assert cells(after, "ada") == ["ada", "1.5/2 ✗", "/4 …", "1.5/2"]


def test_a_module_that_the_grader_lacks_is_told_once_with_how_many_import_it() -> None:
    modules = {"ada": ("rope", "tie"), "bo": ("rope",), "cy": ()}
    reports = [report(name, exercise("f", [1])) for name in modules]
    reports = [
        each.model_copy(update={"missing_modules": modules[each.student]}) for each in reports
    ]
    assert [each.headline for each in missing_in(reports)] == [
        f"The grader has no module `{module}`, which {who}. If it is a package, and no file of "
        "their own, install it, and run `make grade` again: it grades these notebooks anew."
        for module, who in (("rope", "2 students import"), ("tie", "1 student imports"))
    ]


def test_a_fault_is_told_once_with_how_many_it_affects() -> None:
    faults = faults_in([report(name, broken("f")) for name in ("ada", "bo")])
    page = io.StringIO()
    show_faults(faults, Console(file=page, width=200))
    assert [each.students for each in faults] == [("ada", "bo")]
    assert "The hidden test c0 of toys could not be run: `f` is not graded yet for 2 students." in (
        page.getvalue()
    )


NAMES = ("scaled_dot_product_attention", "MultiHeadAttention", "softmax", "EncoderBlock", "train")


def table_of(width: int, student: str) -> str:
    page = io.StringIO()
    mine = report(student, *(exercise(name, [1] * 12) for name in NAMES), written=["why_scale"])
    show_class([graded(mine)], Console(file=page, width=width), {})
    return page.getvalue()


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize(
    "student", ["ada", "a.very.long-name@students.example.edu" * 2, "統計" * 9]
)
def test_a_table_fits_the_terminal_and_breaks_names_between_their_words(
    width: int, student: str
) -> None:
    page = table_of(width, student)
    assert max(map(cell_len, page.splitlines())) <= width
    words = set(re.findall(r"\w+", page))
    assert {"product_", "Block"} <= words or {"EncoderBlock"} <= words
    assert page.count("12/12 ✓") == len(NAMES)
    assert page.count("60/60") == 1
    for whole in ("! not graded yet: a fault of the grader", "* given by hand"):
        assert whole in page


def test_what_is_too_wide_goes_on_in_another_table_with_the_students() -> None:
    assert table_of(120, "ada").count("│ ada") == 1
    narrow = table_of(40, "ada")
    assert "toys (continued)" in narrow
    assert narrow.count("│ ada") == narrow.count("(continued)") + 1


def test_changes_fit_a_terminal_of_80_columns_and_lose_no_word() -> None:
    page = io.StringIO()
    student, why = "a.very.long-name@students.example.edu", "changed hidden tests of " + NAMES[0]
    change = Change("hw1_attention", student, NAMES[0], 7, 11, 5.5, 11, why)
    show_changes([change], Console(file=page, width=80))
    lines = page.getvalue().splitlines()
    assert max(map(cell_len, lines)) <= 80
    rows = [line.split("│")[1:-1] for line in lines if "│" in line]
    columns = ["".join(column).replace(" ", "") for column in zip(*rows, strict=True)]
    where = f"hw1_attention:{NAMES[0]}"
    assert columns == [student, where, "7/11", "5.5/11", why.replace(" ", "")]
