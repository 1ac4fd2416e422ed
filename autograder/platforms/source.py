"""`source.json` beside a submission: what the platform that it was collected from called it."""

from __future__ import annotations

from pydantic import BaseModel, Field, ValidationError

from autograder.course import Course

FILE = "source.json"
MAX_BYTES = 64 << 10


class Source(BaseModel):
    """Where a submission comes from; `entry` is its path inside the archive as downloaded."""

    platform: str = Field(max_length=40)
    entry: str = Field(max_length=4096)


def source_of(course: Course, student: str, assignment: str) -> Source | None:
    """Return where a submission comes from; None if that isn't known."""
    path = course.submission_path(student, assignment).with_name(FILE)
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        return Source.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def entry_of(course: Course, student: str, assignment: str, platform: str) -> str:
    """Return a submission's path in the archive from `platform`; empty if that isn't known."""
    source = source_of(course, student, assignment)
    return source.entry.replace("\\", "/") if source and source.platform == platform else ""
