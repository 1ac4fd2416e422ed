"""A gradebook in PostgreSQL holds what one in SQLite does."""

from collections.abc import Iterator

import pytest
from nbgrader.api import Gradebook

from autograder.gradebook import feedback
from autograder.gradebook.recording import record
from autograder.report import Outcome
from tests.gradebook.books import recorded_at
from tests.postgresql import IS_INSTALLED, WHY_NOT, served
from tests.toy_class import ToyClass
from tests.toys import RIGHT

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not IS_INSTALLED, reason=WHY_NOT),
]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server of our own."""
    with served() as address:
        yield address


def test_grades_are_recorded_once_and_looked_up_again(
    toys: ToyClass, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOGRADER_DB_URL", server)
    toys.hand_in("a", RIGHT)
    report = toys.report("a", *3 * [PASSED], *6 * [FAILED])
    record(toys.course, [report])
    with Gradebook(server) as book:
        notebook = book.find_submission_notebook("toys", "toys", "a")
        scores = {grade.name: grade.auto_score for grade in notebook.grades}
    assert scores == {"double_test": 3, "Counter_test": 0, "why": 0}
    before = recorded_at(toys.course)
    record(toys.course, [report])
    assert recorded_at(toys.course) == before
    feedback.write_feedback(toys.course, ["toys"])
    assert (toys.course.feedback / "a" / "toys" / "toys.html").is_file()
