"""Enter graded submissions where nbgrader would have put them: in its tables and its folders."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from filelock import FileLock
from nbformat import NotebookNode, v4
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties, LimitOutput
from sqlalchemy import Engine
from traitlets.config import Config

from autograder.course import Course
from autograder.errors import AutograderError, GraderFault, SubmissionError
from autograder.gradebook import assignments, configuration, database, entries
from autograder.gradebook.ledger import Ledger
from autograder.gradebook.reading import clean_copy
from autograder.gradebook.verdicts import write_verdicts
from autograder.report import Report
from autograder.submission import Release, sha256


def record(course: Course, reports: Iterable[Report], ledger: Ledger) -> None:
    """Enter the submissions that `reports` are about.

    Each one that fails is left out and the others are recorded all the same; raises `GraderFault`
    in the end to say which and why.
    """
    books: dict[str, _Books] = {}
    failures = []
    with alone(course), database.shared(configuration.url(course)) as engine:
        for report in reports:
            if report.assignment not in books:
                books[report.assignment] = _Books(course, report.assignment, ledger, engine)
            try:
                books[report.assignment].enter(report)
            except (AutograderError, NbGraderException, OSError) as error:
                failures.append(f"{report.student}, {report.assignment}: {error}")
    if failures:
        raise GraderFault("Not recorded: " + "; ".join(failures))


def alone(course: Course) -> FileLock:
    """Only one of us writes the gradebook and the notebooks beside it; others wait."""
    folder = course.root / ".course"
    folder.mkdir(exist_ok=True)
    return FileLock(folder / "gradebook.lock")


class _Books:
    """The folders and the tables of one assignment, open for as long as a run takes."""

    def __init__(self, course: Course, assignment: str, ledger: Ledger, engine: Engine) -> None:
        assignments.enter(course, assignment)
        self._course, self._assignment = course, assignment
        self._ledger, self._engine = ledger, engine
        self._config: Config = configuration.load(course)
        self._release = Release.load(course, assignment)
        self._coursedir = CourseDirectory(config=self._config, assignment_id=assignment)

    @cached_property
    def _outline(self) -> entries.Outline:
        with self._engine.connect() as connection:
            return entries.Outline.of(connection, self._assignment)

    @cached_property
    def _autograde(self) -> Autograde:
        return Autograde(coursedir=self._coursedir, config=self._config, force=True)

    @cached_property
    def _late_penalties(self) -> AssignLatePenalties:
        return AssignLatePenalties(config=self._config)

    def enter(self, report: Report) -> None:
        """Write the notebook with its verdicts, then all that the tables hold about it.

        The ledger is written last: whatever a run that is cut off leaves half done is done again.
        """
        names = {"assignment": self._assignment, "student": report.student}
        notebook = self._graded(report)
        if not self._write(notebook, report.student):
            return
        folder = self._course.submission_path(report.student, self._assignment).parent
        timestamp = self._coursedir.get_existing_timestamp(str(folder))
        with self._engine.begin() as connection:
            submitted = entries.submit(connection, self._outline, report.student, timestamp)
            entries.enter(connection, self._outline, submitted, notebook, report)
            if timestamp is None:
                self._ledger.note(connection, report)
        if timestamp is not None:
            names |= {"notebook": self._assignment, "db_url": self._coursedir.db_url}
            self._late_penalties.preprocess(notebook, {"nbgrader": names})
            with self._engine.begin() as connection:
                self._ledger.note(connection, report)

    def _graded(self, report: Report) -> NotebookNode:
        """Return what was handed in, as the formgrader shows it."""
        raw = self._course.submission_path(report.student, self._assignment).read_bytes()
        notebook = clean_copy(raw, self._release)
        if sha256(raw) != report.notebook_sha256:
            raise SubmissionError("Another notebook was handed in since: run `make grade` again.")
        write_verdicts(notebook, report)
        LimitOutput(config=self._config).preprocess(notebook, {})
        return notebook

    def _write(self, notebook: NotebookNode, student: str) -> bool:
        """Write a notebook, and copy the other files that were handed in, as nbgrader does.

        Tells whether nbgrader's settings let us.
        """
        if set(student) & set("*?["):
            raise SubmissionError(
                "nbgrader can't find a folder with *, ? or [ in its name. Rename the folder."
            )
        names = self._assignment, student
        folder = Path(self._autograde._format_dest(*names))
        self._autograde.notebooks = []
        if not self._autograde.init_destination(*names):
            return False
        folder.mkdir(parents=True, exist_ok=True)
        try:
            BaseConverter.init_assignment(self._autograde, *names)
            text = v4.writes_json(notebook)  # type: ignore[no-untyped-call]
            (folder / f"{self._assignment}.ipynb").write_text(text + "\n", encoding="utf-8")
            self._autograde.set_permissions(*names)
        except OSError:
            with suppress(OSError):
                shutil.rmtree(folder)
            raise
        return True
