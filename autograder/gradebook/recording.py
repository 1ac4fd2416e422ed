"""Record graded submissions as nbgrader would: in its tables and its folders."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from pathlib import Path

from nbformat import NotebookNode, v4
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import LimitOutput
from nbgrader.utils import parse_utc
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError
from traitlets.config import Config

from autograder.course import Course
from autograder.course.files import released_files
from autograder.course.students import problem_with
from autograder.errors import DISK_ERRORS, SubmissionError
from autograder.gradebook import assignments, configuration, database, entries
from autograder.gradebook.ledger import Ledger, forget, make_tables
from autograder.gradebook.reading import clean_copy
from autograder.gradebook.verdicts import write_verdicts
from autograder.intake.beside import copy_beside, time_beside
from autograder.intake.notebook import read_submitted
from autograder.intake.release import Release
from autograder.intake.submission import sha256
from autograder.report import Report
from autograder.testing.failures import one_line


def record(course: Course, reports: Iterable[Report], ledger: Ledger) -> list[str]:
    """Record the submissions of `reports`.

    If one fails, the others are still recorded; returns a sentence with the reason for each that
    failed.
    """
    recorders: dict[str, _Recorder] = {}
    failures: list[str] = []
    with database.shared_engine(configuration.url(course)) as engine:
        make_tables(engine)
        for report in reports:
            if report.assignment not in recorders:
                recorders[report.assignment] = _Recorder(course, report.assignment, ledger, engine)
            try:
                recorders[report.assignment].record(report)
            except OperationalError:  # the database is unavailable
                raise
            except OSError as error:
                if error.errno in DISK_ERRORS:  # nothing else could be recorded either
                    raise
                failures.append(_not_recorded(report, error))
            except Exception as error:  # whatever is wrong with one, the others are recorded
                failures.append(_not_recorded(report, error))
    return failures


def _not_recorded(report: Report, error: Exception) -> str:
    reason = one_line(str(error)) or type(error).__name__
    return f"{report.student}, {report.assignment}: not recorded: {reason}"


class _Recorder:
    """Records submissions of one assignment; its settings are loaded once per run."""

    def __init__(self, course: Course, assignment: str, ledger: Ledger, engine: Engine) -> None:
        assignments.enter(course, assignment)
        self._course, self._assignment = course, assignment
        self._ledger, self._engine = ledger, engine
        self._config: Config = configuration.load(course)
        self._release = Release.load(course, assignment)
        self._coursedir = CourseDirectory(config=self._config, assignment_id=assignment)
        self._limit_output = LimitOutput(config=self._config)

    @cached_property
    def _keys(self) -> entries.AssignmentKeys:
        with self._engine.connect() as connection:
            return entries.AssignmentKeys.of(connection, self._assignment)

    @cached_property
    def _autograde(self) -> Autograde:
        return Autograde(coursedir=self._coursedir, config=self._config, force=True)

    def record(self, report: Report) -> None:
        """Write the notebook with its verdicts, then the rows of the tables.

        The ledger forgets the submission first and notes it last, so that an interrupted run
        records it again.
        """
        notebook, timestamp = self._graded(report), self._timestamp(report.student)
        self._check(report.student)
        if self._ledger.knows(report):
            with self._engine.begin() as connection:
                forget(connection, self._assignment, report.student)
        if not self._write(notebook, report.student):
            return
        with database.writing(self._engine) as connection:
            submitted = entries.submit(connection, self._keys, report.student, timestamp)
            entries.write(connection, self._keys, submitted, notebook, report)
            self._ledger.note(connection, report)

    def _graded(self, report: Report) -> NotebookNode:
        """Return the submitted notebook with its verdicts, as the formgrader shows it."""
        try:
            raw = read_submitted(self._course.submission_path(report.student, self._assignment))
        except FileNotFoundError:
            raise SubmissionError(
                "What was handed in is gone: put it back, and grade again."
            ) from None
        notebook = clean_copy(raw, self._release)
        if sha256(raw) != report.notebook_sha256:
            raise SubmissionError(
                "The notebook was replaced after grading: run `make grade` again."
            )
        write_verdicts(notebook, report)
        self._limit_output(notebook, {})
        return notebook

    def _timestamp(self, student: str) -> datetime | None:
        """Return when it was handed in, as nbgrader reads that; None if nothing says."""
        try:
            raw = time_beside(self._course.submission_path(student, self._assignment).parent)
            text = (raw or b"").decode().strip()
            found: datetime | None = parse_utc(text) if text else None
        except (SubmissionError, ValueError, OverflowError):
            raise SubmissionError(
                "Its timestamp.txt contains no valid time: correct or delete the file."
            ) from None
        return found

    def _check(self, student: str) -> None:
        """Refuse a student whom nbgrader would not accept."""
        if problem := problem_with(student):
            raise SubmissionError(f"That can't be a student id: {problem}. Rename the folder.")
        if not self._autograde.create_student:
            with self._engine.connect() as connection:
                if not entries.knows_student(connection, student):
                    raise SubmissionError(
                        "The student is not in the gradebook: add the student there first."
                    )

    def _write(self, notebook: NotebookNode, student: str) -> bool:
        """Write a notebook, and copy small ordinary files that were handed in beside it.

        Returns False if nbgrader's settings forbid it. The notebook is written last: if it exists,
        the folder is complete.
        """
        names = self._assignment, student
        self._autograde.notebooks = []
        if not self._autograde.init_destination(*names):
            return False
        folder = Path(self._autograde._format_dest(*names))
        folder.mkdir(parents=True, exist_ok=True)
        copy_beside(self._course.submission_path(student, self._assignment).parent, folder)
        self._overwrite_files(folder)
        path = folder / f"{self._assignment}.ipynb"
        fresh = folder / ".fresh"  # no hidden file is copied
        fresh.write_text(v4.writes_json(notebook) + "\n", encoding="utf-8")  # type: ignore[no-untyped-call]
        self._autograde.set_permissions(*names)
        fresh.replace(path)
        return True

    def _overwrite_files(self, folder: Path) -> None:
        """Put the instructor's files in place of what a student handed in under their names."""
        files = released_files(self._course, self._assignment)
        for first in {folder / Path(name).parts[0] for name in files}:
            if first.is_dir():
                shutil.rmtree(first)
            else:
                first.unlink(missing_ok=True)
        for name, source in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
