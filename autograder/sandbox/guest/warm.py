"""The warm process: it imports the modules that students need, and forks a process for each.

It starts as a fresh program with a minimal environment, so that its memory, which every student's
process inherits, holds no secret: no hidden test, no solution, no gradebook, no other submission.
Requests to a student's process and their replies never pass through here.

The grader sends it JSON datagrams with the operation `spawn` (and the student's end of a socket
pair) or `kill`. When the grader ends, so do this process and all that it forked.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.sandbox import kernel
from autograder.sandbox.guest.confinement import AT_LEVEL
from autograder.sandbox.limits import WITHOUT, Isolation, Limits

_CHANNEL = 3  # the student's end of the channel: the first number after the standard streams


def main(control_fd: int) -> None:
    """Import, confine this process, and serve the grader until it closes the control channel."""
    kernel.die_with_parent()
    control = socket.socket(fileno=control_fd)
    message, fds, _, _ = socket.recv_fds(control, 1 << 16, 1)
    try:
        warm = _Warm(control, json.loads(message), fds)
    except Exception as error:
        control.send(json.dumps({"error": f"{type(error).__name__}: {error}"}).encode())
        return
    control.send(b"{}")
    warm.run()


class _Warm:
    def __init__(self, control: socket.socket, settings: dict[str, Any], groups: list[int]) -> None:
        self._control = control
        limits, uid = Limits(**settings["limits"]), settings["uid"]
        confined = AT_LEVEL[Isolation(settings["level"])]
        self._confinement = confined(limits, uid, tuple(settings["hidden"]), settings["files"])
        self._confinement.enter()
        kernel.die_with_parent()  # again, because `enter` may have forked
        self._serve = _prepare(settings["service"], settings["preload"], settings["root"])
        self._confinement.note_use()
        self._confinement.drop_after_import()
        kernel.die_with_parent()  # again, because a change of user resets it
        gc.collect()
        gc.freeze()  # or the children's collector would touch, and so copy, every page
        for group in groups:  # only now, so that the imports don't count against a student's limit
            os.write(group, b"0")
            os.close(group)

    def run(self) -> None:
        while True:
            try:
                message, fds, _, _ = socket.recv_fds(self._control, 1 << 16, 1)
            except ConnectionResetError:  # the grader was killed
                return
            if not message:
                return
            request = json.loads(message)
            if request["op"] == "spawn":
                pid = self._confinement.fork()
                if pid == 0:
                    self._be_student(fds[0], request["cores"], request["seconds"])
                os.close(fds[0])
                reply = {"pid": pid}
            else:
                reply = self._kill(request["pid"])
            self._control.send(json.dumps(reply).encode())

    def _be_student(self, channel_fd: int, cores: list[int], seconds: int) -> None:
        """Confine this new process and let it serve requests; never return."""
        channel = socket.socket(fileno=channel_fd)
        try:
            channel = _close_all_but(channel)
            os.setsid()
            with contextlib.suppress(OSError):  # only an optimisation
                os.sched_setaffinity(0, cores)
            self._confinement.enter_child()
            home = str(Path.cwd())
            os.environ.clear()
            os.environ.update(WITHOUT, OMP_NUM_THREADS="1", MPLBACKEND="agg")
            os.environ.update(HOME=home, TMPDIR=home, USER="student", LOGNAME="student")
            os.environ.update(PATH="/usr/bin:/bin", LANG="C.UTF-8")
            tempfile.tempdir = home  # a library that was imported before may have asked for it
            self._confinement.limit_resources(seconds)
            kernel.die_with_parent()
            kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS)
            self._confinement.lock()
            channel.sendall(b"confined")
            self._serve(channel)
        except BaseException as error:  # a fork must not return into its parent's code
            with contextlib.suppress(OSError):
                channel.sendall(f"{type(error).__name__}: {error}".encode())
        os._exit(0)

    def _kill(self, pid: int) -> dict[str, Any]:
        """Kill a student's process and return how it ended, which a zombie still shows."""
        alive = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        seconds = kernel.processor_time(pid, as_limited=True)
        os.killpg(pid, signal.SIGKILL)
        _, status, used = os.wait4(pid, 0)
        grown = (used.ru_maxrss << 10) - self._confinement.resident
        code = os.waitstatus_to_exitcode(status)
        return {"alive": alive, "code": code, "grown_mb": grown >> 20, "seconds": seconds}


def _prepare(service: str, preload: list[str], root: str) -> Callable[[socket.socket], None]:
    """Import the modules that students need; return the function that serves one student."""
    module = importlib.import_module(service)
    for name in preload:
        with contextlib.suppress(ImportError):  # the cell that imports it will raise
            importlib.import_module(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    runner = module.prepare()
    sys.path.remove(root)
    _import_from_working_folder()
    sys.argv[:] = sys.orig_argv[:] = [""]
    threads = len(list(Path("/proc/self/task").iterdir()))
    if threads > 1:
        raise RuntimeError(f"importing {', '.join(preload)} started {threads - 1} threads")
    return lambda channel: module.serve(runner, channel)


def _import_from_working_folder() -> None:
    """Let a file be imported that lies, or that a cell writes, where the notebook runs.

    Where Jupyter has that folder: before packages that are installed, behind Python's own modules.
    """
    places = (n for n, path in enumerate(sys.path) if path.endswith("-packages"))
    sys.path.insert(next(places, len(sys.path)), "")


def _close_all_but(channel: socket.socket) -> socket.socket:
    """Close all files but the channel, which is returned; redirect the standard streams to null."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(_CHANNEL):
        os.dup2(null, stream)
    os.dup2(channel.detach(), _CHANNEL)
    os.closerange(_CHANNEL + 1, os.sysconf("SC_OPEN_MAX"))
    return socket.socket(fileno=_CHANNEL)
