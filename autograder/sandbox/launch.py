"""The grader's end: start a warm process, have it spawn and kill students' processes."""

from __future__ import annotations

import array
import fcntl
import json
import os
import socket
import subprocess
import sys
import tempfile
from dataclasses import asdict
from enum import StrEnum
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any

from autograder.errors import GraderFault
from autograder.sandbox import cgroups
from autograder.sandbox.isolation import Isolation
from autograder.sandbox.limits import Limits

_PROJECT = str(Path(__file__).resolve().parents[2])
_PROGRAM = "import sys, json; s = json.loads(sys.stdin.read()); sys.path.insert(0, s['root']); "
_PROGRAM += "from autograder.sandbox.warm import main; main({fd}, s)"
_FIRST_UID, _UIDS = 61_000, 4_000  # no distribution gives these to people or services
_START_SECONDS = 120.0
_slots = count()


class Death(StrEnum):
    """How a student's process ended."""

    MEMORY = "memory"  # the kernel ended it for the memory it took
    ENDED = "ended"  # anything else: it left, or was killed


class WarmProcess:
    """A process that is ready to become any student's; see `warm`."""

    def __init__(
        self,
        level: Isolation,
        limits: Limits,
        preload: tuple[str, ...] = ("numpy",),
        service: str = "autograder.sandbox.service",
    ) -> None:
        self.level = level
        self._user = _User() if level is Isolation.ROOTNS else None
        cgroups.sweep()
        self._cgroups = cgroups.Cgroups(next(_slots), limits)
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        settings = {
            "root": _PROJECT,
            "service": service,
            "preload": preload,
            "level": level,
            "limits": asdict(limits),
            "uid": self._user.uid if self._user else None,
            "cgroups": [str(folder) for folder in self._cgroups.folders],
        }
        self._process = _start(theirs, settings)
        self._control.settimeout(_START_SECONDS)
        self._receive()

    def __enter__(self) -> WarmProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def spawn(self) -> Child:
        """Fork a confined process for one student; the last one must have been killed."""
        ours, theirs = socket.socketpair()
        with theirs:
            rights = array.array("i", [theirs.fileno()])
            self._control.sendmsg([b"spawn"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            reply = self._receive()
        if "error" in reply:
            ours.close()
            raise GraderFault(f"The student's process could not be confined: {reply['error']}.")
        return Child(self, ours)

    def kill(self) -> Death:
        """End the student's process and all that it started."""
        self._control.send(b"kill")
        self._receive()
        return Death.MEMORY if self._cgroups.killed() else Death.ENDED

    def close(self) -> None:
        """End the warm process, and leave nothing behind."""
        self._control.close()
        self._process.wait()
        self._cgroups.close()
        if self._user is not None:
            self._user.release()

    def _receive(self) -> dict[str, Any]:
        try:
            message = self._control.recv(1 << 16)
        except OSError as error:
            raise GraderFault(f"The sandbox does not answer: {error}.") from None
        if not message:
            raise GraderFault("The sandbox's warm process has ended: run the grader again.")
        reply: dict[str, Any] = json.loads(message)
        return reply


class Child:
    """One student's process: `socket` leads to it."""

    def __init__(self, warm: WarmProcess, channel: socket.socket) -> None:
        self.socket = channel
        self.level = warm.level
        self._warm = warm
        self._death: Death | None = None

    def kill(self) -> Death:
        """End the process and all that it started; a second time changes nothing."""
        if self._death is None:
            self.socket.close()
            self._death = self._warm.kill()
        return self._death


def _start(theirs: socket.socket, settings: dict[str, Any]) -> subprocess.Popen[str]:
    """Start the warm process as a fresh program; what it must know it reads, once, from stdin."""
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-I", "-W", "ignore", "-c", _PROGRAM.format(fd=theirs.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=_environment(),
            cwd="/",
            pass_fds=[theirs.fileno()],
            text=True,
        )
    assert process.stdin is not None
    with process.stdin:
        process.stdin.write(json.dumps(settings))
    return process


def _environment() -> dict[str, str]:
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
    fonts = Path(tempfile.gettempdir(), f"autograder-matplotlib-{os.getuid()}")
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": "/nonexistent",
        "MPLBACKEND": "agg",
        "MPLCONFIGDIR": str(fonts),  # its list of fonts takes seconds to make
        **threads,
    }


class _User:
    """A user id that no other warm process on this machine has, for as long as it is locked."""

    def __init__(self) -> None:
        folder = Path(tempfile.gettempdir(), "autograder-uids")
        folder.mkdir(mode=0o700, exist_ok=True)
        for self.uid in range(_FIRST_UID, _FIRST_UID + _UIDS):
            self._lock = (folder / str(self.uid)).open("w")
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._lock.close()
            else:
                return
        raise GraderFault(f"All {_UIDS} users for student code are taken: stop other graders.")

    def release(self) -> None:
        """Let another warm process have it."""
        self._lock.close()
