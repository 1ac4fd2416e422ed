"""The answers to one question: in the order in which they are graded, alike ones together."""

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from starlette.responses import Response

from autograder.browsers import address, redirect
from autograder.course.solution import Question
from autograder.desk.alike import AnswerText
from autograder.desk.request import PageRequest, Show, View
from autograder.errors import ChangedMeanwhile, DeskError, in_digits
from autograder.gradebook import giving, second_readings
from autograder.gradebook.giving import Award
from autograder.gradebook.marks import Mark
from autograder.gradebook.rubrics import RubricChange, kept_rubrics
from autograder.gradebook.second_readings import Reading, is_for_second

REUSE_KEYS = "qwerty"  # for comments that are said again
_LABELS = {
    Show.WAITING: "not graded yet",
    Show.ALL: "all",
    Show.OLD: "graded by an earlier rubric",
    Show.CHANGED: "changed since they were graded",
    Show.SECOND: "for a second reader",
    Show.DIFFER: "two readers differ",
}


@dataclass(frozen=True)
class QueuedAnswer:
    """An answer, and what the gradebook holds for it; `place` is its number among all, from 1.

    Where `is_second`, the person who looks may read it as the second, and doesn't see its points.
    """

    held: Mark
    written: AnswerText
    place: int
    reading: Reading | None  # what the second reader gave
    shows: Collection[Show]  # under which it stands

    @property
    def is_second(self) -> bool:
        return Show.SECOND in self.shows

    @property
    def key(self) -> str:
        """The key of the grade, which tells nothing of who the student is."""
        return self.held.key

    @property
    def is_settled(self) -> bool:
        """Whether the text on file is the one that the gradebook knows."""
        return self.held.answer in ("", self.written.hash)

    @property
    def group(self) -> object:
        """What is the same for answers that one action grades."""
        now = self.held
        state = now.manual, now.comment, now.waits, now.changed
        reading = self.is_second, self.reading and self.reading.action
        return self.written.alike, self.is_settled, state, reading


def shows_of(
    mark: Mark, question: Question, one_in: int | None, reading: Reading | None, grader: str
) -> set[Show]:
    """Return under what an answer stands for `grader`."""
    holds = {
        Show.WAITING: mark.waits,
        Show.ALL: True,
        Show.OLD: mark.graded_by_another(question.fingerprint),
        Show.CHANGED: mark.waits and mark.changed,
        Show.SECOND: is_for_second(mark, one_in, reading, grader),
        Show.DIFFER: reading is not None and reading.differs and not mark.waits,
    }
    return {show for show, stands in holds.items() if stands}


@dataclass(frozen=True)
class Queue:
    """The answers to one question; `mine` are those that fall to the person who looks."""

    question: Question
    view: View
    entries: tuple[QueuedAnswer, ...]
    mine: tuple[QueuedAnswer, ...]
    graders: tuple[str, ...]  # who share the answers
    said: tuple[str, ...]  # paragraphs of comments so far, the commonest first
    change: RubricChange  # what the present rubric makes of what an earlier one graded

    @property
    def done(self) -> int:
        return sum(not entry.held.waits for entry in self.mine)

    @property
    def shown(self) -> list[QueuedAnswer]:
        """The answers that are gone through: the first of each group of those alike."""
        groups: dict[object, QueuedAnswer] = {}
        for entry in self.mine:
            if self.view.show in entry.shows:
                groups.setdefault(entry.group, entry)
        return list(groups.values())

    def find(self, key: str) -> QueuedAnswer | None:
        """Return the answer with this key, or else the first of those that are gone through."""
        chosen = next((entry for entry in self.entries if entry.key == key), None)
        return chosen or next(iter(self.shown), None)

    def alike(self, entry: QueuedAnswer) -> list[QueuedAnswer]:
        """Return the answers that are nearly equal and stand as this one does, itself first."""
        found = [other for other in self.mine if other.group == entry.group]
        return [entry, *(other for other in found if other.key != entry.key)]

    def before(self, entry: QueuedAnswer) -> QueuedAnswer | None:
        found = [each for each in self.shown if each.place < entry.place]
        return found[-1] if found else None

    def after(self, entry: QueuedAnswer) -> QueuedAnswer | None:
        """Return the next one, from the beginning again after the last; None if there is none."""
        found = [each for each in self.shown if each.group != entry.group]
        return next((each for each in found if each.place > entry.place), next(iter(found), None))


