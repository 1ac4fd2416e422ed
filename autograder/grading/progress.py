"""What a run tells while it goes on: a bar on a terminal, lines in a log, JSON for a scheduler.

The JSON is a public format, an object a line. It names students by their ids, and holds no word
that anybody else wrote.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime

from autograder.grading.submissions import Graded, Job
from autograder.work.pool import Failed

SCHEMA = "autograder/progress/v1"
Results = Iterable[tuple[Job, Graded | Failed]]
Progress = Callable[[Results, int], Iterator[tuple[Job, Graded | Failed]]]


def in_words(results: Results, total: int) -> Iterator[tuple[Job, Graded | Failed]]:
    """Show a progress bar on a terminal; elsewhere, print a line per submission."""
    if sys.stderr.isatty():
        from rich.progress import track

        yield from track(results, "Grading", total=total)
        return
    for number, (job, outcome) in enumerate(results, 1):
        print(f"[{number}/{total}] {job.assignment} {job.student}", file=sys.stderr)
        yield job, outcome


def in_silence(results: Results, total: int) -> Iterator[tuple[Job, Graded | Failed]]:
    yield from results


class JsonLines:
    """Writes what became of each submission; `counts` says how often each happened."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self.counts = Counter({"graded": 0, "rejected": 0, "failed": 0})

    def follow(
        self, results: Generator[Graded, None, None], total: int
    ) -> Generator[Graded, None, None]:
        self.tell("started", schema=SCHEMA, submissions=total)
        with closing(results):
            for number, graded in enumerate(results, 1):
                event = _event(graded)
                self.counts[event] += 1
                about = {"assignment": graded.job.assignment, "student": graded.job.student}
                if graded.report:
                    about |= graded.report.model_dump(include={"score", "max_score"})
                self.tell(event, **about, done=number, of=total)
                yield graded

    def tell(self, event: str, **fields: object) -> None:
        at = datetime.now(UTC).isoformat(timespec="seconds")
        self._write(json.dumps({"event": event, "at": at, **fields}))


def _event(graded: Graded) -> str:
    if graded.rejection:
        return "rejected"
    return "graded" if graded.report and graded.report.is_graded else "failed"
