"""Run a bundled class through the whole workflow, in a separate copy of the course."""

import os
import shutil
from functools import partial
from itertools import dropwhile
from typing import Any

from autograder.authoring.release import release
from autograder.course import Course, roster, settings, solution
from autograder.course.course import DATABASE, DEMO, SEED, SEED_FILE
from autograder.course.loading import read_toml
from autograder.course.roster import Person, student_id_of
from autograder.desk.books import open_books
from autograder.errors import CourseError
from autograder.folders import remove_tree
from autograder.gradebook import feedback, giving
from autograder.gradebook.giving import Award
from autograder.gradebook.marks import marks_on
from autograder.gradebook.recording import record_class
from autograder.grading.run import grade_class, modules_to_import
from autograder.grading.settings import Settings
from autograder.grading.submissions import Graded, find_submissions
from autograder.intake.release import Release, filled
from autograder.sandbox.limits import Isolation
from autograder.statistics.class_report import write_class_report
from autograder.work.processes import local_workers

_HANDED_IN = 8  # students whose work waits when the demo's server opens for the first time
_GRADED = "graded"  # the key of which points of the rubric somebody found earned

# A class: what each student answers, by student, assignment and exercise.
Class = dict[str, dict[str, dict[str, Any]]]


def play_demo(course: Course, isolation: Isolation, workers: int) -> tuple[list[Graded], Course]:
    """Play the class from release to feedback; return the results and the copied course."""
    students = _read_class(course)
    copy = _copy_of(course)
    assignments = copy.assignment_names()
    release(copy, assignments, skip_slow=True)
    for student, work in students.items():
        for assignment, answers in work.items():
            _hand_in(copy, student, assignment, _sources(course, assignment, answers))
    jobs = find_submissions(copy, assignments)
    open_workers = partial(local_workers, workers, modules_to_import(copy, assignments))
    graded = grade_class(Settings(copy, isolation), jobs, open_workers)
    results, _ = record_class(copy, graded)
    _grade_by_hand(copy, students)
    feedback.write_feedback(copy, assignments)
    for assignment in assignments:
        write_class_report(copy, assignment)
    return results, copy


def demo_to_serve(course: Course) -> Course:
    """Return the demo's course with a roster, to serve it: as it was played, or else a new copy.

    In a new one, some students handed in the first assignment, and nothing is graded yet.
    """
    students = _read_class(course)
    if (course.root / DEMO / settings.FILE).is_file():
        copy = open_demo(course)
    else:
        copy = _copy_of(course)
        if not copy.released():
            release(copy, copy.assignment_names(), skip_slow=True)
        first = copy.released()[0]
        for student in [name for name, work in students.items() if first in work][:_HANDED_IN]:
            _hand_in(copy, student, first, _sources(course, first, students[student][first]))
    if not (copy.root / roster.FILE).exists():
        people = [
            Person(student, student.capitalize(), section="AB"[number % 2])
            for number, student in enumerate(students)
        ]
        roster.write_roster(copy.root / roster.FILE, people)
    return copy


def open_demo(course: Course) -> Course:
    """Return the copied course. It has its own gradebook, whatever `course.toml` says."""
    root = course.root / DEMO
    if not (root / settings.FILE).is_file():
        raise CourseError("The demo hasn't been played here yet: run `make demo` first.")
    os.environ[DATABASE] = "sqlite:///gradebook.db"
    os.environ.pop(SEED, None)
    return Course.load(root)


def _copy_of(course: Course) -> Course:
    root = course.root / DEMO
    if root.exists() and not (root / settings.FILE).is_file():
        raise CourseError(f"{root} is no demo of ours: move it away, then run this again.")
    if root.exists():
        remove_tree(root)
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in (course.solutions, course.exercises):
        shutil.copytree(folder, root / folder.relative_to(course.root), ignore=ignored)
    if course.released():  # where an assignment is as it was then, its locked notes still hold
        shutil.copytree(course.assignments, root / course.assignments.name)
    for name in (settings.FILE, "nbgrader_config.py"):
        shutil.copy(course.root / name, root)
    (root / SEED_FILE).write_text("0")  # the same demo for everybody
    return open_demo(course)


def _read_class(course: Course) -> Class:
    path = course.root / course.settings.demo
    try:
        students = read_toml(path)
    except OSError:
        raise CourseError(
            f"There is no demo class: write {path} with a table for each student and assignment, "
            "such as [ada.hw1], that names an answer to each exercise."
        ) from None
    return {student_id_of(student): work for student, work in students.items()}


def _sources(course: Course, assignment: str, answers: dict[str, Any]) -> dict[str, str]:
    """Return the text of each answer: from a file, the solution, or the class file itself."""
    sources, solved = {}, solution.sources(course, assignment, given=False)
    for exercise, solved_source in solved.items():
        answer = answers.get(exercise, answers.get("all", "blank"))
        path = course.answers / assignment / exercise / f"{answer}.py"
        if answer == "solved":
            sources[exercise] = solved_source
        elif path.is_file():  # without the comment at its head, in which the file tells of itself
            lines = path.read_text("utf-8").splitlines(keepends=True)
            sources[exercise] = "".join(dropwhile(lambda line: line.startswith("#"), lines))
        elif answer != "blank":
            raise CourseError(
                f"The demo class names {path.name}, which isn't in {path.parent}: write it, or "
                "correct the name."
            )
    others = {*solved, "all", _GRADED}
    return sources | {name: text for name, text in answers.items() if name not in others}


def _hand_in(course: Course, student: str, assignment: str, sources: dict[str, str]) -> None:
    known = Release.load(course, assignment).names
    for name in sources.keys() - known:
        raise CourseError(
            f"The demo class answers {name!r}, which isn't in {assignment}: choose from "
            f"{', '.join(known)}."
        )
    path = course.submission_path(student, assignment)
    path.parent.mkdir(parents=True)
    path.write_bytes(filled(course.release_path(assignment).read_text("utf-8"), sources))


def _grade_by_hand(course: Course, students: Class) -> None:
    """Give points for written answers as a person at the desk would who hasn't finished yet."""
    with open_books(course) as books:
        for assignment in course.assignment_names():
            with books.engine.connect() as connection:
                found = marks_on(connection, assignment)
            for each in (mark for marks in found for mark in marks.each):
                answers = students.get(each.student, {}).get(assignment, {})
                numbers = answers.get(_GRADED, {}).get(each.name)
                if numbers is not None:
                    question = solution.questions(course, assignment)[each.name]
                    earned = tuple(question.points[number - 1].text for number in numbers)
                    points = question.worth(earned)
                    award = Award("a teaching assistant", points, "", question, earned)
                    giving.give(books.engine, award, {each.key: each.version})
