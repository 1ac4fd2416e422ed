"""A roster is read whatever a spreadsheet made of it, and keeps what its instructor had there."""

from pathlib import Path

import pytest

from autograder.course.roster import Person, problem_with, read_roster, student_id_of, write_roster
from autograder.errors import CourseError

PEOPLE = (Person("ada lovelace", "Lovelace, Ada"), Person("özlem", "Özlem Öz", canvas_id="7"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_what_the_instructor_has_stays_when_people_are_added(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "roster.csv"
    old = "student_id;Tutor;email\nada;Zoë;=A1\nbo;;bo@x.edu"
    path.write_bytes(old.encode(encoding))
    write_roster(path, [Person("ada", email="=A1", canvas_id="7"), Person("bö")])
    said = path.read_bytes().decode(encoding).splitlines()
    assert said == [
        "student_id;Tutor;email;name;canvas_id;canvas_sis_id;canvas_login;moodle_id;gradescope_sid;"
        "github;lti_id;section",
        "ada;Zoë;=A1;;7;;;;;;;",
        "bö;;;;;;;;;;;",
    ]
    assert [person.student_id for person in read_roster(path)] == ["ada", "bö"]


def test_without_a_file_or_lines_nobody_is_in_the_course(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    assert read_roster(path) == ()
    path.touch()
    assert read_roster(path) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,email\nAda,a@x.edu\n", "has no column student_id"),
        ("student_id\nada\nADA\n", "lists ADA twice"),
        ("student_id\na/b\n", "'a/b' can't be a student id: it contains /"),
        (
            "student_id,name\n,Ada\n",
            "roster.csv, the line of Ada: '' can't be a student id: it is e",
        ),
        ('student_id\n"ada\n', "row 2: a quotation mark is never closed"),
    ],
)
def test_what_is_no_roster_is_refused_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(text)
    with pytest.raises(CourseError, match=said):
        read_roster(path)


@pytest.mark.parametrize(
    "text", ["", " ada", "a" * 81, "a\u200bb", "a\u3164", "a/b", "a*", "=ada", ".ada", "Rene\u0301"]
)
def test_what_can_be_no_folder_cell_or_word_is_no_student_id(text: str) -> None:
    assert problem_with(text)


@pytest.mark.parametrize("text", ["ada", "ada lovelace", "ada@x.edu", "007", "王小明", "O'Neil"])
def test_an_id_can_be_a_name_an_address_or_a_number(text: str) -> None:
    assert student_id_of(f" {text} ") == text
