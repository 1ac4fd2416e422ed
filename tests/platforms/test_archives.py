"""Whose a submission is: the platform's own fields decide, and nobody guesses."""

import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from autograder.course import Course, roster
from autograder.course.roster import Person
from autograder.errors import CourseError, SubmissionError
from autograder.platforms.collecting import assigning
from autograder.platforms.collecting.collect import collect_archive
from tests.platforms.sources import (
    ADA,
    BO,
    EXPORTED,
    SETTINGS,
    Inbox,
    answered,
    laid,
    notebooks,
    zipped,
)
from tests.toys import TOYS, with_settings

HANDBOOK = Path(__file__).parents[2] / "docs" / "teach-with-it.md"

# Canvas


def test_the_file_with_the_greater_attachment_id_is_the_later(inbox: Inbox) -> None:
    found = inbox.hand(
        {"ada_1_20_hw.ipynb": ADA, "ada_1_30_hw-1.ipynb": BO, "bo_2_9_hw.ipynb": ADA}
    )
    assert inbox.notebooks == {"1": BO, "2": ADA}
    assert found.summary() == (
        "2 found · 2 placed · 0 to assign · 0 late · 1 replaced an earlier one"
    )
    assert "1, toys: the latest of 2 was kept." in found.notes


def test_a_name_that_looks_like_anothers_id_takes_nobodys_place(inbox: Inbox) -> None:
    inbox.lists(Person("victim", "V", canvas_id="7"), Person("bo", "Bo", canvas_id="2"))
    inbox.hand({"mallory_7_888_9_99_hw.ipynb": ADA, "bo_2_9_hw.ipynb": BO})
    assert inbox.notebooks == {"bo": BO}
    assert inbox.asked == [("mallory_7_888_9_99_hw.ipynb", "its name can be read in several ways")]


def test_a_file_that_begins_with_numbers_is_told_by_the_roster(inbox: Inbox) -> None:
    inbox.lists(Person("ada", "Lovelace, Ada", canvas_id="1"))
    inbox.hand({"lovelaceada_1_20_01_2026_hw.ipynb": ADA})
    assert inbox.notebooks == {"ada": ADA}


def test_two_names_with_one_id_are_nobodys(inbox: Inbox) -> None:
    inbox.hand({"mallory_7_888_9_99_hw.ipynb": ADA, "victim_7_5_hw.ipynb": BO})
    assert inbox.notebooks == {}
    assert {why for _, why in inbox.asked} == {"several people could be 7"}


def test_a_namesake_whom_the_roster_knows_by_another_id_is_not_meant(inbox: Inbox) -> None:
    inbox.lists(Person("maria", "Garcia, Maria", canvas_id="1"))
    inbox.hand({"garciamaria_2_20_hw.ipynb": ADA})
    assert inbox.notebooks == {}


def test_a_name_alone_is_enough_if_the_roster_has_it_once_and_no_id(inbox: Inbox) -> None:
    inbox.lists(Person("ann", "O’Neil, Ann"), Person("bo", "Bo"))
    inbox.hand({"oneilann_2_20_hw.ipynb": ADA})
    assert inbox.notebooks == {"ann": ADA}


def test_anonymous_submissions_are_told_apart(inbox: Inbox) -> None:
    inbox.hand({"anon_ab1X_20_hw.ipynb": ADA, "anon_9z_LATE_21_hw.ipynb": BO})
    assert inbox.notebooks == {"ab1X": ADA, "9z": BO}


# Moodle


def test_two_with_one_name_and_no_id_in_the_roster_are_asked_about(inbox: Inbox) -> None:
    inbox.lists(Person("a", "Maria Garcia"), Person("b", "Maria Garcia", moodle_id="5"))
    inbox.hand(
        {
            "Maria Garcia_4_assignsubmission_file_/hw.ipynb": ADA,
            "Maria Garcia_5_assignsubmission_file_/hw.ipynb": BO,
        }
    )
    assert inbox.notebooks == {"b": BO}
    assert len(inbox.asked) == 1


