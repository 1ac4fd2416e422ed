"""What nbgrader's own commands must leave out.

Its `autograde` follows links and waits for pipes: `autograder grade` leaves single files out, but
nbgrader copies all of them or none. Its `generate_feedback` copies files beside the notebook.
"""

from __future__ import annotations

import stat
from pathlib import Path

from nbgrader.converters import Autograde

from autograder.course import Course
from autograder.errors import SubmissionError, shown
from autograder.grading.submissions import folders_of, left_out
from autograder.intake.attachments import find_attachments
from autograder.intake.times import timestamp


def leave_out(converter: Autograde) -> None:
    """Take what must not be touched out of what `converter` has found; its log says why.

    Raises `SubmissionError` if nothing is left.
    """
    course = Course.load(Path(converter.coursedir.root))
    without = left_out(folders_of(course, [converter.coursedir.assignment_id]))
    why = ""
    for name, notebooks in list(converter.assignments.items()):
        folder = Path(name)
        if why := without.get(folder.parent, "") or _why_not(folder, notebooks):
            del converter.assignments[name]
            converter.log.error(why)
    if why and not converter.assignments:
        raise SubmissionError(why)


def keep_pages_alone(assignment: str, student: str, notebooks: list[str]) -> None:
    """Take out of feedback what nbgrader copied with `notebooks`, those of one submission.

    nbgrader calls it in the course's root, where `student` may be a pattern.
    """
    for graded in {Path(notebook).parent for notebook in notebooks}:
        pages = Course.load(Path.cwd()).feedback / graded.parent.name / graded.name
        for path in graded.rglob("*"):
            copy = pages / path.relative_to(graded)
            if copy.is_file() or copy.is_symlink():
                copy.unlink()


def _why_not(folder: Path, notebooks: list[str]) -> str:
    where = f"{shown(folder.parent.name)}/{shown(folder.name)}"
    try:
        timestamp(folder)
    except (SubmissionError, OSError):
        return f"{where} was left out, because its timestamp.txt can't be read."
    if folder.is_symlink() or not all(map(_is_file, notebooks)):
        return f"{where} was left out, because there is a link or a pipe where work should be."
    if warning := find_attachments(folder).warning:
        return f"{where} was left out: `autograder grade` can grade it. {warning}"
    return ""


def _is_file(path: str) -> bool:
    return stat.S_ISREG(Path(path).lstat().st_mode)
