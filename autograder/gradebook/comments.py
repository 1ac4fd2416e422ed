"""Tell the student, in nbgrader's comment on an exercise, what did not hold."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.gradebook import graded_cell
from autograder.gradebook.prose import as_markdown
from autograder.report import FOLLOWED_THROUGH, ExerciseReport, Outcome, Report


class SaveComments(NbGraderPreprocessor):  # type: ignore[misc]
    """Comes after nbgrader's `SaveAutoGrades`, which has saved the scores."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Save a comment on each exercise; have a person look where the grader failed."""
        report: Report = resources["autograder"]
        names = resources["nbgrader"]
        place = (names["notebook"], names["assignment"], names["student"])
        with Gradebook(names["db_url"]) as gradebook:
            for exercise in report.exercises:
                if exercise.outcome is not Outcome.NOT_ATTEMPTED:  # nbgrader says "No response."
                    saved = gradebook.find_comment(exercise.name, *place)
                    saved.auto_comment = comment_on(exercise)
                if any(test.outcome is Outcome.GRADER_ERROR for test in exercise.tests):
                    grade = gradebook.find_grade(graded_cell(exercise.name), *place)
                    grade.needs_manual_grade = True
            gradebook.db.commit()
        return nb, resources


def comment_on(exercise: ExerciseReport) -> str:
    """Return what to say about an exercise, in markdown: each reason once."""
    mistakes = [as_markdown(mistake.message) for mistake in exercise.misconceptions]
    lines = [
        f"**{as_markdown(test.title)}** {as_markdown(test.message)}" for test in exercise.reasons()
    ]
    if exercise.followed_through:
        mistakes.insert(0, FOLLOWED_THROUGH)
    if not lines and not mistakes:
        return "All checks passed."
    return "\n".join(f"- {line}" for line in [*mistakes, *lines])
