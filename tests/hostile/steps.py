"""What an instructor runs on a class, each command bounded and measured; and how one is graded.

    python -m tests.hostile.steps ROOT LEVEL JOBS

grades and records the class of a course on a level of isolation that one chooses, and prints a line
of JSON for each submission: whose it is, its points, and why it has none.
"""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from autograder.sandbox.host.program import ONE_THREAD
from autograder.sandbox.limits import Isolation
from tests.courses import ROOT
from tests.hostile.memory import Memory, MemoryWatch

_MOST_WRITTEN = 512 << 20  # bytes of a file: a step that copies what has no end is ended itself
AUTOGRADER = (sys.executable, "-m", "autograder")


@dataclass(frozen=True)
class Step:
    """A command that was run, and what it took."""

    name: str
    seconds: float
    memory: Memory
    output: str
    status: int | None  # None: it did not end in time

    @property
    def ended(self) -> bool:
        return self.status is not None and self.status >= 0


def run(name: str, command: Sequence[str], root: Path, seconds: float) -> Step:
    """Run a command in the course at `root`; end it, and all that it started, after `seconds`."""
    started = time.monotonic()
    program = subprocess.Popen(
        command,
        cwd=root,
        env=os.environ | ONE_THREAD | {"PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=_limit_files,
    )
    watch = MemoryWatch(program.pid)
    try:
        raw, status = program.communicate(timeout=seconds)[0], program.returncode
    except subprocess.TimeoutExpired as late:
        raw, status = late.stdout or b"", None
    taken = time.monotonic() - started
    memory = watch.peak()
    watch.close()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(program.pid, signal.SIGKILL)
    program.wait()
    return Step(name, taken, memory, raw.decode(errors="backslashreplace"), status)


def grading(root: Path, level: Isolation, jobs: int) -> list[str]:
    """Return the command that grades and records a class."""
    return [sys.executable, "-m", "tests.hostile.steps", str(root), level, str(jobs)]


def _limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_WRITTEN, _MOST_WRITTEN))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    from autograder.course import Course
    from autograder.gradebook.recording import record_class
    from autograder.grading.run import grade_class, modules_to_import
    from autograder.grading.settings import Settings
    from autograder.grading.submissions import find_submissions
    from autograder.work.processes import local_workers
    from tests.hostile.trials import MOST_GRADER

    course, level, jobs = Course.load(Path(sys.argv[1])), Isolation(sys.argv[2]), int(sys.argv[3])
    found = find_submissions(course, course.released())
    workers = partial(local_workers, jobs, modules_to_import(course, course.released()))
    settings = Settings(course, level, limits=MOST_GRADER, skip_slow=True)
    results, notes = record_class(course, grade_class(settings, found, workers, force=True))
    for each in results:
        points = [each.report.score, each.report.max_score] if each.report else [None, None]
        print(json.dumps([each.job.student, *points, each.rejection or each.fault]))
    for sentence in notes:
        print(json.dumps(["", None, None, sentence]))


if __name__ == "__main__":
    main()
