"""Run by Gradescope on each submission: `python -m …gradescope_run [ROOT]`.

Reads `ROOT/submission/` and `ROOT/submission_metadata.json`; whatever was handed in, it writes
`ROOT/results/results.json`.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from autograder.errors import AutograderError, SubmissionError
from autograder.platforms import gradescope_results as results
from autograder.platforms.packaging.handed_in import grade_folder, packaged_course, write
from autograder.report import Report
from autograder.sandbox.host.program import ONE_THREAD

ROOT = "/autograder"  # of all that Gradescope lays out
_MAX_METADATA = 64 << 20  # bytes: earlier submissions with their results are in there


def main() -> None:
    """Grade what was handed in. What is printed, only the instructor sees."""
    os.environ.update(ONE_THREAD)
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT)
    content = json.dumps(outcome(root), ensure_ascii=False, indent=2)
    write(root / "results" / "results.json", content)


def outcome(root: Path) -> results.Json:
    """Return the results of the submission under `root`; a fault of ours is one of them."""
    began = time.monotonic()
    try:
        course, assignment = packaged_course()
        report = grade_folder(course, assignment, root / "submission")
        _tell_instructor(report, root / "submission_metadata.json")
        settings = course.settings.assignment(assignment).gradescope
        return results.of_report(report, settings, time.monotonic() - began)
    except SubmissionError as error:
        print(f"Not graded: {error}")
        return results.of_rejection(str(error))
    except Exception as error:  # whatever it is, the student reads a sentence
        details = str(error) if isinstance(error, AutograderError) else traceback.format_exc()
        print(f"Not graded: {details}")
        return results.of_fault(details)


def _tell_instructor(report: Report, metadata: Path) -> None:
    print(f"Students' code ran at isolation level {report.isolation}; the seed is {report.seed}.")
    expected = _total_points(metadata)
    written = sum(answer.max_score for answer in report.manual)
    if expected is not None and expected not in (report.max_score, report.max_score + written):
        print(
            f"note: Gradescope says this assignment has {expected:g} points, but its exercises are "
            f"worth {report.max_score:g}, and its written answers {written:g}: correct the points "
            "on Gradescope."
        )


def _total_points(path: Path) -> float | None:
    """Return the points that Gradescope knows the assignment by, if its metadata says so."""
    try:
        with path.open("rb") as file:
            metadata: Any = json.loads(file.read(_MAX_METADATA))
        return float(metadata["assignment"]["total_points"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


if __name__ == "__main__":
    main()
