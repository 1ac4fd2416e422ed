"""What nbgrader's own commands and its formgrader run of ours, by the names in `configuration`.

No student code runs in nbgrader's process.
"""

import json
import os
import stat
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, TextIO

from markupsafe import Markup
from nbconvert.exporters import Exporter, NotebookExporter
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.plugins import CsvExportPlugin
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import default

from autograder.course import Course
from autograder.course.sheets import Sheet
from autograder.course.solution import released_files
from autograder.errors import CourseError, GraderFault, SubmissionError, shown
from autograder.gradebook import configuration, database, feedback, ledger, rows
from autograder.gradebook.decisions import not_yet, read_decisions, withheld
from autograder.gradebook.lateness import handed_in_utc, settle
from autograder.gradebook.marks import marks_on
from autograder.gradebook.recorder import clean_copies, write_verdicts
from autograder.gradebook.rows import SubmissionRows
from autograder.grading import submissions
from autograder.grading.fingerprint import fingerprint
from autograder.grading.settings import Settings
from autograder.grading.worker import grade_one
from autograder.intake.attachments import find_attachments, pages_beside
from autograder.intake.release import Release
from autograder.intake.times import handed_in_at
from autograder.report import Report
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Isolation
from autograder.telling.pages.press import PRESS, Made, Work, plain_because
from autograder.telling.pages.safe_html import NOT_RENDERED, texts_of
from autograder.telling.pages.student_page import page_of, warm
from autograder.work.bounded import Unfinished
from autograder.work.processes import call_beside

_Resources = dict[str, Any]
_Converted = tuple[NotebookNode, _Resources]


def formgrader_command(course: Course) -> list[str]:
    """Return the command that serves the formgrader in the course's root, all releases entered."""
    with (
        database.write_lock(course),
        database.shared_engine(configuration.url(course)),
    ):
        for name in course.released():
            rows.enter_assignment(course, name)
    command = [sys.executable, "-m", "jupyterlab", "--LabApp.default_url=/formgrader"]
    # Jupyter refuses to run as root otherwise; a container has no other user.
    return [*command, "--allow-root"] if os.geteuid() == 0 else command


def enter_before(assignment: str, student: str, notebooks: list[str]) -> None:
    """Enter an assignment before nbgrader autogrades it; nbgrader runs in the course's root."""
    rows.enter_assignment(Course.load(Path.cwd()), assignment)


class SubmissionExporter(NotebookExporter):
    """nbgrader's exporter, except that submissions are read as the grader reads them.

    nbgrader itself aborts a whole class on one student's duplicated cell. It makes this when it has
    found the submissions and looked at none.
    """

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)  # type: ignore[no-untyped-call]
        if isinstance(self.parent, Autograde):
            course, assignment = _course_of(self.parent), self.parent.coursedir.assignment_id
            without = submissions.left_out(submissions.folders_of(course, [assignment]))
            _leave_out(self.parent, partial(_why_not, course, without))

    def from_file(
        self, file_stream: TextIO, resources: _Resources | None = None, **kwargs: Any
    ) -> _Converted:
        """Convert an open file; raise `SubmissionError` if it is no notebook of the assignment."""
        converter: Any = self.parent
        path, course = Path(file_stream.name), _course_of(converter)
        if resources is None or not path.is_relative_to(course.submitted):
            return super().from_file(file_stream, resources, **kwargs)
        assignment = resources["nbgrader"]["assignment"]
        ((_, notebook),) = clean_copies([path], Release.load(course, assignment))
        if isinstance(notebook, SubmissionError):
            raise notebook
        notebook.metadata["beside"] = pages_beside(path.parent, released_files(course, assignment))
        converted: _Converted = self.from_notebook_node(notebook, resources, **kwargs)  # type: ignore[no-untyped-call]
        return converted


def _course_of(converter: Any) -> Course:
    return Course.load(Path(converter.coursedir.root))


def _leave_out(converter: Any, why_not: Callable[[Path, list[str]], str]) -> None:
    """Take what must not be touched out of what `converter` has found; its log says why.

    nbgrader follows links, and waits for pipes. Raises `SubmissionError` if nothing is left.
    """
    why = ""
    for name, notebooks in list(converter.assignments.items()):
        if why := why_not(Path(name), notebooks):
            del converter.assignments[name]
            converter.log.error(why)
    if why and not converter.assignments:
        raise SubmissionError(why)


def _why_no_page(course: Course, folder: Path, _: list[str]) -> str:
    """Say that a page would be written behind a link, if it would."""
    try:
        feedback.page_path(course, folder.parent.name, folder.name)
    except CourseError as error:
        return str(error)
    return ""


def _why_not(
    course: Course, without: Mapping[Path, str], folder: Path, notebooks: list[str]
) -> str:
    if folder.parent in without:
        return without[folder.parent]
    where = f"{shown(folder.parent.name)}/{shown(folder.name)}"
    try:
        handed_in_at(folder, course.settings.time_zone)
    except (SubmissionError, OSError):
        return f"{where} was left out, because its timestamp.txt can't be read."
    files = (stat.S_ISREG(Path(path).lstat().st_mode) for path in notebooks)
    if folder.is_symlink() or not all(files):
        return f"{where} was left out, because there is a link or a pipe where work should be."
    if warning := find_attachments(folder).warning:
        return f"{where} was left out: `autograder grade` can grade it. {warning}"
    return ""


def keep_pages_alone(assignment: str, student: str, notebooks: list[str]) -> None:
    """Take the files out of feedback that nbgrader copied beside `notebooks`, of one submission."""
    for graded in {Path(notebook).parent for notebook in notebooks}:
        pages = Course.load(Path.cwd()).feedback / graded.parent.name / graded.name
        for path in graded.rglob("*"):
            copy = pages / path.relative_to(graded)
            if copy.is_file():
                copy.unlink()


