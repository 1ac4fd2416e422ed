"""Of all files that a student's process can open, none holds what only the grader knows."""

import json
import sys
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.sandbox.limits import Isolation
from autograder.sandbox.readable import readable
from tests import secret_texts
from tests.courses import ROOT
from tests.sandbox.conftest import Intruder

# Opens every file below some directories that was written lately, or lies in the course; of those
# written lately, reads what isn't huge.
LOOK_AROUND = """
import os, stat
def look_around(places, since, texts, is_mine):
    opened, holders, seen = [], [], set()
    for place in places:
        for folder, folders, names in os.walk(place):
            about = os.stat(folder)
            if (about.st_dev, about.st_ino) in seen:
                folders.clear()
                continue
            seen.add((about.st_dev, about.st_ino))
            for path in (os.path.join(folder, name) for name in names):
                try:
                    about = os.stat(path)
                    is_new = about.st_ctime >= since
                    if not stat.S_ISREG(about.st_mode) or not (is_new or is_mine(path)):
                        continue
                    with open(path, "rb") as file:
                        opened.append(path)
                        if is_new and about.st_size < 1 << 22:
                            content = file.read()
                            if any(text.encode() in content for text in texts):
                                holders.append(path)
                except OSError:
                    pass
    return opened, holders
"""
ELSEWHERE = ("/", "/home", "/root", "/srv", "/tmp", "/var", "/etc", "/opt", "/mnt", "/proc", "/sys")
COURSE = str(ROOT)
ASSIGNMENTS = ("hw1_attention", "hw2_encoder")


def looked(intruder: Intruder, places: list[str], since: float, texts: list[str]) -> list[str]:
    """Return the files below `places` that hold one of `texts`, or lie in the course."""
    intruder.child.socket.settimeout(300)
    mine = f"path.startswith({COURSE + '/'!r}) and not path.startswith({sys.prefix + '/'!r})"
    call = f"look_around({json.dumps(places)}, {since}, {json.dumps(texts)}, is_mine)"
    found: list[str] = intruder.run(
        f"{LOOK_AROUND}\nis_mine = lambda path: {mine}\nopened, holders = {call}\n"
        "answer = holders + [path for path in opened if is_mine(path)]"
    )
    return found


def some_texts(course: Course) -> list[str]:
    """Return a text of each file of hidden tests and a line of each solution, more or less."""
    texts = [
        sorted(found, key=len)[-6:]
        for assignment in ASSIGNMENTS
        for found in (
            secret_texts.of_hidden_tests(course, assignment),
            secret_texts.of_solutions(course, assignment),
        )
    ]
    return [text.decode() for some in texts for text in some]


def test_the_search_finds_what_is_there(intruder: Intruder) -> None:
    library = str(Path(json.__file__).parent)
    text = "JSON (JavaScript Object Notation) <https://json.org>"
    assert str(Path(json.__file__)) in looked(intruder, [library], 0, [text])


@pytest.mark.slow
@pytest.mark.parametrize(
    "level",  # lockdown reads the same files as rootns does, for as long
    [
        Isolation.ROOTNS,
        Isolation.USERNS,
        pytest.param(Isolation.LOCKDOWN, marks=pytest.mark.exhaustive),
    ],
    indirect=True,
)
def test_no_file_that_can_be_opened_holds_a_secret(intruder: Intruder, course: Course) -> None:
    """What was written since the hidden tests were is read; a copy of them cannot be older."""
    tests = [path for name in ASSIGNMENTS for path in (course.exercises / name).rglob("test_*.py")]
    since = min(path.stat().st_ctime for path in tests)
    places = [*ELSEWHERE, COURSE, *readable()]
    assert looked(intruder, places, since, some_texts(course)) == []
