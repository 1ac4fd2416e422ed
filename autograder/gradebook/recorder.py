"""Record graded submissions of an assignment as nbgrader would: in its tables and its folders.

If the result of a graded cell is a number, nbgrader takes it as the cell's score. So each graded
cell gets one result: the score as its text, and the verdicts as its HTML.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import LimitOutput
from sqlalchemy import Engine, select
from sqlalchemy.exc import OperationalError

from autograder.course import Course
from autograder.course.roster import problem_with
from autograder.course.saving import refuse_links
from autograder.course.solution import released_files
from autograder.errors import SubmissionError, is_of_disk
from autograder.folders import remove_tree
from autograder.gradebook import configuration, database, rows
from autograder.gradebook.configuration import graded_cell
from autograder.gradebook.lateness import handed_in_utc
from autograder.gradebook.ledger import Ledger
from autograder.gradebook.rows import SubmissionRows
from autograder.intake.attachments import copy_attachments, pages_beside
from autograder.intake.notebook import Cell
from autograder.intake.release import Release
from autograder.intake.submission import copy_of
from autograder.report import NOT_GRADED, CellOutput, ExerciseReport, Report
from autograder.telling.pages.press import PRESS
from autograder.telling.record import card_of
from autograder.telling.text import as_html, as_markdown
from autograder.testing.failures import one_line
from autograder.work.bounded import Unfinished

_Copy = tuple[str, NotebookNode | SubmissionError]


@contextmanager
def _noting(failures: list[str], report: Report) -> Iterator[None]:
    """Note why one submission can't be recorded; raise what would stop all the others, too."""
    try:
        yield
    except Exception as error:  # whatever is wrong with one, the others are recorded
        is_of_all = isinstance(error, OperationalError)  # the database is unavailable
        if is_of_all or is_of_disk(error):
            raise
        reason = one_line(str(error)) or type(error).__name__
        failures.append(f"{report.student}, {report.assignment}: not recorded: {reason}")


class Recorder:
    """Records submissions of one assignment; its settings are loaded once."""

    def __init__(self, course: Course, ledger: Ledger, engine: Engine, assignment: str) -> None:
        rows.enter_assignment(course, assignment)
        database.make_tables(engine)
        self._course, self._assignment = course, assignment
        self._ledger, self._engine = ledger, engine
        self._release = Release.load(course, assignment)
        self._released = released_files(course, assignment)
        config = configuration.load_settings(course)
        coursedir = CourseDirectory(config=config, assignment_id=assignment)
        self._autograde = Autograde(coursedir=coursedir, config=config, force=True)
        self._limit_output = LimitOutput(config=config)
        with engine.connect() as connection:
            self._keys = rows.AssignmentKeys.of(connection, assignment)

    def record(self, reports: Sequence[Report]) -> list[str]:
        """Write the notebooks with their verdicts, then the rows; say what failed.

        The ledger doubts them first and notes them last: an interrupted run records them again.
        """
        failures: list[str] = []
        with self._engine.begin() as connection:
            self._ledger.doubt(connection, reports)
        written: list[SubmissionRows] = []
        paths = [self._course.submission_path(each.student, self._assignment) for each in reports]
        for report, copy in zip(reports, clean_copies(paths, self._release), strict=True):
            with _noting(failures, report):
                notebook = self._graded(report, copy)
                time = handed_in_utc(self._course, report.student, self._assignment)
                self._check(report.student)
                if self._write(notebook, report.student):
                    written.append(SubmissionRows.of(notebook, report, time))
        try:
            self._enter(written)
        except OperationalError:
            raise
        except Exception:  # something about one of them
            for each in written:
                with _noting(failures, each.report):
                    self._enter([each])
        return failures

    def _enter(self, written: Sequence[SubmissionRows]) -> None:
        if written:
            with database.writing(self._engine) as connection:
                rows.write_rows(connection, self._keys, written)
                self._ledger.note(connection, [entry.report for entry in written])

    def _graded(self, report: Report, copy: _Copy) -> NotebookNode:
        """Return the submitted notebook with its verdicts, as the formgrader shows it."""
        digest, notebook = copy
        if digest not in ("", report.notebook_sha256):
            raise SubmissionError(
                "The notebook was replaced after grading: run `make grade` again."
            )
        if isinstance(notebook, SubmissionError):
            raise notebook
        write_verdicts(notebook, report)
        self._limit_output(notebook, {})
        return notebook

    def _check(self, student: str) -> None:
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
        """Write the folder, the notebook last; return False if nbgrader's settings forbid it."""
        names = self._assignment, student
        refuse_links(self._course.graded_path(student, self._assignment), self._course.autograded)
        self._autograde.notebooks = []
        if not self._autograde.init_destination(*names):
            return False
        folder = Path(self._autograde._format_dest(*names))
        folder.mkdir(parents=True, exist_ok=True)
        copy_attachments(self._course.submission_path(student, self._assignment).parent, folder)
        self._overwrite_files(folder)
        notebook.metadata["beside"] = pages_beside(folder, self._released)
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
                remove_tree(first)
            else:
                first.unlink(missing_ok=True)
        for name, source in self._released.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


