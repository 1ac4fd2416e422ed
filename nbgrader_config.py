"""nbgrader's settings: `nbgrader …` on the command line, the formgrader and `make` all use these.

Add your own at the end, a late penalty for instance; nbgrader's documentation lists them all.
"""

import os
import sys
from pathlib import Path

c = get_config()  # noqa: F821 - nbgrader provides it
here = Path(__file__).resolve().parent

# nbgrader calls `alembic` by name when it makes a gradebook; without it the gradebook is broken.
programs, path = str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)
if programs not in path.split(os.pathsep):
    os.environ["PATH"] = os.pathsep.join([programs, path])

c.CourseDirectory.root = str(here)
c.CourseDirectory.course_id = "attention"  # PostgreSQL insists on one
c.CourseDirectory.source_directory = ".course/source"  # written by `make release`
c.CourseDirectory.release_directory = "assignments"
# The timeout is for a gradebook that somebody else writes to: wait rather than lose a submission.
c.CourseDirectory.db_url = os.environ.get(
    "AUTOGRADER_DB_URL", f"sqlite:///{here}/gradebook.db?timeout=60"
)

c.ClearSolutions.code_stub = {"python": "raise NotImplementedError()"}
c.ClearSolutions.text_stub = "*Write your answer here.*"

# Submissions are read, run and judged by the autograder; nbgrader keeps the books.
c.Autograde.pre_convert_hook = "autograder.gradebook.assignments.enter_before"
c.Autograde.exporter_class = "autograder.gradebook.reading.SubmissionExporter"
c.Autograde.autograde_preprocessors = [
    "autograder.gradebook.steps.WriteVerdicts",
    "nbgrader.preprocessors.LimitOutput",
    "autograder.gradebook.steps.SaveGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
]

c.GenerateFeedback.exporter_class = "autograder.gradebook.pages.FeedbackExporter"
# What students wrote is shown in an instructor's browser, where a script of theirs must not run.
c.HTMLExporter.sanitize_html = True
c.HTMLExporter.filters = {"markdown2html": "autograder.gradebook.prose.markdown2html"}
