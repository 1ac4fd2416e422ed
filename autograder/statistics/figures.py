"""The numbers of the class report: how hard each exercise was, and where students and class stand.

Difficulty is the mean share of points, so an easy item has a high one; discrimination is the
corrected item-total correlation of classical test theory.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import StatisticsError, correlation, mean

from autograder.course.roster import Person, folded
from autograder.gradebook.marks import Marks
from autograder.report import TINY, ExerciseReport, Outcome, Report, totals
from autograder.statistics.mistakes import SharedMistake

MIN_STUDENTS = 20  # with fewer, a correlation of 0 is often measured as 0.4 or more
MIN_ASIDE = 3  # students whose points differ from those of most: or one person decides it
HELP_BELOW = 0.5  # of the points that are graded so far
MIN_SCORES = 5  # fewer are no distribution: they are read in the table
BINS = 10


@dataclass(frozen=True)
class Item:
    """An exercise, or one of its checks if `check` names it, over the students who have it graded.

    `difficulty` lies between 0 and 1, `discrimination` between -1 and 1. None: it would mean
    nothing, and `why_not` says what is missing for `discrimination`.
    """

    exercise: str
    check: str
    students: int
    missed: int  # students with less than full points
    difficulty: float | None
    discrimination: float | None
    why_not: str = ""

    @property
    def remark(self) -> str:
        """Say in words what the two figures come to; nothing if that is nothing special."""
        if self.discrimination is not None and self.discrimination < 0:
            return "Look at this one: students who do well elsewhere miss it."
        if self.difficulty is not None and self.difficulty >= 0.95:
            return "Nearly everybody gets it right."
        if self.difficulty is not None and self.difficulty <= 0.2:
            return "Hardly anybody gets it right."
        if self.discrimination is not None and self.discrimination < 0.2:
            return "It says little about who does well elsewhere."
        return ""


@dataclass(frozen=True)
class ExerciseSummary:
    """The results of a class in one exercise: the mean score, and numbers of students."""

    name: str
    mean: float  # of those that are graded
    max_score: float
    full_marks: int
    not_attempted: int
    not_graded: int
    unexplained: tuple[str, ...]  # students with points missing, and no misconception found


def summaries(reports: Iterable[Report]) -> list[ExerciseSummary]:
    """Sum up each exercise, in the order of the notebook, over the reports that have it."""
    found: dict[str, dict[str, ExerciseReport]] = {}
    for report in reports:
        for exercise in report.exercises:
            found.setdefault(exercise.name, {})[report.student] = exercise
    solved = (Outcome.PASSED, Outcome.NOT_ATTEMPTED, Outcome.GRADER_ERROR, Outcome.LATER)
    return [
        ExerciseSummary(
            name=name,
            mean=mean([each.score for each in of.values() if each.is_graded] or [0]),
            max_score=max(each.max_score for each in of.values()),
            full_marks=sum(each.outcome is Outcome.PASSED for each in of.values()),
            not_attempted=sum(each.outcome is Outcome.NOT_ATTEMPTED for each in of.values()),
            not_graded=sum(not each.is_graded for each in of.values()),
            unexplained=tuple(
                student
                for student, each in of.items()
                if each.max_score > 0 and each.outcome not in solved
                if not any(mistake.is_shared for mistake in each.misconceptions)
            ),
        )
        for name, of in found.items()
    ]


def items(reports: Iterable[Report]) -> list[Item]:
    """Return each exercise and, behind it, each of its checks, in the order of the notebook."""
    earned: dict[str, dict[str, list[tuple[float, float | None]]]] = {}
    titles: dict[tuple[str, str], str] = {}
    for report in reports:
        for exercise, check, title, shares in _of_report(report):
            earned.setdefault(exercise, {}).setdefault(check, []).append(shares)
            titles[exercise, check] = title
    found = []
    for exercise, checks in earned.items():
        for check, pairs in checks.items():
            own = [share for share, _ in pairs]
            missed, (figure, why) = sum(share < 1 - TINY for share in own), discrimination(pairs)
            title = titles[exercise, check]
            found.append(Item(exercise, title, len(own), missed, mean(own), figure, why))
    return found


def _of_report(report: Report) -> Iterator[tuple[str, str, str, tuple[float, float | None]]]:
    """Yield exercise, check and title for all that is graded, with the shares that were earned.

    These are the share of the item, and that of everything else: None if nothing else is graded. A
    check that isn't graded leaves its exercise without points, and its siblings with theirs.
    """
    score, possible = totals(report.exercises)
    for each in report.exercises:
        parts = [("", "", each.score, each.max_score)] if each.is_graded else []
        parts += [
            (test.name, test.title, test.score, test.max_score)
            for test in each.tests
            if test.outcome not in (Outcome.GRADER_ERROR, Outcome.LATER)
        ]
        for check, title, got, most in parts:
            rest, others = (score - got, possible - most) if each.is_graded else (score, possible)
            if most > 0:
                shares = got / most, rest / others if others > TINY else None
                yield each.name, check, title, shares


def discrimination(pairs: Iterable[tuple[float, float | None]]) -> tuple[float | None, str]:
    """Return the correlation of shares of an item with those of the rest, or None and why not."""
    known = [(share, rest) for share, rest in pairs if rest is not None]
    if len(known) < MIN_STUDENTS:
        return None, f"needs {MIN_STUDENTS} students with points here and elsewhere"
    shares, rests = zip(*known, strict=True)
    (_, alike), *_ = Counter(round(share, 9) for share in shares).most_common(1)
    if len(known) - alike < MIN_ASIDE:
        return None, f"needs {MIN_ASIDE} students who did differently here from most"
    try:
        return max(-1.0, min(1.0, correlation(shares, rests))), ""
    except StatisticsError:
        return None, "needs students who did differently elsewhere"


@dataclass(frozen=True)
class Standing:
    """A student's points in what is graded so far; `before`: their share one assignment earlier."""

    student: str
    score: float
    max_score: float
    scores: Mapping[str, float | None]  # by exercise and written answer; None: not graded yet
    blank: frozenset[str]  # the exercises that weren't attempted
    waits: bool  # whether something isn't graded yet
    before: float | None = None
    what: tuple[str, ...] = ()  # to work on, a sentence each, if they need help

    @property
    def share(self) -> float | None:
        """The share of the points, between 0 and 1; None if nothing is graded yet."""
        return share_of(self.score, self.max_score)

    @property
    def needs_help(self) -> bool:
        return self.share is not None and self.share < HELP_BELOW


