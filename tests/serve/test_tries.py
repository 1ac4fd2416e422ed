"""What is handed in is kept before anybody is told so, and one of the tries counts."""

import io
import os
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from autograder.course import Course
from autograder.errors import CourseError, SubmissionError
from autograder.gradebook.database import now
from autograder.grading.submissions import find_submissions, load_report
from autograder.intake import times
from autograder.intake.notebook import MAX_NOTEBOOK
from autograder.intake.submission import sha256
from autograder.platforms.archives import source_beside
from autograder.report import Outcome
from autograder.serve import store
from autograder.serve.store import forget, known_about, open_store
from autograder.serve.tables import TryState
from autograder.serve.tries import Tries
from tests.postgresql import in_postgresql
from tests.serve.houses import FAILED, PASSED, School, school_of
from tests.toy_class import ToyClass
from tests.toys import TOYS

KEEP = store._keep_each_commit  # which other tests do without


def test_the_file_is_on_the_disk_before_the_row_that_tells_of_it(
    school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    real = os.fsync

    def fsync(file: int) -> None:
        done.append("fsync")
        real(file)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Tries, "_enter", lambda *_, **__: done.append("row"))
    school.keep()
    assert done[-1] == "row"
    assert done.count("fsync") >= 4  # the file, and the folders that name it


def test_each_commit_is_on_the_disk(toys: ToyClass) -> None:
    with patch.object(store, "_keep_each_commit", KEEP), store.open_store(toys.course) as opened:
        connections = [opened.engine.connect() for _ in range(3)]
        found = [each.exec_driver_sql("PRAGMA synchronous").scalar() for each in connections]
        for each in connections:
            each.close()
    assert found == [2, 2, 2]  # FULL


def test_a_try_is_kept_byte_for_byte_under_its_hash(school: School) -> None:
    found, raw = school.keep(), school.notebook()
    assert school.tries.path(found).read_bytes() == raw
    assert found.sha256 == sha256(raw)
    assert found.state is TryState.WAITING


def test_what_the_server_was_told_survives_its_end(toys: ToyClass) -> None:
    with school_of(toys) as school:
        found = school.keep()
    with open_store(toys.course) as store:
        assert Tries(store).find(found.number) == found


def test_a_newer_try_takes_the_place_of_one_that_waits(school: School) -> None:
    first, other, second = school.keep(note="1"), school.keep("bob"), school.keep(note="2")
    states = {each.number: each.state for each in school.tries.on(TOYS)}
    assert states[first.number] is TryState.REPLACED
    assert states[second.number] is states[other.number] is TryState.WAITING
    assert second.place == first.place < other.place


def test_a_try_that_is_graded_again_is_not_lost_to_a_newer_one(school: School) -> None:
    first = school.grade(school.keep(note="1"))
    school.tries.update(first.number, state=TryState.WAITING)
    school.keep(note="2")
    again = school.tries.find(first.number)
    assert again is not None
    assert again.state is TryState.WAITING


def test_the_same_bytes_again_are_the_same_try(school: School) -> None:
    assert school.keep().number == school.keep().number
    assert school.keep("bob").number != school.keep().number


@pytest.mark.parametrize("extra", [1, MAX_NOTEBOOK])
def test_more_bytes_than_a_notebook_may_have_are_not_kept(school: School, extra: int) -> None:
    with pytest.raises(SubmissionError, match="larger than 20 MB"):
        school.tries.keep("ada", TOYS, io.BytesIO(bytes(MAX_NOTEBOOK + extra)), "page")
    assert school.tries.of("ada", TOYS) == []
    assert not (school.toys.course.submitted / "ada").exists()


@pytest.mark.parametrize("link", ["ada", f"ada/{TOYS}"])
def test_no_link_is_followed(school: School, link: str, tmp_path: Path) -> None:
    there = school.toys.course.submitted / link
    there.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "elsewhere").mkdir()
    there.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CourseError, match="is a link"):
        school.keep()
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "counts"), [("last", "3"), ("best", "2"), ("chosen", "3"), ("chosen-1", "1")]
)
def test_which_try_counts_is_the_courses_choice(toys: ToyClass, policy: str, counts: str) -> None:
    said, _, choice = policy.partition("-")
    with school_of(toys, f'counts = "{said}"') as school:
        tries = {
            note: school.grade(school.keep(note=note), outcomes)
            for note, outcomes in (("1", FAILED), ("2", PASSED), ("3", FAILED))
        }
        if choice:
            school.tries.update(tries[choice].number, chosen=now())
        school.record(tries["3"])
        where = school.toys.course.submission_path("ada", TOYS)
        assert where.read_bytes() == school.notebook(note=counts)
        report = load_report(school.toys.course, "ada", TOYS)
        assert report is not None
        assert report.notebook_sha256 == tries[counts].sha256


def test_the_try_that_counts_lies_where_grade_and_nbgrader_look(school: School) -> None:
    found = school.grade(school.keep())
    course = school.toys.course
    (job,) = find_submissions(course, [TOYS])
    assert job.read() == school.notebook()
    time = times.handed_in_at(job.path.parent, "UTC")
    assert time == found.at.replace(tzinfo=UTC)
    source = source_beside(job.path)
    assert source is not None
    assert (source.platform, source.entry) == ("serve", str(found.number))