def test_a_file_name_inside_somebodys_folder_means_nobody(inbox: Inbox) -> None:
    inbox.hand(
        {
            "Ada_4_assignsubmission_file_/Bo_5_assignsubmission_file_hw.ipynb": ADA,
            "Cy_5_assignsubmission_file_/hw.ipynb": BO,
        }
    )
    assert inbox.notebooks == {"4": ADA, "5": BO}


def test_a_name_with_anothers_id_in_it_is_nobodys(inbox: Inbox) -> None:
    inbox.hand({"Mallory_5_assignsubmission_file_x_9_assignsubmission_file_hw.ipynb": ADA})
    assert inbox.notebooks == {}
    assert [why for _, why in inbox.asked] == ["its name can be read in several ways"]


def test_who_handed_in_no_notebook_is_not_lost_and_counted_apart_from_what_can_be_assigned(
    inbox: Inbox,
) -> None:
    found = inbox.hand({"Ada_4_assignsubmission_onlinetext_/onlinetext.html": b"<p>"})
    assert found.summary() == (
        "1 found · 0 placed · 0 to assign · 0 late · 0 replaced an earlier one · "
        "1 without a notebook"
    )
    ((_, why),) = inbox.asked
    said = "no notebook was handed in, only onlinetext.html, a page: ask for the .ipynb file"
    assert why == said
    path = inbox.unassigned
    path.write_text(path.read_text("utf-8").rstrip("\n4") + assigning.LEFT_OUT, "utf-8")
    found = inbox.hand({"Ada_4_assignsubmission_onlinetext_/onlinetext.html": b"<p>"})
    assert found.plan.left_out == 1


def test_two_of_one_student_without_times_are_asked_about_until_one_is_chosen(inbox: Inbox) -> None:
    where = "Ada_4_assignsubmission_file_"
    files = {f"{where}/a.ipynb": ADA, f"{where}/b.ipynb": BO}
    found = inbox.hand(files)
    assert (found.plan.to_assign, inbox.notebooks) == (1, {})
    path = inbox.unassigned
    text = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*text[:2], f"{text[2].rstrip(',')},4"]), "utf-8")
    found = inbox.hand(files)
    assert (found.plan.to_assign, inbox.notebooks) == (0, {"4": BO})


def test_a_damaged_notebook_is_kept_once_its_assignment_is_named(inbox: Inbox) -> None:
    files = {"Ada_4_assignsubmission_file_/hw.ipynb": ADA[:-9]}
    inbox.hand(files)
    path = inbox.unassigned
    (row,) = assigning.read_unassigned(inbox.course)
    assert (row.student_id, row.assignment) == ("4", "")
    path.write_text(path.read_text("utf-8").replace(',,"The n', f',{TOYS},"The n'), "utf-8")
    inbox.hand(files)
    assert inbox.notebooks == {"4": ADA[:-9]}


def test_a_student_id_that_nobody_has_is_asked_for_again(inbox: Inbox) -> None:
    inbox.lists(Person("ada", "Ada"))
    files = {"Bo_4_assignsubmission_file_/hw.ipynb": ADA}
    inbox.hand(files)
    inbox.answer("Bo_4", "adda")
    inbox.hand(files)
    assert inbox.notebooks == {}
    assert inbox.asked[0][1] == "nobody in the roster has the student_id adda"


# Gradescope


def test_a_groups_submission_is_each_members_and_the_latest_by_time_wins(inbox: Inbox) -> None:
    found = inbox.hand(EXPORTED)
    assert inbox.notebooks == {"007": ADA, "008": ADA}  # 13:00 +02:00 is earlier than 12:00 Z
    assert found.summary().startswith("4 found · 2 placed · 1 to assign")
    assert any("007, toys: the latest of 2" in note for note in found.notes)