@dataclass(frozen=True)
class WrittenQuestion:
    name: str
    max_score: float
    graded: int
    waiting: int
    mean: float | None


@dataclass(frozen=True)
class Bin:
    """The students whose share lies from `low` to below `high`; the last bin has all of 1 too."""

    low: float
    high: float
    students: int


@dataclass(frozen=True)
class SectionFigures:
    name: str
    students: int
    absent: int  # who handed nothing in
    mean: float | None  # share of the points of those who did


@dataclass(frozen=True)
class TrendPoint:
    assignment: str
    students: int
    mean: float


def share_of(score: float, max_score: float) -> float | None:
    """Return a share between 0 and 1, or None of nothing; extra credit and penalties are cut."""
    return min(1.0, max(0.0, score / max_score)) if max_score > 0 else None


def standings(
    reports: Iterable[Report],
    marks: Mapping[str, Marks],
    earlier: Mapping[str, Marks],
    mistakes: Mapping[str, Sequence[SharedMistake]],
) -> list[Standing]:
    """Return where each student stands: by the gradebook, or by the report if not recorded yet."""
    described = {(m.exercise, m.tag): m.description for each in mistakes.values() for m in each}
    found = []
    for report in reports:
        mine, old = marks.get(report.student), earlier.get(report.student)
        total, held = mine or report, {mark.name: mark for mark in mine.each} if mine else {}
        graded = {each.name: each.score for each in report.exercises if each.is_graded}
        scores = {n: held[n].score if n in held else graded.get(n) for n in report.names}
        by_hand = {mark.name for mark in held.values() if mark.by_hand}
        blank = {e.name for e in report.exercises if e.outcome is Outcome.NOT_ATTEMPTED}
        standing = Standing(
            student=report.student,
            score=total.score,
            max_score=total.max_score,
            scores=scores,
            blank=frozenset(blank - by_hand),
            waits=bool(mine.not_graded) if mine else None in scores.values(),
            before=share_of(old.score, old.max_score) if old else None,
        )
        if standing.needs_help:
            full = {n for n in by_hand if (held[n].score or 0) >= held[n].max_score - TINY}
            right = (Outcome.PASSED, Outcome.LATER)
            wrong = (e for e in report.exercises if e.outcome not in right)
            missed = (e for e in wrong if e.is_graded and e.name not in full)
            what = tuple(f"`{e.name}`: {_trouble(e, described)}" for e in missed)
            standing = replace(standing, what=what)
        found.append(standing)
    return found


