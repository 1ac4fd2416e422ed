"""What several rooms' tests share."""

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

from autograder.course import Course
from autograder.course.course import DATABASE, SEED
from autograder.gradebook import database as gradebook
from autograder.gradebook import feedback
from autograder.gradebook.recording import record
from autograder.report import CellOutput, Outcome
from autograder.sandbox.host.probe import why_not
from autograder.sandbox.host.program import ONE_THREAD
from autograder.sandbox.limits import Isolation
from autograder.serve import store
from tests.courses import KIT
from tests.executors import start_server
from tests.graders import Graders
from tests.postgresql import IS_INSTALLED, WHY_NOT, new_database, served
from tests.toy_class import CLAIM, SCRIPT, ToyClass, in_the_gradebook
from tests.toys import RIGHT, TOYS, course_of

# As the command line does: processes that work side by side would wait for each other's threads.
os.environ.update(ONE_THREAD)
# Nothing that is tested may land in somebody's real gradebook, nor depend on somebody's seed.
for name in (SEED, DATABASE):
    os.environ.pop(name, None)
# How long an example takes says more about the machine than about the code.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, None, None]:
    """Leave what is imported and collected out of every search for garbage.

    It is a million objects that stay: each full search would take half a second, and in a process
    that is forked from this one it would copy every page.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def workers_import_once() -> None:
    """What workers are forked from imports what all of them need."""
    start_server()


@pytest.fixture(scope="session", autouse=True)
def nothing_waits_for_the_disk() -> Iterator[None]:
    """Databases in files don't wait until the disk has what is written: no test cuts the power."""
    begin = gradebook._use_write_ahead_log

    def begin_hurried(connection: Any, entry: object) -> None:
        begin(connection, entry)
        connection.execute("PRAGMA synchronous=OFF")

    with (
        patch.object(gradebook, "_use_write_ahead_log", begin_hurried),
        patch.object(store, "_keep_each_commit", lambda *_: None),
    ):
        yield


@pytest.fixture(scope="session")
def course() -> Course:
    return KIT


@pytest.fixture(scope="session")
def graders(course: Course) -> Iterator[Graders]:
    """Graders that all tests share: to start one takes seconds."""
    graders = Graders(course)
    yield graders
    graders.close()


@pytest.fixture(
    params=[
        Isolation.ROOTNS,
        Isolation.USERNS,
        pytest.param(Isolation.LOCKDOWN, marks=pytest.mark.slow),
    ]
)
def level(request: pytest.FixtureRequest) -> Isolation:
    """Each level of isolation; what differs between them is tested in `sandbox`, fast or not."""
    return offered(request.param)


def offered(level: Isolation) -> Isolation:
    """Return `level`, or skip the test where it is not to be had."""
    if why_not(level):
        pytest.skip(f"level {level} is not offered here")
    return level


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Toys, released and in the gradebook: to copy from, since a new gradebook takes seconds."""
    return in_the_gradebook(course_of(tmp_path_factory.mktemp("fresh")))


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a PostgreSQL server of our own."""
    if not IS_INSTALLED:
        pytest.skip(WHY_NOT)
    with served() as running:
        yield running.address


@pytest.fixture
def database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have gradebooks lie in their files, or, by `in_postgresql`, on a server."""
    if getattr(request, "param", "sqlite") == "postgresql":
        monkeypatch.setenv(DATABASE, new_database(request.getfixturevalue("server")))


@pytest.fixture
def toys(fresh: Course, tmp_path: Path, database: None) -> ToyClass:
    """A course in which nobody handed anything in yet."""
    return ToyClass.like(fresh, tmp_path)


@pytest.fixture(scope="session")
def recorded(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course with a class recorded and its feedback written; tests only look at it."""
    toys = ToyClass.like(fresh, tmp_path_factory.mktemp("class"))
    passed, failed = Outcome.PASSED, Outcome.FAILED
    toys.hand_in("ada", RIGHT | {"why": "Because twice is twice."})
    toys.hand_in("blank", {})
    toys.hand_in("partly", RIGHT)
    toys.hand_in("çağla", {}, CLAIM, CLAIM | {"id": "x"})
    toys.hand_in(
        "hostile",
        {"double": f"# {SCRIPT}", "why": f"Why? {SCRIPT} [press](javascript:alert(1))"},
        {"cell_type": "markdown", "id": "own", "metadata": {}, "source": f"# mine {SCRIPT}"},
    )
    outputs = (CellOutput(cell="double", text=SCRIPT, error=f"ValueError: {SCRIPT}"),)
    reports = [
        toys.report("ada", *9 * [passed]),
        toys.report("blank", *9 * [Outcome.NOT_ATTEMPTED]),
        toys.report("partly", *3 * [passed], *2 * [failed], *4 * [passed]),
        toys.report("çağla", *9 * [Outcome.NOT_ATTEMPTED], warnings=("A cell was <lost>.",)),
        toys.report("hostile", *9 * [failed], cells=outputs, warnings=(SCRIPT,)),
    ]
    assert record(toys.course, reports) == []
    feedback.write_feedback(toys.course, [TOYS])
    return toys.course
