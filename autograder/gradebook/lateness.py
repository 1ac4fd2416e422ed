"""What lateness costs, as a plugin of nbgrader's."""

from __future__ import annotations

from pathlib import Path

from nbgrader.plugins import LateSubmissionPlugin

from autograder.course import Course


class LatePenalty(LateSubmissionPlugin):  # type: ignore[misc]
    """The penalty that `course.toml` sets; without one, nbgrader's own settings apply."""

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """Return how many points a late notebook with `score` points loses."""
        course = Course.load(Path(self.config.CourseDirectory.root))
        policy = course.settings.late_policy(self.parent.assignment_id)
        if policy is None:
            penalty: float | None = super().late_submission_penalty(
                student_id, score, total_seconds_late
            )
            return penalty
        return policy.penalty(score, total_seconds_late)