def _trouble(exercise: ExerciseReport, described: Mapping[tuple[str, str], str]) -> str:
    if exercise.outcome is Outcome.NOT_ATTEMPTED:
        return "not written yet"
    if exercise.misconceptions:
        named = (described.get((exercise.name, m.tag), m.tag) for m in exercise.misconceptions)
        return "; ".join(text.rstrip(".") for text in named)
    held = sum(test.outcome is Outcome.PASSED for test in exercise.tests)
    return f"{held} of {len(exercise.tests) - len(exercise.later)} checks passed"


def histogram(shares: Iterable[float]) -> list[Bin]:
    """Count shares in bins of equal width; no bins for fewer than `MIN_SCORES`."""
    counts = BINS * [0]
    for share in shares:
        counts[min(BINS - 1, int(share * BINS + TINY))] += 1
    bins = [Bin(n / BINS, (n + 1) / BINS, count) for n, count in enumerate(counts)]
    return bins if sum(counts) >= MIN_SCORES else []


def written_questions(
    reports: Iterable[Report], found: Sequence[Standing]
) -> list[WrittenQuestion]:
    points = {answer.name: answer.max_score for report in reports for answer in report.manual}
    questions = []
    for name, most in points.items():
        scores = [each.scores[name] for each in found if name in each.scores]
        known = [score for score in scores if score is not None]
        waiting, average = len(scores) - len(known), mean(known) if known else None
        questions.append(WrittenQuestion(name, most, len(known), waiting, average))
    return questions


def by_section(people: Iterable[Person], found: Iterable[Standing]) -> list[SectionFigures]:
    """Return how each section of the roster did, in order of name; none if there is but one."""
    standing = {folded(each.student): each for each in found}
    sections: dict[str, list[Standing | None]] = defaultdict(list)
    for person in people:
        sections[person.section].append(standing.get(folded(person.student_id)))
    figures = []
    for name, students in sorted(sections.items()) if len(sections) > 1 else ():
        shares = [each.share for each in students if each and each.share is not None]
        absent = sum(each is None for each in students)
        average = mean(shares) if shares else None
        figures.append(SectionFigures(name or "none", len(students), absent, average))
    return figures


def trend(marks: Mapping[str, Iterable[Marks]]) -> list[TrendPoint]:
    """Return the assignments of which something is graded, in the order of `marks`."""
    points = []
    for assignment, each in marks.items():
        shares = [s for s in (share_of(m.score, m.max_score) for m in each) if s is not None]
        if shares:
            points.append(TrendPoint(assignment, len(shares), mean(shares)))
    return points