def _queue(request: PageRequest) -> Queue:
    """Return the answers in order: of name, or as if shuffled, and the same for everybody."""
    books, assignment, question = request.books, request.assignment, request.question
    view = request.view
    with books.engine.connect() as connection:
        of_all = (marks[question.name] for marks in books.marks(connection, assignment))
        found = [mark for mark in of_all if mark is not None]
        graders = giving.shares(connection, assignment).get(question.name, ())
        keys = [each.key for each in found]
        said = giving.comments_on(connection, keys)
        earlier = kept_rubrics(connection, found)
        one_in = second_readings.read_twice(connection, assignment).get(question.name)
        readings = second_readings.present(second_readings.readings_of(connection, keys), found)
    change = RubricChange.of(question, found, earlier, request.many("reworded"))
    paths = {each.key: books.course.graded_path(each.student, assignment) for each in found}
    texts = books.reader.written(paths.values())
    nothing = AnswerText.of("")
    # As if shuffled: keys are random, and each question has its own.
    shuffled = {each.key: hashlib.sha256(each.key.encode()).hexdigest() for each in found}
    found.sort(key=lambda each: each.student if view.names else shuffled[each.key])
    entries = tuple(
        QueuedAnswer(
            each,
            texts.get(paths[each.key], {}).get(question.name, nothing),
            place,
            reading := readings.get(each.key),
            shows_of(each, question, one_in, reading, request.grader),
        )
        for place, each in enumerate(found, start=1)
    )
    mine = entries
    if request.grader in graders and not view.everyones:
        number = graders.index(request.grader)  # alike answers fall to the same person
        shares = {each.key: int(each.written.alike, 16) - number for each in entries}
        mine = tuple(
            each
            for each in entries
            if shares[each.key] % len(graders) == 0
            or (each.is_second and (shares[each.key] + 1) % len(graders) == 0)  # the next one's
            or (each.reading and each.reading.grader == request.grader)
        )
    return Queue(question, view, entries, mine, graders, tuple(said), change)


@dataclass(frozen=True)
class FormContent:
    """What stands in the form: what was given before, or what somebody typed and can't be saved."""

    earned: Sequence[str] = ()
    nothing: bool = False
    points: str = ""
    comment: str = ""
    reuse: Sequence[str] = ()

    @classmethod
    def typed(cls, request: PageRequest) -> Self:
        points, comment = request.one("points"), request.one("comment")
        earned, reuse = request.many("earned"), request.many("reuse")
        return cls(earned, bool(request.one("nothing")), points, comment, reuse)

    @classmethod
    def given(cls, entry: QueuedAnswer, question: Question) -> Self:
        if entry.is_second:
            return cls()
        now = entry.held
        nothing = now.manual == 0 and not now.earned
        same = now.earned and question.worth(now.earned) == now.manual
        points = "" if now.manual is None or same or nothing else in_digits(now.manual)
        return cls(now.earned, nothing, points, now.comment)


def show_question(request: PageRequest) -> Response:
    answers, key = _queue(request), request.query.get("answer", "")
    request.books.check([key])
    entry = answers.find(key)
    return _page(request, answers, entry, saved=request.query.get("saved", ""))


def save_grade(request: PageRequest) -> Response:
    """Save what the form gives, and go on; if it can't be saved, show the form again."""
    answers, key = _queue(request), request.one("answer")
    request.books.check([key, *request.seen])
    entry = answers.find(key)
    try:
        if entry is None or entry.key != key:
            raise DeskError("This answer isn't in the gradebook any more: open the question again.")
        award = _award(request)
        seen = request.seen
        if request.one("only"):
            seen = {each: version for each, version in seen.items() if each == key}
        if any(each.key in seen and not each.is_settled for each in answers.entries):
            raise ChangedMeanwhile(
                "Changed meanwhile: this answer is being recorded again. Nothing was saved; when "
                "`make grade` has finished, look at it again."
            )
        following = answers.after(entry)
        action = _keep(request, answers, award, seen)
    except DeskError as error:
        status = 409 if isinstance(error, ChangedMeanwhile) else 422
        again, typed = _queue(request), FormContent.typed(request)
        return _page(request, again, again.find(key), typed, status, error=str(error))
    _settle(request, answers, seen)
    answer = following.key if following else ""
    return redirect(_at(request, **answers.view.fields, saved=action, answer=answer))


def _keep(request: PageRequest, answers: Queue, award: Award, seen: Mapping[str, str]) -> str:
    """Give `award`, and return the action to undo it by; of a second reader, keep it beside."""
    entries, engine = [each for each in answers.entries if each.key in seen], request.books.engine
    seconds = [each for each in entries if each.is_second]
    if seconds and (len(seconds) < len(entries) or request.one("as") != "second"):
        raise ChangedMeanwhile(
            "Changed meanwhile: somebody else has read this answer first. Nothing was saved; you "
            "may read it as the second."
        )
    if request.one("as") == "second":
        second_readings.read_second(engine, award, seen)
        return ""
    action = giving.give(engine, award, seen)
    second_readings.decide(engine, [each.reading for each in entries if each.reading], action)
    return action


