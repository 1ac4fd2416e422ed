"""The comment on an exercise, which nbgrader shows to the student."""

from __future__ import annotations

from autograder.report import FOLLOWED_THROUGH, ExerciseReport
from autograder.telling.escaping import as_markdown


def comment_on(exercise: ExerciseReport) -> str:
    """Return the comment on an exercise, in markdown; each reason appears once."""
    mistakes = [as_markdown(mistake.message) for mistake in exercise.misconceptions]
    lines = [
        f"**{as_markdown(test.title)}** {as_markdown(test.message)}" for test in exercise.reasons()
    ]
    if exercise.followed_through:
        mistakes.insert(0, FOLLOWED_THROUGH)
    if not lines and not mistakes:
        return "All checks passed."
    return "\n".join(f"- {line}" for line in [*mistakes, *lines])
