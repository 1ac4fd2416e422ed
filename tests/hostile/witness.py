"""What a hostile submission could steal, reach or harm on this machine, and whether it did."""

import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from autograder.course import Course
from autograder.report import Report
from tests import secret_texts
from tests.hostile.cases import Case
from tests.processes import descendants

VARIABLE = "HOSTILE_TELL_TALE"


class Witness:
    """A secret in many places, open doors, an empty folder and a process that harms nobody.

    `places` tells a hostile submission where they are: it needs no luck to find them.
    """

    def __init__(self, course: Course, assignment: str) -> None:
        self.secret = f"tell-tale-{secrets.token_hex(12)}"
        self._texts = [
            text.decode()
            for text in secret_texts.of_hidden_tests(course, assignment)
            | secret_texts.of_solutions(course, assignment)
        ]
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        folder.chmod(0o777)
        self._file = folder / "secret.txt"
        self._file.write_text(self.secret)
        os.environ[VARIABLE] = self.secret
        self._doors = dict(_doors(folder))
        self._bystander = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(3600)", self.secret]
        )
        self._before = sorted(folder.iterdir())
        self.places = {
            "grader": str(os.getpid()),
            "bystander": str(self._bystander.pid),
            "folder": str(folder),
            "secret": str(self._file),
            "course": str(course.root),
            **{name: _address(door) for name, door in self._doors.items()},
        }

    def close(self) -> None:
        os.environ.pop(VARIABLE, None)  # there may be several witnesses
        self._bystander.kill()
        self._bystander.wait()
        for door in self._doors.values():
            door.close()
        self._folder.cleanup()

    def start(self) -> None:
        """Take down what runs before a submission is graded."""
        self._running = descendants(os.getpid())

    def complaints(self) -> Iterator[str]:
        """Say what was done to the machine since the start."""
        if self._bystander.poll() is not None:
            yield "it ended another process"
        if self._file.read_text() != self.secret:
            yield "it changed a file of another's"
        if sorted(Path(self._folder.name).iterdir()) != self._before:
            yield "it wrote where it may not"
        for name, door in self._doors.items():
            if _was_used(door):
                yield f"it reached a socket: {name}"
        if (left := len(descendants(os.getpid())) - len(self._running)) > 0:
            yield f"{left} processes were left"  # a warm process may have been replaced

    def leaks(self, case: Case, report: Report) -> Iterator[str]:
        """Say what of the grader's secrets stands in what the student gets back."""
        text = report.to_json()
        shown = "\n".join(output.text + output.error for output in report.cells)
        if self.secret in text:
            yield "it read the secret"
        if any(secret in shown for secret in self._texts):
            yield "it read hidden tests or solutions"
        if case.never and (found := re.search(case.never, text)):
            yield f"the report says {found[0][:80]!r}"


def _doors(folder: Path) -> Iterator[tuple[str, socket.socket]]:
    name = f"\0hostile-{os.getpid()}-{secrets.token_hex(4)}"
    for place, family, kind, address in (
        ("port", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
        ("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
        ("socket", socket.AF_UNIX, socket.SOCK_STREAM, str(folder / "socket")),
        ("abstract", socket.AF_UNIX, socket.SOCK_STREAM, name),
    ):
        door = socket.socket(family, kind)
        door.bind(address)
        door.setblocking(False)
        if kind == socket.SOCK_STREAM:
            door.listen()
        yield place, door


def _address(door: socket.socket) -> str:
    """Return the port, the path, or the name without the zero before it."""
    name = door.getsockname()
    if isinstance(name, tuple):
        return str(name[1])
    return name[1:].decode() if isinstance(name, bytes) else str(name)


def _was_used(door: socket.socket) -> bool:
    try:
        if door.type == socket.SOCK_STREAM:
            door.accept()[0].close()
        else:
            door.recv(1)
    except BlockingIOError:
        return False
    return True