def test_an_id_and_an_email_of_two_people_are_nobodys(inbox: Inbox) -> None:
    inbox.lists(Person("ada", "A", gradescope_sid="007"), Person("bo", "Bo", email="ada@x.edu"))
    inbox.hand(EXPORTED)
    assert inbox.notebooks == {}
    assert "its ids belong to several people: ada, bo" in {why for _, why in inbox.asked}


@pytest.mark.parametrize(
    "raw", [b"", b"[1, 2]", b"a: [", b"\xff\xfe", b"a: &a [*a]", b"[" * 5000, b"!!python/name:x a"]
)
def test_damaged_metadata_are_told_in_a_sentence(inbox: Inbox, raw: bytes) -> None:
    with pytest.raises(SubmissionError, match=r"^submission_metadata\.yml can't be read"):
        inbox.hand({"submission_metadata.yml": raw})


# Classroom50


@pytest.mark.parametrize(
    ("folder", "user"),
    [
        ("toys-ada", "ada"),
        ("Toys-Ada-L", "Ada-L"),
        ("all/toys/toys-ada", "ada"),
        ("hw-one-submissions/hw-one-ada", "ada"),
        ("toys/ada", "ada"),
    ],
)
def test_a_repository_is_named_after_its_assignment_and_user(
    course: Course, tmp_path: Path, folder: str, user: str
) -> None:
    files = {f"{folder}/src/hw.ipynb": ADA, f"{folder}/.git/HEAD": b"nothing"}
    found = collect_archive(course, laid(tmp_path / "clones", files))
    assert (found.plan.platform, notebooks(course)) == ("Classroom50", {user: ADA})


def test_what_the_names_of_repositories_share_is_the_assignment(
    course: Course, tmp_path: Path
) -> None:
    names = {"week-one-ada-l": ADA, "week-one-bo": BO}
    files = {f"{name}/hw.ipynb": raw for name, raw in names.items()}
    collect_archive(
        course, laid(tmp_path / "clones", files | {f"{n}/.git/HEAD": b"" for n in names})
    )
    assert notebooks(course) == {"ada-l": ADA, "bo": BO}


# Folders


@pytest.mark.parametrize(
    ("name", "student"),
    [
        (f"ada/{TOYS}/{TOYS}.ipynb", "ada"),
        (f"submitted/ada/{TOYS}/x.ipynb", "ada"),
        (f"{TOYS}/ada/x.ipynb", "ada"),
        ("class/ada/bo.ipynb", "ada"),
        (f"ada_{TOYS}.ipynb", "ada"),
        (f"{TOYS}-ada.ipynb", "ada"),
        (f"{TOYS}_ada.l.IPYNB", "ada.l"),
        (f"ada@x.edu_{TOYS}.ipynb.txt", "ada@x.edu"),
        ("ada.ipynb", None),
        (f"{TOYS}.ipynb", None),
        (f"{TOYS}_.ipynb", None),
        (f"{TOYS}.final.ipynb", None),
        (f"{TOYS} (1).ipynb", None),
        (f"{TOYS}-Copy1.ipynb", None),
        (f"{TOYS}_ada (2).ipynb", "ada"),
        (f"x/ada/{TOYS}/bo/x.ipynb", None),
        (f"*/{TOYS}/x.ipynb", None),
    ],
)
def test_a_persons_folder_says_whose_it_is(inbox: Inbox, name: str, student: str | None) -> None:
    inbox.hand(
        {name: ADA, "zoe/x.ipynb": BO}
        if not name.startswith(("class", "x", "sub"))
        else {name: ADA}
    )
    assert inbox.notebooks.get(student or "", None) == (ADA if student else None)
    assert len(inbox.asked) == (0 if student else 1)


@pytest.mark.parametrize("name", ["ada@x.edu", "ADA", "Ada Lovelace", "gh-ada", "Lovelace, Ada"])
def test_a_folder_can_be_named_by_anything_that_the_roster_knows(inbox: Inbox, name: str) -> None:
    inbox.lists(Person("ada", "Lovelace, Ada", email="ada@x.edu", github="gh-ada"))
    inbox.hand({f"{name}/x.ipynb": ADA, "other.txt": b""})
    assert inbox.notebooks == {"ada": ADA}


