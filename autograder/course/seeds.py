"""The seed that a course has if neither `course.toml` nor the environment says one.

It is drawn when it is first needed, and kept in `seed.txt`, which belongs to no version control:
whoever knows a course's seed can compute what its hidden tests will ask.
"""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path

from autograder.errors import CourseError

FILE = "seed.txt"
_MOST = 2**63  # too many to try: a student's code sees inputs that are drawn from the seed
_MAX_BYTES = 100


def drawn() -> int:
    """Return a seed that nobody can guess."""
    return secrets.randbelow(_MOST)


def seed_of(root: Path) -> int:
    """Return the seed kept at `root`; draw, keep and announce one if there is none.

    Runs that need it at the same moment agree on one. Raises `CourseError` if it can't be read or
    kept.
    """
    path = root / FILE
    kept = _kept(path)
    if kept is None:
        _keep(path)
        kept = _kept(path)
    assert kept is not None
    return kept


def _kept(path: Path) -> int | None:
    try:
        with path.open("rb") as file:
            return int(file.read(_MAX_BYTES))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CourseError(f"{path} can't be read ({error.strerror}): make it readable.") from None
    except ValueError:
        raise CourseError(
            f"{path} must hold the course's seed, a whole number: restore it, or delete it to "
            "draw another, after which everything is graded again."
        ) from None


def _keep(path: Path) -> None:
    """Draw a seed and keep it, all of it or nothing, unless another run has kept one meanwhile."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        fresh.write_text(f"{drawn()}\n")
        os.link(fresh, path)  # fails if there is one
    except FileExistsError:
        return
    except OSError as error:
        raise CourseError(
            f"The course's seed can't be kept in {path} ({error.strerror}): make the folder "
            "writable, or set AUTOGRADER_SEED."
        ) from None
    finally:
        with suppress(OSError):
            fresh.unlink()
    print(f"note: a seed was drawn for this course, and is kept in {path}.", file=sys.stderr)
