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
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor
from sqlalchemy import Engine

from autograder.course import Course
from autograder.gradebook import entries, ledger, marks
from autograder.gradebook.penalties import settle
from autograder.gradebook.reports import report_on
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
            ledger.make_tables(book.engine)
            self._save(book.engine, nb, resources)
        return nb, resources

    def _save(self, engine: Engine, nb: NotebookNode, resources: dict[str, Any]) -> None:
        names = resources["nbgrader"]
        with engine.begin() as connection:
            ledger.forget(connection, names["assignment"], names["student"])
            keys = entries.AssignmentKeys.of(connection, names["assignment"])
            submitted = entries.submit(connection, keys, names["student"])
            entries.write(connection, keys, submitted, nb, resources["autograder"])


class SettlePenalty(NbGraderPreprocessor):  # type: ignore[misc]
    """Replaces nbgrader's `AssignLatePenalties`, which doesn't see what a person gives later."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Settle the penalty of this submission."""
        _settle(self.parent.parent.coursedir.root, resources["nbgrader"])
        return nb, resources


class ReadGrades(GetGrades):  # type: ignore[misc]
    """Replaces nbgrader's `GetGrades` for feedback: what isn't graded yet has no score."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Put scores and comments into the notebook, and totals into `resources`."""
        names = resources["nbgrader"]
        nb, resources = super().preprocess(nb, resources)
        with Gradebook(names["db_url"]) as book:
            settle(Course.load(Path(self.parent.parent.coursedir.root)), book.engine)
            (found,) = marks.of(book.engine, names["assignment"], names["student"])
        for cell in nb.cells:
            mark = cell.metadata.get("nbgrader", {})
            if mark.get("grade"):
                mark["score"] = found.points_for(mark["grade_id"])
        names |= {"score": found.score, "max_score": found.max_score, "possible": found.possible}
        names["late_penalty"] = found.penalty
        return nb, resources


class CsvExport(CsvExportPlugin):  # type: ignore[misc]
    """Replaces nbgrader's own export: penalties are settled before they are read."""

    def export(self, gradebook: Gradebook) -> None:
        """Write the file."""
        settle(Course.load(Path(self.parent.coursedir.root)), gradebook.engine)
        super().export(gradebook)


def _settle(root: str, names: dict[str, str]) -> None:
    with Gradebook(names["db_url"]) as book:
        settle(Course.load(Path(root)), book.engine, names["assignment"], names["student"])
