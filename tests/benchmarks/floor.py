"""The floor: the same cells and the same calls in one warm interpreter, and nothing else.

No sandbox, notebook file, hidden test or gradebook: what is left is the students' own code. Prints
the wall and the processor time of the whole class in seconds, without its imports, and the most
memory that it held, in bytes.
"""

import resource
import sys
import time
import warnings
from pathlib import Path

from autograder.course import Course, solution
from autograder.grading.hidden_tests import HiddenTests
from autograder.intake.notebook import Notebook, read_notebook
from autograder.intake.release import Release
from autograder.intake.submission import normalise
from autograder.sandbox import kernel
from autograder.sandbox.host.in_process import InProcess
from autograder.sandbox.limits import Limits
from autograder.testing.student import Exchange


def main() -> None:
    """Run the class that was handed in to the course in this folder."""
    course, assignment = Course.load(Path.cwd()), sys.argv[1]
    release = Release.load(course, assignment)
    paths = sorted(course.submitted.glob(f"*/{assignment}/*.ipynb"))
    notebooks = [read_notebook(path.read_bytes()) for path in paths]
    warnings.simplefilter("ignore")
    asked = _asked(course, assignment)
    _run(notebooks[0], release, asked)  # imports, and whatever torch makes ready at first use
    wall, cpu = time.perf_counter(), time.process_time()
    for notebook in notebooks:
        _limit_memory()
        _run(notebook, release, asked)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10)


def _asked(course: Course, assignment: str) -> list[Exchange]:
    """Return all that the hidden tests ask of a right answer."""
    import torch

    torch.set_num_threads(1)  # as in the sandbox
    channel = InProcess(solution.sources(course, assignment).values())
    tests = HiddenTests(course, assignment)
    findings = (tests.examine(exercise, lambda: channel) for exercise in tests.points)
    return [e for found in findings for f in found for e in f.exchanges]


def _limit_memory() -> None:
    """Give the next notebook as much memory as the sandbox does: some wrong answers want it all."""
    mapped, _ = kernel.memory_in_use()
    allowed = mapped + (Limits().memory_mb << 20)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, resource.RLIM_INFINITY))


def _run(notebook: Notebook, release: Release, asked: list[Exchange]) -> None:
    channel = InProcess(
        (cell.cell.source for cell in normalise(notebook, release).sources), may_raise=True
    )
    for exchange in asked:
        channel.ask({**exchange.request, "forbid": ()})


if __name__ == "__main__":
    main()
