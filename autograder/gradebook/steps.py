"""Replacements for nbgrader's own preprocessors, for when nbgrader autogrades a submission.

If the result of a graded cell is a number, nbgrader takes it as the cell's score: the verdicts are
written there, and no student code runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.plugins import CsvExportPlugin
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.course import Course
from autograder.gradebook import database, entries, feedback, ledger, marks
from autograder.gradebook.entries import Entry
from autograder.gradebook.penalties import settle
from autograder.gradebook.reports import report_on
from autograder.gradebook.tables import make_tables
from autograder.gradebook.verdicts import write_verdicts


class WriteVerdicts(NbGraderPreprocessor):  # type: ignore[misc]
    """Replaces nbgrader's `Execute`."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Fill in the outputs of all cells; keep the report for `SaveGrades`."""
        course = Course.load(Path(self.parent.parent.coursedir.root))
        names = resources["nbgrader"]
        report = report_on(course, names["student"], names["assignment"])
        resources["autograder"] = report
        write_verdicts(nb, report)
        return nb, resources


class SaveGrades(NbGraderPreprocessor):  # type: ignore[misc]
    """Replaces nbgrader's `SaveAutoGrades`: comments say which checks failed, and why."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Enter scores and comments in the gradebook."""
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as book:
            make_tables(book.engine)
            with database.writing(book.engine) as connection:
                ledger.forget(connection, names["assignment"], names["student"])
                keys = entries.AssignmentKeys.of(connection, names["assignment"])
                entries.write(connection, keys, [Entry.of(nb, resources["autograder"])])
        return nb, resources


class SettlePenalty(NbGraderPreprocessor):  # type: ignore[misc]
    """Replaces nbgrader's `AssignLatePenalties`, which doesn't see what a person gives later."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Settle the penalty of this submission."""
        names, course = resources["nbgrader"], Course.load(Path(self.parent.parent.coursedir.root))
        with Gradebook(names["db_url"]) as book:
            settle(course, book.engine, names["assignment"], names["student"])
        return nb, resources


class Summarise(NbGraderPreprocessor):  # type: ignore[misc]
    """Replaces nbgrader's `GetGrades` for feedback: what isn't graded yet has no score."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Put what the student is told into `resources`."""
        names, course = resources["nbgrader"], Course.load(Path(self.parent.parent.coursedir.root))
        with Gradebook(names["db_url"]) as book:
            settle(course, book.engine, names["assignment"], names["student"])
            (found,) = marks.of(book.engine, names["assignment"], names["student"])
        resources["summary"] = feedback.told(course, found)
        return nb, resources


class CsvExport(CsvExportPlugin):  # type: ignore[misc]
    """Replaces nbgrader's own export: penalties are settled before they are read."""

    def export(self, gradebook: Gradebook) -> None:
        """Write the file."""
        settle(Course.load(Path(self.parent.coursedir.root)), gradebook.engine)
        super().export(gradebook)
