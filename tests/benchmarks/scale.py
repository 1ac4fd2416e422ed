"""Large classes: a thousand submissions graded for real, ten thousand with their reports recorded.

`python -m tests.benchmarks.scale real` grades 1,000 submissions made of the answers on file, runs
again when there is nothing to do, and again after one hidden test was edited. `… simulated` puts
recorded reports in the sandbox's place, as if 64 workers sent them, and doubles the class from step
to step, to show what the recorder, the feedback and the report take each time. `… killed` grades
500 on 16 workers of a cluster that are killed and replaced at random, and compares the reports with
those of an undisturbed run.
"""

import argparse
import os
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import repeat
from pathlib import Path

from autograder.course import Course
from autograder.course.course import SEED_FILE
from autograder.gradebook import feedback
from autograder.gradebook.recording import record_class
from autograder.grading.grader import Grader
from autograder.grading.run import grade_class
from autograder.grading.settings import Settings
from autograder.grading.submissions import find_submissions
from autograder.sandbox.host.probe import strongest
from autograder.statistics.class_report import write_class_report
from autograder.work.processes import Workers
from tests.benchmarks import classes, killing
from tests.benchmarks.measure import run
from tests.courses import ROOT, copy_of_kit
from tests.executors import Saying

_ASSIGNMENTS = ("hw1_attention", "hw2_encoder")
_EDITED = "hw1_attention"
_WORKERS = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--submissions", type=int)
    options = parser.parse_args()
    measure, usual = PARTS[options.part]
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), options.submissions or usual)


def real(folder: Path, number: int) -> None:
    """Grade `number` mixed submissions to two assignments, and again after nothing, and an edit."""
    kit = folder / "kit"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "submitted", "autograded", "feedback")
    shutil.copytree(ROOT, kit, ignore=ignored)
    (kit / SEED_FILE).write_text("0")
    for assignment in _ASSIGNMENTS:
        texts = list(classes.submissions(assignment, "mixed", number // len(_ASSIGNMENTS)))
        classes.hand_in(kit, assignment, texts)
    command = [sys.executable, "-m", "autograder", "grade", *_ASSIGNMENTS]
    edited = f"one hidden test of {_EDITED} edited"
    for title in ("all", "nothing to do", edited):
        if title == edited:
            path = min((kit / "autograder/exercises" / _EDITED / "hidden_tests").glob("test_*.py"))
            path.write_text(path.read_text() + "\n# edited\n")
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


def simulated(folder: Path, number: int) -> None:
    """Record classes of growing size, from one report, and write their feedback and reports.

    What a worker takes to grade is left out: the recorder is always behind.
    """
    assignment = "hw1_attention"
    (text,) = classes.submissions(assignment, "wrong", 1)
    course = copy_of_kit(folder)
    settings = Settings(course, strongest())
    with Grader(settings, assignment) as grader:
        report = grader.grade(text.encode())
    print(f"one submission: notebook {len(text) >> 10} KB, report {len(report.to_json()) >> 10} KB")
    workers = Workers(Saying(report), _WORKERS)
    for size in (number // 4, number // 2, number):
        classes.hand_in(course.root, assignment, repeat(text, size))
        jobs = find_submissions(course, [assignment])
        for title in ("graded and recorded", "nothing to do"):
            with _told(f"{size} {title}"):
                results = grade_class(settings, jobs, lambda: nullcontext(workers))
                record_class(course, results)
        for title in ("feedback", "feedback, nothing to do"):
            with _told(f"{size} {title}"):
                feedback.write_feedback(course, [assignment])
        with _told(f"{size} class report"):
            write_class_report(course, assignment)


def killed(folder: Path, number: int) -> None:
    with _told(f"{number} on 16 workers that are killed"):
        trial = killing.disturbed(folder, number, workers=16)
    same = sum(trial.reports.get(name) == report for name, report in trial.undisturbed.items())
    print(f"{trial.killed} workers killed; {same} of {number} reports byte for byte as undisturbed")
    if same < number or trial.faults:
        sys.exit(f"faults: {trial.faults}")


PARTS = {"real": (real, 1000), "simulated": (simulated, 20_000), "killed": (killed, 500)}


@contextmanager
def _told(title: str) -> Iterator[None]:
    """Print what something takes, and the most memory that this process has held so far."""
    started, used = time.perf_counter(), os.times()
    yield
    wall, now = time.perf_counter() - started, os.times()
    ours = now.user + now.system - used.user - used.system
    theirs = now.children_user + now.children_system - used.children_user - used.children_system
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(
        f"{title}: {wall:.1f} s, processor {ours:.1f} s and {theirs:.1f} s of children that ended, "
        f"{most} MB",
        flush=True,
    )


if __name__ == "__main__":
    main()
