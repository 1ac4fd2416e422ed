"""Run by Classroom 50 on each submission, in its checkout.

Writes `result.json`, and `release-body.md` for the student. Where the grader itself fails it writes
neither and ends with status 1: Classroom 50 then shows an error, and keeps an earlier score.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from autograder.errors import AutograderError, GraderFault, SubmissionError
from autograder.grading.hidden_tests import HiddenTests
from autograder.platforms import classroom50_result as result
from autograder.platforms.packaging.handed_in import grade_folder, packaged_course, write
from autograder.sandbox.host.program import ONE_THREAD
from autograder.telling.text import fault_lines

_RESULT, _BODY = "result.json", "release-body.md"


def main() -> None:
    """Grade the working directory. What is printed, students can read."""
    os.environ.update(ONE_THREAD)
    try:
        for name in (_RESULT, _BODY):  # whatever the student handed in under these names
            Path(name).unlink(missing_ok=True)
        grade(Path.cwd(), os.environ)
    except AutograderError as error:
        sys.exit(f"Not graded: {error}")
    except OSError as error:
        sys.exit(f"Not graded: {error.strerror} ({error.filename}).")
    except Exception as error:  # a traceback could quote a hidden test
        sys.exit(f"Not graded: the grader failed ({type(error).__name__}). Tell your instructor.")


def grade(folder: Path, environment: Mapping[str, str]) -> None:
    """Grade the notebook in `folder`, and leave the result there.

    Raises `GraderFault` if a hidden test failed through the grader.
    """
    course, assignment = packaged_course()
    about = result.identity(environment, assignment, datetime.now(UTC))
    try:
        report = grade_folder(course, assignment, folder)
    except SubmissionError as error:
        tests = result.none_passed(HiddenTests(course, assignment).points)
        body = f"{error}\n"
    else:
        if named := fault_lines(report):
            raise GraderFault(
                f"{len(named)} of the hidden tests failed through a fault of their own, not of the "
                "student's. Instructors: `autograder check` shows it on the same notebook."
            )
        tests, body = result.tests_of(report), result.body_of(report)
    write(folder / _BODY, body)
    write(folder / _RESULT, json.dumps(about | result.totals(tests), ensure_ascii=False, indent=2))


if __name__ == "__main__":
    main()
