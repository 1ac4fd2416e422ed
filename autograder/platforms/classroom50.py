"""Classroom 50 and other sets of repositories: clones, and grading where students hand in.

Clones are named `<assignment>-<user>`. Copies of the course without git's own files are told by the
roster alone. Times are those of the last commits; no setting of a clone
is obeyed. `python -m autograder.platforms.classroom50` runs on each submission, in its checkout.
Where the grader itself fails, it ends with status 1 and writes nothing: an earlier score stays.
Scores are in hundredths of a point, rounded down, because the format has whole numbers only.
"""

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zoneinfo import ZoneInfo

from autograder.course import Course
from autograder.course.saving import save_whole
from autograder.errors import AutograderError, CourseError, GraderFault, SubmissionError
from autograder.grading.hidden_tests import HiddenTests
from autograder.intake.archive import HEAD_OF_CLONE, File
from autograder.intake.notebook import open_regular
from autograder.platforms.archives import Account, ArchiveEntry, Readings
from autograder.platforms.packaged import grade_folder, packaged_course
from autograder.report import Outcome
from autograder.sandbox.host.program import ONE_THREAD
from autograder.telling.record import summary_of
from autograder.telling.text import fault_lines, markdown_of

TITLE = "Classroom50"
NOTE = (
    "A repository says when its last commit was made, by the clock of the student's computer, and "
    "not when it was pushed."
)
MAX_HEAD = 1000  # bytes of what says where a clone stands
MAX_SECONDS = 10  # that git may take
RESULT, BODY = "result.json", "release-body.md"
SCHEMA = "classroom50/result/v1"
SCALE = 100
MAX_WORDS = 8  # of a folder's name that are looked at
# What Classroom 50's runner says in the environment.
NEEDED = ("CLASSROOM", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL")
_TINY = 1e-6  # of a hundredth: what a sum of floats may be short of
_SUBMISSIONS = "-submissions"  # what the platform's own tool appends to an assignment's folder

Repository = tuple[str, ...]  # the folders down to it
Json = dict[str, Any]

# Clones


def recognises(files: Sequence[File], course: Course) -> bool:
    """Tell whether all notebooks lie in clones, or in folders named as clones are."""
    clones = _clones(files) or _forks(files, course)
    notebooks = [file for file in files if file.is_called_notebook and len(file.parts) > 1]
    are_named = all(_repository(file, clones, course) for file in notebooks)
    return bool(clones or notebooks) and are_named


def entries(files: Sequence[File], course: Course) -> Iterator[ArchiveEntry]:
    """Yield each file of a repository with the user that the repository's name ends in."""
    heads = _clones(files)
    forks = {} if heads else _forks(files, course)
    heads = heads or forks
    repositories = [_repository(file, heads, course) for file in files]
    roots = set(filter(None, repositories))
    users = {root: _users(root, roots, course) for root in roots}
    times = {root: _time(heads.get(root), course.settings.time_zone) for root in roots}
    for file, root in zip(files, repositories, strict=True):
        if file.parts[-2:] == HEAD_OF_CLONE:
            continue
        names = users.get(root or (), [])
        readings = tuple(Account.of("", {"github": name}) for name in names)
        if root in forks:
            readings = _readings(root, set(forks))
        if root and readings and readings[0].ids:
            yield ArchiveEntry(file, (readings,), times[root])
        else:
            yield ArchiveEntry(file, doubt="it lies in no repository named <assignment>-<user>")


def _clones(files: Sequence[File]) -> Mapping[Repository, File | None]:
    """Return the outermost clones: what looks like one further in can be a student's own."""
    found = {f.parts[:-2]: f for f in files if f.parts[-2:] == HEAD_OF_CLONE and len(f.parts) > 2}
    depth = min(map(len, found), default=0)
    return {folder: head for folder, head in found.items() if len(folder) == depth}


def _forks(files: Sequence[File], course: Course) -> dict[Repository, None]:
    """Return the folders, a person's each, in which copies of this course lie.

    In them, a notebook lies where it was released. Where several lie around it, a person's is the
    outermost that differs from others.
    """
    depth = len(course.release_path("x").relative_to(course.root).parts)
    released = {
        course.release_path(name).relative_to(course.root).parts
        for name in course.assignment_names()
    }
    roots = {file.parts[:-depth] for file in files if file.parts[-depth:] in released} - {()}
    shared = _shared(roots)
    return dict.fromkeys(root[: shared + 1] for root in roots)


def _readings(root: Repository, roots: set[Repository]) -> Readings:
    """Return the people that a fork's folder can mean: the roster must know one of them alone.

    It is the part by which it differs from its neighbours, or more of it; around one fork alone,
    any part of any folder's name.
    """
    names = [other[-1] for other in roots]
    rows = [re.split(r"[-_ ]", name)[:MAX_WORDS] for name in names]
    words = re.split(r"[-_ ]", root[-1])[:MAX_WORDS]
    first, last = _shared(rows), _shared([row[::-1] for row in rows])
    is_alone = len(rows) < 2
    parts = [
        words[start:end]
        for start in range(len(words) if is_alone else first + 1)
        for end in range(len(words), start if is_alone else len(words) - last - 1, -1)
        if end > start
    ]
    parts.sort(key=len, reverse=is_alone)
    around = [folder for folder in root[:-1] if is_alone]
    texts = dict.fromkeys([*(sep.join(part) for part in parts for sep in "-_ "), *around])
    owners = (Account.labelled(text, is_student_id=not is_alone) for text in texts)
    return tuple(owner for owner in owners if owner.ids)


def _shared(rows: Collection[Sequence[str]]) -> int:
    """Return how many words all of the rows begin with, without the last word of any."""
    words = zip(*(row[:-1] for row in rows), strict=False)
    return sum(1 for _ in takewhile(lambda each: len(set(each)) == 1, words))


def _repository(
    file: File, clones: Mapping[Repository, File | None], course: Course
) -> Repository | None:
    """Return the folder of the repository that a file lies in: the outermost that can be one."""
    folders = [file.parts[:depth] for depth in range(1, len(file.parts))]
    if clones:
        return next((folder for folder in folders if folder in clones), None)
    # Without clones, it is the outermost or one in an assignment's, and named as a repository is.
    outer = [f for f in folders[:2] if len(f) == 1 or f[0].casefold() in _slugs(f, course)]
    return next((folder for folder in outer if _rests(folder, course)), None)


def _slugs(folder: Repository, course: Course) -> set[str]:
    """Return the names by which the assignment of a repository can go."""
    names = set(course.assignment_names())
    if len(folder) > 1:
        parent = folder[-2].casefold()
        if parent.endswith(_SUBMISSIONS):
            names.add(parent.removesuffix(_SUBMISSIONS))
    return {form.casefold() for name in names for form in (name, name.replace("_", "-"))}


def _rests(folder: Repository, course: Course) -> list[str]:
    """Return what can be the user in a repository's name: behind a name of its assignment."""
    name, slugs = folder[-1], _slugs(folder, course)
    longest_first = sorted(slugs, key=len, reverse=True)
    return [name[len(s) + 1 :] for s in longest_first if name.casefold().startswith(f"{s}-")]


def _users(root: Repository, roots: set[Repository], course: Course) -> list[str]:
    """Return the users that a repository's name can mean, the likeliest first."""
    if rests := _rests(root, course):
        return rests
    if len(root) > 1 and root[-2].casefold() in _slugs(root, course):
        return [root[-1]]
    siblings = [other[-1] for other in roots if other[:-1] == root[:-1]]
    shared = _shared([name.split("-") for name in siblings])
    return ["-".join(root[-1].split("-")[shared:])] if shared and len(siblings) > 1 else []


def _time(head: File | None, zone: str) -> datetime | None:
    """Return when a clone's last commit was made, if git can tell without obeying its settings."""
    if head is None or head.original is None:
        return None
    git = head.original.parent
    try:
        with TemporaryDirectory() as folder, open_regular(head.original, git) as stream:
            Path(folder, "HEAD").write_bytes(stream.read(MAX_HEAD))
            for name in ("refs", "packed-refs"):
                Path(folder, name).symlink_to(git.resolve() / name)
            done = subprocess.run(
                ["git", "--no-pager", "log", "-1", "--format=%ct"],
                env={
                    "PATH": os.environ.get("PATH", os.defpath),
                    "GIT_DIR": folder,
                    "GIT_OBJECT_DIRECTORY": str(git / "objects"),
                    "GIT_CONFIG_GLOBAL": os.devnull,
                    "GIT_CONFIG_NOSYSTEM": "1",
                    "GIT_NO_LAZY_FETCH": "1",
                },
                capture_output=True,
                check=True,
                timeout=MAX_SECONDS,
            )
        return datetime.fromtimestamp(int(done.stdout), ZoneInfo(zone))
    except (SubmissionError, OSError, ValueError, OverflowError, subprocess.SubprocessError):
        return None


# Grading where students hand in


def main() -> None:
    """Grade the working directory. What is printed, students can read."""
    os.environ.update(ONE_THREAD)
    try:
        for name in (RESULT, BODY):  # whatever the student handed in under these names
            Path(name).unlink(missing_ok=True)
        _grade(Path.cwd(), os.environ)
    except AutograderError as error:
        sys.exit(f"Not graded: {error}")
    except OSError as error:
        sys.exit(f"Not graded: {error.strerror} ({error.filename}).")
    except Exception as error:  # a traceback could quote a hidden test
        sys.exit(f"Not graded: the grader failed ({type(error).__name__}). Tell your instructor.")


def _grade(folder: Path, environment: Mapping[str, str]) -> None:
    """Leave the result in `folder`; raise `GraderFault` where a hidden test failed by itself."""
    course, assignment = packaged_course()
    about = _about(environment, assignment)
    try:
        report = grade_folder(course, assignment, folder)
    except SubmissionError as error:
        points = HiddenTests(course, assignment).points
        tests = [_test(name, 0, most, passed=False) for name, most in points.items()]
        body = f"{error}\n"
    else:
        if named := fault_lines(report):
            raise GraderFault(
                f"{len(named)} of the hidden tests failed through a fault of their own, not of the "
                "student's. Instructors: `autograder check` shows it on the same notebook."
            )
        tests = [
            _test(each.name, each.score, each.max_score, passed=each.outcome is Outcome.PASSED)
            for each in report.exercises
        ]
        body = markdown_of(summary_of(report))
    sums = {key: sum(test[key] for test in tests) for key in ("score", "max-score")}
    result = json.dumps(about | sums | {"tests": tests}, ensure_ascii=False, indent=2)
    save_whole(body.encode(), folder / BODY)
    save_whole(result.encode(), folder / RESULT)


def _about(environment: Mapping[str, str], assignment: str) -> Json:
    """Return what the result is about; raise `CourseError` where the runner doesn't say it."""
    missing = [name for name in NEEDED if not environment.get(name)]
    if missing:
        raise CourseError(
            f"The environment lacks {', '.join(missing)}: set what Classroom 50's runner sets."
        )
    return {
        "schema": SCHEMA,
        "classroom": environment["CLASSROOM"],
        "assignment": environment.get("ASSIGNMENT") or assignment,
        "assignment_type": environment.get("ASSIGNMENT_TYPE") or "individual",
        "owner": environment.get("OWNER") or environment.get("USERNAME") or "",
        "submission": environment["SUBMISSION_TAG"],
        "commit": environment["COMMIT_URL"],
        "release": environment["RELEASE_URL"],
        "review": environment.get("REVIEW_URL") or environment["COMMIT_URL"],
        "datetime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def _test(name: str, score: float, most: float, *, passed: bool) -> Json:
    earned, possible = (math.floor(points * SCALE + _TINY) for points in (score, most))
    return {"test-name": name, "passed": passed, "score": earned, "max-score": possible}


if __name__ == "__main__":
    main()
