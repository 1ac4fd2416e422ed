"""What a class came to, on a terminal."""

from __future__ import annotations

import io

from rich.console import Console

from autograder.course import Course
from autograder.grading.worker import Graded, Job
from autograder.statistics.terminal import show_class


def shown(*results: Graded) -> str:
    page = io.StringIO()
    show_class(results, Console(file=page, width=1000, force_terminal=True), {})
    return page.getvalue()


def rejected(course: Course, student: str, why: str) -> Graded:
    return Graded(Job(student, "hw", course.submission_path(student, "hw")), rejection=why)


def test_what_is_true_of_thousands_is_one_line(course: Course) -> None:
    empty = [rejected(course, f"s{number:04}", "The file is empty.") for number in range(3000)]
    lines = shown(*empty, rejected(course, "ada", "It is large.")).splitlines()
    (line,) = (line for line in lines if "The file is empty." in line)
    assert line.startswith("s0000, s0001, s0002")
    assert line.endswith("s0009 and 2990 more, hw: The file is empty.")
    assert "ada, hw: It is large." in lines


def test_names_are_neither_obeyed_nor_taken_for_colours(course: Course) -> None:
    page = shown(rejected(course, "[red]x", "rename \x1b]0;pwned\x07.ipynb"))
    assert "[red]x, hw: rename \\x1b]0;pwned\\x07.ipynb" in page
    assert "\x1b]0" not in page
