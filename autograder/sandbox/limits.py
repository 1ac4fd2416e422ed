"""How much a submission may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits on one submission; the times are wall-clock seconds and are kept by the grader."""

    cell_seconds: float = 20.0
    call_seconds: float = 6.0
    notebook_seconds: float = 120.0
    memory_mb: int = 2048  # beyond what the warm process has imported already
    processes: int = 64  # threads, that is: a student's process starts no other
    open_files: int = 256
    file_mb: int = 64  # in its own directory, all files together
