"""The zip that an instructor unpacks where Classroom 50 keeps the autograder of an assignment."""

from __future__ import annotations

import json
from pathlib import Path

from autograder.course import Course
from autograder.platforms.packaging import bundle

_RUNNERS = ("classroom50_result.py", "classroom50_run.py")


def write(course: Course, assignment: str) -> Path:
    """Write `packages/<assignment>-classroom50.zip`; return its path."""
    runtime = {
        "runs-on": "ubuntu-latest",
        "python": bundle.PYTHON,
        "apt": ["libseccomp2"],  # filters students' system calls
    }
    more = {"runtime.json": json.dumps(runtime, indent=2).encode()}
    return bundle.write(course, assignment, "classroom50", _RUNNERS, source="grader/", more=more)
