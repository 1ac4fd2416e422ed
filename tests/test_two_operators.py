"""Two people collect, grade, export and give points on one course at the same moment.

Nothing is lost, and nothing is there twice.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from autograder.course import Course
from autograder.course.sheets import read_table
from autograder.errors import ChangedMeanwhile
from autograder.gradebook import configuration, database, giving
from autograder.gradebook.giving import Award
from autograder.gradebook.marks import marks_on
from autograder.gradebook.recording import record
from autograder.report import Outcome
from tests.commands import autograder, environment
from tests.gradebook.books import grades
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

EARLIER, FIRST, SECOND = "abc", "def", "ghi"


def archive(toys: ToyClass, names: str, folder: Path) -> Path:
    """A folder in which these students hand in, and somebody who gives no name."""
    for name in names:
        toys.hand_in(name, RIGHT)
        (folder / name).mkdir(parents=True)
        shutil.move(toys.course.submitted / name / TOYS, folder / name / TOYS)
        (toys.course.submitted / name).rmdir()
    (folder / f"unnamed-{names}.ipynb").write_bytes(
        (folder / names[0] / TOYS / f"{TOYS}.ipynb").read_bytes().replace(b"x + x", b"2 * x")
    )
    return folder


def started(course: Course, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "autograder", *arguments],
        cwd=course.root,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def give_points(course: Course, student: str) -> None:
    """Give points for a written answer as the desk does: look again if anything has changed."""
    with database.opened(configuration.url(course)) as engine:
        for _ in range(100):
            with engine.connect() as connection:
                (found,) = marks_on(connection, TOYS, student=student)
            mark = found["why"]
            assert mark is not None
            try:
                giving.give(engine, Award("gra", 1.5, "Well said."), {mark.key: mark.version})
            except ChangedMeanwhile:
                continue
            return
    raise AssertionError("the answer never stayed as it was")


@pytest.mark.exhaustive  # `desk/test_two_at_once` tries the same with a gradebook alone
def test_nothing_is_lost_and_nothing_is_doubled(toys: ToyClass, tmp_path: Path) -> None:
    course = toys.course
    for name in EARLIER:
        toys.hand_in(name, RIGHT)
    assert record(course, [toys.report(name, *9 * [Outcome.PASSED]) for name in EARLIER]) == []
    sources = [archive(toys, names, tmp_path / names) for names in (FIRST, SECOND)]
    runs = [started(course, "collect", str(source)) for source in sources]
    runs += [started(course, "grade", "--jobs", "1") for _ in range(2)]
    runs += [started(course, "export", "--to", "csv", "--partial")]
    for name in EARLIER:
        give_points(course, name)
    said = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [1, 1, 0, 0, 0], said  # who has no name is asked for
    assert "Traceback" not in str(said)
    last = autograder(course.root, "grade", "--jobs", "1")
    assert last.returncode == 0, last.stderr

    everybody = sorted(EARLIER + FIRST + SECOND)
    with database.opened(configuration.url(course)) as engine, engine.connect() as connection:
        rows = connection.execute(text("SELECT student_id FROM submitted_assignment")).scalars()
        assert sorted(rows) == everybody
        found = {each.student: each for each in marks_on(connection, TOYS)}
        given = connection.execute(text("SELECT count(*) FROM autograder_given")).scalar()
    assert {grades(course, name)["double_test"] for name in everybody} == {(5, False)}
    for name in EARLIER:
        assert (mark := found[name]["why"])
        assert (mark.score, mark.comment) == (1.5, "Well said.")
    assert given == len(EARLIER)
    asked = [row["entry"] for row in read_table(course.root / "unassigned.csv")]
    assert sorted(asked) == [f"unnamed-{names}.ipynb" for names in (FIRST, SECOND)]
    assert not list(course.work.glob("*.holder"))
