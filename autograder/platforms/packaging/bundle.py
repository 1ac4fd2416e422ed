"""All that grades one assignment elsewhere, in a zip: the engine and a course of that assignment.

Nothing else goes with it: no other assignment, no answers, no submissions, no gradebook, no name
of a student.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from autograder.course import Course
from autograder.course.settings import FILE
from autograder.errors import CourseError
from autograder.platforms.packaging.pins import pins

Files = dict[str, bytes]  # by path in the zip
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"  # that the packages are pinned for

_PACKAGE = Path(__file__).resolve().parents[2]
_TEMPLATES = Path(__file__).parent / "templates"
# What grades one notebook. The other rooms serve the instructor.
_ENGINE = (
    *("__init__.py", "errors.py", "report.py"),
    *("course", "diagnosis", "grading", "intake", "sandbox", "testing", "work"),
    *(
        f"telling/{name}.py"
        for name in ("__init__", "record", "plain", "markdown", "platform_text")
    ),
)
# What those rooms hold for classes and for new courses.
_UNUSED = {_PACKAGE / name for name in ("course/scaffold.py", "grading/run.py", "work/cluster.py")}
_LEFT_OUT = {"__pycache__", ".ipynb_checkpoints"}
_EXERCISES = "exercises"
_DATE = (2000, 1, 1, 0, 0, 0)  # the same course makes the same bytes


def write(
    course: Course,
    assignment: str,
    platform: str,
    runners: tuple[str, ...],
    *,
    source: str = "",
    more: Mapping[str, bytes] = MappingProxyType({}),
) -> Path:
    """Write the package for `platform` to the course's `packages/`; return its path.

    `runners` are the files of this room that it needs; the engine and the course go to the folder
    `source` of the zip, beside `more` and what `templates/<platform>/` holds.
    """
    course.check_assignment(assignment)
    if not course.release_path(assignment).is_file():
        raise CourseError(f"{assignment} isn't released yet: run `autograder release` first.")
    templates = (path for path in (_TEMPLATES / platform).iterdir() if path.is_file())
    files = {**more, **{path.name: path.read_bytes() for path in templates}}
    files["requirements.txt"] = "".join(f"{pin}\n" for pin in pins(course, assignment)).encode()
    files["python-version"] = f"{PYTHON}\n".encode()
    parts = {**_engine(runners), **_reduced(course, assignment)}
    files |= {f"{source}{name}": content for name, content in parts.items()}
    target = course.packages / f"{assignment}-{platform}.zip"
    _write_zip(target, files)
    return target


def _engine(runners: tuple[str, ...]) -> Files:
    rooms = [_PACKAGE / name for name in _ENGINE]
    here = Path(__file__).parents[1]
    names = ("__init__.py", "packaging/__init__.py", "packaging/handed_in.py", *runners)
    own = [here / name for name in names]
    paths = (path for room in (*rooms, *own) for path in _files_of(room))
    return {
        f"{_PACKAGE.name}/{path.relative_to(_PACKAGE)}": path.read_bytes()
        for path in paths
        if path.suffix == ".py" and path not in _UNUSED
    }


def _reduced(course: Course, assignment: str) -> Files:
    """Return the course as if it had one assignment."""
    script = course.solutions / f"{assignment}.py"
    shared = (path for path in course.exercises.iterdir() if path.is_file())
    exercises = [*shared, *_files_of(course.exercises / assignment)]
    beside = [
        *_files_of(course.solutions / assignment),
        *_files_of(course.assignments / assignment),
    ]
    paths = [script, *beside]
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
    return _toml(whole | ({"assignments": {assignment: table}} if table else {}))


def _toml(table: Mapping[str, Any]) -> str:
    return "".join(f"{_text(key)} = {_value(value)}\n" for key, value in table.items())


def _value(value: object) -> str:
    """Return a value as TOML writes it."""
    match value:
        case Mapping():
            return "{ " + ", ".join(f"{_text(k)} = {_value(v)}" for k, v in value.items()) + " }"
        case list() | tuple():
            return "[" + ", ".join(map(_value, value)) + "]"
        case str():
            return _text(value)
        case _:
            return repr(value)


def _text(text: str) -> str:
    """Return a string as TOML writes it: as JSON does, but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _files_of(path: Path) -> Iterator[Path]:
    """Yield the files below a folder, in order, or a file itself."""
    if path.is_file():
        yield path
    for found in sorted(path.rglob("*")) if path.is_dir() else ():
        if found.is_file() and not _LEFT_OUT.intersection(found.relative_to(path).parts):
            yield found


def _write_zip(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a zip, all of it or nothing; scripts in it can be run."""
    target.parent.mkdir(exist_ok=True)
    fresh = target.with_suffix(f".{os.getpid()}")
    with zipfile.ZipFile(fresh, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _DATE)
            mode = 0o755 if content.startswith(b"#!") else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    fresh.replace(target)
