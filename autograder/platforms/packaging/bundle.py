"""All that grades one assignment elsewhere, in a zip: the engine and a course of that assignment.

Nothing else goes with it: no other assignment, no answers, no submissions, no gradebook, no name
of a student.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.course.settings import FILE
from autograder.course.sheets import save_whole
from autograder.errors import CourseError
from autograder.platforms.archives import zip_bytes
from autograder.platforms.packaging.requirements import pins

_ENGINE = Path(__file__).resolve().parents[2]
_TEMPLATES = Path(__file__).parent / "templates"
_GRADER = "grader"  # the folder of the zip that the engine and the course lie in
# The rooms that grade one notebook, and what of them serves only classes and new courses.
_ROOMS = ("course", "diagnosis", "grading", "intake", "sandbox", "telling", "testing", "work")
_AT_HOME = (
    *("course/scaffold.py", "grading/run.py", "work/cluster.py"),
    *("telling/pages", "telling/terminal.py"),
)
_ALONE = ("__init__.py", "errors.py", "report.py")
_PLATFORMS = ("__init__.py", "archives.py", "packaged.py")
_LEFT_OUT = {"__pycache__", ".ipynb_checkpoints"}
_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"  # that the packages are pinned for
_EXERCISES = "exercises"

Files = dict[str, bytes]  # by path in the zip


def write_package(course: Course, platform: str, assignment: str) -> Path:
    """Write `packages/<assignment>-<platform>.zip`, and return its path.

    `platform` is gradescope or classroom50. Files of its own lie at the top.
    """
    course.check_assignment(assignment)
    if not course.release_path(assignment).is_file():
        raise CourseError(f"{assignment} isn't released yet: run `autograder release` first.")
    files = {
        path.name: path.read_bytes().replace(b"@PYTHON@", _PYTHON.encode())
        for path in (_TEMPLATES / platform).iterdir()
        if path.is_file()
    }
    files["requirements.txt"] = "".join(f"{pin}\n" for pin in pins(course, assignment)).encode()
    parts = {**_engine(platform), **_reduced(course, assignment)}
    files |= {f"{_GRADER}/{name}": content for name, content in parts.items()}
    target = course.packages / f"{assignment}-{platform}.zip"
    save_whole(zip_bytes(files), target)
    return target


def _engine(platform: str) -> Files:
    at_home = {path for name in _AT_HOME for path in _files_of(_ENGINE / name)}
    own = (f"platforms/{name}" for name in (*_PLATFORMS, f"{platform}.py"))
    paths = (path for name in (*_ROOMS, *_ALONE, *own) for path in _files_of(_ENGINE / name))
    return {
        str(path.relative_to(_ENGINE.parent)): path.read_bytes()
        for path in paths
        if path.suffix == ".py" and path not in at_home
    }


def _reduced(course: Course, assignment: str) -> Files:
    """Return the course as if it had one assignment."""
    paths = [
        course.solutions / f"{assignment}.py",
        *_files_of(course.solutions / assignment),
        *_files_of(course.assignments / assignment),
    ]
    shared = (path for path in course.exercises.iterdir() if path.is_file())
    exercises = [*shared, *_files_of(course.exercises / assignment)]
    return {
        FILE: _reduced_settings(course, assignment).encode(),
        **{str(path.relative_to(course.root)): path.read_bytes() for path in paths},
        **{
            f"{_EXERCISES}/{path.relative_to(course.exercises)}": path.read_bytes()
            for path in exercises
        },
    }


def _reduced_settings(course: Course, assignment: str) -> str:
    """Return a `course.toml` of what decides a score and how it is shown; dates stay at home."""
    chosen = course.settings.assignment(assignment)
    table = chosen.model_dump(exclude={"due", "late", "extensions"}, exclude_defaults=True)
    whole = {"id": course.settings.id, "seed": course.seed, "exercises": _EXERCISES}
    whole |= {"assignments": {assignment: table}} if table else {}
    return "".join(f"{_toml(key)} = {_toml(value)}\n" for key, value in whole.items())


def _toml(value: Any) -> str:
    """Return a value as TOML writes it."""
    match value:
        case Mapping():
            return "{ " + ", ".join(f"{_toml(k)} = {_toml(v)}" for k, v in value.items()) + " }"
        case list() | tuple():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case str() | bool():  # as JSON does, but for one character
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case _:
            return repr(value)


def _files_of(path: Path) -> Iterator[Path]:
    """Yield the files below a folder, in order, or a file itself."""
    if path.is_file():
        yield path
    for found in sorted(path.rglob("*")) if path.is_dir() else ():
        if found.is_file() and not _LEFT_OUT.intersection(found.relative_to(path).parts):
            yield found
