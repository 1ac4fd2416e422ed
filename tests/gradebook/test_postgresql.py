"""A gradebook in PostgreSQL holds what one in SQLite does."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder import gradebook
from autograder.report import Outcome
from tests.gradebook.books import recorded_at
from tests.toy_class import ToyClass
from tests.toys import RIGHT

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED
PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), default=Path("/nowhere"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAMS.is_dir(), reason="no PostgreSQL server is installed here"),
]


def run(*command: str) -> None:
    """Run one of the server's programs, which refuse to be run by root."""
    user = "postgres" if os.getuid() == 0 else None
    subprocess.run(command, user=user, check=True, capture_output=True, cwd="/")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server of our own."""
    folder = Path(tempfile.gettempdir()) / f"autograder-postgresql-{os.getpid()}"
    folder.mkdir(mode=0o700)
    if os.getuid() == 0:
        shutil.chown(folder, pwd.getpwnam("postgres").pw_uid)
    with closing(socket.create_server(("127.0.0.1", 0))) as found:
        port = found.getsockname()[1]
    data, log = str(folder / "data"), str(folder / "log")
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder}"
    run(f"{PROGRAMS}/initdb", "-D", data, "-U", "grader", "--auth=trust")
    run(f"{PROGRAMS}/pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start")
    yield f"postgresql://grader@127.0.0.1:{port}/postgres"
    run(f"{PROGRAMS}/pg_ctl", "-D", data, "-m", "immediate", "stop")
    shutil.rmtree(folder)


def test_grades_are_recorded_once_and_looked_up_again(
    toys: ToyClass, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOGRADER_DB_URL", server)
    toys.hand_in("a", RIGHT)
    report = toys.report("a", *3 * [PASSED], *6 * [FAILED])
    gradebook.record(toys.course, [report])
    with Gradebook(server) as book:
        notebook = book.find_submission_notebook("toys", "toys", "a")
        scores = {grade.name: grade.auto_score for grade in notebook.grades}
    assert scores == {"double_test": 3, "Counter_test": 0, "why": 0}
    before = recorded_at(toys.course)
    gradebook.record(toys.course, [report])
    assert recorded_at(toys.course) == before
    gradebook.generate_feedback(toys.course, ["toys"])
    assert (toys.course.feedback / "a" / "toys" / "toys.html").is_file()
