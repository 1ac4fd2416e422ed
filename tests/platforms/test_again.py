"""What arrives again, earlier or later, late, or as something else than a notebook."""

import pytest

from autograder.intake.attachments import find_attachments
from autograder.intake.times import is_flagged_late
from autograder.platforms.archives import zip_bytes
from tests.notebooks import code, notebook
from tests.platforms.sources import ADA, BO, Inbox, answered
from tests.toys import TOYS

WHERE = "Ada_4_assignsubmission_file_"
MOODLE = f"{WHERE}/hw.ipynb"


@pytest.mark.slow
def test_the_same_archive_again_changes_nothing_and_says_so(inbox: Inbox) -> None:
    inbox.hand({"ada_1_20_hw.ipynb": ADA})
    place = inbox.course.submission_path("1", TOYS)
    before = {path.name: path.stat().st_mtime_ns for path in place.parent.iterdir()}
    found = inbox.hand({"ada_1_20_hw.ipynb": ADA})
    assert found.summary().endswith(" · nothing new")
    assert {path.name: path.stat().st_mtime_ns for path in place.parent.iterdir()} == before


def test_a_later_archive_with_one_changed_notebook_places_that_one(inbox: Inbox) -> None:
    inbox.hand({MOODLE: ADA, "Bo_5_assignsubmission_file_/hw.ipynb": BO})
    found = inbox.hand({MOODLE: answered(3), "Bo_5_assignsubmission_file_/hw.ipynb": BO})
    assert inbox.notebooks == {"4": answered(3), "5": BO}
    assert [each.student for each in found.placed if not each.unchanged] == ["4"]
    assert any("the one collected last counts" in note for note in found.notes)


def test_an_older_archive_collected_later_never_wins(inbox: Inbox) -> None:
    for raw in (ADA, BO, ADA):  # without times, by what was replaced
        found = inbox.hand({MOODLE: raw})
    assert inbox.notebooks == {"4": BO}
    assert found.summary().endswith(" · nothing new")
    assert any("this one was collected earlier, and replaced" in note for note in found.notes)


def test_a_smaller_number_of_canvas_is_older_though_it_comes_later(inbox: Inbox) -> None:
    inbox.hand({"ada_1_30_hw-1.ipynb": BO})
    found = inbox.hand({"ada_1_20_hw.ipynb": ADA})
    assert inbox.notebooks == {"1": BO}
    assert "1, toys: the one that was there is later, by the platform's own numbers." in found.notes


def test_the_platforms_own_flag_is_kept_with_the_submission_until_another_replaces_it(
    inbox: Inbox,
) -> None:
    folder = inbox.course.submission_path("1", TOYS).parent
    inbox.hand({"ada_LATE_1_20_hw.ipynb": ADA})
    assert is_flagged_late(folder)
    assert find_attachments(folder).kept == ()
    inbox.hand({"ada_1_30_hw-1.ipynb": BO})
    assert not is_flagged_late(folder)


def test_an_untouched_notebook_beside_a_changed_one_is_no_submission(inbox: Inbox) -> None:
    other = inbox.course.release_path("second")
    other.parent.mkdir()
    blank = code("def triple(x):\n    raise NotImplementedError", "triple", solution=True)
    (inbox.course.solutions / "second.py").write_text("# %%\n")
    other.write_bytes(notebook(blank))
    files = {f"{WHERE}/a.ipynb": ADA, f"{WHERE}/b.ipynb": other.read_bytes()}
    assert [each.assignment for each in inbox.hand(files).placed] == [TOYS]
    assert [each.assignment for each in inbox.hand({MOODLE: other.read_bytes()}).placed] == [
        "second"
    ]


@pytest.mark.parametrize(
    ("name", "raw", "note"),
    [
        ("hw.ipynb", ADA.decode().encode("utf-16"), "is saved as UTF-16"),
        ("hw.ipynb", ADA.decode().encode("utf-16-le"), "is saved as UTF-16"),
        ("hw.ipynb.txt", ADA, "is a notebook, and was read"),
        ("hw.ipynb.json", ADA, "is a notebook, and was read"),
        ("hw.zip", zip_bytes({"hw/hw.ipynb": ADA, "__MACOSX/._hw.ipynb": b"x"}), "is a zip file"),
    ],
)
def test_what_can_be_read_for_certain_is_read(
    inbox: Inbox, name: str, raw: bytes, note: str
) -> None:
    found = inbox.hand({f"{WHERE}/{name}": raw})
    assert list(inbox.notebooks) == ["4"]
    assert any(note in said for said in found.notes)


CONFLICT = b'{\n<<<<<<< HEAD\n"cells": []\n=======\n"cells": [1]\n>>>>>>> theirs\n}'


@pytest.mark.parametrize(
    ("name", "raw", "why"),
    [
        ("hw.pdf", b"%PDF-1.7", "hw.pdf, a page: ask for the .ipynb file"),
        ("hw.py", b"# In[1]:", "hw.py, a copy of its text: ask for the .ipynb file"),
        ("hw.ipynb", b"%PDF-1.7", "isn't a notebook but a PDF"),
        ("hw.ipynb", b"<!DOCTYPE html>", "isn't a notebook but a web page"),
        ("hw.ipynb", b"", "The file is empty"),
        ("hw.ipynb", CONFLICT, "git's conflict markers"),
        ("hw-checkpoint.ipynb", ADA, "checkpoint copy"),
        ("hw.zip", zip_bytes({"a.ipynb": ADA, "b.ipynb": BO}), "holds several notebooks"),
        ("hw.zip", b"PK\x03\x04 and no more", "damaged: ask for the notebook alone"),
    ],
)
def test_what_cannot_be_read_is_told_with_what_to_ask_for(
    inbox: Inbox, name: str, raw: bytes, why: str
) -> None:
    found = inbox.hand({f"{WHERE}/{name}": raw})
    meant = name.endswith((".ipynb", ".zip"))  # only a file that may be a notebook can be assigned
    assert (found.plan.to_assign, found.plan.without_notebook) == ((1, 0) if meant else (0, 1))
    assert inbox.notebooks == {}
    assert why in inbox.asked[0][1]


def test_a_checkpoint_copy_beside_the_notebook_is_passed_over(inbox: Inbox) -> None:
    inbox.hand({MOODLE: ADA, f"{WHERE}/hw-checkpoint.ipynb": BO})
    assert inbox.notebooks == {"4": ADA}