class WriteVerdicts(NbGraderPreprocessor):  # type: ignore[misc]
    """Replaces nbgrader's `Execute`."""

    def preprocess(self, nb: NotebookNode, resources: _Resources) -> _Converted:
        """Fill in the outputs of all cells; keep the report for `SaveGrades`."""
        names, course = resources["nbgrader"], _course_of(self.parent.parent)
        report = report_on(course, names["student"], names["assignment"])
        resources["autograder"] = report
        write_verdicts(nb, report)
        return nb, resources


class SaveGrades(NbGraderPreprocessor):  # type: ignore[misc]
    """Replaces nbgrader's `SaveAutoGrades` and `AssignLatePenalties`."""

    def preprocess(self, nb: NotebookNode, resources: _Resources) -> _Converted:
        names, course = resources["nbgrader"], _course_of(self.parent.parent)
        student, assignment, report = names["student"], names["assignment"], resources["autograder"]
        time = handed_in_utc(course, student, assignment)
        with Gradebook(names["db_url"]) as book:
            database.make_tables(book.engine)
            with database.writing(book.engine) as connection:
                ledger.forget(connection, assignment, student)
                keys = rows.AssignmentKeys.of(connection, assignment)
                rows.write_rows(connection, keys, [SubmissionRows.of(nb, report, time)])
            settle(course, book.engine, assignment, student)
        return nb, resources


class FeedbackExporter(Exporter):
    """Turns a graded notebook into the page that its author gets back.

    nbgrader makes this, too, when it has found the notebooks and written nothing.
    """

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)  # type: ignore[no-untyped-call]
        if isinstance(self.parent, GenerateFeedback):
            _leave_out(self.parent, partial(_why_no_page, _course_of(self.parent)))

    @default("file_extension")
    def _file_extension_default(self) -> str:
        return ".html"

    def from_notebook_node(  # type: ignore[override]  # as all of nbconvert's own exporters do
        self, nb: NotebookNode, resources: _Resources | None = None, **kwargs: Any
    ) -> tuple[str, _Resources]:
        assert self.parent is not None
        nb, resources = super().from_notebook_node(nb, resources, **kwargs)
        course, names = _course_of(self.parent), resources["nbgrader"]
        student, assignment = names["student"], names["assignment"]
        with Gradebook(names["db_url"]) as book:
            settle(course, book.engine, assignment, student)
            with book.engine.connect() as connection:
                (marks,) = marks_on(connection, assignment, student=student)
        _warm(course.release_path(assignment))
        page = f"{student}'s page on {assignment}"
        made = _made(partial(page_of, nb, feedback.summary_for(course, marks)), page)
        if made.why:
            self.log.warning(plain_because(page, made.why))
        return made.text, resources


@cache
def _warm(release: Path) -> None:
    PRESS.warm(partial(warm, release))


class RenderTexts(Preprocessor):
    """Replaces the source of each cell on the formgrader's pages by HTML."""

    enabled = True

    def preprocess(self, nb: NotebookNode, resources: _Resources) -> _Converted:
        """Return the notebook with HTML in it; the filters of our configuration let it pass."""
        made = _made(partial(texts_of, nb), "The page")
        for cell, (kind, text) in zip(nb.cells, json.loads(made.text), strict=True):
            cell.cell_type = kind
            cell.source = Markup(text)  # noqa: S704
        if made.why and nb.cells:
            nb.cells[0].source = NOT_RENDERED.format(made.why) + nb.cells[0].source
        return nb, resources


def _made(work: Work, page: str) -> Made:
    try:
        return PRESS.make(work)
    except Unfinished as error:
        raise GraderFault(f"{page} can't be made: {error}.") from None


class CsvExport(CsvExportPlugin):  # type: ignore[misc]
    """Replaces nbgrader's own export: penalties are settled before, and no cell is a formula.

    What may not be given out, or not yet, has no points in it.
    """

    def export(self, gradebook: Gradebook) -> None:
        course = _course_of(self.parent)
        settle(course, gradebook.engine)
        super().export(gradebook)
        path = Path(self.to or "grades.csv")
        sheet = Sheet.read(path)
        header = sheet.values(0)
        hidden = {header.index(name) for name in ("raw_score", "late_submission_penalty", "score")}
        with gradebook.engine.connect() as connection:
            decisions = read_decisions(connection)
        for row in range(len(sheet.rows)):
            texts = sheet.values(row)
            named = dict(zip(header, texts, strict=False))
            about = [d for d in decisions if d.assignment == named["assignment"]]
            kept_back = row and (
                withheld(about, named["student_id"]) or not_yet(course, named["assignment"])
            )
            for column, text in enumerate(texts):
                sheet.put(row, column, "" if kept_back and column in hidden else text)
        path.write_bytes(sheet.to_bytes())


def report_on(course: Course, student: str, assignment: str) -> Report:
    """Return the report on a submission, whatever seed it was graded with; grade it if need be."""
    report = submissions.load_report(course, student, assignment)
    job = submissions.job_of(course, student, assignment)
    if report is not None and _holds(course, report, job):
        return report
    graded = call_beside(grade_one, job, Settings(course, strongest()))
    if graded.report is None:
        raise SubmissionError(graded.rejection) if graded.rejection else GraderFault(graded.fault)
    submissions.save_report(course, graded.report)
    return graded.report


def _holds(course: Course, report: Report, job: submissions.Job) -> bool:
    try:
        isolation = Isolation(report.isolation)
    except ValueError:  # an unknown level
        return False
    current = fingerprint(Settings(course, isolation), report.assignment)
    current |= {"seed": report.fingerprint.get("seed", "")}
    return submissions.holds(report, job, current, isolation)