def test_two_spellings_of_one_id_are_one_student(inbox: Inbox) -> None:
    inbox.hand({"Rene\u0301/x.ipynb": ADA, "zoe/x.ipynb": BO})
    found = inbox.hand({"ren\u00e9/x.ipynb": BO, "zoe/x.ipynb": BO})
    assert inbox.notebooks == {"Ren\u00e9": BO, "zoe": BO}
    assert found.summary().endswith("1 replaced an earlier one")


# Names inside one's own folder

BOS = f"bo_{TOYS}.ipynb"
META = b"evil:\n  :submitters:\n  - :name: Bo\n    :sid: bo\n    :email: bo@x.edu\n"
MOODLE = "{}_assignsubmission_file_"


@pytest.mark.parametrize(
    ("files", "platform", "students"),
    [
        ({f"mallory_6_9_{BOS}": ADA, "bo_5_1_hw.ipynb": BO}, "Canvas", {"mal": ADA, "bo": BO}),
        (
            {f"mallory_6_9_x_7_{MOODLE.format('bo_5')}.ipynb": ADA, "bo_5_1_hw.ipynb": BO},
            "Canvas",
            {"mal": ADA, "bo": BO},
        ),
        ({f"{MOODLE.format('Mal_6')}/{BOS}": ADA}, "Moodle", {"mal": ADA}),
        ({f"{MOODLE.format('Mal_6')}{BOS}": ADA}, "Moodle", {"mal": ADA}),
        (
            {
                f"{MOODLE.format('Mal_6')}/submission_metadata.yml": META,
                f"{MOODLE.format('Mal_6')}/evil/hw.ipynb": ADA,
            },
            "Moodle",
            {"mal": ADA},
        ),
        (
            {
                "assignment_1_export/submission_1/submission_metadata.yml": META,
                f"assignment_1_export/submission_1/{BOS}": ADA,
                "assignment_1_export/submission_metadata.yml": META.replace(b"bo", b"mal").replace(
                    b"evil", b"submission_1"
                ),
            },
            "Gradescope",
            {"mal": ADA},
        ),
        (
            {
                "toys-mal/.git/HEAD": b"",
                f"toys-mal/{BOS}": ADA,
                "toys-zoe/.git/HEAD": b"",
                "toys-zoe/toys-bo/.git/HEAD": b"",
                "toys-zoe/toys-bo/hw.ipynb": BO,
            },
            "Classroom50",
            {"mal": ADA, "zoe": BO},
        ),
        (
            {"mal/toys-bo/.git/HEAD": b"", f"mal/toys-bo/{BOS}": ADA, "zoe/hw.ipynb": BO},
            "Folder",
            {"mal": ADA, "zoe": BO},
        ),
        ({f"mal/{BOS}": ADA, "zoe/hw.ipynb": BO}, "Folder", {"mal": ADA, "zoe": BO}),
        ({f"mal/{TOYS}/{BOS}": ADA, "zoe/hw.ipynb": BO}, "Folder", {"mal": ADA, "zoe": BO}),
        ({f"{TOYS}/mal/{BOS}": ADA, "zoe/hw.ipynb": BO}, "Folder", {"mal": ADA, "zoe": BO}),
    ],
)
def test_a_name_inside_ones_own_folder_never_says_whose_work_it_is(
    inbox: Inbox, files: dict[str, bytes], platform: str, students: dict[str, bytes]
) -> None:
    ids = {"mal": "6", "bo": "5", "zoe": "4"}
    people = (
        Person(s, s, f"{s}@x.edu", canvas_id=n, moodle_id=n, gradescope_sid=s, github=s)
        for s, n in ids.items()
    )
    inbox.lists(*people)
    found = inbox.hand(files)
    assert (found.plan.platform, inbox.notebooks) == (platform, students)


