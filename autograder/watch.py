"""Watch a folder: grade each notebook that appears in it, and write its feedback beside it.

Nothing is recorded. The folder is looked at again and again, since drives on a network don't tell
what changes on them. What was graded stands in a file in `.course/`, which anybody may delete.
"""

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path

import nbformat

from autograder.course.saving import refuse_links, save_whole, sign_of
from autograder.errors import AutograderError, SubmissionError, shown
from autograder.gradebook.unrecorded import page_on
from autograder.grading.fingerprint import fingerprint
from autograder.grading.settings import Settings
from autograder.grading.worker import grade_bytes
from autograder.intake.notebook import read_file
from autograder.intake.release import Release
from autograder.intake.submission import sha256
from autograder.telling.pages.press import PRESS, plain_because
from autograder.telling.pages.student_page import page_of
from autograder.telling.record import Summary, summary_of
from autograder.telling.text import markdown_of
from autograder.work.bounded import Unfinished
from autograder.work.processes import call_beside

MAX_FILES = 10_000  # notebooks that are looked at
_Sign = tuple[int, int, bool]  # what differs when a notebook was written again, or its page is gone


@dataclass
class Watch:
    """A watched folder; `tell` gets a line for each notebook, `markdown` a summary of each."""

    settings: Settings
    folder: Path
    tell: Callable[[str], None]
    markdown: Path | None = None
    _seen: dict[Path, _Sign] = field(default_factory=dict)  # at the last look
    _done: dict[Path, _Sign] = field(default_factory=dict)  # as it was when it was last seen to

    def __post_init__(self) -> None:
        self.folder = self.folder.resolve()
        self._ledger = self.settings.course.work / f"watched-{_key(self.folder)[:16]}.json"
        self._graded = _read(self._ledger)  # what was graded, by notebook

    def keep_on(self, seconds: float) -> None:
        """Grade what appears until this is interrupted, with so many seconds between two looks."""
        while True:
            for path in self.look():
                self.see_to(path)
            time.sleep(seconds)

    def once(self, seconds: float) -> bool:
        """Grade what is there; tell whether all of it could be."""
        self.look()
        time.sleep(seconds)
        still = self.look()
        graded = [self.see_to(path) for path in still]
        changing = sorted(self._seen.keys() - set(still))
        for path in changing:
            self.tell(f"{self._name(path)} is still being written: run this again.")
        return all(graded) and not changing

    def look(self) -> list[Path]:
        """Return the notebooks to be seen to: those that haven't changed since the last look."""
        before, self._seen = self._seen, dict(islice(_notebooks(self.folder), MAX_FILES))
        return [
            path
            for path, sign in self._seen.items()
            if before.get(path) == sign and self._done.get(path) != sign
        ]

    def see_to(self, path: Path) -> bool:
        """Grade a notebook, unless that was done; whatever is wrong with it is told.

        Returns False if it can't be graded.
        """
        try:
            return self._grade(path)
        except (AutograderError, Unfinished, OSError) as error:
            self.tell(f"{self._name(path)}: {shown(str(error))}")
            return False
        finally:
            self._done[path] = (*self._seen[path][:2], _page_of(path).is_file())

    def _grade(self, path: Path) -> bool:
        page = refuse_links(_page_of(path), self.folder)
        raw = read_file(path, below=self.folder)
        digest = self._digest(raw)
        if self._graded.get(_key(path)) == digest and page.is_file():
            return True
        try:
            text, summary = self._feedback(raw, path)
        except SubmissionError as error:
            summary = Summary("Not graded", self._name(path), (), kept_back=str(error))
            text = page_of(nbformat.v4.new_notebook(), summary, plain=True)  # type: ignore[no-untyped-call]
        save_whole(text.encode(), page)
        page.chmod(path.stat().st_mode & 0o666)  # for all who may read the notebook
        self.tell(f"{summary.student}: {shown(summary.standing)}")
        if self.markdown:
            with self.markdown.open("a", encoding="utf-8") as file:
                file.write(markdown_of(summary) + "\n")
        if summary.kept_back:  # the next run says so again
            return False
        there = self._graded.keys() & {_key(each) for each in self._seen}
        self._graded = {key: self._graded[key] for key in there} | {_key(path): digest}
        save_whole(json.dumps(self._graded).encode(), self._ledger)
        return True

    def _feedback(self, raw: bytes, path: Path) -> tuple[str, Summary]:
        report = call_beside(grade_bytes, raw, self.settings)
        summary = replace(summary_of(report), student=self._name(path))
        release = Release.load(self.settings.course, report.assignment)
        made = PRESS.make(partial(page_on, raw, release, report, summary))
        if made.why:
            self.tell(plain_because(f"The page on {summary.student}", made.why))
        return made.text, summary

    def _digest(self, raw: bytes) -> str:
        """Return a hash of all that decides what is found in a notebook."""
        names = self.settings.course.released()
        decides = [fingerprint(self.settings, name) for name in names]
        return sha256(raw + json.dumps(decides).encode())

    def _name(self, path: Path) -> str:
        return shown(str(path.relative_to(self.folder)))


def _notebooks(folder: Path) -> Iterator[tuple[Path, _Sign]]:
    """Yield each notebook below a folder, with its sign: no hidden one, and no link."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != ".")
        for path in (Path(place, name) for name in sorted(names) if name[0] != "."):
            is_notebook = path.suffix.lower() == ".ipynb" and not path.is_symlink()
            if is_notebook and (sign := sign_of(path)):  # else it is gone, or out of reach for now
                yield path, (*sign, _page_of(path).is_file())


def _page_of(path: Path) -> Path:
    return path.with_name(f"{path.stem}.feedback.html")


def _key(path: Path) -> str:
    """Return what stands for a path in a file that is to name no student."""
    return sha256(os.fsencode(path))


def _read(path: Path) -> dict[str, str]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):  # there is none, or half of one: all is graded again
        return {}
    return found if isinstance(found, dict) else {}
