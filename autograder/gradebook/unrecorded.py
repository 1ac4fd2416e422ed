"""The page on a notebook that the gradebook doesn't hold: a try, or a file in a folder."""

import nbformat

from autograder.intake.release import Release
from autograder.intake.submission import clean_content
from autograder.report import Report
from autograder.telling.pages import safe_html
from autograder.telling.pages.student_page import page_of
from autograder.telling.record import Summary


def get_ready() -> None:
    """Import and make what takes long; each page is made by a fork of this process."""
    import autograder.gradebook.recorder  # noqa: F401

    safe_html.get_ready()


def page_on(raw: bytes, release: Release, report: Report, summary: Summary, plain: bool) -> str:
    """Return the page on a notebook as it was handed in. Run it in a process that can be killed."""
    from autograder.gradebook.recorder import write_verdicts  # here: it takes seconds

    notebook = nbformat.from_dict(clean_content(raw, release))  # type: ignore[no-untyped-call]
    write_verdicts(notebook, report)
    return page_of(notebook, summary, plain)
