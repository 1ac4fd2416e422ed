"""Replacements for nbgrader's own preprocessors, for when nbgrader autogrades a submission.

If the result of a graded cell is a number, nbgrader takes it as the cell's score: the verdicts are
written there, and no student code runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from sqlalchemy import Engine

from autograder.course import Course
from autograder.gradebook import entries, lateness, ledger
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
            ledger.make_table(book.engine)
            self._save(book.engine, nb, resources)
        return nb, resources

    def _save(self, engine: Engine, nb: NotebookNode, resources: dict[str, Any]) -> None:
        names = resources["nbgrader"]
        course = Course.load(Path(self.parent.parent.coursedir.root))
        with engine.begin() as connection:
            ledger.forget(connection, names["assignment"], names["student"])
            keys = entries.AssignmentKeys.of(connection, names["assignment"])
            submitted = entries.submit(connection, keys, names["student"])
            lateness.extend(course, connection, keys, resources["autograder"])
            entries.write(connection, keys, submitted, nb, resources["autograder"])
