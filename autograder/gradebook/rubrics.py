"""The rubrics that answers were graded by, and what a changed one makes of those answers.

An answer that was graded by ticks keeps them, by the texts of the rubric's lines, and gets their
sum. Where a ticked line is gone, or the points aren't that sum, a person reads it again.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Self

from sqlalchemy import Connection, select

from autograder.course.solution import Question
from autograder.gradebook.marks import Mark
from autograder.gradebook.tables import RUBRICS

MIN_ALIKE = 0.6  # of difflib's ratio: from there on, a line may be another one in other words


def keep_rubric(connection: Connection, question: Question) -> None:
    """Keep the rubric of `question`, to know it when it isn't the present one any more."""
    known = select(RUBRICS.c.number).where(RUBRICS.c.rubric == question.fingerprint)
    if connection.scalar(known.limit(1)) is None:
        row = {"rubric": question.fingerprint, "max_score": question.max_score}
        connection.execute(RUBRICS.insert().values(row | {"text": question.rubric}))


def kept_rubrics(connection: Connection, marks: Iterable[Mark]) -> dict[str, Question]:
    """Return what `marks` were graded by, by fingerprint, as far as it was kept."""
    wanted = {mark.by.rubric for mark in marks if mark.by}
    rows = connection.execute(select(RUBRICS).where(RUBRICS.c.rubric.in_(wanted)))
    return {row.rubric: Question("", row.max_score, "", "", row.text) for row in rows}


@dataclass(frozen=True)
class RubricChange:
    """What the present rubric makes of the answers that an earlier one graded."""

    question: Question
    marks: Mapping[str, Mark]  # of all these answers, by key
    kept: Mapping[str, tuple[str, ...]]  # the ticks of those that keep them, in the present texts
    reworded: Mapping[str, str]  # a ticked line that is gone, and the present one that it may be
    ticked: Mapping[str, int]  # in how many answers such a line is ticked

    @classmethod
    def of(
        cls,
        question: Question,
        marks: Iterable[Mark],
        earlier: Mapping[str, Question],
        confirmed: Collection[str] = (),
    ) -> Self:
        """Look at `marks`, whose rubrics are in `earlier`; `confirmed` are lines only reworded."""
        texts = [point.text for point in question.points]
        found = {m.key: m for m in marks if m.graded_by_another(question.fingerprint)}
        kept: dict[str, tuple[str, ...]] = {}
        reworded: dict[str, str] = {}
        ticked: Counter[str] = Counter()
        for key, mark in found.items():
            old = earlier.get(mark.by.rubric) if mark.by else None
            if not (old and old.points and texts) or mark.waits:
                continue
            if old.worth(mark.earned) != mark.manual:  # the points were typed
                continue
            before = [point.text for point in old.points]
            gone = [text for text in mark.earned if text not in texts]
            new = [text for text in texts if text not in before]
            for text in gone:
                if text not in reworded and (close := get_close_matches(text, new, 1, MIN_ALIKE)):
                    reworded[text] = close[0]
            ticked.update(gone)
            now = tuple(reworded.get(t, t) if t in confirmed else t for t in mark.earned)
            if set(now) <= set(texts) and len(set(now)) == len(now):
                kept[key] = now
        return cls(question, found, kept, reworded, ticked)

    @property
    def other_sums(self) -> int:
        """How many of those that keep their ticks get other points than before."""
        worth = self.question.worth
        return sum(worth(ticks) != self.marks[key].manual for key, ticks in self.kept.items())

    @property
    def left(self) -> int:
        """How many have to be read again."""
        return len(self.marks) - len(self.kept)

    @property
    def version(self) -> str:
        """What this was made from, in short: it differs once the rubric or an answer does."""
        said = self.question.fingerprint, sorted((k, m.version) for k, m in self.marks.items())
        return hashlib.sha256(repr(said).encode()).hexdigest()[:20]