def apply_rubric(request: PageRequest) -> Response:
    """Let all answers that an earlier rubric graded by ticks keep them, and get the new sums."""
    answers = _queue(request)
    change, question = answers.change, answers.question
    if request.one("change") != change.version or not change.kept:
        raise ChangedMeanwhile(
            "Changed meanwhile: the rubric or some points aren't those that you saw. Nothing was "
            "saved; open the question again."
        )
    awards = {
        key: Award(
            request.grader, question.worth(ticks), now.comment, question, ticks, now.by.reader
        )
        for key, ticks in change.kept.items()
        if (now := change.marks[key]).by
    }
    seen = {key: change.marks[key].version for key in awards}
    action = giving.give_each(request.books.engine, awards, seen)
    _settle(request, answers, awards)
    return redirect(_at(request, **answers.view.fields, saved=action))


def undo_grade(request: PageRequest) -> Response:
    """Put back what an action changed, and show that answer again."""
    action = request.one("action")
    request.books.check(giving.changed_by(request.books.engine, action))
    keys = giving.undo(request.books.engine, action)
    answers = _queue(request)
    _settle(request, answers, keys)
    first = next((entry.key for entry in answers.entries if entry.key in keys), "")
    return redirect(_at(request, **answers.view.fields, answer=first))


def _settle(request: PageRequest, answers: Queue, changed: Collection[str]) -> None:
    students = {each.held.student for each in answers.entries if each.key in changed}
    request.books.settle(request.assignment, students)


def _at(request: PageRequest, **query: str) -> str:
    return address("question", request.assignment, request.path["question"], **query)


def _award(request: PageRequest) -> Award:
    """Return what the form gives; raise `DeskError` if it gives nothing, or what can't be."""
    question = request.question
    if request.one("rubric") != question.fingerprint:
        raise ChangedMeanwhile(
            "Changed meanwhile: the rubric isn't the one that you saw. Nothing was saved; look at "
            "its points again."
        )
    texts = [point.text for point in question.points]
    earned = tuple(text for text in request.many("earned") if text in texts)
    points = request.points(question.max_score)
    if points is None:
        if not earned and not request.one("nothing"):
            raise DeskError(
                "Nothing is ticked: tick what is earned, or 0 for none of it, then save again."
            )
        points = question.worth(earned)
    return Award(request.grader, points, request.comment, question, earned)


def _page(
    request: PageRequest,
    answers: Queue,
    entry: QueuedAnswer | None,
    typed: FormContent | None = None,
    status: int = 200,
    **news: str,
) -> Response:
    """Return the page on one answer, or that all is done; `news` is what became of the form."""
    view, question = answers.view, answers.question
    counts = Counter(show for each in answers.mine for show in each.shows)
    filters = [
        (label, counts[each], _at(request, **replace(view, show=each).fields), each is view.show)
        for each, label in _LABELS.items()
    ]
    named = replace(view, names=not view.names).fields
    said = {
        "assignment": request.assignment,
        "question": question,
        "answers": answers,
        "filters": filters,
        "view": view,
        "here": lambda **query: _at(request, **view.fields, **query),
        "with_names": _at(request, **named, answer=entry.key if entry else ""),
        "with_everyones": _at(request, **replace(view, everyones=not view.everyones).fields),
        **({"saved": "", "error": ""} | news),
    }
    if entry is None:
        return request.page("all_done.html", said, status)
    given = typed or FormContent.given(entry, question)
    paragraphs = given.comment.replace("\r\n", "\n").split("\n\n")
    reusable = [text for text in answers.said if text not in paragraphs]
    alike = answers.alike(entry)
    notebook = request.books.course.graded_path(entry.held.student, request.assignment)
    reader, text = request.books.reader, entry.written.text
    others = dict.fromkeys(each.written.text for each in alike if each.written.text != text)
    said |= {
        "entry": entry,
        "alike": alike,
        "html": reader.answer(question.name, entry.written, notebook),
        "variants": [reader.rendered(entry.written.kind, other) for other in others],
        "given": given,
        "reusable": list(zip(REUSE_KEYS, reusable, strict=False)),
        "before": answers.before(entry),
        "after": answers.after(entry),
        "is_old": not entry.is_second and entry.held.graded_by_another(question.fingerprint),
    }
    return request.page("grading.html", said, status)
