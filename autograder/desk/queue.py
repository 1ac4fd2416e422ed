"""The answers to a question in the order in which they are graded, alike ones together."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.course.solution import Question
from autograder.desk.asked import Show, View
from autograder.desk.books import Books
from autograder.desk.reading import Written, alike
from autograder.gradebook import giving, held
from autograder.gradebook.held import Held


@dataclass(frozen=True)
class Entry:
    """An answer, and what the gradebook holds for it; `place` is its number among all, from 1."""

    held: Held
    written: Written
    place: int = 0

    @property
    def key(self) -> str:
        """The key of the grade, which tells nothing of who the student is."""
        return self.held.key

    @property
    def is_settled(self) -> bool:
        """Whether the text on file is the one that the gradebook knows."""
        return self.held.answer in ("", self.written.answer)

    def graded_by_another(self, question: Question) -> bool:
        """Tell whether it was graded by a rubric that isn't the present one."""
        return self.held.graded_by_another(question.fingerprint)

    def is_shown(self, show: Show, question: Question) -> bool:
        """Tell whether it belongs to what is gone through."""
        if show is Show.WAITING:
            return self.held.waits
        if show is Show.CHANGED:
            return self.held.waits and self.held.changed
        return show is Show.ALL or self.graded_by_another(question)


@dataclass(frozen=True)
class Queue:
    """The answers to one question; `mine` are those that fall to whoever looks."""

    question: Question
    view: View
    entries: tuple[Entry, ...]
    mine: tuple[Entry, ...]
    graders: tuple[str, ...] = ()  # among whom the answers are shared out
    said: tuple[str, ...] = ()  # paragraphs of comments so far, the commonest first

    @property
    def done(self) -> int:
        """How many of `mine` are graded."""
        return sum(not entry.held.waits for entry in self.mine)

    @property
    def shown(self) -> list[Entry]:
        """The answers that are gone through: the first of each group of those alike."""
        found = [each for each in self.mine if each.is_shown(self.view.show, self.question)]
        groups: dict[object, Entry] = {}
        for entry in found:
            groups.setdefault(_group(entry), entry)
        return list(groups.values())

    def find(self, key: str) -> Entry | None:
        """Return the answer with this key, or else the first of those that are gone through."""
        chosen = next((entry for entry in self.entries if entry.key == key), None)
        return chosen or next(iter(self.shown), None)

    def alike(self, entry: Entry) -> list[Entry]:
        """Return the answers that are nearly equal and stand as this one does, itself first."""
        found = [other for other in self.mine if _group(other) == _group(entry)]
        return [entry, *(other for other in found if other.key != entry.key)]

    def before(self, entry: Entry) -> Entry | None:
        """Return the answer before this one, in what is gone through."""
        found = [each for each in self.shown if each.place < entry.place]
        return found[-1] if found else None

    def after(self, entry: Entry) -> Entry | None:
        """Return the next one, from the beginning again after the last; None if there is none."""
        group = _group(entry)
        found = [each for each in self.shown if _group(each) != group]
        return next((each for each in found if each.place > entry.place), next(iter(found), None))


def _group(entry: Entry) -> object:
    """Return what is the same for answers that one action grades."""
    now = entry.held
    state = now.manual, now.comment, now.waits, now.changed
    return entry.written.alike, entry.is_settled, state


def load(books: Books, assignment: str, question: Question, view: View, grader: str) -> Queue:
    """Return the answers to a question, for a grader who looks at it in a certain way."""
    with books.engine.connect() as connection:
        found = held.read(connection, assignment, question.name)
        graders = giving.shares(connection, assignment).get(question.name, ())
        said = giving.comments_on(connection, [each.key for each in found])
    entries = _entries(books, assignment, question.name, found, view.names)
    mine = entries
    if grader in graders and not view.everyones:
        mine = [entry for entry in entries if _falls_to(entry, graders) == grader]
    return Queue(question, view, tuple(entries), tuple(mine), graders, tuple(said))


def _entries(
    books: Books, assignment: str, question: str, found: Sequence[Held], names: bool
) -> list[Entry]:
    """Return the answers in order: of name, or as if shuffled, and the same for everybody."""
    paths = {each.key: books.course.graded_path(each.student, assignment) for each in found}
    texts = books.reader.written(paths.values())
    nothing = Written("", alike(""))
    order = sorted(found, key=lambda each: each.student if names else _shuffled(each.key))
    return [
        Entry(each, texts.get(paths[each.key], {}).get(question, nothing), place)
        for place, each in enumerate(order, start=1)
    ]


def _shuffled(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()  # keys are random, and each question's its own


def _falls_to(entry: Entry, graders: Sequence[str]) -> str:
    """Return who grades an answer; those that are nearly equal fall to the same person."""
    return graders[int(entry.written.alike, 16) % len(graders)]
