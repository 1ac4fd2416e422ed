"""Pictures and PDFs that were handed in with a notebook lie beside it, as long as it counts."""

import pytest

from autograder.intake import attachments
from autograder.intake.attachments import pages_beside
from autograder.platforms.archives import zip_bytes
from tests.drawings import drawing
from tests.platforms.sources import ADA, BO, EXPORTED, Inbox
from tests.platforms.test_again import MOODLE, WHERE
from tests.toys import TOYS

PHOTO, OTHER = drawing("JPEG", (30, 10)), drawing("JPEG", (10, 30))


def beside(inbox: Inbox, student: str) -> dict[str, bytes]:
    """The files beside a student's notebook that came along with it."""
    folder = inbox.course.submission_path(student, TOYS).parent
    return {name: (folder / name).read_bytes() for name in pages_beside(folder, ())}


@pytest.mark.parametrize(
    ("student", "files"),
    [
        ("1", {"ada_1_20_hw.ipynb": ADA, "ada_1_21_page 1_2_3.jpg": PHOTO}),
        ("1", {"ada_LATE_1_20_hw.ipynb": ADA, "ada_LATE_1_21_page 1_2_3.jpg": PHOTO}),
        ("4", {MOODLE: ADA, f"{WHERE}/page 1_2_3.jpg": PHOTO}),
        ("4", {f"{WHERE}hw.ipynb": ADA, f"{WHERE}page 1_2_3.jpg": PHOTO}),
        ("ada", {f"ada/{TOYS}/hw.ipynb": ADA, f"ada/{TOYS}/page 1_2_3.jpg": PHOTO}),
        ("008", EXPORTED | {"assignment_1_export/submission_1/page 1_2_3.jpg": PHOTO}),
    ],
    ids=["canvas", "canvas late", "moodle", "moodle flat", "folder", "gradescope"],
)
def test_a_photo_is_kept_under_its_own_name_whoever_handed_it_out(
    inbox: Inbox, student: str, files: dict[str, bytes]
) -> None:
    found = inbox.hand(files)
    assert beside(inbox, student) == {"page 1_2_3.jpg": PHOTO}
    assert "with pictures or PDFs" in found.summary()


def test_a_photo_that_is_replaced_beside_the_same_notebook_is_a_newer_submission(
    inbox: Inbox,
) -> None:
    first, second = ({MOODLE: ADA, f"{WHERE}/page.jpg": each} for each in (PHOTO, OTHER))
    inbox.hand(first)
    assert inbox.hand(first).summary().endswith(" · nothing new")
    assert "1 replaced an earlier one" in inbox.hand(second).summary()
    assert beside(inbox, "4") == {"page.jpg": OTHER}
    assert inbox.hand(first).summary().endswith(" · nothing new")  # it was collected before
    assert beside(inbox, "4") == {"page.jpg": OTHER}


def test_files_of_a_submission_go_with_it_and_what_a_person_put_there_stays(inbox: Inbox) -> None:
    inbox.hand({MOODLE: ADA, f"{WHERE}/page.jpg": PHOTO, f"{WHERE}/proof.PDF": b"%PDF"})
    mine = inbox.course.submission_path("4", TOYS).with_name("scan.png")
    mine.write_bytes(b"scan")
    inbox.hand({MOODLE: BO, f"{WHERE}/proof.PDF": b"%PDF-2"})
    assert beside(inbox, "4") == {"proof.PDF": b"%PDF-2", "scan.png": b"scan"}


def test_two_files_of_one_name_are_both_kept(inbox: Inbox) -> None:
    inbox.hand({MOODLE: ADA, f"{WHERE}/a/p.jpg": PHOTO, f"{WHERE}/b/p.jpg": OTHER})
    assert beside(inbox, "4") == {"p.jpg": PHOTO, "b_p.jpg": OTHER}


def test_what_lies_elsewhere_than_the_notebook_is_told(inbox: Inbox) -> None:
    found = inbox.hand({f"{WHERE}/hw/hw.ipynb": ADA, f"{WHERE}/docs/logo.png": PHOTO})
    assert beside(inbox, "4") == {}
    assert f"were left out (1, such as {WHERE}/docs/logo.png)." in found.notes[-1]


def test_what_students_were_given_is_no_page_of_theirs(inbox: Inbox) -> None:
    given = inbox.course.solutions / TOYS / "pictures" / "cat.png"
    given.parent.mkdir(parents=True)
    given.write_bytes(PHOTO)
    inbox.hand({MOODLE: ADA, f"{WHERE}/pictures/cat.png": PHOTO, f"{WHERE}/dog.png": PHOTO})
    assert set(beside(inbox, "4")) == {"dog.png"}


def test_more_than_is_kept_and_names_that_no_file_can_have_are_told(
    inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attachments, "MAX_FILES", 1)
    found = inbox.hand({MOODLE: ADA} | {f"{WHERE}/{name}.jpg": PHOTO for name in "ab"})
    assert any("(b.jpg is one too many)" in note for note in found.notes)
    assert beside(inbox, "4") == {"a.jpg": PHOTO}
    found = inbox.hand({MOODLE: BO, f"{WHERE}/{'x' * 300}.jpg": PHOTO})
    assert any("xxx can't be the name of a file" in note for note in found.notes)
    assert beside(inbox, "4") == {}
    assert inbox.notebooks == {"4": BO}


def test_a_zip_says_that_photos_in_it_were_not_taken(inbox: Inbox) -> None:
    found = inbox.hand({f"{WHERE}/hw.zip": zip_bytes({"hw.ipynb": ADA, "page.jpg": PHOTO})})
    assert inbox.notebooks == {"4": ADA}
    assert any("Pictures or PDFs in it weren't" in note for note in found.notes)


def test_a_photo_alone_is_asked_about(inbox: Inbox) -> None:
    assert inbox.hand({f"{WHERE}/page.jpg": PHOTO}).plan.without_notebook == 1
    assert "page.jpg, a picture: ask for the .ipynb file" in inbox.asked[0][1]
