"""What a student is told: where they stand, what to do next, and a card for each exercise.

All of it is decided here; a page, a terminal or a platform only lays it out. A card tells the
mistake first: that which has a name, else what the first check that failed saw.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from autograder.errors import counted, in_digits
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
COSTS_ONCE = "A mistake costs its points once: the other checks that it fails cost you nothing."
FOR_A_PERSON = "A person will read this."
WITHHELD = "The marks here are withheld for now: your instructor will tell you more."
LATER = "some checks run once it is due"
_SIGNS = {
    Outcome.PASSED: "✓",
    Outcome.NOT_ATTEMPTED: "–",
    Outcome.GRADER_ERROR: "…",
    Outcome.LATER: "…",
}


class RecordedMark(Protocol):
    """What the gradebook holds for an exercise or a written answer."""

    @property
    def score(self) -> float | None: ...  # None: not graded yet

    @property
    def by_hand(self) -> bool: ...  # whether a person gave the points

    @property
    def comment(self) -> str: ...  # what a person wrote to the student

    @property
    def earned(self) -> tuple[str, ...]: ...  # the points of a rubric that were earned, as markdown


@dataclass(frozen=True)
class Check:
    """One hidden test, and what it saw if it failed; no `message` if the card tells it already.

    One that is worth nothing has no `points`.
    """

    outcome: Outcome
    title: str
    points: str
    message: str = ""

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED

    @property
    def is_later(self) -> bool:
        return self.outcome is Outcome.LATER

    @property
    def sign(self) -> str:
        return _SIGNS.get(self.outcome, "✗")


@dataclass(frozen=True)
class Idea:
    """What points are given for, in Markdown, and how many were earned."""

    words: str
    score: float
    max_score: float
    later: float = 0  # points of checks that run once it is due

    @property
    def sign(self) -> str:
        if self.score < self.max_score - self.later - TINY:
            return "✗"
        return "…" if self.later else "✓"


@dataclass(frozen=True)
class Card:
    name: str
    score: float | None  # None: not graded yet
    max_score: float
    outcome: Outcome | None = None  # None: a person grades it, or has
    mistakes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    ideas: tuple[Idea, ...] = ()
    checks: tuple[Check, ...] = ()
    comment: str = ""  # by a person
    earned: tuple[str, ...] = ()  # the points of the rubric that a person found earned
    is_withheld: bool = False
    later: float = 0  # points of checks that run once it is due

    @property
    def to_earn(self) -> float:
        return 0 if self.score is None else self.max_score - self.later - self.score

    @property
    def points(self) -> str:
        if self.score is None:
            why = "withheld" if self.is_withheld else NOT_GRADED
            return f"{why} ({_points(self.max_score)})"
        if not self.max_score:
            return f"{_points(self.score)} extra" if self.score else f"worth {_points(0)}"
        return f"{in_digits(self.score)} of {_points(self.max_score)}"

    @property
    def state(self) -> str:
        """Where it stands, as a sign and a few words; a sign alone while it isn't graded."""
        if self.score is None:
            return "…"
        is_blank = self.outcome is Outcome.NOT_ATTEMPTED
        if self.to_earn > TINY or (is_blank and not self.max_score):
            return "– not written yet" if is_blank else "✗ something to earn"
        if not self.max_score and self.outcome not in (None, Outcome.PASSED, Outcome.LATER):
            return "✗ something to learn"
        if self.later and not is_blank:
            return f"… {LATER}"
        return "✓ all of it" if self.max_score or self.outcome else "✓ read"


@dataclass(frozen=True)
class Summary:
    assignment: str
    student: str
    cards: tuple[Card, ...]
    warnings: tuple[str, ...] = ()
    penalty: float = 0  # points, for being late
    kept_back: str = ""  # why nothing is told; then nothing else is shown
    points_from: str = ""  # when points are told; until then, none are shown

    @property
    def score(self) -> float:
        return sum(card.score or 0 for card in self.cards) - self.penalty

    @property
    def max_score(self) -> float:
        return sum(card.max_score for card in self.cards if card.score is not None)

    @property
    def standing(self) -> str:
        if self.kept_back:
            return self.kept_back
        if self.points_from:
            return f"Points are shown from {self.points_from} on."
        late = f", after {_points(self.penalty)} for being late" if self.penalty else ""
        has = f"{in_digits(self.score)} of {_points(self.max_score)}"
        if self.score >= self.max_score - TINY:
            has = f"all {_points(self.max_score)}" if self.max_score else _points(self.score)
        if later := sum(card.later for card in self.cards if card.score is not None):
            are = "is" if later == 1 else "are"
            has += f" ({in_digits(later)} of them {are} for checks that run once it is due)"
        waiting = [card for card in self.cards if card.score is None]
        left = sum(card.max_score for card in waiting)
        by_person = all(card.outcome is None for card in waiting)
        if any(card.is_withheld for card in waiting):
            are = "is" if left == 1 else "are"
            return f"You have {has} so far; {in_digits(left)} more {are} withheld or {NOT_GRADED}."
        if left:
            wait = "wait for a person" if by_person else "aren't graded yet"
            if left == 1:
                wait = "waits for a person" if by_person else "isn't graded yet"
            return f"You have {has} so far{late}; {in_digits(left)} more {wait}."
        if waiting:
            number = len(waiting)
            rest = f"{counted(number, 'answer')} without points"
            wait = "still to be read by a person" if by_person else "not graded yet"
            return f"You have {has}{late}; {rest} {'is' if number == 1 else 'are'} {wait}."
        return f"You have {has}{late}."

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
        if self.points_from:
            return first
        return f"{first} This exercise can still earn {_points(card.to_earn)}."


