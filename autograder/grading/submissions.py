"""Find what was handed in: `submitted/<student_id>/<assignment>/`.

A folder whose name can't be a student id is left out and told; everybody else's work goes on. So
are folders of one id in several spellings: nobody can say which of them is the student's.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from autograder.course import Course
from autograder.course.roster import folded, problem_with
from autograder.errors import CourseError, shown
from autograder.grading.worker import Job

Tell = Callable[[str], None]


def find_submissions(
    course: Course,
    assignments: Iterable[str],
    student: str | None = None,
    tell: Tell = lambda sentence: None,
) -> list[Job]:
    """Return a job for every folder `submitted/<student_id>/<assignment>`, in order.

    `tell` receives a sentence about what is left out.
    """
    names = list(assignments)
    if student is not None and (problem := problem_with(student)):
        raise CourseError(f"'{shown(student)}' can't be a student id: {problem}.")
    # With all spellings of a student's id, so that `left_out` sees that there are several.
    folders = [
        folder
        for folder in folders_of(course, names)
        if student is None or folded(folder.name) == folded(student)
    ]
    without = left_out(folders)
    jobs = [
        Job(folder.name, name, course.submission_path(folder.name, name))
        for name in names
        for folder in folders
        if folder not in without
        and os.path.lexists(folder / name)
        and student in (None, folder.name)
    ]
    for sentence in dict.fromkeys(without.values()):
        tell(sentence)
    if not jobs and not without:
        where = course.submission_path(student or "<student_id>", "<assignment>")
        raise CourseError(f"There is nothing to grade: put notebooks at {where}.")
    return jobs


def folders_of(course: Course, assignments: Iterable[str]) -> list[Path]:
    """Return the folders that hold work on one of the assignments, in order of name."""
    found = course.submitted.iterdir() if course.submitted.is_dir() else ()
    names = list(assignments)
    held = (each for each in found if any(os.path.lexists(each / name) for name in names))
    return sorted(held, key=lambda folder: folder.name)


def students_of(course: Course, assignment: str) -> list[str]:
    """Return who has handed in work on an assignment, in order."""
    names = (folder.name for folder in folders_of(course, [assignment]))
    return [name for name in names if not problem_with(name)]


def left_out(folders: Iterable[Path]) -> dict[Path, str]:
    """Return the folders that aren't each one student's, with a sentence that says why."""
    found: dict[Path, str] = {}
    by_id: dict[str, list[Path]] = defaultdict(list)
    for folder in folders:
        why = "it is a link: put the folder itself there" if folder.is_symlink() else ""
        if problem := problem_with(folder.name):
            why = f"its name can't be a student id: {problem}. Rename or remove it"
        if why:
            found[folder] = f"{_where(folder)} was left out, because {why}, and grade again."
        else:
            by_id[folded(folder.name)].append(folder)
    for alike in by_id.values():
        if len(alike) > 1:
            sentence = (
                f"{' and '.join(map(_where, alike))} were left out, because their names are "
                "spellings of one student id: keep one of them, and grade again."
            )
            found |= dict.fromkeys(alike, sentence)
    return found


def _where(folder: Path) -> str:
    return f"{shown(folder.parent.name)}/{shown(folder.name)}"
