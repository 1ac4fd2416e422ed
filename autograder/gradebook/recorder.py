"""Record graded submissions of an assignment as nbgrader would: in its tables and its folders."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import LimitOutput
from sqlalchemy import Engine, select
from sqlalchemy.exc import OperationalError
from traitlets.config import Config

from autograder.course import Course
from autograder.course.roster import problem_with
from autograder.course.solution import released_files
from autograder.errors import DISK_ERRORS, SubmissionError
from autograder.gradebook import configuration, database, rows
from autograder.gradebook.lateness import handed_in_utc
from autograder.gradebook.ledger import Ledger
from autograder.gradebook.rows import SubmissionRows
from autograder.gradebook.tables import make_tables
from autograder.gradebook.verdicts import clean_copy, write_verdicts
from autograder.intake.attachments import copy_attachments
from autograder.intake.notebook import read_submitted
from autograder.intake.submission import Release, sha256
from autograder.report import Report
from autograder.testing.failures import one_line

_Recorded = tuple[Report, SubmissionRows]


@contextmanager
def _noting(failures: list[str], report: Report) -> Iterator[None]:
    """Note why one submission can't be recorded; raise what would stop all the others, too."""
    try:
        yield
    except OperationalError:  # the database is unavailable
        raise
    except Exception as error:  # whatever is wrong with one, the others are recorded
        if isinstance(error, OSError) and error.errno in DISK_ERRORS:
            raise
        reason = one_line(str(error)) or type(error).__name__
        failures.append(f"{report.student}, {report.assignment}: not recorded: {reason}")


class Recorder:
    """Records submissions of one assignment; its settings are loaded once."""

    def __init__(self, course: Course, assignment: str, ledger: Ledger, engine: Engine) -> None:
        rows.enter_assignment(course, assignment)
        make_tables(engine)
        self._course, self._assignment = course, assignment
        self._ledger, self._engine = ledger, engine
        self._release = Release.load(course, assignment)
        self._released = released_files(course, assignment)
        config: Config = configuration.load_settings(course)
        coursedir = CourseDirectory(config=config, assignment_id=assignment)
        self._autograde = Autograde(coursedir=coursedir, config=config, force=True)
        self._limit_output = LimitOutput(config=config)
        with engine.connect() as connection:
            self._keys = rows.AssignmentKeys.of(connection, assignment)

    def record(self, reports: Sequence[Report]) -> list[str]:
        """Write the notebooks with their verdicts, then the rows of the tables.

        The ledger doubts the submissions first and notes them last, so that an interrupted run
        records them again. Returns a sentence for each that failed.
        """
        failures: list[str] = []
        with self._engine.begin() as connection:
            self._ledger.doubt(connection, reports)
        written: list[_Recorded] = []
        for report in reports:
            with _noting(failures, report):
                written += self._written(report)
        try:
            self._enter(written)
        except OperationalError:
            raise
        except Exception:  # something about one of them
            for each in written:
                with _noting(failures, each[0]):
                    self._enter([each])
        return failures

    def _written(self, report: Report) -> list[_Recorded]:
        """Write a notebook; return what is to be entered, nothing if nbgrader's settings say so."""
        student, notebook = report.student, self._graded(report)
        time = handed_in_utc(self._course, student, self._assignment)
        self._check(student)
        if not self._write(notebook, student):
            return []
        return [(report, SubmissionRows.of(notebook, report, time))]

    def _enter(self, written: Sequence[_Recorded]) -> None:
        if written:
            with database.writing(self._engine) as connection:
                rows.write_rows(connection, self._keys, [entry for _, entry in written])
                self._ledger.note(connection, [report for report, _ in written])

    def _graded(self, report: Report) -> NotebookNode:
        """Return the submitted notebook with its verdicts, as the formgrader shows it."""
        try:
            raw = read_submitted(self._course.submission_path(report.student, self._assignment))
        except FileNotFoundError:
            said = "What was handed in is gone: put it back, and grade again."
            raise SubmissionError(said) from None
        if sha256(raw) != report.notebook_sha256:  # what was graded was read within bounds before
            raise SubmissionError(
                "The notebook was replaced after grading: run `make grade` again."
            )
        notebook = clean_copy(raw, self._release)
        write_verdicts(notebook, report)
        self._limit_output(notebook, {})
        return notebook

    def _check(self, student: str) -> None:
        """Refuse a student that nbgrader would not accept."""
        if problem := problem_with(student):
            raise SubmissionError(f"That can't be a student id: {problem}. Rename the folder.")
        if not self._autograde.create_student:
            key = rows.STUDENT.c.id
            with self._engine.connect() as connection:
                known = connection.scalar(select(key).where(key == student))
            if known is None:
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
        copy_attachments(self._course.submission_path(student, self._assignment).parent, folder)
        self._overwrite_files(folder)
        fresh = folder / ".fresh"  # no hidden file is copied
        # nbformat's own layout takes ten times as long
        fresh.write_text(json.dumps(notebook, ensure_ascii=False) + "\n", encoding="utf-8")
        self._autograde.set_permissions(*names)
        fresh.replace(folder / f"{self._assignment}.ipynb")
        return True

    def _overwrite_files(self, folder: Path) -> None:
        """Put the instructor's files in place of what a student handed in under their names."""
        for first in {folder / Path(name).parts[0] for name in self._released}:
            if first.is_dir():
                shutil.rmtree(first)
            else:
                first.unlink(missing_ok=True)
        for name, source in self._released.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
