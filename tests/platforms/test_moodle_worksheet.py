"""Moodle's grading worksheet comes back with points and comments, in whatever language it is."""

import csv
import io
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.course.roster import Person, Section
from autograder.errors import CourseError
from autograder.platforms.moodle import fill_worksheet
from autograder.platforms.points import Choices
from tests.platforms.graded import POINTS, UNGRADED
from tests.toy_class import ToyClass
from tests.toys import TOYS

ENGLISH = (
    'Identifier,"Full name","ID number","Email address",Status,Grade,"Maximum grade",'
    '"Grade can be changed","Last modified (submission)","Last modified (grade)",'
    '"Feedback comments"\n'
)
GERMAN = (
    'ID,"Vollständiger Name",ID-Nummer,E-Mail-Adresse,Status,Bewertung,Bestwertung,'
    '"Bewertung kann geändert werden","Zuletzt geändert (Abgabe)",'
    '"Zuletzt geändert (Bewertung)","Feedback als Kommentar"\n'
)
# Who a line is about: the participant's number, the full name, and the address.
WHO = {
    "ada": ("501", '"Ada Lovelace"', "ada@uni.example"),
    "sean": ("502", '"Seán O\'Brien"', "sean@uni.example"),
    "wei2": ("604", '"Wei Zhang"', "WEI2@uni.example"),
    "wei1": ("603", '"Wei Zhang"', "wei1@uni.example"),
    "mei": ("605", '"林 梅"', ""),
    "late": ("506", '"Luis Díaz, Jr."', ""),
    "107": ("107", '"=SUM(A1)"', ""),
    "unread": ("508", '"Noor ""N"" Khan"', ""),
    "faulty": ("509", '"Emre Öz"', ""),
    "absent": ("510", '"Bo Holm"', ""),
}
COMMENTS = {
    "ada": "Points: double 5/5, Counter 4/4, why 2/2 = 11 of 11",
    "sean": "Points: double 3/5, Counter 4/4, why 1.5/2 = 8.5 of 11",
    "wei1": "Points: double 5/5, Counter 0/4, why 0/2 = 5 of 11",
    "wei2": "Points: double 0/5, Counter 4/4, why 2/2 = 6 of 11",
    "mei": "Points: double 1/5, Counter 1/4, why 0.5/2 = 2.5 of 11",
    "late": "Points: double 5/5, Counter 4/4, why 1/2, late -2.5 = 7.5 of 11",
    "107": "Points: double 2/5, Counter 2/4, why 0/2 = 4 of 11",
}
Language = Callable[[dict[str, str], dict[str, str]], str]
DATE = '"Thursday, 5 October 2026, 9:41 AM"'
Fill = Callable[..., tuple[str, list[str]]]


def english(grades: dict[str, str], comments: dict[str, str]) -> str:
    """Return a worksheet with these grades and comments, by student."""
    return ENGLISH + "".join(
        f'"Participant {number}",{name},,{email},"Submitted for grading - ",'
        f'{grades.get(student, "")},11.00,Yes,{DATE},-,{_quoted(comments.get(student, ""))}\n'
        for student, (number, name, email) in WHO.items()
    )  # fmt: skip


def german(grades: dict[str, str], comments: dict[str, str]) -> str:
    """Return the same worksheet as Moodle in German writes it."""
    return GERMAN + "".join(
        f'"Teilnehmer/in {number}",{name},4711{number},{email},"Zur Bewertung abgegeben",'
        f'"{grades.get(student, "").replace(".", ",")}","11,00",Ja,'
        f'"Donnerstag, 5. Oktober 2026, 09:41",-,{_quoted(comments.get(student, ""))}\n'
        for student, (number, name, email) in WHO.items()
    )  # fmt: skip


def _quoted(comment: str) -> str:
    return f'"{comment}"' if comment else ""


def filled(
    course: Course, folder: Path, text: str, choices: Choices | None = None
) -> tuple[str, list[str]]:
    file = folder / "moodle.csv"
    file.write_bytes(text.encode())
    raw, done = fill_worksheet(course, file, [TOYS], choices or Choices())
    return raw.decode(), done.notes


@pytest.fixture
def fill(graded: Course, tmp_path: Path) -> Fill:
    """Fill a file of this text from the graded class."""
    return partial(filled, graded, tmp_path)


@pytest.mark.parametrize("language", [english, german])
def test_points_and_comments_come_in_and_every_other_byte_stays(
    fill: Fill, language: Language
) -> None:
    text, _ = fill(language({}, {}))
    assert text == language(POINTS, COMMENTS)


