"""Large classes: a thousand submissions graded for real, ten thousand with their reports recorded.

`python -m tests.benchmarks.scale real` grades 1,000 submissions made of the answers on file, runs
again when there is nothing to do, and again after one hidden test was edited. `… simulated` puts
recorded reports in the sandbox's place and doubles the class from step to step, to show what the
recorder, the feedback and the report take each time.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from autograder import gradebook
from autograder.classroom.executors import Workers
from autograder.classroom.finding import find_submissions
from autograder.classroom.run import grade_class
from autograder.course import Course, seeds
from autograder.gradebook import record_class
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.pages import class_report
from autograder.sandbox.host.probe import strongest
from tests.benchmarks import classes
from tests.benchmarks.measure import run
from tests.courses import ROOT, copy_of_kit
from tests.executors import Saying

_ASSIGNMENTS = ("hw1_attention", "hw2_encoder")
_EDITED = "hw1_attention"


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("real", "simulated"))
    parser.add_argument("--submissions", type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.part == "real":
            real(Path(folder), options.submissions or 1000)
        else:
            simulated(Path(folder), options.submissions or 10_000)


def real(folder: Path, number: int) -> None:
    """Grade `number` mixed submissions to two assignments, and again after nothing, and an edit."""
    kit = folder / "kit"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "submitted", "autograded", "feedback")
    shutil.copytree(ROOT, kit, ignore=ignored)
    (kit / seeds.FILE).write_text("0")
    for assignment in _ASSIGNMENTS:
        texts = list(classes.submissions(assignment, "mixed", number // len(_ASSIGNMENTS)))
        classes.hand_in(kit, assignment, texts)
    command = [sys.executable, "-m", "autograder", "grade", *_ASSIGNMENTS]
    edited = f"one hidden test of {_EDITED} edited"
    for title in ("all", "nothing to do", edited):
        if title == edited:
            _edit(kit)
        before = _graded(kit)
        usage = run(command, kit)
        now = _graded(kit)
        redone = Counter(path.parent.name for path in now if before.get(path) != now[path])
        print(
            f"{title}: {usage.wall:.1f} s, {usage.cpu:.0f} CPU s, {usage.memory >> 20} MB, "
            f"{len(now)} reports, graded: {dict(redone) or 'nothing'}",
            flush=True,
        )


def _graded(root: Path) -> dict[Path, int]:
    reports = Course.load(root).reports.rglob("*.json")
    return {path: path.stat().st_mtime_ns for path in reports}


def _edit(kit: Path) -> None:
    tests = kit / "autograder" / "exercises" / _EDITED / "hidden_tests"
    path = min(tests.glob("test_*.py"))
    path.write_text(path.read_text() + "\n# edited\n")


def simulated(folder: Path, number: int) -> None:
    """Record classes of growing size, from one report, and write their feedback and reports."""
    assignment = "hw1_attention"
    (text,) = classes.submissions(assignment, "wrong", 1)
    course = copy_of_kit(folder)
    settings = Settings(course, strongest())
    with Grader(settings, assignment) as grader:
        report = grader.grade(text.encode(), "")
    print(f"one submission: notebook {len(text) >> 10} KB, report {len(report.to_json()) >> 10} KB")
    for size in (number // 4, number // 2, number):
        _hand_in_up_to(course, assignment, text, size)
        jobs = find_submissions(course, [assignment])
        for title in ("graded and recorded", "nothing to do"):
            with _told(f"{size} {title}"):
                results = grade_class(
                    settings, jobs, lambda: nullcontext(Workers(Saying(report), 2))
                )
                record_class(course, results)
        with _told(f"{size} class report"):
            class_report.write(course, assignment)
    with _told(f"{number} pages of feedback"):
        gradebook.generate_feedback(course, [assignment])


def _hand_in_up_to(course: Course, assignment: str, text: str, size: int) -> None:
    for place in range(size):
        path = course.submission_path(f"student{place:05}", assignment)
        if not path.exists():
            path.parent.mkdir(parents=True)
            path.write_text(text)


@contextmanager
def _told(title: str) -> Iterator[None]:
    """Print how long something takes, and the most memory that this process has held so far."""
    started = time.perf_counter()
    yield
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{title}: {time.perf_counter() - started:.1f} s, {most} MB", flush=True)


if __name__ == "__main__":
    main()