def summary_of(
    report: Report,
    marks: Mapping[str, RecordedMark] | None = None,
    penalty: float = 0,
    notes: Mapping[str, Sequence[str]] | None = None,
    withheld: Collection[str] = (),
) -> Summary:
    """Return what is told about a submission; `marks` is what the gradebook holds, by name.

    So are `notes`, on what was decided after grading; of what is `withheld`, nothing is told.
    """
    known, said = marks or {}, notes or {}
    cards = [card_of(exercise, known.get(exercise.name)) for exercise in report.exercises]
    cards += [
        _written_card(answer, known.get(answer.name), bool(said.get(answer.name)))
        for answer in report.manual
    ]
    cards = [replace(card, notes=(*said.get(card.name, ()), *card.notes)) for card in cards]
    if withheld:
        # Late penalties, warnings and what earlier exercises cost tell of the rest as well.
        cards = [_kept_back(card, card.name in withheld) for card in cards]
        return Summary(report.assignment, report.student, tuple(cards))
    return Summary(report.assignment, report.student, tuple(cards), report.warnings, penalty)


def _kept_back(card: Card, is_withheld: bool) -> Card:
    if is_withheld:
        return Card(card.name, None, card.max_score, notes=(WITHHELD,), is_withheld=True)
    return replace(card, notes=tuple(note for note in card.notes if note != FOLLOWED_THROUGH))


def card_of(exercise: ExerciseReport, mark: RecordedMark | None = None) -> Card:
    """Return what is told about an exercise; where a person gave full points, no mistake is."""
    score = exercise.score if exercise.is_graded else None
    score, by_hand = (mark.score, mark.by_hand) if mark else (score, False)
    is_settled = by_hand and score is not None and score >= exercise.max_score
    mistakes = _mistakes(exercise)
    failed = (test for test in exercise.tests if test.outcome is Outcome.FAILED)
    is_spared = any(0 < test.max_score <= test.score for test in failed)
    notes = {
        FAULT: bool(exercise.faults),
        COSTS_ONCE: is_spared and not is_settled,
        FOLLOWED_THROUGH: exercise.followed_through,
    }
    return Card(
        name=exercise.name,
        score=score,
        max_score=exercise.max_score,
        outcome=exercise.outcome,
        mistakes=() if is_settled else mistakes,
        notes=tuple(note for note, holds in notes.items() if holds),
        ideas=() if by_hand or not exercise.max_score else tuple(_ideas(exercise)),
        checks=tuple(_checks(exercise, mistakes)),
        comment=mark.comment if mark else "",
        later=0 if by_hand else sum(test.max_score for test in exercise.later),
    )


def _written_card(answer: WrittenAnswer, mark: RecordedMark | None, is_decided: bool) -> Card:
    """Return what is told about an answer in prose; nbgrader itself gives 0 for an empty one.

    Of a question about which something was decided, 0 points say nothing.
    """
    if mark is None or mark.score is None:
        said = mark.comment if mark else ""
        note = NOT_WRITTEN if answer.is_blank else FOR_A_PERSON
        return Card(answer.name, None, answer.max_score, notes=(note,), comment=said)
    is_empty = mark.score == 0 and not mark.by_hand and not is_decided
    return Card(
        name=answer.name,
        score=mark.score,
        max_score=answer.max_score,
        outcome=Outcome.NOT_ATTEMPTED if is_empty else None,
        mistakes=(NOT_WRITTEN,) if is_empty else (),
        comment=mark.comment,
        earned=mark.earned,
    )


def _mistakes(exercise: ExerciseReport) -> tuple[str, ...]:
    """Return the mistakes that have a name; if there are none, what the first check saw."""
    if exercise.outcome is Outcome.NOT_ATTEMPTED:
        return (NOT_WRITTEN,)
    if exercise.misconceptions:
        return tuple(mistake.message for mistake in exercise.misconceptions)
    return tuple(message for test in exercise.tests if (message := _message(test)))[:1]


def _ideas(exercise: ExerciseReport) -> Iterator[Idea]:
    """Yield what points are given for; nothing where no test says so, or one could not be run."""
    if exercise.faults or exercise.outcome is Outcome.NOT_ATTEMPTED:
        return
    for words in dict.fromkeys(test.idea for test in exercise.tests if test.idea):
        tests = [test for test in exercise.tests if test.idea == words]
        later = sum(test.max_score for test in tests if test in exercise.later)
        yield Idea(words, sum(t.score for t in tests), sum(t.max_score for t in tests), later)


def _checks(exercise: ExerciseReport, told: tuple[str, ...]) -> Iterator[Check]:
    if exercise.outcome is Outcome.NOT_ATTEMPTED:
        return
    reasons = exercise.reasons()
    for test in exercise.tests:
        is_graded = test.outcome is not Outcome.GRADER_ERROR
        points = f"{in_digits(test.score)}/{in_digits(test.max_score)}" if is_graded else NOT_GRADED
        if test.outcome is Outcome.LATER:
            points = f"{_points(test.max_score)}, once it is due"
        points = points if exercise.max_score else ""
        message = _message(test) if test in reasons else ""
        yield Check(test.outcome, test.title, points, "" if message in told else message)


def _message(test: Verdict) -> str:
    return "" if test.outcome is Outcome.GRADER_ERROR else test.message


def _points(number: float) -> str:
    return counted(number, "point") if number else "no points"
