"""The student's notebook as context, with its own pictures: the page that feedback makes of it."""

from __future__ import annotations

from dataclasses import replace

from autograder.desk.asked import Asked
from autograder.errors import DeskError
from autograder.gradebook import held, marks
from autograder.grading.store import load
from autograder.telling.record import summary_of

_NOBODY = "A student"


def show(asked: Asked) -> str:
    """Return the page as HTML, without the student's id unless it is asked for."""
    with asked.books.engine.connect() as connection:
        mine = held.read(connection, asked.assignment, notebook=asked.path["notebook"])
    report = load(asked.books.course, mine[0].student, asked.assignment) if mine else None
    if report is None:
        raise DeskError("There is no report on this notebook: run `make grade`, then reload.")
    student = report.student
    (given,) = marks.of(asked.books.engine, asked.assignment, student)
    summary = summary_of(report, {mark.name: mark for mark in given.each}, given.penalty)
    if asked.query.get("names") != "1":
        summary = replace(summary, student=_NOBODY)
    notebook = asked.books.course.graded_path(student, asked.assignment)
    return asked.books.reader.page(notebook, summary)
