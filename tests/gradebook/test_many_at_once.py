"""Many submissions are recorded in one transaction; what is wrong with one costs no other."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, Select, event, text

from autograder.course import Course
from autograder.gradebook import configuration, database, lateness, marks, rows
from autograder.gradebook.recording import record
from autograder.report import Outcome, Report
from tests.gradebook.books import book_of, grades
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, WRONG

PASSED = 9 * [Outcome.PASSED]


@pytest.fixture
def engine(toys: ToyClass) -> Iterator[Engine]:
    with database.opened(configuration.url(toys.course)) as opened:
        yield opened


def handed_in(toys: ToyClass, names: str) -> list[Report]:
    """Reports on right answers of students whose names are letters."""
    for name in names:
        toys.hand_in(name, RIGHT)
    return [toys.report(name, *PASSED) for name in names]


def double_of(course: Course, student: str) -> float | None:
    return grades(course, student)["double_test"][0]


def test_one_that_the_tables_refuse_costs_no_other(toys: ToyClass) -> None:
    reports = handed_in(toys, "abc")
    ghost = reports[1].exercises[0].model_copy(update={"name": "ghost"})
    reports[1] = reports[1].model_copy(update={"exercises": (*reports[1].exercises, ghost)})
    (sentence,) = record(toys.course, reports)
    assert sentence.startswith("b, toys: not recorded: ")
    assert [double_of(toys.course, name) for name in "ac"] == [5, 5]


def statements(work: Callable[[], object]) -> int:
    """How many statements are sent to the database meanwhile."""
    sent: list[str] = []

    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        work()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return len(sent)


def test_twenty_submissions_take_no_more_statements_than_two(toys: ToyClass) -> None:
    two, twenty = handed_in(toys, "ab"), handed_in(toys, "cdefghijklmnopqrstuv")
    few = statements(lambda: record(toys.course, two))
    many = statements(lambda: record(toys.course, twenty))
    assert many <= few
    assert double_of(toys.course, "v") == 5


class Crash(BaseException):
    """The power is cut."""


def test_what_a_crash_left_half_recorded_is_recorded_anew_whatever_is_handed_in_next(
    toys: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise Crash

    (first,) = handed_in(toys, "a")
    record(toys.course, [first])
    toys.hand_in("a", WRONG)
    with monkeypatch.context() as patch, pytest.raises(Crash):
        patch.setattr(rows, "write_rows", crash)
        record(toys.course, [toys.report("a", *9 * [Outcome.FAILED])])
    (first,) = handed_in(toys, "a")  # as if the second had never been
    assert record(toys.course, [first]) == []
    notebook = toys.course.root / "autograded" / "a" / TOYS / f"{TOYS}.ipynb"
    assert "return x + x" in notebook.read_text()
    assert double_of(toys.course, "a") == 5


def test_no_submission_is_looked_for_among_all(toys: ToyClass, engine: Engine) -> None:
    record(toys.course, handed_in(toys, "ab"))
    with engine.connect() as connection:
        for query in (lateness._submissions(TOYS, None), lateness._submissions(TOYS, "a")):
            assert "SCAN grade" not in plan(connection, str(query.compile(engine)))


def plan(connection: Connection, query: str) -> str:
    """How SQLite looks for what is asked."""
    rows = connection.execute(text("EXPLAIN QUERY PLAN " + query.replace("?", "'a'")))
    return " ".join(str(row.detail) for row in rows)


def test_what_was_said_to_one_student_is_read_without_what_was_said_to_all(
    toys: ToyClass, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(toys.course, handed_in(toys, "ab"))
    with book_of(toys.course) as book:
        for name in "ab":
            book.find_comment("double", TOYS, TOYS, name).manual_comment = f"Well said, {name}."
        book.db.commit()
    comments, read = marks._comments, list[str]()

    def noting(connection: Connection, notebooks: Select[Any]) -> dict[tuple[str, str], str]:
        found = comments(connection, notebooks)
        read.extend(found.values())
        return found

    monkeypatch.setattr(marks, "_comments", noting)
    with engine.connect() as connection:
        (found,) = marks.marks_on(connection, TOYS, student="b")
    assert {mark.name: mark.comment for mark in found.each}["double"] == "Well said, b."
    assert read == ["Well said, b."]
