"""What a student is told: where they stand, what to do next, and a card for each exercise.

A card tells the mistake first. If it has a name, what single checks would guess is not told as
well; if not, the first check that failed says what it saw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from autograder.report import (
    FOLLOWED_THROUGH,
    NOT_GRADED,
    TINY,
    ExerciseReport,
    Outcome,
    Report,
    Verdict,
    WrittenAnswer,
)

NOT_WRITTEN = "You haven't written this one yet."
FAULT = (
    "Not graded yet: something is wrong with a hidden test, not with your answer, and it costs you "
    "no points. Your instructor can see what happened."
)
FOR_A_PERSON = "A person will read this."


class Given(Protocol):
    """What the gradebook holds for an exercise or a written answer; a person may have given it."""

    @property
    def score(self) -> float | None:
        """The points; None: not graded yet."""

    @property
    def comment(self) -> str:
        """What a person wrote to the student."""

    @property
    def by_hand(self) -> bool:
        """Whether a person gave the points."""

    @property
    def earned(self) -> tuple[str, ...]:
        """The points of a rubric that a person found earned, as markdown."""


@dataclass(frozen=True)
class Check:
    """One hidden test: what it checks, its points in words, and what it saw if it failed.

    `message` is empty where the card tells the mistake already.
    """

    outcome: Outcome
    title: str
    points: str
    message: str = ""

    @property
    def passed(self) -> bool:
        """Whether it held."""
        return self.outcome is Outcome.PASSED


@dataclass(frozen=True)
class Card:
    """What is told about one exercise or one written answer."""

    name: str
    score: float | None  # None: not graded yet
    max_score: float
    outcome: Outcome | None = None  # None: a person grades it, or has
    mistakes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    comment: str = ""  # by a person
    earned: tuple[str, ...] = ()  # the points of the rubric that a person found earned

    @property
    def to_earn(self) -> float:
        """The points that the student can still earn."""
        return 0 if self.score is None else self.max_score - self.score

    @property
    def points(self) -> str:
        """The points in words."""
        if self.score is None:
            return f"{NOT_GRADED} ({_points(self.max_score)})"
        return f"{self.score:g} of {_points(self.max_score)}"


@dataclass(frozen=True)
class Summary:
    """What is told about one submission."""

    assignment: str
    student: str
    cards: tuple[Card, ...]
    warnings: tuple[str, ...] = ()
    penalty: float = 0  # points, for being late

    @property
    def score(self) -> float:
        """The points so far."""
        return sum(card.score or 0 for card in self.cards) - self.penalty

    @property
    def max_score(self) -> float:
        """The most points that could be had in what is graded so far."""
        return sum(card.max_score for card in self.cards if card.score is not None)

    @property
    def waiting(self) -> float:
        """The points of what isn't graded yet."""
        return sum(card.max_score for card in self.cards if card.score is None)

    @property
    def standing(self) -> str:
        """Say in a sentence where the student stands."""
        late = f", after {_points(self.penalty)} for being late" if self.penalty else ""
        most = _points(self.max_score)
        is_all = self.score >= self.max_score - TINY
        has = f"all {most}" if is_all else f"{self.score:g} of {most}"
        if self.waiting:
            wait = "wait for a person" if self._person_grades_the_rest else "aren't graded yet"
            return f"You have {has} so far{late}; {self.waiting:g} more {wait}."
        return f"You have {has}{late}."

    @property
    def _person_grades_the_rest(self) -> bool:
        return all(card.outcome is None for card in self.cards if card.score is None)

    @property
    def next(self) -> Card | None:
        """What to do next: the first exercise with points to earn, since later ones build on it."""
        return next((card for card in self.cards if card.to_earn > TINY and card.outcome), None)

    @property
    def next_step(self) -> str:
        """Say what to do next; an empty string if nothing is left to do."""
        card = self.next
        if card is None:
            return ""
        first = card.mistakes[0] if card.mistakes else "Look at the checks that didn't pass."
        return f"{first} This exercise can still earn {_points(card.to_earn)}."


def summary_of(
    report: Report, given: Mapping[str, Given] | None = None, penalty: float = 0
) -> Summary:
    """Return what is told about the submission of `report`.

    `given` is what the gradebook holds for each exercise and written answer, if it is recorded.
    """
    known = given or {}
    cards = [card_of(exercise, known.get(exercise.name)) for exercise in report.exercises]
    cards += [_written_card(answer, known.get(answer.name)) for answer in report.manual]
    return Summary(report.assignment, report.student, tuple(cards), report.warnings, penalty)


def card_of(exercise: ExerciseReport, mark: Given | None = None) -> Card:
    """Return what is told about an exercise; `mark` is what the gradebook holds for it, if any."""
    mistakes = tuple(_mistakes(exercise))
    score = exercise.score if exercise.is_graded else None
    return Card(
        name=exercise.name,
        score=mark.score if mark else score,
        max_score=exercise.max_score,
        outcome=exercise.outcome,
        mistakes=mistakes,
        notes=tuple(_notes(exercise)),
        checks=tuple(_checks(exercise, mistakes)),
        comment=mark.comment if mark else "",
    )


def _written_card(answer: WrittenAnswer, mark: Given | None) -> Card:
    """Return what is told about an answer in prose; nbgrader itself gives 0 for an empty one."""
    if mark is None or mark.score is None:
        said = mark.comment if mark else ""
        return Card(answer.name, None, answer.max_score, notes=(FOR_A_PERSON,), comment=said)
    is_empty = mark.score == 0 and not mark.by_hand
    return Card(
        name=answer.name,
        score=mark.score,
        max_score=answer.max_score,
        outcome=Outcome.NOT_ATTEMPTED if is_empty else None,
        mistakes=(NOT_WRITTEN,) if is_empty else (),
        comment=mark.comment,
        earned=mark.earned,
    )


def _mistakes(exercise: ExerciseReport) -> Iterable[str]:
    """Yield the mistakes that have a name; if there are none, what the first check saw."""
    if exercise.outcome is Outcome.NOT_ATTEMPTED:
        return [NOT_WRITTEN]
    if exercise.misconceptions:
        return [mistake.message for mistake in exercise.misconceptions]
    return [message for test in exercise.tests if (message := _message(test))][:1]


def _checks(exercise: ExerciseReport, told: Iterable[str]) -> Iterable[Check]:
    """Yield the checks, each message once."""
    if exercise.outcome is Outcome.NOT_ATTEMPTED:
        return
    seen, reasons = set(told), exercise.reasons()
    for test in exercise.tests:
        points = f"{test.score:g}/{test.max_score:g}"
        message = "" if exercise.misconceptions or test not in reasons else _message(test)
        yield Check(test.outcome, test.title, points, "" if message in seen else message)


def _message(test: Verdict) -> str:
    return "" if test.outcome is Outcome.GRADER_ERROR else test.message


def _notes(exercise: ExerciseReport) -> Iterable[str]:
    if exercise.faults:
        yield FAULT
    if exercise.followed_through:
        yield FOLLOWED_THROUGH


def _points(number: float) -> str:
    return "1 point" if number == 1 else f"{number:g} points"
