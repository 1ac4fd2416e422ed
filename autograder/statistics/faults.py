"""The faults of the grader in a class, each told once, with the students whom it concerns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autograder.report import NOT_GRADED, Report


@dataclass(frozen=True)
class Fault:
    """A hidden test that could not be run, and the students who are not graded for that."""

    assignment: str
    exercise: str
    test: str
    traceback: str
    students: tuple[str, ...]

    @property
    def headline(self) -> str:
        """Say what is wrong, whom it concerns, and what to do."""
        number = "1 student" if len(self.students) == 1 else f"{len(self.students)} students"
        return (
            f"The hidden test {self.test} of {self.assignment} could not be run: `{self.exercise}` "
            f"is {NOT_GRADED} for {number}. Correct the test and run `make grade` again."
        )


def faults_in(reports: Iterable[Report]) -> list[Fault]:
    """Return the faults, those that concern most students first."""
    students: dict[tuple[str, str, str, str], list[str]] = {}
    for report in reports:
        for exercise in report.exercises:
            for test in exercise.faults:
                key = (report.assignment, exercise.name, test.name, test.fault)
                students.setdefault(key, []).append(report.student)
    found = [Fault(*key, tuple(names)) for key, names in students.items()]
    return sorted(found, key=lambda fault: -len(fault.students))
