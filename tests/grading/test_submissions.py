"""Whose work is whose is decided by names of folders, which are checked before anything is read."""

import unicodedata
from pathlib import Path

import pytest

from autograder.errors import CourseError
from autograder.grading.submissions import find_submissions, misplaced
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS


@pytest.fixture
def class_(toys: ToyClass) -> ToyClass:
    """A class in which ada hands in."""
    toys.hand_in("ada", RIGHT)
    return toys


def found(class_: ToyClass, student: str | None = None) -> tuple[list[str], list[str]]:
    """Return who is to be graded, and what was told."""
    told: list[str] = []
    jobs = find_submissions(class_.course, [TOYS], student, told.append)
    return [job.student for job in jobs], told


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("li\nne", r"submitted/li\nne was left out"),
        ("\x1b[31mred", r"submitted/\x1b[31mred was left out"),
        ("ad\u3164a", "it contains U+3164, which nobody can see"),
        ("=1+1", "it begins with =, which a spreadsheet takes for a formula"),
        ("e\u0301", "unlike those of 'é' (NFC)"),
    ],
)
def test_a_folder_that_no_student_can_have_is_told_and_the_others_go_on(
    class_: ToyClass, name: str, why: str
) -> None:
    class_.hand_in(name, RIGHT)
    students, (sentence,) = found(class_)
    assert students == ["ada"]
    assert why in sentence
    assert sentence.isprintable()
    assert sentence.endswith("Rename or remove it, and grade again.")


@pytest.mark.parametrize("name", ["नमिता", "O'Neil, Ann"])
def test_names_of_all_the_world_are_ids(class_: ToyClass, name: str) -> None:
    class_.hand_in(name, RIGHT)
    assert found(class_) == (sorted(["ada", name]), [])


@pytest.mark.parametrize(
    "names",
    [("Straße", "strasse"), ("1", "１")],
)
def test_spellings_of_one_id_are_all_told_and_none_is_taken_for_the_other(
    class_: ToyClass, names: tuple[str, str]
) -> None:
    for name in names:
        class_.hand_in(name, RIGHT)
    students, (sentence,) = found(class_)
    assert students == ["ada"]
    assert all(f"submitted/{name}" in sentence for name in names)


def test_of_an_id_in_nfc_and_nfd_the_former_is_graded_and_the_latter_told(
    class_: ToyClass,
) -> None:
    nfc, nfd = (unicodedata.normalize(form, "Renée") for form in ("NFC", "NFD"))
    for name in (nfc, nfd):
        class_.hand_in(name, RIGHT)
    students, told = found(class_)
    assert students == [nfc, "ada"]
    assert len(told) == 1


def test_a_link_in_place_of_a_students_folder_is_told(class_: ToyClass) -> None:
    Path(class_.course.submitted / "eve").symlink_to("ada")
    students, (sentence,) = found(class_)
    assert students == ["ada"]
    assert sentence.startswith("submitted/eve was left out, because it is a link")


def test_a_file_beside_the_students_folders_and_one_without_work_say_nothing(
    class_: ToyClass,
) -> None:
    (class_.course.submitted / ".DS_Store").touch()
    (class_.course.submitted / "=notes").mkdir()
    assert found(class_) == (["ada"], [])


def test_who_is_named_must_have_a_name(class_: ToyClass) -> None:
    with pytest.raises(CourseError, match=r"^'a\\nb' can't be a student id"):
        found(class_, "a\nb")
    class_.hand_in("=1", RIGHT)
    assert found(class_, "ada") == (["ada"], [])


def test_a_notebook_that_lies_where_no_submission_does_is_told(class_: ToyClass) -> None:
    assert misplaced(class_.course) == []
    submitted = class_.course.submitted
    for place in ("bo/toys.ipynb", "cy/Toys/toys.ipynb", "dee.ipynb", "ada/.checkpoints/a.ipynb"):
        (submitted / place).parent.mkdir(parents=True, exist_ok=True)
        (submitted / place).write_text("{}")
    (sentence,) = misplaced(class_.course)
    assert "where these lie: bo/toys.ipynb, cy/Toys/toys.ipynb, dee.ipynb. Put each" in sentence
