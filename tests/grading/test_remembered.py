"""What suspects replied is kept from run to run, and holds nothing that a student has computed."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.authoring.release import release
from autograder.course import Course
from autograder.diagnosis.memory import Memory
from autograder.grading import examiner, remembered
from autograder.grading.fingerprint import fingerprint
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.report import Report
from autograder.sandbox.host.callbacks import Model
from autograder.sandbox.host.probe import strongest
from autograder.testing.student import Exchange
from tests.notebooks import filled
from tests.toys import RIGHT, TOYS, course_of

NOW, OTHER = {"seed": "7", "grader": "a"}, {"seed": "8", "grader": "a"}
FRAMES = bytes(range(256)) * 4
# A hidden test that continues with what the student's code returned to it.
CHAINED = '''

@points(1)
def test_twice_the_double_is_four_times_as_much(student):
    """Twice the double is four times as much."""
    x = np.array([3.0])
    expect.close(student.double(student.double(x)), 4 * x, "Doubling twice isn't four times.")
'''
SQUARE = RIGHT | {"double": "def double(x):\n    return x * x"}
MINUS = RIGHT | {"double": "def double(x):\n    return -2 * x"}


@pytest.fixture
def place(tmp_path: Path) -> Course:
    """A course as far as what is kept goes: a folder."""
    return SimpleNamespace(work=tmp_path / ".course")  # type: ignore[return-value]


def file_of(course: Course) -> Path:
    (path,) = (course.work / "suspects").iterdir()
    return path


def test_what_is_kept_is_recalled_under_the_same_fingerprint_alone(place: Course) -> None:
    assert remembered.recalled(place, TOYS, NOW) == b""
    remembered.keep(place, TOYS, NOW, FRAMES)
    assert remembered.recalled(place, TOYS, NOW) == FRAMES
    assert remembered.recalled(place, TOYS, OTHER) == b""
    assert remembered.recalled(place, "others", NOW) == b""


def test_a_file_that_is_damaged_anywhere_is_ignored(place: Course) -> None:
    remembered.keep(place, TOYS, NOW, FRAMES)
    whole = file_of(place).read_bytes()
    for at in range(0, len(whole), 7):
        file_of(place).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert remembered.recalled(place, TOYS, NOW) == b""
        file_of(place).write_bytes(whole[:at])
        assert remembered.recalled(place, TOYS, NOW) == b""
    file_of(place).write_bytes(whole)
    assert remembered.recalled(place, TOYS, NOW) == FRAMES


def test_a_file_that_is_too_large_is_ignored(
    place: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered.keep(place, TOYS, NOW, FRAMES)
    monkeypatch.setattr(remembered, "MAX_BYTES", len(FRAMES) - 1)
    assert remembered.recalled(place, TOYS, NOW) == b""


def test_a_write_that_fails_leaves_what_was_kept(
    place: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered.keep(place, TOYS, NOW, FRAMES)

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(Path, "replace", fail)
    remembered.keep(place, TOYS, NOW, b"more")
    assert remembered.recalled(place, TOYS, NOW) == FRAMES
    file_of(place)  # is alone in its folder


def test_where_nothing_can_be_written_nothing_is_kept(place: Course) -> None:
    place.work.write_text("no folder")
    remembered.keep(place, TOYS, NOW, FRAMES)
    assert remembered.recalled(place, TOYS, NOW) == b""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    course = course_of(tmp_path)
    release(course, [TOYS])
    return Settings(course, strongest())


def graded(settings: Settings, *answers: dict[str, str]) -> tuple[list[Report], Memory]:
    """Grade submissions in a run of its own; return the reports, and what was learned."""
    path = settings.course.release_path(TOYS)
    with Grader(settings, TOYS) as grader:
        grader.prepare()
        raws = [json.dumps(filled(path, each)).encode() for each in answers]
        reports = [grader.grade(raw) for raw in raws]
        grader.keep()
        return reports, grader._examiner.memory


def kept(settings: Settings) -> Memory:
    """Return what a later run would begin with."""
    memory = Memory()
    memory.recall(remembered.recalled(settings.course, TOYS, fingerprint(settings, TOYS)))
    return memory


def test_a_run_that_recalls_gives_the_same_reports_and_replays_nothing(settings: Settings) -> None:
    fresh, _ = graded(settings, SQUARE, MINUS)
    assert fresh[1].exercises[0].misconceptions  # which takes replies of a right answer
    assert len(kept(settings)) > 0
    file = file_of(settings.course)
    before = file.stat().st_mtime_ns
    again, memory = graded(settings, MINUS)
    assert again == fresh[1:]
    assert not memory.has_found_more
    assert file.stat().st_mtime_ns == before


def test_a_class_that_is_all_right_leaves_nothing(settings: Settings) -> None:
    graded(settings, RIGHT)
    assert not (settings.course.work / "suspects").exists()


def test_calls_with_what_a_student_has_computed_are_not_kept(settings: Settings) -> None:
    tests = settings.course.exercises / TOYS / "hidden_tests" / "test_double.py"
    tests.write_text(tests.read_text() + CHAINED)
    _, memory = graded(settings, SQUARE)
    own = {history for _, history in kept(settings)._known}
    found = {history for _, history in memory._known}
    assert own < found
    assert len(found - own) == 1  # the double of the student's double


def test_calls_from_the_first_that_lends_a_model_on_are_not_kept() -> None:
    """What a model of ours replies may depend on what it was asked before."""
    given: list[list[object]] = [[1], [2, {"model": [Model(len)]}], [3]]
    exchanges = [Exchange("f", {"op": "call", "args": args, "seed": 0}, {}) for args in given]
    assert examiner.without_models(exchanges) == exchanges[:1]


def test_two_runs_at_once_both_leave_what_they_have_learned(settings: Settings) -> None:
    path = settings.course.release_path(TOYS)
    with Grader(settings, TOYS) as one, Grader(settings, TOYS) as other:
        one.prepare()
        one.grade(json.dumps(filled(path, SQUARE)).encode())
        other.prepare()
        counter = RIGHT | {"Counter": RIGHT["Counter"].replace("+= 1", "+= 2")}
        other.grade(json.dumps(filled(path, counter)).encode())
        one.keep()
        other.keep()
    assert {name for name, _ in kept(settings)._known} == {"double", "Counter"}


def test_nothing_is_kept_of_a_course_that_has_changed_meanwhile(settings: Settings) -> None:
    raw = json.dumps(filled(settings.course.release_path(TOYS), SQUARE)).encode()
    with Grader(settings, TOYS) as grader:
        grader.prepare()
        grader.grade(raw)
        tests = settings.course.exercises / TOYS / "hidden_tests" / "test_double.py"
        tests.write_text(tests.read_text() + CHAINED)
        grader.keep()
    assert not (settings.course.work / "suspects").exists()


def test_nothing_is_kept_of_a_course_that_is_gone_meanwhile(settings: Settings) -> None:
    path = settings.course.release_path(TOYS)
    raw = json.dumps(filled(path, SQUARE)).encode()
    with Grader(settings, TOYS) as grader:
        grader.prepare()
        grader.grade(raw)
        path.unlink()
        grader.keep()
    assert not (settings.course.work / "suspects").exists()
