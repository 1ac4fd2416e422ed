"""A time means the same wherever it is read: collecting, recording and lateness use one reader."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.errors import SubmissionError
from autograder.intake import times
from autograder.intake.times import handed_in_at, parse_time, timestamp

BERLIN = "Europe/Berlin"
SAID = "2026-10-05 23:59:00"


def in_utc(folder: Path, text: str, zone: str = BERLIN) -> str:
    (folder / "timestamp.txt").write_text(text)
    time = handed_in_at(folder, zone)
    assert time is not None
    return time.astimezone(UTC).strftime("%m-%d %H:%M")


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        (SAID, "10-05 23:59"),  # as nbgrader means it
        (f"{SAID}.250000 UTC", "10-05 23:59"),  # as nbgrader writes it
        (f"{SAID} Z", "10-05 23:59"),
        ("2026-10-05T23:59:00Z", "10-05 23:59"),
        ("2026-10-05T23:59:00+02:00", "10-05 21:59"),
        ("2026-10-05T23:59 CEST", "10-05 21:59"),
        (f"{SAID} +0200", "10-05 21:59"),  # as Ruby writes it
        (f"{SAID} Europe/Berlin", "10-05 21:59"),
        (f"{SAID} CEST", "10-05 21:59"),  # what Berlin is called in October
        (f"{SAID} EST", "10-06 04:59"),
        ("2026-10-05 9:30", "10-05 09:30"),
        ("2026-10-05\n", "10-05 00:00"),
        ("2026-10-05-23-59-01", "10-05 23:59"),  # as Blackboard writes it
        ("2026-10-05_23.59", "10-05 23:59"),
    ],
)
def test_a_timestamp_is_in_the_zone_that_it_names_or_utc(
    tmp_path: Path, text: str, utc: str
) -> None:
    assert in_utc(tmp_path, text) == utc


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "10/05/2026",  # May or October?
        f"{SAID} CEST",  # which the course's own zone is never called
        f"{SAID} Europe/Nowhere",
        f"{SAID} ../../etc",
        "9" * 20,
        "0001-01-01T00:00+12:00",  # before the calendar begins
        "9999-12-31T23:00-04:00",  # it ends in UTC, though not in New York
        "\ufffe",
    ],
)
def test_what_is_no_time_is_told_with_what_to_do(tmp_path: Path, text: str) -> None:
    (tmp_path / "timestamp.txt").write_text(text)
    with pytest.raises(SubmissionError, match=r"timestamp.txt contains no valid time: correct or"):
        handed_in_at(tmp_path, "America/New_York")


def test_nothing_says_nothing(tmp_path: Path) -> None:
    assert handed_in_at(tmp_path, BERLIN) is None
    assert handed_in_at(tmp_path / "gone", BERLIN) is None
    (tmp_path / "timestamp.txt").write_text(" \n")
    assert handed_in_at(tmp_path, BERLIN) is None


def test_a_platforms_words_are_in_the_courses_zone_unless_they_name_one() -> None:
    assert parse_time(SAID, BERLIN) == datetime(2026, 10, 5, 21, 59, tzinfo=UTC)
    assert parse_time(f"{SAID} UTC", BERLIN) == datetime(2026, 10, 5, 23, 59, tzinfo=UTC)
    assert parse_time("soon", BERLIN) is None


def test_a_timestamp_is_a_small_ordinary_file(tmp_path: Path) -> None:
    path = tmp_path / "timestamp.txt"
    assert timestamp(tmp_path) is None
    os.mkfifo(path)
    with pytest.raises(SubmissionError, match="is not a file"):
        timestamp(tmp_path)
    path.unlink()
    path.symlink_to(tmp_path)
    with pytest.raises(SubmissionError, match="is a link"):
        timestamp(tmp_path)
    path.unlink()
    path.write_bytes(bytes(times.MAX_BYTES + 1))
    with pytest.raises(SubmissionError, match="more than 200 bytes"):
        timestamp(tmp_path)
