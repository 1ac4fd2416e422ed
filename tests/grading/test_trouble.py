"""Trouble of nobody's making: each is told in a sentence, and nothing is lost."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.report import Report
from tests.commands import autograder, environment, running, wait_until_graded
from tests.gradebook.books import grades
from tests.grading.test_interrupted_runs import left_running
from tests.postgresql import IS_INSTALLED, WHY_NOT, Server, served
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, WRONG, with_settings
from tests.waiting import comes_true

pytestmark = pytest.mark.slow
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
STUDENTS = ("ada", "bo", "cy", "di")
GRADE = ("grade", "--jobs", "1")
AS_A_PROGRAM = [sys.executable, "-m", "autograder", *GRADE]
# In a mount namespace of its own, so that nothing changes for anybody else.
IN_A_NAMESPACE = """
import os, subprocess, sys
from autograder.sandbox import kernel

kernel.unshare(kernel.CLONE_NEWNS)
kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
course, *command = sys.argv[1:]
"""
READ_ONLY = f"""{IN_A_NAMESPACE}
kernel.mount(course, course, None, kernel.MS_BIND)
kernel.make_readonly(course)
os.chdir(course)
os.execv(command[0], command)
"""
FULL = f"""{IN_A_NAMESPACE}
import shutil
from pathlib import Path

MS_REMOUNT = 32
disk = Path(course).with_name("disk")
disk.mkdir()
kernel.mount("tmpfs", str(disk), "tmpfs", 0, "size=6m")
shutil.copytree(course, disk, dirs_exist_ok=True)
first = subprocess.run(command, cwd=disk)
kernel.mount(None, str(disk), None, MS_REMOUNT, "size=40m")
second = subprocess.run(command, cwd=disk)
shutil.copytree(disk, Path(course).with_name("after"))
print("ended with", first.returncode, second.returncode)
"""


@pytest.fixture
def class_(toys: ToyClass) -> ToyClass:
    """A class of four, each with a file of 1 MB beside the notebook."""
    for student in STUDENTS:
        toys.hand_in(student, RIGHT)
        beside = toys.course.submission_path(student, TOYS).with_name("data.bin")
        beside.write_bytes(os.urandom(1 << 20))
    return toys


def grade_all(course: Course) -> None:
    done = autograder(course.root, *GRADE)
    assert done.returncode == 0, done.stderr
    assert_recorded(course)


def assert_recorded(course: Course) -> None:
    assert {grades(course, student)["double_test"] for student in STUDENTS} == {(5, False)}


def refused(course: Course) -> str:
    """Return in which words a run ends that can't do its work."""
    done = autograder(course.root, *GRADE)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def in_a_namespace(script: str, course: Course) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, str(course.root), *AS_A_PROGRAM]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)


@as_root
def test_a_course_that_cannot_be_written_is_told_in_a_sentence(class_: ToyClass) -> None:
    before = {path: path.stat().st_mtime_ns for path in class_.course.root.rglob("*")}
    done = in_a_namespace(READ_ONLY, class_.course)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert re.match(r"autograder: Read-only file system \(.*\)\. Fix this and run again", line)
    assert {path: path.stat().st_mtime_ns for path in class_.course.root.rglob("*")} == before


@pytest.mark.exhaustive  # it grades a class twice
@as_root
def test_a_disk_that_fills_while_grades_are_recorded_is_told_and_the_rest_is_done_later(
    class_: ToyClass,
) -> None:
    done = in_a_namespace(FULL, class_.course)
    assert "ended with 1 0" in done.stdout
    assert "autograder: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    after = Course.load(class_.course.root.with_name("after"))
    assert_recorded(after)
    for student in STUDENTS:
        assert (after.root / "autograded" / student / TOYS / "data.bin").stat().st_size == 1 << 20


def test_a_gradebook_of_which_a_part_is_lost_is_told_and_costs_no_report(class_: ToyClass) -> None:
    grade_all(class_.course)
    book = class_.course.root / "gradebook.db"
    sqlite3.connect(book).execute("PRAGMA wal_checkpoint(TRUNCATE)").connection.close()
    raw = bytearray(book.read_bytes())
    raw[4096:] = bytes(len(raw) - 4096)
    book.write_bytes(raw)
    assert "autograder: The gradebook can't be used" in refused(class_.course)
    for path in class_.course.root.glob("gradebook.db*"):
        path.unlink()
    grade_all(class_.course)


