"""The files that an instructor gives students with an assignment, such as data sets.

They lie in `solutions/<assignment>/`, beside the solution, are released beside the notebook, and
lie read-only in the folder that a student's code runs in.
"""

from __future__ import annotations

from pathlib import Path

from autograder.course import Course
from autograder.errors import CourseError

MAX_FILES = 100
MAX_BYTES = 20 << 20  # of all together: each worker keeps a copy


def source_files(course: Course, assignment: str) -> dict[str, Path]:
    """Return the instructor's files by their paths in the folder, hidden ones left out.

    Raises `CourseError` if they can't be given to students.
    """
    root = course.solutions / assignment
    paths = [path for path in sorted(root.rglob("*")) if not path.is_dir() or path.is_symlink()]
    found = {path.relative_to(root).as_posix(): path for path in paths}
    found = {name: path for name, path in found.items() if not _is_hidden(name)}
    for name, path in found.items():
        if path.is_symlink() or not path.is_file() or path.suffix == ".ipynb":
            raise CourseError(
                f"solutions/{assignment}/{name} can't be given to students: replace it with an "
                "ordinary file that isn't a notebook."
            )
    size = sum(path.stat().st_size for path in found.values())
    if len(found) > MAX_FILES or size > MAX_BYTES:
        raise CourseError(
            f"solutions/{assignment}/ has {len(found)} files of {size / 2**20:.1f} MB: keep it to "
            f"{MAX_FILES} files of {MAX_BYTES >> 20} MB together, or let students download them."
        )
    return found


def released_files(course: Course, assignment: str) -> dict[str, Path]:
    """Return the same files as students received them, beside the released notebook."""
    folder = course.release_path(assignment).parent
    found = {name: folder / name for name in source_files(course, assignment)}
    for name, path in found.items():
        if not path.is_file():
            raise CourseError(f"{assignment} was released without {name}: run `make release`.")
    return found


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__pycache__")) for part in Path(name).parts)
