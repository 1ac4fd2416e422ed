"""The server opens where browsers look for it, or says why it can't."""

import socket
from pathlib import Path

import pytest

from autograder.cli.serving import _demo_with_invitations
from autograder.course import Course
from autograder.course.course import DATABASE
from autograder.errors import CourseError
from autograder.grading.settings import Settings
from autograder.sandbox.limits import Isolation
from autograder.serve import serving
from autograder.serve.serving import Where, serve
from autograder.serve.store import open_store
from tests.commands import autograder, run
from tests.toy_class import ToyClass
from tests.toys import TOYS, with_settings


def opened(toys: ToyClass, address: str, where: Where) -> None:
    settings = f'[serve]\naddress = "{address}"\n' if address else ""
    course = with_settings(toys.course.root, settings)
    serve(Settings(course, Isolation.ROOTNS), 1, where, print)


@pytest.mark.parametrize(
    ("address", "port"),
    [("", 9000), ("http://hw.test", 8000), ("https://hw.test", 80), ("https://hw.test:8443", 443)],
)
def test_a_port_at_which_no_browser_looks_is_refused(
    toys: ToyClass, address: str, port: int
) -> None:
    with pytest.raises(CourseError, match=f"it listens at port {port}"):
        opened(toys, address, Where(port=port))


@pytest.mark.parametrize(
    ("options", "site"),
    [
        (["--port", "8317"], "http://127.0.0.1:8317"),
        (["--port", "8317", "--host", "0.0.0.0"], "http://127.0.0.1:8000"),
        (["--port", "8317", "--proxy", "127.0.0.1"], "http://127.0.0.1:8000"),
    ],
)
def test_on_this_machine_alone_a_course_without_an_address_is_served_at_the_port_that_is_named(
    toys: ToyClass, monkeypatch: pytest.MonkeyPatch, options: list[str], site: str
) -> None:
    found: list[str] = []

    def opened_at(settings: Settings, *_: object) -> None:
        found.append(settings.course.settings.serve.address)

    monkeypatch.setattr(serving, "serve", opened_at)
    done = autograder(toys.course.root, "serve", *options)
    assert (done.returncode, found) == (0, [site])


def test_a_key_without_its_certificate_is_refused(toys: ToyClass) -> None:
    done = autograder(toys.course.root, "serve", "--key", "course.toml")
    assert (done.returncode, "name that by --certificate" in done.stderr) == (1, True)


def test_the_address_at_which_it_is_served_stays_when_the_course_is_changed(toys: ToyClass) -> None:
    with open_store(toys.course.at_address("http://127.0.0.1:8317")) as store:
        with_settings(toys.course.root, "[serve]\ntries_a_day = 5\n")
        said = store.course.settings.serve
        assert (said.tries_a_day, said.address) == (5, "http://127.0.0.1:8317")


def test_while_the_settings_are_being_written_those_before_hold(toys: ToyClass) -> None:
    path = toys.course.root / "course.toml"
    with open_store(with_settings(toys.course.root, "[serve]\ntries_a_day = 5\n")) as store:
        for is_there in (True, False):
            path.write_text("[serve\n") if is_there else path.unlink()
            assert store.course.settings.serve.tries_a_day == 5
        with_settings(toys.course.root, "[serve]\ntries_a_day = 6\n")
        assert store.course.settings.serve.tries_a_day == 6


def test_who_invites_before_the_course_has_an_address_reads_that_the_links_open_here_alone(
    toys: ToyClass,
) -> None:
    def said() -> str:
        return autograder(toys.course.root, "serve", "invite", "ida", "--role", "ta").stderr

    assert said() == (
        "note: These links lead to http://127.0.0.1:8000, which opens on this machine alone: set "
        "`address` below [serve] in course.toml, and invite again.\n"
    )
    with_settings(toys.course.root, '[serve]\naddress = "https://hw.test"\n')
    assert said() == ""


@pytest.mark.slow
@pytest.mark.parametrize("students", [("ada", "bao", "chidi"), ("ada",)])
def test_the_demo_is_served_at_the_port_that_is_named_whatever_the_course_says(
    toys: ToyClass,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    students: tuple[str, ...],
) -> None:
    monkeypatch.setenv(DATABASE, "")  # the demo sets it, and this puts it back
    answers = "".join(f"[{student}.{TOYS}]\nall = 'solved'\n" for student in students)
    (toys.course.root / "demo.toml").write_text(answers)
    said = toys.course.root / "course.toml"
    said.write_text(said.read_text() + "\n[serve]\naddress = 'https://hw.test'\n")
    course = _demo_with_invitations(Course.load(toys.course.root, {}), 8001)
    assert course.settings.serve.address == "http://127.0.0.1:8001"
    links = capsys.readouterr().out.count("http://127.0.0.1:8001/invite/")
    assert links == 2 + min(2, len(students))  # the staff, and some students


def test_all_that_sqlalchemy_asks_about_states_is_imported_before_any_thread(
    tmp_path: Path,
) -> None:
    """Nbgrader imports its ORM in one thread, and another would find half of it."""
    code = "import sys, autograder.serve.serving; sys.exit('sqlalchemy.orm' not in sys.modules)"
    assert run(tmp_path, "-c", code).returncode == 0


def test_a_port_that_is_taken_is_told(toys: ToyClass) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CourseError, match="can't listen"):
            opened(toys, f"http://127.0.0.1:{port}", Where(port=port))


@pytest.mark.parametrize(
    "address", ["hw.test", "ftp://hw.test", "https://hw.test/path", "https://"]
)
def test_what_is_no_address_is_refused(toys: ToyClass, address: str) -> None:
    with pytest.raises(CourseError, match="it must be an address"):
        opened(toys, address, Where())