def test_a_second_export_renews_our_comments_and_keeps_those_of_people(fill: Fill) -> None:
    old = {"ada": "<p>Points: double 1/5 = 1 of 11</p>", "sean": "Points: see me", "absent": "?"}
    text, notes = fill(english({"ada": "1.00", "unread": "2.00"}, old))
    kept = {"sean": "Points: see me", "absent": "?"}
    assert text == english(POINTS | {"unread": "2.00"}, COMMENTS | kept)
    assert "Comments that a person wrote were left as they are: sean." in notes
    assert "toys: in moodle.csv with an earlier grade, which was left as it is: unread." in notes
    assert "toys: the grade differs from that in moodle.csv: ada 1.00 → 11." in notes


def test_what_is_not_graded_is_blank_and_partial_gives_the_points_so_far(fill: Fill) -> None:
    text, _ = fill(english({}, {}))
    rows = dict(zip(WHO, list(csv.reader(io.StringIO(text)))[1:], strict=True))
    assert [(rows[name][5], rows[name][10]) for name in UNGRADED] == [("", ""), ("", "")]
    text, _ = fill(english({}, {}), Choices(partial=True))
    rows = dict(zip(WHO, list(csv.reader(io.StringIO(text)))[1:], strict=True))
    assert rows["unread"][5] == "9"
    assert rows["unread"][10] == ("Points: double 5/5, Counter 4/4, why not graded yet = 9 of 11")


def test_the_collected_file_is_surer_than_the_roster(graded_copy: ToyClass, tmp_path: Path) -> None:
    for student, number in (("ghost", 555), ("wei1", 604), ("wei2", 603)):
        path = graded_copy.course.submission_path(student, TOYS).with_name("source.json")
        entry = f"Somebody_{number}_assignsubmission_file_/toys.ipynb"
        path.write_text(f'{{"platform": "moodle", "entry": "{entry}"}}')
    line = '"Participant 555",Nobody,,,-,,11.00,Yes,-,-,\n'
    text, _ = filled(graded_copy.course, tmp_path, english({}, {}) + line)
    rows = {row[0]: row[5] for row in csv.reader(io.StringIO(text))}
    assert (rows["Participant 555"], rows["Participant 604"]) == ("9", "5")
    assert rows["Participant 603"] == "6"


def test_of_a_section_only_its_own_lines_are_filled(fill: Fill) -> None:
    section = Section.of([Person("ada", section="A"), Person("mei", section="B")], "A")
    text, _ = fill(english({}, {}), Choices(section=section))
    assert text == english({"ada": POINTS["ada"]}, {"ada": COMMENTS["ada"]})


def test_without_a_column_of_comments_none_is_written(fill: Fill) -> None:
    lines = english({}, {}).splitlines(keepends=True)
    cut = "".join(line.rpartition(",")[0] + "\n" for line in lines)
    expected = "".join(line.rpartition(",")[0] + "\n" for line in english(POINTS, {}).splitlines())
    text, notes = fill(cut)
    assert text == expected
    assert not any("Comments" in note for note in notes)


def test_another_maximum_is_refused_unless_points_are_to_be_converted(fill: Fill) -> None:
    text = english({}, {}).replace("11.00", "100.00")
    with pytest.raises(CourseError, match=r"worth 11 points here and 100 in moodle\.csv"):
        fill(text)
    scaled, _ = fill(text, Choices(scale=True))
    rows = dict(zip(WHO, list(csv.reader(io.StringIO(scaled)))[1:], strict=True))
    assert (rows["ada"][5], rows["mei"][5]) == ("100", "22.7273")  # 2.5 * 100 / 11


def test_a_grade_column_that_no_shape_tells_can_be_named(fill: Fill) -> None:
    text = english({}, {}).replace("11.00", "")
    with pytest.raises(CourseError, match='--column toys="Grade"; there are Identifier, Full'):
        fill(text)
    named, _ = fill(text, Choices({TOYS: "grade"}))
    assert named == english(POINTS, COMMENTS).replace("11.00", "")


@pytest.mark.parametrize("text", ["Student,ID\nAda,x\n", ENGLISH, "Identifier,Grade\nme@home,1\n"])
def test_another_file_is_refused_in_a_sentence(fill: Fill, text: str) -> None:
    with pytest.raises(CourseError, match=r"moodle\.csv isn't a Moodle grading worksheet"):
        fill(text)


def test_a_worksheet_is_about_one_assignment(graded: Course, tmp_path: Path) -> None:
    (tmp_path / "moodle.csv").write_text(english({}, {}))
    with pytest.raises(CourseError, match="about one assignment"):
        fill_worksheet(graded, tmp_path / "moodle.csv", [TOYS, TOYS], Choices())
