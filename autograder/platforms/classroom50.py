"""Classroom50 and other sets of repositories: clones named `<assignment>-<user>`.

They lie side by side or in folders by assignment. Times are those of the last commits, read from
the clones' objects; no setting of a clone is obeyed.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

from autograder.course import Course
from autograder.intake.archive import File
from autograder.platforms.collecting.entry import Entry, account

TITLE = "Classroom50"
NOTE = (
    "A repository says when its last commit was made, by the clock of the student's computer, and "
    "not when it was pushed."
)
_HEAD = (".git", "HEAD")
_SUBMISSIONS = "-submissions"  # what the platform's own tool appends to an assignment's folder
_REF = re.compile(r"ref: (refs/heads/[\w./-]{1,200})")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_MAX_REFS = 1 << 20  # bytes of a clone's list of branches
_SECONDS = 10  # that git may take

Folder = tuple[str, ...]


def recognises(files: Sequence[File], course: Course) -> bool:
    """Tell whether all notebooks lie in clones, or in folders of an assignment and somebody."""
    clones = _clones(files)
    notebooks = [file for file in files if file.is_called_notebook and len(file.parts) > 1]
    if clones:
        return all(_outermost(file, clones) for file in notebooks)
    return bool(notebooks) and all(_named_folder(file, course) for file in notebooks)


def entries(files: Sequence[File], course: Course) -> Iterator[Entry]:
    """Yield each file of a repository with the user whom the repository's name ends in."""
    heads = _clones(files)
    owned = [(file, _repository(file, heads, course)) for file in files]
    users = {root: _users(root, {r for _, r in owned if r}, course) for _, root in owned if root}
    times = {root: _time(heads.get(root), course.settings.time_zone) for root in users}
    for file, root in owned:
        if file.parts[-2:] == _HEAD:
            continue
        first, *others = users.get(root or (), []) or [""]
        if root is None or not first.strip():
            yield Entry(file, doubt="it lies in no repository named <assignment>-<user>")
            continue
        readings = tuple(account("", {"github": user}) for user in others)
        yield Entry(file, (account("", {"github": first}),), readings, time=times[root])


def _clones(files: Sequence[File]) -> dict[Folder, File]:
    """Return the outermost clones: what looks like one further in can be a student's own."""
    found = {f.parts[:-2]: f for f in files if f.parts[-2:] == _HEAD and len(f.parts) > 2}
    depth = min(map(len, found), default=0)
    return {folder: head for folder, head in found.items() if len(folder) == depth}


def _outermost(file: File, clones: Mapping[Folder, File]) -> Folder | None:
    folders = (file.parts[:depth] for depth in range(1, len(file.parts)))
    return next((folder for folder in folders if folder in clones), None)


def _repository(file: File, clones: Mapping[Folder, File], course: Course) -> Folder | None:
    """Return the folder of the repository that a file lies in."""
    return _outermost(file, clones) or (None if clones else _named_folder(file, course))


def _named_folder(file: File, course: Course) -> Folder | None:
    """Return the outermost folder, or one in an assignment's, if it is named as a repository is."""
    folders = [file.parts[:depth] for depth in range(1, min(3, len(file.parts)))]
    outer = [f for f in folders if len(f) == 1 or f[0].casefold() in _slugs(f, course)]
    return next((folder for folder in outer if _rests(folder, course)), None)


def _slugs(folder: Folder, course: Course) -> set[str]:
    """Return the names by which the assignment of a repository can go."""
    names = set(course.assignment_names())
    if len(folder) > 1:
        parent = folder[-2].casefold()
        if parent.endswith(_SUBMISSIONS):
            names.add(parent.removesuffix(_SUBMISSIONS))
    return {form.casefold() for name in names for form in (name, name.replace("_", "-"))}


def _rests(folder: Folder, course: Course) -> list[str]:
    """Return what can be the user in a repository's name: behind a name of its assignment."""
    name, slugs = folder[-1], _slugs(folder, course)
    longest_first = sorted(slugs, key=len, reverse=True)
    return [name[len(s) + 1 :] for s in longest_first if name.casefold().startswith(f"{s}-")]


def _users(root: Folder, roots: set[Folder], course: Course) -> list[str]:
    """Return the users whom a repository's name can mean, the likeliest first."""
    if rests := _rests(root, course):
        return rests
    if len(root) > 1 and root[-2].casefold() in _slugs(root, course):
        return [root[-1]]
    siblings = [other[-1] for other in roots if other[:-1] == root[:-1]]
    words = zip(*(name.split("-")[:-1] for name in siblings), strict=False)
    shared = [each[0] for each in takewhile(lambda each: len(set(each)) == 1, words)]
    if not shared or len(siblings) < 2:
        return []
    return [root[-1].removeprefix("-".join([*shared, ""]))]


def _time(head: File | None, zone: str) -> datetime | None:
    """Return when a clone's last commit was made; None where that can't be read."""
    if head is None or head.original is None:
        return None
    git = head.original.parent
    try:
        commit = _commit(git)
        seconds = _committed(git / "objects", commit) if commit else ""
        return datetime.fromtimestamp(int(seconds), ZoneInfo(zone)) if seconds else None
    except (OSError, ValueError, OverflowError, subprocess.SubprocessError):
        return None


def _commit(git: Path) -> str:
    """Return the name of the commit that a clone stands at."""
    said = _text(git / "HEAD").strip()
    if match := _REF.fullmatch(said):
        branch = match[1]
        loose = git / branch
        if ".." not in branch and loose.is_file():
            said = _text(loose).strip()
        else:
            lines = (line.split(" ") for line in _text(git / "packed-refs").splitlines())
            said = next((line[0] for line in lines if line[1:] == [branch]), "")
    return said if _COMMIT.fullmatch(said) else ""


def _text(path: Path) -> str:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags), "rb") as file:
        return file.read(_MAX_REFS).decode(errors="replace")


def _committed(objects: Path, commit: str) -> str:
    """Ask git for a commit's time, in an empty repository of ours that borrows the objects.

    What a clone's own settings name is programs that git would run.
    """
    with TemporaryDirectory() as folder:
        for name in ("refs", "objects"):
            Path(folder, name).mkdir()
        Path(folder, "HEAD").write_text("ref: refs/heads/none\n")
        done = subprocess.run(
            ["git", "--no-pager", "log", "-1", "--format=%ct", commit],
            env={
                "PATH": os.environ.get("PATH", os.defpath),
                "GIT_DIR": folder,
                "GIT_OBJECT_DIRECTORY": str(objects),
                "GIT_CONFIG_GLOBAL": os.devnull,
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_NO_LAZY_FETCH": "1",
            },
            capture_output=True,
            check=True,
            text=True,
            timeout=_SECONDS,
        )
    return done.stdout.strip()
