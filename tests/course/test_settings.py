"""`course.toml` says what a course is; a mistake in it is told in one sentence."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.course.settings import CourseSettings, read_settings
from autograder.errors import CourseError
from autograder.grading.hidden_tests import HiddenTests
from autograder.sandbox.limits import Limits
from tests.toys import TOYS, course_of

DUE = "due = 2026-10-05T23:59:00Z"
MISTAKES = [
    ("id = 'a b'", ["`id` is 'a b'", "letters, digits"]),
    ("seed = 1.5", ["`seed` is 1.5", "integer"]),
    ("seed = '7'", ["`seed` is '7'", "integer"]),
    ("sed = 7", ["no key `sed`", "seed, database, share, time_zone"]),
    ("due = 2026-10-05T23:59:00Z", ["`due` belongs to an assignment", "[assignments.NAME]"]),
    ("database = 3", ["`database` is 3", "string"]),
    ("notes = 'second'", ["`notes` is 'second'", "true, false or 'first'"]),
    ("time_zone = 'Mars/Olympus'", ["`time_zone` is 'Mars/Olympus'", "Europe/Berlin"]),
    ("exercises = '/etc'", ["`exercises` is '/etc'", "inside the course's folder"]),
    ("exercises = '../others'", ["`exercises`", "inside the course's folder"]),
    ("late = {}", ["`late.per_day` is missing"]),
    ("late = { per_day = 2 }", ["`late.per_day` is 2", "less than or equal to 1"]),
    ("late = { per_day = 0.1, grace = 1 }", ["no key `late.grace`", "grace_minutes"]),
    ("late = 0.1", ["`late` is 0.1", "table"]),
    ("[assignments.toys]\nweight = 2", ["no key `assignments.toys.weight`", "left_out"]),
    ("[assignments.toys]\ndue = 'soon'", ["`assignments.toys.due` is 'soon'", "2026-10-05T23:59"]),
    (
        "[assignments.toys]\ndue = 9999-12-31T23:59:59",
        ["`assignments.toys.due`", "from 1970 to 9998"],
    ),
    ("[assignments.toys]\ndue = 2026-10-05", ["`assignments.toys.due`", "2026-10-05T23:59"]),
    (
        "[assignments.toys]\nextensions = { ada = 2026-10-07T23:59:00 }",
        ["`assignments.toys`", "need a `due` date"],
    ),
    (
        f"[assignments.toys]\n{DUE}\nextensions = {{ ada = 'later' }}",
        ["`assignments.toys.extensions.ada` is 'later'"],
    ),
    ("[assignments.toys]\nlimits = { memory = 1 }", ["memory isn't a limit", "memory_mb"]),
    (
        "[assignments.toys]\nlimits = { memory_mb = 0 }",
        ["limits.memory_mb` is 0", "greater than 0"],
    ),
    ("[assignments.toys]\nlimits = { memory_mb = inf }", ["limits.memory_mb` is inf", "finite"]),
    ("[assignments.toys]\nlimits = { threads = 0.5 }", ["limits", "threads", "whole number"]),
    ("[assignments.toys]\npoints = { double = -1 }", ["points.double` is -1", "equal to 0"]),
    ("[assignments.toys]\npoints = { double = inf }", ["points.double` is inf", "finite"]),
    (
        "[assignments.toys]\nleft_out = 'double'",
        ["toys.left_out` is 'double'", "list"],
    ),
    ("[assignments.hw9]\n", ["`assignments.hw9` is about no assignment", "there are toys"]),
    ("seed 7", ["not valid TOML"]),
    ("repository = 'github.com/owner/name'", ["`repository`", "https://github.com/owner/name"]),
    ("repository = 'https://github.com/owner'", ["`repository`", "/tree/branch/folder"]),
    ("packages = ['einops>=1']", ["packages", "'einops>=1'", "the name of a package"]),
    ("hand_in = ''", ["`hand_in` is ''", "a text on one line"]),
    ('ai_policy = "one\\ntwo"', ["`ai_policy`", "a text on one line"]),
    ("where_to_ask = 'here | there'", ["`where_to_ask`", "without |"]),
    (
        '[assignments.toys.gradescope]\nvisibility = "later"',
        ["`assignments.toys.gradescope.visibility` is 'later'", "'after_due_date'", "'hidden'"],
    ),
    ("[assignments.toys.gradescope]\nvisible = 1", ["no key", "the keys here are visibility"]),
    ("serve.address = 'ftp://course.org'", ["`serve.address`", "https://homework.example.org"]),
    ("serve.address = 'https://course.org/hw'", ["`serve.address`", "without a path"]),
    ("serve.address = 'https://course.org?hw=1'", ["`serve.address`", "without a path"]),
    ("serve.address = 'https://me@course.org'", ["`serve.address`", "without a path"]),
    ("serve.address = 'https://course.org:99999'", ["`serve.address`", "out of range"]),
]


def settings_of(root: Path, text: str) -> CourseSettings:
    (root / "course.toml").write_text(text)
    return read_settings(root / "course.toml")


@pytest.mark.parametrize(("text", "says"), MISTAKES, ids=[text for text, _ in MISTAKES])
def test_a_mistake_is_told_in_one_sentence_with_its_place(
    tmp_path: Path, text: str, says: list[str]
) -> None:
    path = course_of(tmp_path).root / "course.toml"
    path.write_text(text)
    with pytest.raises(CourseError) as caught:
        Course.load(tmp_path)
    sentence = str(caught.value)
    assert sentence.startswith(str(path))
    assert [words for words in says if words not in sentence] == []
    assert "\n" not in sentence
    assert sentence.endswith(".")


@pytest.mark.parametrize("said", ["points = { triple = 2 }", 'left_out = ["triple"]'])
def test_an_exercise_that_is_none_is_told_with_those_that_there_are(
    tmp_path: Path, said: str
) -> None:
    course = course_of(tmp_path, settings=f"[assignments.toys]\n{said}")
    with pytest.raises(CourseError, match=r"names 'triple', .* exercises: Counter, double\.$"):
        _ = HiddenTests(course, TOYS).points


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("HTTPS://Homework.Example.org/", "https://homework.example.org"),
        ("https://homework.example.org:443", "https://homework.example.org"),
        ("http://[::1]:80/", "http://[::1]"),
        ("https://homework.example.org:80", "https://homework.example.org:80"),
    ],
)
def test_the_servers_address_is_kept_as_browsers_write_it(
    tmp_path: Path, said: str, address: str
) -> None:
    assert settings_of(tmp_path, f'[serve]\naddress = "{said}"').serve.address == address


def test_everything_may_be_left_out(tmp_path: Path) -> None:
    assert settings_of(tmp_path, "") == CourseSettings()


def test_a_limit_that_is_given_holds_and_the_others_stay_as_they_are(tmp_path: Path) -> None:
    text = "[assignments.toys]\nlimits = { notebook_seconds = 180, memory_mb = 512 }"
    limits = settings_of(tmp_path, text).limits(TOYS)
    assert limits == Limits(notebook_seconds=180, memory_mb=512)
    assert type(limits.memory_mb) is int


@pytest.mark.parametrize(
    ("due", "utc"),
    [
        ("2026-10-05T23:59:00", datetime(2026, 10, 5, 21, 59, tzinfo=UTC)),
        ("2026-12-05T23:59:00", datetime(2026, 12, 5, 22, 59, tzinfo=UTC)),  # winter
        ("2026-10-05T23:59:00-04:00", datetime(2026, 10, 6, 3, 59, tzinfo=UTC)),
    ],
)
def test_a_date_without_a_zone_is_in_the_courses(tmp_path: Path, due: str, utc: datetime) -> None:
    zone = 'time_zone = "Europe/Berlin"\n'
    assert settings_of(tmp_path, f"{zone}[assignments.toys]\ndue = {due}").due(TOYS) == utc


def test_an_extension_may_give_its_zone_where_the_due_date_gives_none(tmp_path: Path) -> None:
    text = "due = 2026-10-05T12:00:00\nextensions = { ada = 2026-10-06T12:00:00+02:00 }"
    said = settings_of(tmp_path, f"[assignments.toys]\n{text}")
    assert said.due(TOYS, "ada") == datetime(2026, 10, 6, 10, tzinfo=UTC)
    assert said.due(TOYS, "bo") == said.due(TOYS) == datetime(2026, 10, 5, 12, tzinfo=UTC)


def test_an_assignments_own_policy_goes_before_the_courses(tmp_path: Path) -> None:
    text = "late = { per_day = 0.1 }\n[assignments.toys]\nlate = { per_day = 0.5 }"
    said = settings_of(tmp_path, text)
    assert [said.late_policy(name).per_day for name in (TOYS, "hw2")] == [0.5, 0.1]  # type: ignore[union-attr]