def clean_copies(paths: Sequence[Path], release: Release) -> Iterator[_Copy]:
    """Yield the hash of each submitted notebook, and a copy of `release` with what is in it.

    The copy holds its answers and pictures. What isn't read within the bounds of pages is told.
    """
    for told in PRESS.run_each(partial(copy_of, release=release), paths):
        if isinstance(told, Unfinished):
            yield "", SubmissionError(f"The notebook can't be read: {told}.")
            continue
        digest, copy = json.loads(told)
        yield digest, SubmissionError(copy) if isinstance(copy, str) else _node(**copy)


def write_verdicts(notebook: NotebookNode, report: Report) -> None:
    """Give each cell of `notebook` its outputs according to `report`."""
    exercises = {graded_cell(exercise.name): exercise for exercise in report.exercises}
    outputs = {output.cell: output for output in report.cells}
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id") or cell.id
        if cell.cell_type == "code" and utils.is_grade(cell) and not utils.is_solution(cell):
            cell.outputs = [_score_of(cell, exercises.get(name))]
        elif cell.cell_type == "code":
            printed = _outputs(outputs[name]) if name in outputs else []
            cell.outputs = [*printed, *cell.outputs]  # there are pictures, if anything
    if report.warnings:
        notes = "\n".join(f"- {as_markdown(text)}" for text in report.warnings)
        source = f"**Notes from the grader**\n\n{notes}"
        cell = Cell(cell_type="markdown", source=source, id="grader-notes")
        notebook.cells.insert(0, _node(**cell.content))


def _score_of(cell: NotebookNode, exercise: ExerciseReport | None) -> NotebookNode:
    mark = cell.metadata.nbgrader
    if exercise is None:
        return _result(NOT_GRADED, f"<div>This is {NOT_GRADED}.</div>")
    mark.points = exercise.max_score  # of its hidden tests, which may have changed since
    score, card = str(exercise.score) if exercise.is_graded else NOT_GRADED, card_of(exercise)
    # In tags that nbconvert's sanitiser allows; the comment above says what the checks saw.
    rows = (f"<li>{each.sign} {as_html(each.title)} ({each.points})</li>" for each in card.checks)
    return _result(score, f"<div><b>{card.points}</b><ul>{''.join(rows)}</ul></div>")


def _outputs(output: CellOutput) -> Iterator[NotebookNode]:
    if output.text:
        yield _node(output_type="stream", name="stdout", text=output.text)
    if output.error:
        trace = output.error.splitlines()
        yield _node(output_type="error", ename="", evalue="", traceback=trace)


def _result(text: str, html: str) -> NotebookNode:
    data = {"text/plain": text, "text/html": html}
    return _node(output_type="execute_result", data=data, metadata={}, execution_count=None)


def _node(**content: Any) -> NotebookNode:
    """Return dicts and lists as in a notebook's JSON as nbformat's nodes."""
    made: NotebookNode = nbformat.from_dict(content)  # type: ignore[no-untyped-call]
    return made
