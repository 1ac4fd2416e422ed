"""What exports to all platforms have in common: who is known, what is given, and what is said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from autograder.course import Course
from autograder.course.roster import FILE, Person, folded, read_roster
from autograder.errors import shown
from autograder.gradebook.scores import Score

_MAX_NAMED, _MAX_NAME = 20, 80  # names in a sentence, and characters of each
Scores = Mapping[str, Score]  # by student


@dataclass(frozen=True)
class Choices:
    """What an instructor chose: `columns` names the column of an assignment in a file."""

    columns: Mapping[str, str] = field(default_factory=dict)
    partial: bool = False  # give the points so far where not all is graded
    scale: bool = False  # convert to the platform's points, where they differ
    by_exercise: bool = False

    def points(self, score: Score | None) -> float | None:
        """Return the points to give; None as long as they aren't known."""
        if score is None or score.outdated:
            return None
        so_far = self.partial and any(each.score is not None for each in score.exercises)
        return score.total if score.is_final or so_far else None


@dataclass
class Exported:
    """What became of an export, in numbers and in sentences."""

    grades: int = 0
    blank: int = 0
    lost: int = 0  # submissions of students who are not in the file
    absent: int = 0  # lines of the file without a submission
    notes: list[str] = field(default_factory=list)

    def tell_scores(self, assignment: str, scores: Scores, choices: Choices) -> None:
        """Say which submissions aren't graded yet, and why."""
        reasons: dict[str, list[str]] = {}
        for student, score in scores.items():
            if not score.is_final:
                reasons.setdefault(score.why_not_final, []).append(student)
        for reason, students in reasons.items():
            given = [name for name in students if choices.points(scores[name]) is not None]
            blank = [name for name in students if name not in given]
            self.blank += len(blank)
            self.tell(f"{assignment}: not graded yet, so given no points ({reason})", blank)
            self.tell(f"{assignment}: given the points so far ({reason})", given)

    def summary(self) -> str:
        """Return the numbers in a line."""
        parts = {
            "not graded yet": self.blank,
            "not in the file": self.lost,
            "in the file without a submission": self.absent,
        }
        grades = "1 grade" if self.grades == 1 else f"{self.grades} grades"
        return " · ".join([grades, *(f"{n} {what}" for what, n in parts.items() if n)])

    def tell(self, sentence: str, names: Iterable[str]) -> None:
        """Say something of these people; nothing if there are none."""
        if listed := listing(names):
            self.notes.append(f"{sentence}: {listed}.")


def listing(names: Iterable[str]) -> str:
    """Return names in a line, the first ones if there are many."""
    texts = [shown(name)[:_MAX_NAME].strip() or "?" for name in names]
    more = [f"and {len(texts) - _MAX_NAMED} more"] if len(texts) > _MAX_NAMED else []
    return ", ".join(texts[:_MAX_NAMED] + more)


def people(course: Course, scored: Iterable[str]) -> dict[str, Person]:
    """Return everybody in the roster, and after them others who handed something in."""
    folders: dict[str, list[str]] = {}
    for student in scored:
        folders.setdefault(folded(student), []).append(student)
    found = {
        student: person
        for person in read_roster(course.root / FILE)
        for student in folders.pop(folded(person.student_id), [person.student_id])
    }
    return found | {student: Person(student) for each in folders.values() for student in each}
