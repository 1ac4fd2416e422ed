"""Play a bundled class through the whole path, in a course of its own beside the real one."""

from __future__ import annotations

import json
import shutil
import tomllib
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from autograder import class_report, gradebook, release, solution
from autograder.classroom import find_submissions, grade_class, record_class
from autograder.course import Course
from autograder.errors import CourseError
from autograder.grade import Settings
from autograder.pool import Graded, local_executor

# A roster: what each student answers to each exercise, as `<student>.<assignment>.<exercise>`.
Roster = dict[str, dict[str, dict[str, str]]]


def play(settings: Settings, workers: int) -> tuple[list[Graded], Path]:
    """Take the class from release to feedback; return the results and the course they lie in."""
    tests = settings.course.root / "tests"
    roster: Roster = tomllib.loads((tests / "submissions" / "class.toml").read_text("utf-8"))
    course = _copy_of(settings.course)
    assignments = course.assignment_names()
    release.release(course, assignments)
    for student, work in roster.items():
        for assignment, answers in work.items():
            sources = _sources(settings.course, tests / "answers" / assignment, answers)
            _hand_in(course, student, assignment, sources)
    settings = replace(settings, course=course)
    jobs = find_submissions(course, assignments)
    executor = partial(local_executor, workers, assignments)
    results = record_class(course, grade_class(settings, jobs, executor))
    gradebook.generate_feedback(course, assignments)
    for assignment in assignments:
        class_report.write(course, assignment)
    return results, course.root


def _copy_of(course: Course) -> Course:
    """Make a fresh course of the same solutions: the demo touches nobody's grades."""
    copy = Course(course.root / ".demo")
    shutil.rmtree(copy.root, ignore_errors=True)
    copy.assignments.mkdir(parents=True)
    shutil.copytree(course.solutions, copy.solutions, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(course.root / "nbgrader_config.py", copy.root)
    return copy


def _sources(course: Course, folder: Path, answers: dict[str, str]) -> dict[str, str]:
    """Return the text of each answer: a file's, the solution's, or the very words of the roster."""
    solved = solution.sources(course, folder.name)
    sources = {}
    for exercise in solved:
        answer = answers.get(exercise, answers.get("all", "blank"))
        if answer == "solved":
            sources[exercise] = solved[exercise]
        elif answer != "blank":
            sources[exercise] = _read(folder / exercise / f"{answer}.py")
    written = {name: text for name, text in answers.items() if name not in solved and name != "all"}
    return sources | written


def _read(path: Path) -> str:
    if not path.is_file():
        raise CourseError(f"The demo's class.toml names {path.name}, which isn't in {path.parent}.")
    return path.read_text("utf-8")


def _hand_in(course: Course, student: str, assignment: str, sources: dict[str, str]) -> None:
    """Fill the released notebook as the student would, and put it where nbgrader collects it."""
    notebook: dict[str, Any] = json.loads(course.release_path(assignment).read_text("utf-8"))
    for cell in notebook["cells"]:
        mark = cell["metadata"].get("nbgrader", {})
        if mark.get("solution"):
            cell["source"] = sources.get(mark["grade_id"], cell["source"])
    path = course.submission_path(student, assignment)
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")