def test_a_gradebook_that_is_held_by_another_program_is_waited_for_or_told(
    class_: ToyClass,
) -> None:
    root = class_.course.root
    with_settings(root, 'database = "sqlite:///gradebook.db?timeout=1"\n')
    with sqlite3.connect(root / "gradebook.db", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "database is locked" in refused(class_.course)
        other.execute("ROLLBACK")
    grade_all(class_.course)


def test_a_gradebook_that_is_gone_is_told_before_a_new_one_takes_its_place(
    class_: ToyClass,
) -> None:
    first = autograder(class_.course.root, *GRADE)
    for path in class_.course.root.glob("gradebook.db*"):
        path.unlink()
    again = autograder(class_.course.root, *GRADE)
    assert [done.stderr.count("The gradebook is gone") for done in (first, again)] == [0, 1]
    assert_recorded(class_.course)


def test_a_clock_that_was_set_back_costs_nothing_and_hides_nothing(class_: ToyClass) -> None:
    grade_all(class_.course)
    for path in class_.course.root.rglob("*"):
        os.utime(path, (2**31, 2**31))  # in 2038
    class_.hand_in("ada", WRONG)
    done = autograder(class_.course.root, *GRADE)
    assert done.returncode == 0, done.stderr
    assert [grades(class_.course, name)["double_test"][0] for name in ("ada", "bo")] == [2, 5]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The server that the gradebook lies on: one of the test's own, which stops it."""
    if not IS_INSTALLED:
        pytest.skip(WHY_NOT)
    with served() as running:
        monkeypatch.setenv("AUTOGRADER_DB_URL", running.address)
        yield running


def test_a_database_server_that_stops_is_told_and_nothing_is_lost(
    class_: ToyClass, server: Server
) -> None:
    said = autograder(class_.course.root, *GRADE, "--student", "ada")
    assert said.returncode == 0, said.stderr
    server.stop()
    for command in (GRADE, ("late",), ("feedback",), ("export", "--to", "csv")):
        done = autograder(class_.course.root, *command)
        assert done.returncode == 1
        assert "if its server doesn't run, start it" in done.stderr
        assert "Traceback" not in done.stderr
    server.start()
    grade_all(class_.course)


@pytest.mark.exhaustive  # a server that stops between two runs is tried above
@pytest.mark.parametrize("graded", [1, 3])
def test_a_database_server_that_stops_during_a_run_ends_it_in_a_sentence_and_the_next_goes_on(
    class_: ToyClass, server: Server, graded: int
) -> None:
    with running(class_.course.root, *GRADE, "--json-lines") as run:
        wait_until_graded(run, graded)
        server.stop()
        out, complained = run.communicate(timeout=60)
    assert run.returncode == 1
    assert "finished" not in out
    (line,) = (each for each in complained.splitlines() if not each.startswith("note: "))
    assert line.startswith("autograder: The gradebook can't be used (")
    assert "if its server doesn't run, start it" in line
    assert comes_true(lambda: not left_running(class_.course), 10)
    kept = {path: path.stat().st_mtime_ns for path in class_.course.reports.glob("*/*.json")}
    assert len(kept) >= graded
    server.start()
    grade_all(class_.course)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


def test_reports_that_cannot_be_written_are_told_in_a_sentence_and_the_work_is_done_later(
    class_: ToyClass,
) -> None:
    class_.course.reports.symlink_to("/dev/full")
    assert re.search(r"^autograder: .* run again", refused(class_.course), re.MULTILINE)
    class_.course.reports.unlink()
    grade_all(class_.course)


@pytest.mark.exhaustive  # it grades a class twice
def test_two_runs_at_once_agree_on_the_seed_and_record_everybody(class_: ToyClass) -> None:
    root = class_.course.root
    (root / "course.toml").write_text('id = "toys"\n')
    runs = [
        subprocess.Popen(
            AS_A_PROGRAM,
            cwd=root,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    said = "".join(each.communicate()[1] for each in runs)
    assert [each.returncode for each in runs] == [0, 0]
    assert said.count("note: a seed was drawn for this course") == 1
    reports = (root / "reports" / TOYS).glob("*.json")
    assert (
        len({Report.model_validate_json(p.read_text()).fingerprint["seed"] for p in reports}) == 1
    )
    assert_recorded(class_.course)


def test_who_is_left_out_is_told_and_everybody_else_is_graded(class_: ToyClass) -> None:
    for name in ("li\nne", "Bo", "\x1b[31m=x"):
        class_.hand_in(name, RIGHT)
    shutil.rmtree(class_.course.submitted / "cy")
    done = autograder(class_.course.root, *GRADE)
    assert done.returncode == 1
    assert sorted(path.name for path in (class_.course.root / "autograded").iterdir()) == [
        "ada",
        "di",
    ]
    assert r"submitted/li\nne was left out" in done.stderr
    assert "submitted/Bo and submitted/bo were left out" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert autograder(class_.course.root, "feedback").returncode == 0
    assert (Path(class_.course.feedback) / "di" / TOYS / "toys.html").is_file()
