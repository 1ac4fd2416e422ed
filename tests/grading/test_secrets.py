"""What a student's process can read holds no hidden test, no solution, no expected value.

Looked through, for what only the grader knows: the memory of a process that has been graded, and
the environment that it was started with. The files that it can open are searched by
`sandbox/guest/test_files.py`. That the search finds what is there is shown by looking for something
that has to be.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.course import Course
from autograder.grading.hidden_tests import HiddenTests
from autograder.grading.session import SandboxSession
from autograder.sandbox.host.in_process import InProcess
from autograder.sandbox.limits import Isolation
from tests import secret_texts
from tests.courses import solved
from tests.graders import Graders, hand_in
from tests.processes import descendants

EXHAUSTIVE = (pytest.mark.slow, pytest.mark.exhaustive)  # what torch adds takes a minute to search
HW1, HW2 = "hw1_attention", pytest.param("hw2_encoder", marks=EXHAUSTIVE)
OURS, THEIRS = "a line of this student's own", "a line of the student before"
# Functions and modules that keep what they are given and compute nothing.
WRONG = """
kept = []  # {line}
def {name}(*args, **kwargs):
    kept.append(args)
    return args[0] * 0
"""
WRONG_MODULE = """
class {name}(torch.nn.Module):  # {line}
    def __init__(self, *args, **kwargs): super().__init__()
    def __getattr__(self, name): return torch.nn.Identity()
    def forward(self, x, *args, **kwargs): return x * 0
"""
MOST = 60  # texts of a kind to look for: each takes a while


@dataclass
class Recorder:
    """A channel that keeps the arrays which go in and out, and all else that goes in."""

    channel: InProcess
    inputs: set[bytes] = field(default_factory=set)
    outputs: set[bytes] = field(default_factory=set)
    others: list[Any] = field(default_factory=list)  # that goes in
    spent: float = 0.0

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        reply = self.channel.ask(request)
        self.inputs.update(beginnings(request))
        self.others.append(without_arrays(request))
        self.outputs.update(beginnings(reply))
        return reply


def beginnings(value: Any) -> Iterator[bytes]:
    """Yield the first numbers of each array in `value`, where they can be nobody else's."""
    if isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from beginnings(item)
    elif hasattr(value, "shape"):
        numbers = np.asarray(value).ravel()[:8]
        if len(set(numbers.tolist())) == 8 and (numbers != numbers.round()).all():
            yield numbers.tobytes()


def memory_of(pid: int) -> Iterator[bytes]:
    """Yield what a process has in memory, but for the files of libraries and pages of zeros."""
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, mode, _, _, inode, *name = line.split(maxsplit=5)
            if mode[0] == "r" and (mode[1] == "w" or inode == "0") and "[v" not in "".join(name):
                start, end = (int(number, 16) for number in span.split("-"))
                memory.seek(start)
                pages = np.frombuffer(memory.read(end - start), np.uint64).reshape(-1, 512)
                yield pages[pages.any(axis=1)].tobytes()


@dataclass
class Spy:
    """Takes a look at each process of a student before it is ended."""

    memory: bytes = b""
    environment: bytes = b""

    def look(self, session: SandboxSession) -> None:
        if session._connection is not None:
            (student,) = (pid for pid in descendants(session.warm.pid) if not descendants(pid))
            self.memory += b"".join(memory_of(student))
            self.environment = Path(f"/proc/{student}/environ").read_bytes()


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Spy:
    """A look at the processes of students that are graded."""
    if os.getuid() != 0:
        pytest.skip("only root can look into a confined process")
    spy, close = Spy(), SandboxSession.close

    def look_and_close(session: SandboxSession) -> None:
        spy.look(session)
        close(session)

    monkeypatch.setattr(SandboxSession, "close", look_and_close)
    return spy


def graded_wrong(graders: Graders, assignment: str, level: Isolation, line: str) -> None:
    """Grade answers that compute nothing, so that no right value comes about by itself."""
    grader = graders(assignment, level)
    wrong = {
        name: (WRONG_MODULE if name[0].isupper() else WRONG).format(name=name, line=line)
        for name in grader.release.exercises
    }
    assert hand_in(grader, wrong).score == 0


def some(secrets: set[bytes]) -> list[bytes]:
    """Return enough of `secrets`, the same ones each time."""
    return sorted(secrets)[:: len(secrets) // MOST + 1]


@pytest.mark.slow
@pytest.mark.parametrize("assignment", [HW1, HW2])
def test_the_memory_of_a_students_process_holds_no_secret(
    graders: Graders, level: Isolation, course: Course, assignment: str, spy: Spy
) -> None:
    right = Recorder(InProcess(solved(course, assignment).values()))
    tests = HiddenTests(course, assignment)
    for exercise in tests.points:
        tests.examine(exercise, lambda: right, skip_slow=True)
    graded_wrong(graders, assignment, level, THEIRS)
    spy.memory = b""
    graded_wrong(graders, assignment, level, OURS)

    assert OURS.encode() in spy.memory
    assert any(numbers in spy.memory for numbers in right.inputs)
    for secrets in (
        right.outputs - right.inputs,
        secret_texts.of_hidden_tests(course, assignment),
        secret_texts.of_solutions(course, assignment),
    ):
        assert len(secrets) > 5
        assert [secret for secret in some(secrets) if secret in spy.memory] == []
    assert THEIRS.encode() not in spy.memory


@pytest.mark.slow
def test_the_environment_of_a_students_process_is_not_the_graders(
    graders: Graders, level: Isolation, spy: Spy
) -> None:
    graded_wrong(graders, "hw1_attention", level, OURS)
    assert b"MPLBACKEND=agg" in spy.environment
    assert b"PYTEST_CURRENT_TEST" not in spy.environment
    assert not re.search(rb"PASSWORD|TOKEN|SECRET|KEY", spy.environment)


def without_arrays(value: Any) -> Any:
    """Return `value` with each array in it replaced by its shape."""
    if isinstance(value, dict):
        return {key: without_arrays(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [without_arrays(each) for each in value]
    return tuple(value.shape) if hasattr(value, "shape") else value


def crossing(course: Course, seed: int) -> list[Any]:
    """Return all that crosses, but arrays, while an answer of hw2 is tested."""
    channel = Recorder(InProcess(solved(course, "hw2_encoder").values()))
    tests = HiddenTests(course, "hw2_encoder")
    tests.examine("SelfAttention", lambda: channel, seed, skip_slow=True)
    return channel.others


def test_of_the_seed_nothing_crosses_but_the_inputs_that_are_drawn_from_it(
    course: Course,
) -> None:
    first, second = crossing(course, seed=0), crossing(course, seed=1)
    assert len(first) > 10
    assert first == second