@pytest.mark.parametrize("name", [f"mal/{BOS}", f"mal/bo/{TOYS}/hw.ipynb", "mal/bo.ipynb"])
@pytest.mark.parametrize("knows", [True, False])
def test_where_a_folder_may_be_the_whole_class_nobody_is_guessed(
    inbox: Inbox, name: str, knows: bool
) -> None:
    if knows:
        inbox.lists(Person("mal"), Person("bo"))
    inbox.hand({name: ADA} if name.count("/") == 1 else {name: ADA, "x.txt": b""})
    assert inbox.notebooks == {}
    assert len(inbox.asked) == 1


def test_a_folder_of_the_whole_class_is_known_by_the_roster(inbox: Inbox) -> None:
    inbox.lists(Person("ada"), Person("bo"))
    inbox.hand({"class/ada.ipynb": ADA, f"class/{BOS}": BO})
    assert inbox.notebooks == {"ada": ADA, "bo": BO}


# Places


def test_a_folder_gives_its_spelling_and_two_spellings_are_asked_about(inbox: Inbox) -> None:
    inbox.lists(Person("ada"))
    (inbox.course.submitted / "ADA").mkdir(parents=True)
    inbox.hand({"ada/hw.ipynb": ADA, "x.txt": b""})
    assert inbox.notebooks == {"ADA": ADA}
    (inbox.course.submitted / "Ada").mkdir()
    inbox.hand({"ada/hw.ipynb": BO, "x.txt": b""})
    assert inbox.notebooks == {"ADA": ADA}
    assert inbox.asked[0][1] == "several folders are spellings of ada"


def test_nothing_is_written_behind_a_link(inbox: Inbox, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    inbox.course.submitted.mkdir()
    (inbox.course.submitted / "ada").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CourseError, match="ada is a link: put the folder itself there"):
        inbox.hand({"ada/hw.ipynb": ADA, "bo/hw.ipynb": BO})
    assert list((tmp_path / "elsewhere").iterdir()) == []


# A pattern of the course's own


def test_a_pattern_in_course_toml_names_people_and_times(course: Course, tmp_path: Path) -> None:
    pattern = r"(?P<timestamp>[\d-]+T[\d:.]+)_(?P<student_id>\w+)_(?P<late>late)?"
    course = with_settings(course.root, f"{SETTINGS}\n[collect]\npattern = '{pattern}'")
    source = zipped(tmp_path / "c.zip", {"2026-10-06T00:00:00_ada_.ipynb": ADA, "x.ipynb": BO})
    found = collect_archive(course, source)
    assert found.summary().startswith("2 found · 1 placed · 1 to assign · 1 late")
    assert found.placed[0].late_by == timedelta(minutes=1)  # in the course's time zone
    assert collect_archive(course, source, "folder").plan.platform == "Folder"


def test_who_has_a_time_that_cannot_be_read_is_not_taken_as_in_time(
    course: Course, tmp_path: Path
) -> None:
    pattern = "HW_(?P<student_id>[^_]+)_attempt_(?P<timestamp>[^_]+)_"
    course = with_settings(course.root, f"{SETTINGS}\n[collect]\npattern = '{pattern}'")
    names = ("HW_ada_attempt_2026-10-06-00-00-00_x.ipynb", "HW_bo_attempt_5 October_x.ipynb")
    source = zipped(tmp_path / "c.zip", dict(zip(names, (ADA, BO), strict=True)))
    found = collect_archive(course, source)
    assert found.summary().startswith("2 found · 1 placed · 1 to assign · 1 late")
    assert "its time, 5 October, is none" in (course.root / assigning.UNASSIGNED).read_text()


