"""A student's process as the grader holds it."""

import select
import socket
import subprocess
import sys

from autograder.sandbox import kernel
from autograder.sandbox.host.child import Child, ExitReason, new_channel
from tests.waiting import comes_true

# It introduces itself at once, and then uses no more of the processor.
INTRODUCTION = """
import socket, sys, time
socket.socket(fileno=int(sys.argv[1])).sendall(b"confined")
time.sleep(1000)
"""


def test_its_own_time_is_looked_at_even_if_it_introduced_itself_before_anybody_listened() -> None:
    ours, theirs = new_channel()
    command = [sys.executable, "-c", INTRODUCTION, str(theirs.fileno())]
    with ours, theirs, subprocess.Popen(command, pass_fds=[theirs.fileno()]) as process:
        select.select([ours], [], [], 60)
        child = Child(lambda: ExitReason.KILLED, ours)
        status = child.receive_status()
        is_its_own = comes_true(lambda: child.seconds == kernel.processor_time(process.pid))
        process.kill()
    assert (status, is_its_own) == ("confined", True)


def test_a_process_that_the_kernel_cannot_name_is_an_error_and_not_ourselves() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"confined")
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        child = Child(lambda: ExitReason.KILLED, ours)
        status = child.receive_status()
        seconds = child.seconds
    assert "tell" in status and seconds == 0.0
