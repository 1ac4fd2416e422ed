"""`autograder desk`, as a person meets it on a terminal."""

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from tests.commands import autograder, environment
from tests.toy_class import ToyClass

pytestmark = pytest.mark.slow


UNKNOWN = "54321"  # no user has this id


@contextmanager
def running(
    school: ToyClass, *options: str, before: tuple[str, ...] = ()
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the desk, by the words `before` it; yield the program, and the address it prints."""
    process = subprocess.Popen(
        [*before, sys.executable, "-m", "autograder", "desk", *options],
        cwd=school.course.root,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        yield process, found[0]
    finally:
        process.kill()
        process.communicate()


def test_it_prints_its_address_and_ends_when_it_is_interrupted(one_answer: ToyClass) -> None:
    with running(one_answer, "--grader", "Ada") as (process, address):
        assert address.startswith("http://127.0.0.1:")
        with httpx.Client(follow_redirects=True, timeout=120) as http:
            assert "Grading as Ada" in http.get(address).text
        process.send_signal(signal.SIGINT)
        said, complaints = process.communicate(timeout=120)
        assert complaints == ""
        assert "token" not in said
        assert process.returncode == 0


def test_it_listens_on_this_machine_alone_unless_told_otherwise(one_answer: ToyClass) -> None:
    with running(one_answer) as (_, address):
        port = httpx.URL(address).port
        assert port is not None
        here = socket.gethostbyname(socket.gethostname())
        if here.startswith("127."):
            pytest.skip("this machine has no other address")
        with pytest.raises(OSError), socket.create_connection((here, port), timeout=5):
            pass


def test_a_port_that_is_taken_is_told_in_a_sentence(one_answer: ToyClass) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = autograder(one_answer.course.root, "desk", "--port", port)
    assert done.returncode == 1
    assert f"The desk can't listen at 127.0.0.1, port {port}" in done.stderr
    assert "choose another by --host or --port" in done.stderr


def test_a_course_without_grades_says_what_to_do(school: ToyClass) -> None:
    (school.course.root / "gradebook.db").unlink()
    done = autograder(school.course.root, "desk")
    assert done.returncode == 1
    assert done.stderr == (
        "autograder: Nothing is recorded in the gradebook yet: run `make grade` first.\n"
    )


def test_a_user_without_a_name_has_a_desk(
    one_answer: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    as_nobody = ("unshare", "--user", f"--map-user={UNKNOWN}")
    if subprocess.run([*as_nobody, "true"], capture_output=True, check=False).returncode:
        pytest.skip("here nobody can be such a user")
    with running(one_answer, before=as_nobody) as (_, address):
        assert address
