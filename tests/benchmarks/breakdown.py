"""Where our time goes: a class graded in one process, with a clock at every step.

Prints the seconds by step as JSON. Each class has a process of its own: what grading one assignment
leaves behind goes around the clocks of the next.
"""

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any
from unittest.mock import patch

from autograder.course import Course
from autograder.diagnosis.diagnosis import Diagnosis
from autograder.gradebook import feedback, recording
from autograder.gradebook.recording import record_class
from autograder.grading import grader
from autograder.grading.grader import LEARNS_AFTER, Grader
from autograder.grading.hidden_tests import HiddenTests
from autograder.grading.session import SandboxSession
from autograder.grading.settings import Settings
from autograder.grading.submissions import Graded, Job, find_submissions, save_report
from autograder.sandbox.host.child import Child
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.host.probe import strongest

STEPS = (
    (grader, "read_notebook", "reading the notebook"),
    (grader, "normalise", "reading the notebook"),
    (WarmProcess, "be_ready", "starting the warm process"),
    (WarmProcess, "spawn", "fork and sandbox"),
    (Child, "kill", "fork and sandbox"),
    (SandboxSession, "_run_cells", "cells"),
    (SandboxSession, "ask", "calls of the student's code"),
    (HiddenTests, "examine", "hidden tests"),
    (Diagnosis, "of", "diagnosis"),
    (recording, "record", "recording"),
    (feedback, "write_feedback", "feedback"),
)


class Clocks:
    """One clock runs at a time: a step inside another one stops the other's."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._steps, self._since = ["the rest"], time.perf_counter()

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time what happens meanwhile as `name`."""
        self._turn()
        self._steps.append(name)
        try:
            yield
        finally:
            self._turn()
            self._steps.pop()

    def timed(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        @wraps(function)
        def timed(*args: Any, **kwargs: Any) -> Any:
            with self.step(name):
                return function(*args, **kwargs)

        return timed

    def _turn(self) -> None:
        now = time.perf_counter()
        self.seconds[self._steps[-1]] += now - self._since
        self._since = now


def breakdown(course: Course, assignment: str) -> dict[str, float]:
    """Grade the class in `course`, record it and write its feedback; return seconds by step."""
    settings, clocks = Settings(course, strongest()), Clocks()
    with ExitStack() as patches:
        for owner, name, step in STEPS:
            timed = clocks.timed(getattr(owner, name), step)
            patches.enter_context(patch.object(owner, name, timed))
        with Grader(settings, assignment) as open_grader:
            with clocks.step("preparing a worker"):
                for _ in range(LEARNS_AFTER + 1):
                    open_grader.prepare()
            jobs = find_submissions(course, [assignment])
            record_class(course, _graded(jobs, open_grader, clocks))
        feedback.write_feedback(course, [assignment])
    return dict(sorted(clocks.seconds.items(), key=lambda step: -step[1]))


def _graded(jobs: list[Job], at_work: Grader, clocks: Clocks) -> Generator[Graded, None, None]:
    for job in jobs:
        with clocks.step("the rest"):
            report = at_work.grade(job.read(), job)
            save_report(at_work.settings.course, report)
        yield Graded(job, report)


if __name__ == "__main__":
    print(json.dumps(breakdown(Course.load(Path.cwd()), sys.argv[1])))
