"""What a platform is told of a student's work: points, how far it is, when it came, how late."""

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from autograder.course import Course
from autograder.errors import counted, rounded
from autograder.gradebook.lateness import Lateness, read_lateness
from autograder.gradebook.marks import Marks, marks_to_export
from autograder.platforms.points import Choices


def scores_on(course: Course, assignment: str) -> Mapping[str, dict[str, Any]]:
    """Return the scores of all who handed in, by student, in the words of the scores service."""
    late = {each.student: each for each in read_lateness(course) if each.assignment == assignment}
    found = marks_to_export(course, assignment)
    return {student: _score(marks, late.get(student)) for student, marks in found.items()}


def _score(marks: Marks, late: Lateness | None) -> dict[str, Any]:
    said: dict[str, Any] = {"activityProgress": "Submitted", "gradingProgress": _progress(marks)}
    if late and late.handed_in:
        said["submission"] = {"submittedAt": late.handed_in.replace(tzinfo=UTC).isoformat()}
    points = Choices().points(marks)
    if points is not None and marks.full_score > 0:
        said |= {
            "activityProgress": "Completed",
            "scoreGiven": rounded(max(0.0, points)),
            "scoreMaximum": rounded(marks.full_score),
        }
    if comment := _comment(late):
        said["comment"] = comment
    return said


def _progress(marks: Marks) -> str:
    if marks.outdated or marks.kept_back:
        return "Pending"
    if marks.failed:
        return "Failed"
    return "FullyGraded" if marks.is_final else "PendingManual"


def _comment(late: Lateness | None) -> str:
    if late is None or not late.days:
        return ""
    slip = f", {late.slip} of them by slip days" if late.slip else ""
    cost = f": {counted(late.penalty, 'point')} less" if late.penalty else ", at no cost"
    return f"{counted(late.days, 'day')} late{slip}{cost}."