def test_what_was_collected_elsewhere_is_one_of_the_tries(school: School) -> None:
    first = school.grade(school.keep(note="1"))
    later = first.at + timedelta(hours=1)
    place = school.toys.course.submission_path("ada", TOYS)
    school.toys.hand_in_bytes("ada", school.notebook(note="by mail"))
    place.with_name(times.FILE).write_text(f"{later} UTC\n")
    school.tries.adopt("ada", TOYS)
    newest, *_ = school.tries.of("ada", TOYS)
    assert (newest.at, newest.state) == (later, TryState.WAITING)
    school.tries.adopt("ada", TOYS)
    assert len(school.tries.of("ada", TOYS)) == 2
    assert school.grade(newest) == school.tries.counting("ada", TOYS)


def test_what_was_graded_before_the_server_came_is_not_graded_again(school: School) -> None:
    school.toys.hand_in_bytes("ada", school.notebook())
    school.toys.report("ada", *9 * [Outcome.PASSED])
    school.tries.adopt("ada", TOYS)
    (found,) = school.tries.of("ada", TOYS)
    assert (found.state, found.score) == (TryState.GRADED, 9)


@pytest.mark.parametrize("state", TryState)
def test_tries_that_cost_nothing_leave_as_many_for_today(toys: ToyClass, state: TryState) -> None:
    with school_of(toys, "tries_a_day = 2") as school:
        school.tries.update(school.keep().number, state=state)
        free = state in (TryState.REPLACED, TryState.REJECTED, TryState.FAILED)
        assert school.tries.left_today("ada", TOYS) == (2 if free else 1)
        assert school.tries.left_today("bob", TOYS) == 2


def test_yesterdays_tries_are_over_at_midnight_where_the_course_is(toys: ToyClass) -> None:
    zone = 'time_zone = "Pacific/Auckland"'
    with school_of(toys, "tries_a_day = 1", zone) as school:
        found = school.keep()
        assert school.tries.left_today("ada", TOYS) == 0
        here = datetime.now(UTC).astimezone(school.toys.course.settings.in_zone(found.at).tzinfo)
        before = here.replace(hour=0, minute=0, second=0) - timedelta(seconds=1)
        school.tries.update(found.number, at=before.astimezone(UTC).replace(tzinfo=None))
        assert school.tries.left_today("ada", TOYS) == 1


def test_what_is_refused_takes_no_room_on_the_disk(toys: ToyClass) -> None:
    with school_of(toys, "tries_a_day = 1") as school:
        found = school.keep()
        with pytest.raises(SubmissionError, match="no tries left"):
            school.keep(note="another")
        assert [*school.tries.path(found).parent.iterdir()] == [school.tries.path(found)]
        assert school.keep() == found


def test_of_many_at_once_too_what_is_refused_takes_no_room(
    toys: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(note: str) -> bool:
        try:
            return bool(school.keep(note=note))
        except SubmissionError:
            return False

    monkeypatch.setattr("autograder.serve.tries._sync", lambda _: time.sleep(0.05))
    with school_of(toys, "tries_a_day = 1") as school, ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(keep, "1234")) == [False, False, False, True]
        (found,) = school.tries.on(TOYS)
        assert [*school.tries.path(found).parent.iterdir()] == [school.tries.path(found)]


@pytest.mark.parametrize(("bound", "most"), [("MAX_KEPT", 1.5), ("MAX_TRIES", 1)])
def test_nobody_fills_the_disk_with_notebooks(
    school: School, monkeypatch: pytest.MonkeyPatch, bound: str, most: float
) -> None:
    size = len(school.notebook()) if bound == "MAX_KEPT" else 1
    monkeypatch.setattr(f"autograder.serve.tries.{bound}", most * size)
    found = school.keep()
    with pytest.raises(SubmissionError, match="as much as is kept"):
        school.keep(note="another")
    assert [*school.tries.path(found).parent.iterdir()] == [school.tries.path(found)]
    assert school.keep() == found
    school.keep("bob")


def test_nobody_fills_the_database_with_two_notebooks_in_turn(
    school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.serve.tries.MAX_TRIES", 3)
    for number in range(3):
        last = school.keep(note=str(number % 2))
    with pytest.raises(SubmissionError, match="as much as is kept"):
        school.keep(note="1")
    assert school.tries.of("ada", TOYS)[0] == last
    school.keep("bob")


def test_nobody_else_on_the_machine_reads_the_servers_file(school: School) -> None:
    file = school.toys.course.root / "serve.db"
    assert file.stat().st_mode & 0o077 == 0
    assert file in Course.load(school.toys.course.root, {}).secrets()


@pytest.mark.slow
@in_postgresql
def test_beside_a_gradebook_in_postgresql_all_of_it_lies_there(toys: ToyClass) -> None:
    with school_of(toys, "tries_a_day = 3") as school, school.student() as ada:
        first = school.keep(note="1")
        ada.hand_in(school.notebook(note="2"))
        found = school.grade(school.tries.of("ada", TOYS)[0], FAILED)
        assert school.tries.find(first.number) != first
        ada.open(f"/try/{found.number}")
        ada.send("form.appeal", exercise="double", text="It is right.")
        assert "4 of 11 points" in ada.text
        assert "It waits for an answer." in ada.text
        assert school.tries.left_today("ada", TOYS) == 2
    root = toys.course.root
    assert not (root / "serve.db").exists()
    assert known_about(Course.load(root), "ada").keys() >= {"autograder_tries"}
    forget(Course.load(root), "ada")
    assert known_about(Course.load(root), "ada") == {}
