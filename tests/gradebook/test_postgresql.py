"""A gradebook in PostgreSQL holds what one in SQLite does, and is upgraded as that is.

More of what is the same in both is tested where it is tested for SQLite: `in_either_database`.
"""

import pytest
from sqlalchemy import inspect, text

from autograder.gradebook import configuration, database, feedback
from autograder.gradebook.deciding import decide
from autograder.gradebook.decisions import Kind, Wish
from autograder.gradebook.marks import read_marks
from autograder.gradebook.recording import record
from autograder.gradebook.tables import DECISIONS, READINGS, SCHEMA, VERSION
from autograder.report import Outcome
from tests.commands import autograder
from tests.gradebook.books import give, grade, grades, recorded_at
from tests.postgresql import in_postgresql
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED

pytestmark = [pytest.mark.slow, in_postgresql]


def test_grades_are_recorded_once_and_looked_up_again(toys: ToyClass) -> None:
    (toys.course.root / "gradebook.db").unlink()
    toys.hand_in("a", RIGHT)
    report = toys.report("a", *3 * [PASSED], *6 * [FAILED])
    record(toys.course, [report])
    assert grades(toys.course, "a") == {
        "double_test": (3, False),
        "Counter_test": (0, False),
        "why": (0, False),
    }
    before = recorded_at(toys.course)
    record(toys.course, [report])
    assert recorded_at(toys.course) == before
    feedback.write_feedback(toys.course, [TOYS])
    assert (toys.course.feedback / "a" / "toys" / "toys.html").is_file()
    assert not (toys.course.root / "gradebook.db").exists()


def test_migrate_adds_tables_keeps_the_marks_and_says_whose_task_a_copy_is(
    toys: ToyClass,
) -> None:
    grade(toys, "a", *8 * [PASSED], FAILED, why="Because.")
    give(toys.course, "a", "why", 1.5)
    url = configuration.url(toys.course)
    with database.opened(url) as engine, engine.begin() as connection:
        for own in (SCHEMA, DECISIONS, READINGS):  # as in version 1.0.0
            connection.execute(text(f"DROP TABLE {own.name}"))
    trial = autograder(toys.course.root, "migrate", "--dry-run")
    assert trial.stdout == (
        f"Would change: the gradebook's tables, to version {VERSION}: autograder_readings, "
        "autograder_decisions, autograder_schema are added.\n"
    )
    with database.opened(url) as engine:
        assert not inspect(engine).has_table(READINGS.name)
    done = autograder(toys.course.root, "migrate")
    assert done.stdout == trial.stdout.replace("Would change", "Changed")
    for each in (trial, done):
        assert (
            "note: The gradebook is on a database server, so it isn't copied first" in each.stderr
        )
        assert "pg_dump" in each.stderr
    assert autograder(toys.course.root, "migrate").stdout == "Nothing to change.\n"
    decide(toys.course, Wish(Kind.DROP, TOYS, "Counter"), "The text was wrong", "grace")
    (marks,) = read_marks(toys.course, [TOYS])
    assert {m.name: m.score for m in marks.each} == {"double": 5, "Counter": 4, "why": 1.5}
