"""What a hostile notebook does to itself: each change takes its content and returns another."""

from tests.hostile.changes import crowds, files, marks, texts
from tests.hostile.changes.registry import CHANGES

__all__ = ["CHANGES", "crowds", "files", "marks", "texts"]
