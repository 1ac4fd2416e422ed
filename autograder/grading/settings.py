"""The settings that decide a report besides the submission, the release and the hidden tests."""

from dataclasses import dataclass

from autograder.course import Course
from autograder.sandbox.limits import Isolation, Limits


@dataclass(frozen=True)
class Settings:
    """How submissions are graded. `limits`, if given, replace those of the course."""

    course: Course
    isolation: Isolation
    limits: Limits | None = None
    skip_slow: bool = False  # leave out slow hidden tests, and their points

    def limits_on(self, assignment: str) -> Limits:
        return self.limits or self.course.settings.limits(assignment)
