"""A course's own names of files, as `[collect] pattern` in course.toml says.

The pattern is matched from the beginning of a file's path, as nbgrader's zip_collect does. It names
groups: a column of roster.csv or name, and perhaps first_name, last_name, timestamp, and late.
"""

import re
from collections.abc import Iterator, Sequence

from autograder.course import Course
from autograder.course.roster import IDS
from autograder.errors import shown
from autograder.intake.archive import File
from autograder.intake.times import parse_time
from autograder.platforms.archives import Account, ArchiveEntry

TITLE = "The pattern in course.toml"
NOTE = ""
MAX_PATH = 300  # characters: some patterns take a time that doubles with each


def recognises(files: Sequence[File], course: Course) -> bool:
    return course.settings.collect is not None


def entries(files: Sequence[File], course: Course) -> Iterator[ArchiveEntry]:
    """Yield each file with the ids that the pattern finds in its path."""
    settings = course.settings.collect
    assert settings is not None  # as `recognises` has seen
    pattern = re.compile(settings.pattern)
    for file in files:
        match = pattern.match(file.name) if len(file.name) <= MAX_PATH else None
        found = {key: text or "" for key, text in match.groupdict().items()} if match else {}
        names = found.get("name") or f"{found.get('first_name', '')} {found.get('last_name', '')}"
        said = found.get("timestamp", "")
        time = parse_time(said, course.settings.time_zone)
        owner = Account.of(names, {key: found.get(key, "") for key in IDS})
        if said and time is None:  # it would count as in time
            yield ArchiveEntry(file, doubt=f"its time, {shown(said)}, is none that can be read")
        elif owner.ids or owner.name:
            yield ArchiveEntry(file, ((owner,),), time, is_late=bool(found.get("late")))
        else:
            yield ArchiveEntry(file, doubt="the pattern in course.toml doesn't match its name")
