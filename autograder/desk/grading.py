"""One question, answer by answer: the rubric's points, a comment, and on to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from autograder.desk import queue
from autograder.desk.asked import Asked, Show, View, address
from autograder.desk.queue import Entry, Queue
from autograder.desk.rendering import Page, Redirect
from autograder.errors import ChangedMeanwhile, DeskError
from autograder.gradebook import giving
from autograder.gradebook.giving import Decision

REUSE_KEYS = "qwerty"  # for comments that are said again
_LABELS = {
    Show.WAITING: "not graded yet",
    Show.ALL: "all",
    Show.OLD: "graded by an earlier rubric",
    Show.CHANGED: "changed since they were graded",
}


@dataclass(frozen=True)
class Typed:
    """What somebody typed that couldn't be saved: it stands in the form again."""

    earned: tuple[str, ...] = ()
    nothing: bool = False
    points: str = ""
    comment: str = ""
    reuse: tuple[str, ...] = ()


def show(asked: Asked) -> Page:
    """Return the page on one answer, or that all is done."""
    view = View.of(asked.query)
    answers = _load(asked, view)
    entry = answers.find(asked.query.get("answer", ""))
    saved = asked.query.get("saved", "")
    return _page(asked, answers, entry, saved=saved)


def save(asked: Asked) -> Page | Redirect:
    """Save what the form gives, and go on; if it can't be saved, show the form again."""
    view = _view_in_form(asked)
    answers = _load(asked, view)
    entry = answers.find(asked.one("answer"))
    try:
        if entry is None or entry.key != asked.one("answer"):
            raise DeskError("This answer isn't in the gradebook any more: open the question again.")
        decision = _decision(asked)
        seen = asked.seen
        if asked.one("only"):
            seen = {key: version for key, version in seen.items() if key == entry.key}
        _check_settled(answers, seen)
        following = answers.after(entry)
        action = giving.give(asked.books.engine, decision, seen)
    except DeskError as error:
        again = _load(asked, view)
        entry = again.find(asked.one("answer"))
        status = 409 if isinstance(error, ChangedMeanwhile) else 422
        return _page(asked, again, entry, error=str(error), typed=_typed(asked), status=status)
    _settle(asked, answers, seen)
    where = {**view.fields, "saved": action}
    if following:
        where["answer"] = following.key
    return Redirect(_at(asked, **where))


def undo(asked: Asked) -> Redirect:
    """Put back what an action changed, and show that answer again."""
    keys = giving.undo(asked.books.engine, asked.one("action"))
    view = _view_in_form(asked)
    answers = _load(asked, view)
    _settle(asked, answers, dict.fromkeys(keys, ""))
    first = next((entry.key for entry in answers.entries if entry.key in keys), "")
    return Redirect(_at(asked, **view.fields, answer=first))


def _view_in_form(asked: Asked) -> View:
    return View.of({key: asked.one(key) for key in ("show", "names", "everyones")})


def _load(asked: Asked, view: View) -> Queue:
    return queue.load(asked.books, asked.assignment, asked.question, view, asked.grader)


def _settle(asked: Asked, answers: Queue, changed: Mapping[str, str]) -> None:
    students = {each.held.student for each in answers.entries if each.key in changed}
    asked.books.settle(asked.assignment, students)


def _at(asked: Asked, **query: str) -> str:
    return address("question", asked.assignment, asked.path["question"], **query)


def _decision(asked: Asked) -> Decision:
    """Return what the form gives; raise `DeskError` if it gives nothing, or what can't be."""
    question = asked.question
    if asked.one("rubric") != question.fingerprint:
        raise ChangedMeanwhile(
            "Changed meanwhile: the rubric isn't the one that you saw. Nothing was saved; look at "
            "its points again."
        )
    texts = [point.text for point in question.points]
    earned = tuple(text for text in asked.many("earned") if text in texts)
    points = asked.points(question.max_score)
    if points is None:
        if not earned and not asked.one("nothing"):
            raise DeskError(
                "Nothing is ticked: tick what is earned, or 0 for none of it, then save again."
            )
        points = question.worth(earned)
    return Decision(asked.grader, points, asked.comment, question.fingerprint, earned)


def _check_settled(answers: Queue, seen: Mapping[str, str]) -> None:
    """Refuse to grade what isn't what the page showed, because it is being recorded again."""
    if any(each.key in seen and not each.is_settled for each in answers.entries):
        raise ChangedMeanwhile(
            "Changed meanwhile: this answer is being recorded again. Nothing was saved; when "
            "`make grade` has finished, look at it again."
        )


def _typed(asked: Asked) -> Typed:
    return Typed(
        earned=tuple(asked.many("earned")),
        nothing=bool(asked.one("nothing")),
        points=asked.one("points"),
        comment=asked.one("comment"),
        reuse=tuple(asked.many("reuse")),
    )


def _given(entry: Entry, answers: Queue) -> Typed:
    """Return what the form holds at first: what was given before."""
    now = entry.held
    if now.manual is None:
        return Typed(comment=now.comment)
    earned = now.by.earned if now.by else ()
    same = answers.question.worth(earned) == now.manual and bool(earned)
    nothing = now.manual == 0 and not earned
    points = "" if same or nothing else f"{now.manual:g}"
    return Typed(earned, nothing, points, now.comment)


def _page(
    asked: Asked,
    answers: Queue,
    entry: Entry | None,
    *,
    saved: str = "",
    error: str = "",
    typed: Typed | None = None,
    status: int = 200,
) -> Page:
    view = answers.view
    counts = {
        show: sum(each.is_shown(show, answers.question) for each in answers.mine) for show in Show
    }
    filters = [
        (label, counts[each], _at(asked, **replace(view, show=each).fields), each is view.show)
        for each, label in _LABELS.items()
    ]
    said = {
        "assignment": asked.assignment,
        "question": answers.question,
        "answers": answers,
        "filters": filters,
        "view": view,
        "here": lambda **query: _at(asked, **view.fields, **query),
        "with_names": _at(
            asked, **replace(view, names=not view.names).fields, answer=entry.key if entry else ""
        ),
        "with_everyones": _at(asked, **replace(view, everyones=not view.everyones).fields),
        "saved": saved,
        "error": error,
    }
    if entry is None:
        return Page("all_done.html", said, status)
    return Page("grading.html", said | _answer(asked, answers, entry, typed), status)


def _answer(asked: Asked, answers: Queue, entry: Entry, typed: Typed | None) -> dict[str, object]:
    """Return what the page says of one answer."""
    given = typed or _given(entry, answers)
    paragraphs = given.comment.replace("\r\n", "\n").split("\n\n")
    reusable = [text for text in answers.said if text not in paragraphs]
    alike = answers.alike(entry)
    texts = {each.written.text: each for each in alike}  # those that differ at all
    show_text = asked.books.reader.prose
    return {
        "entry": entry,
        "alike": alike,
        "html": show_text(entry.written.text),
        "variants": [
            (each, show_text(text)) for text, each in texts.items() if text != entry.written.text
        ],
        "given": given,
        "reusable": list(zip(REUSE_KEYS, reusable, strict=False)),
        "before": answers.before(entry),
        "after": answers.after(entry),
        "is_old": entry.graded_by_another(answers.question),
    }
