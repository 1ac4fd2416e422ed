"""nbgrader's settings for a course, ours and those of its own; nbgrader's names for cells."""

import os
import sys
from pathlib import Path
from typing import Any

from traitlets.config import Config
from traitlets.config.loader import ConfigFileNotFound, PyFileConfigLoader

from autograder.course import Course
from autograder.errors import CourseError

FILE = "nbgrader_config.py"
_GENERATING = (  # nbgrader's own steps, in its order, with ours in place of its `ClearSolutions`
    *("IncludeHeaderFooter", "InstantiateTests", "LockCells"),
    *("autograder.authoring.generate.NamedStubs", "ClearOutput", "CheckCellMetadata"),
    *("ComputeChecksums", "SaveCells", "ClearHiddenTests", "ClearMarkScheme"),
    *("ComputeChecksums", "CheckCellMetadata"),
)


def configure(c: Any, file: str) -> None:
    """Set our own options in `c`; a course's `nbgrader_config.py`, at `file`, calls this first."""
    # Without `alembic` on the PATH, nbgrader creates a broken gradebook.
    programs, path = str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)
    if programs not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([programs, path])

    course = Course.load(Path(file).resolve().parent)
    c.CourseDirectory.root = str(course.root)
    c.CourseDirectory.course_id = course.settings.id  # PostgreSQL insists on one
    c.CourseDirectory.source_directory = str(course.work.relative_to(course.root) / "source")
    c.CourseDirectory.release_directory = course.assignments.name
    c.CourseDirectory.db_url = course.database
    c.CourseDirectory.groupshared = shared = course.settings.share == "group"
    # nbgrader itself lets everybody on the machine read them.
    c.Autograde.permissions = c.GenerateFeedback.permissions = 660 if shared else 600

    c.GenerateAssignment.preprocessors = [
        name if "." in name else f"nbgrader.preprocessors.{name}" for name in _GENERATING
    ]
    c.ClearSolutions.text_stub = "*Write your answer here.*"

    c.Autograde.pre_convert_hook = "autograder.gradebook.steps.enter_before"
    c.Autograde.exporter_class = "autograder.gradebook.steps.SubmissionExporter"
    c.Autograde.autograde_preprocessors = [
        "autograder.gradebook.steps.WriteVerdicts",
        "nbgrader.preprocessors.LimitOutput",
        "autograder.gradebook.steps.SaveGrades",
    ]
    c.ExportApp.plugin_class = "autograder.gradebook.steps.CsvExport"

    c.GenerateFeedback.post_convert_hook = "autograder.gradebook.steps.keep_pages_alone"
    c.GenerateFeedback.preprocessors = []  # the exporter looks up what nbgrader's own would
    c.GenerateFeedback.exporter_class = "autograder.gradebook.steps.FeedbackExporter"
    # Instructors open students' work in a browser, where no script of a student's may run.
    c.HTMLExporter.sanitize_html = True
    # The formgrader's server itself makes its pages: of texts that another process has rendered.
    c.HTMLExporter.preprocessors = ["autograder.gradebook.steps.RenderTexts"]
    c.HTMLExporter.filters = {
        "markdown2html": "autograder.telling.pages.safe_html.markdown2html",
        "highlight_code": "autograder.telling.pages.safe_html.highlight_code",
    }


def load_settings(course: Course) -> Config:
    try:
        return PyFileConfigLoader(FILE, path=str(course.root)).load_config()
    except ConfigFileNotFound:
        raise CourseError(
            f"{course.root} has no {FILE}: copy it from a course made by `autograder init`."
        ) from None


def url(course: Course) -> str:
    return str(load_settings(course).CourseDirectory.db_url)


def graded_cell(exercise: str) -> str:
    """Return nbgrader's name for the cell that carries the points of `exercise`."""
    return f"{exercise}_test"


def name_of(cell: str, cell_type: str) -> str:
    """Return the name of the exercise or the written answer whose points a cell carries."""
    return cell.removesuffix(graded_cell("")) if cell_type == "code" else cell
