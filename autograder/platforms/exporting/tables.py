"""Grades as a CSV file of our own: a row a student, in our words or in those of Gradescope."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograder.course import Course
from autograder.course.roster import Person
from autograder.course.sheets import as_number, table_bytes
from autograder.errors import CourseError
from autograder.gradebook import scores_of
from autograder.gradebook.scores import Score
from autograder.platforms.exporting.exported import Choices, Exported, Scores, people

Cells = dict[str, str]  # by column


def plain(course: Course, names: Sequence[str], choices: Choices) -> tuple[bytes, Exported]:
    """Return a table of students by `student_id`, name and email."""

    def identity(student: str, person: Person) -> Cells:
        return {"student_id": student, "name": person.name, "email": person.email}

    return _table(course, names, choices, identity, "{} max")


def gradescope(course: Course, names: Sequence[str], choices: Choices) -> tuple[bytes, Exported]:
    """Return a table whose columns are named as in the grades that Gradescope exports."""

    def identity(student: str, person: Person) -> Cells:
        sid = person.gradescope_sid or student
        return {"Name": person.name, "SID": sid, "Email": person.email}

    return _table(course, names, choices, identity, "{} - Max Points")


def _table(
    course: Course,
    names: Sequence[str],
    choices: Choices,
    identity: Callable[[str, Person], Cells],
    max_title: str,
) -> tuple[bytes, Exported]:
    done = Exported()
    scores: dict[str, Scores] = {
        name: found for name in names or course.released() if (found := scores_of(course, name))
    }
    if not scores:
        raise CourseError("There is nothing to export: nobody has handed anything in.")
    for assignment, each in scores.items():
        done.tell_scores(assignment, each, choices)
        done.grades += sum(choices.points(score) is not None for score in each.values())
    handed_in = {student: None for each in scores.values() for student in each}
    rows: list[Cells] = []
    for student, person in people(course, handed_in).items():
        row = identity(student, person)
        for assignment, each in scores.items():
            row |= _cells(assignment, each.get(student), choices, max_title)
            if choices.by_exercise:
                row |= _exercises(assignment, each.get(student), _exercise_names(each))
        rows.append(row)
    return table_bytes(list(rows[0]), [list(row.values()) for row in rows]), done


def _cells(assignment: str, score: Score | None, choices: Choices, max_title: str) -> Cells:
    """Return the total of a student, the most that it could be, and how far grading is."""
    status = "not handed in"
    if score is not None:
        status = "graded" if score.is_final else "not graded yet"
    return {
        assignment: _text(choices.points(score)),
        max_title.format(assignment): _text(score.max_score) if score and score.exercises else "",
        f"{assignment} status": status,
    }


def _exercises(assignment: str, score: Score | None, names: Sequence[str]) -> Cells:
    """Return the points in each exercise, and the late penalty, as far as they are known."""
    known = score if score and not score.outdated else None
    points = {each.name: each.score for each in known.exercises} if known else {}
    cells = {f"{assignment}: {name}": _text(points.get(name)) for name in names}
    return cells | {f"{assignment}: late penalty": _text(known.penalty if known else None)}


def _exercise_names(scores: Scores) -> list[str]:
    """Return the exercises of an assignment, in the order of the notebook."""
    return list(dict.fromkeys(e.name for score in scores.values() for e in score.exercises))


def _text(points: float | None) -> str:
    return "" if points is None else as_number(points)