@pytest.mark.parametrize(
    ("platform", "names"),
    [
        ("Blackboard", ("HW 1_{id}_attempt_2026-10-06-00-00-00_hw.ipynb",)),
        (
            "Brightspace",
            (
                "71-2 - {name} - Oct 5, 2026 1159 PM/hw.ipynb",
                "71-2 - {name}- 5 October, 2026/a.ipynb",
            ),
        ),
    ],
)
def test_the_patterns_that_the_handbook_gives_fit_their_platforms_names(
    course: Course, tmp_path: Path, platform: str, names: Sequence[str]
) -> None:
    (row,) = re.findall(rf"\| {platform}'s download \| `(.*?)`", HANDBOOK.read_text("utf-8"))
    course = with_settings(course.root, f"{row}\n{SETTINGS}")
    people = [Person("ada", "Ada Lovelace"), Person("bo", "Bo Li-Ng")]
    roster.write_roster(course.root / roster.FILE, people)
    for n, name in enumerate(names):
        who = zip(people, (ADA, BO), strict=True)
        files = {name.format(id=p.student_id, name=p.name): raw for p, raw in who}
        found = collect_archive(course, zipped(tmp_path / f"{n}.zip", files))
        assert found.summary().startswith("2 found")
        assert (course.submitted / "bo" / TOYS / f"{TOYS}.ipynb").read_bytes() == BO
        assert not found.plan.to_assign


def test_a_name_alone_is_nobodys_where_there_is_no_roster(course: Course, tmp_path: Path) -> None:
    course = with_settings(course.root, f"{SETTINGS}\n[collect]\npattern = '(?P<name>.*)/'")
    found = collect_archive(course, zipped(tmp_path / "c.zip", {"Ada Lovelace/hw.ipynb": ADA}))
    assert found.summary().startswith("1 found · 0 placed · 1 to assign")


@pytest.mark.parametrize("pattern", ["(", "(?P<first_name>.*)", "x"])
def test_a_pattern_that_names_nobody_is_refused(course: Course, pattern: str) -> None:
    with pytest.raises(CourseError, match=r"collect\.pattern"):
        with_settings(course.root, f"[collect]\npattern = '{pattern}'")


# Forks and copies of the course

RELEASED = f"assignments/{TOYS}/{TOYS}.ipynb"


@pytest.mark.parametrize(
    "place",
    [
        "hw1-submissions/hw1-{}/{}",
        "all/hw1-submissions/hw1-{}/{}",
        "hw1-submissions/hw1-{}/kit-main/{}",
        "{}/kit-main/{}",
        "{}-kit/{}",
    ],
)
def test_a_copy_of_the_course_is_whose_folder_the_roster_knows(inbox: Inbox, place: str) -> None:
    inbox.lists(Person("ada-l", "Lovelace, Ada"), Person("s2", "Bo", github="bo"), Person("s3"))
    files = {place.format(who, RELEASED): answered(n + 1) for n, who in enumerate(["ada-l", "bo"])}
    found = inbox.hand({**files, place.format("eve", RELEASED): answered(3), "README.md": b""})
    assert inbox.notebooks == {"ada-l": ADA, "s2": BO}
    assert found.plan.to_assign == 1


def test_one_copy_alone_is_nobodys_unless_the_roster_knows_one_name_in_it(inbox: Inbox) -> None:
    inbox.lists(Person("ada"), Person("bo"))
    inbox.hand({f"hw1-ada/{RELEASED}": ADA})
    assert inbox.notebooks == {"ada": ADA}
    inbox.hand({f"ada/hw1-bo/{RELEASED}": BO})
    assert inbox.notebooks == {"ada": ADA}
    assert inbox.asked[0][1] == "its name can be read in several ways"


def test_a_copy_inside_ones_own_is_ones_own(inbox: Inbox) -> None:
    inbox.lists(Person("mal"), Person("bo"), Person("zoe"))
    files = {f"hw-mal/bo/{RELEASED}": ADA, f"hw-zoe/{RELEASED}": BO}
    inbox.hand(files)
    assert inbox.notebooks == {"mal": ADA, "zoe": BO}
