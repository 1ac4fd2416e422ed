"""What students and instructors read, and what they can do, without any script."""

import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from unittest.mock import Mock

import pytest
import tomlkit
from tomlkit import TOMLDocument

from autograder.gradebook import giving
from autograder.gradebook.giving import Award
from autograder.gradebook.marks import read_marks
from autograder.serve import staff
from autograder.serve.people import Identity, Role
from autograder.serve.tables import TryState
from tests.serve.houses import FAILED, PASSED, School, school_of
from tests.toy_class import SCRIPT, ToyClass
from tests.toys import TOYS, with_settings

INSTRUCTOR = Identity("ida", Role.INSTRUCTOR)
MISTAKE = "law_0 is <broken>"
SOON = f"{datetime.now(UTC) + timedelta(days=3):%Y-%m-%dT%H:%M:%S}Z"
DUE = f"[assignments.{TOYS}]\ndue = {SOON}\n"


def test_handing_in_leads_to_a_page_that_tells_the_place(school: School) -> None:
    school.keep("bob")
    with school.student() as ada:
        ada.hand_in(school.notebook())
        assert (ada.status, ada.path) == (200, "/try/2")
        assert "in the queue" in ada.text
        assert "Place 2" in ada.text
        assert [each.get_text() for each in ada.page.select("#live-exercises code")] == [
            "double", "Counter",
        ]  # fmt: skip
        refresh = ada.page.select_one("noscript meta[http-equiv=refresh]")
        assert refresh is not None


def test_what_was_found_is_told_as_feedback_tells_it(school: School) -> None:
    found = school.grade(school.keep(), FAILED)
    with school.student() as ada:
        ada.open(f"/try/{found.number}")
        assert "You have 4 of 11 points." in ada.text
        assert "Do this next: double" in ada.text
        assert MISTAKE in ada.text
        ada.open(f"/try/{found.number}/feedback")
        assert MISTAKE in ada.text
        assert "Your notebook" in ada.text


def test_nothing_that_a_student_wrote_is_html(school: School) -> None:
    raw = school.notebook({"double": f"# {SCRIPT}\ndef double(x):\n    return x", "why": SCRIPT})
    with school.student() as ada:
        ada.hand_in(raw)
        found = school.grade(school.tries.on(TOYS)[0], FAILED)
        ada.open(f"/try/{found.number}")
        ada.send("form.appeal", exercise="double", text=SCRIPT)
        for path in (f"/try/{found.number}", f"/try/{found.number}/feedback"):
            ada.open(path)
            assert not ada.page.select("script, img[onerror]")
        assert "document.title" in ada.text
    with school.signed_in(INSTRUCTOR) as ida:
        ida.open(f"/try/{found.number}")
        assert not ida.page.select("script, img[onerror]")
        assert SCRIPT in ida.text


def test_what_changed_since_the_try_before_is_told(school: School) -> None:
    school.grade(school.keep(note="1"), FAILED)
    found = school.grade(school.keep(note="2"), PASSED)
    with school.student() as ada:
        ada.open(f"/try/{found.number}")
        assert "Since the try before double : 0 → 5 points" in ada.text
        assert "No longer: law_0 is <broken>" in ada.text


def test_an_earlier_try_says_which_one_counts(school: School) -> None:
    first = school.grade(school.keep(note="1"), FAILED)
    second = school.grade(school.keep(note="2"), PASSED)
    with school.student() as ada:
        ada.open(f"/try/{first.number}")
        assert "Another try counts" in ada.text
        assert ada.page.select(f"a[href='/try/{second.number}']")


def test_the_list_tells_due_dates_tries_and_marks(toys: ToyClass) -> None:
    with school_of(toys, "tries_a_day = 3", DUE) as school:
        school.grade(school.keep(note="1"), PASSED)
        school.grade(school.keep(note="2"), FAILED)
        with school.student() as ada:
            ada.open("/homework")
            assert "Last try 4 of 9 Best try 9 of 9 Counts by now 4 of 11" in ada.text
            assert "1 left today" in ada.text
            assert "due " in ada.text


def test_without_tries_left_nothing_is_taken(toys: ToyClass) -> None:
    with school_of(toys, "tries_a_day = 1") as school, school.student() as ada:
        ada.hand_in(school.notebook())
        school.grade(school.tries.on(TOYS)[0])
        ada.hand_in(school.notebook(note="2"))
        assert (ada.status, "no tries left today" in ada.text) == (422, True)
        assert len(school.tries.on(TOYS)) == 1


def test_a_form_without_a_file_is_explained(school: School) -> None:
    with school.student() as ada:
        ada.open(f"/homework/{TOYS}")
        ada.send("form.drop", {"notebook": ("", b"")})
        assert (ada.status, "Choose the notebook" in ada.text) == (422, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "points", "mistakes"),
    [
        ("nothing", False, False),
        ("names", False, True),
        ("ideas", False, True),
        ("marks", True, True),
    ],
)
def test_before_the_due_date_as_much_is_shown_as_the_course_says(
    toys: ToyClass, level: str, points: bool, mistakes: bool
) -> None:
    with school_of(toys, f'before_due = "{level}"', DUE) as school, school.student() as ada:
        found = school.grade(school.keep(), FAILED)
        pages = [f"/try/{found.number}", f"/try/{found.number}/feedback"]
        shown = [ada.open(path).get_text(" ", strip=True) for path in pages]
        assert [MISTAKE in text for text in shown] == 2 * [mistakes]
        for path in ("/homework", f"/homework/{TOYS}"):
            shown.append(ada.open(path).get_text(" ", strip=True))
        for text in shown:
            assert ("4 of 9" in text or "5 points" in text) == points, text
        with school.signed_in(INSTRUCTOR) as ida:
            ida.open("/student/ada")
            assert "4 of 9" in ida.text
            ida.open(f"/try/{found.number}")
            assert MISTAKE in ida.text


def test_after_the_due_date_all_is_shown(toys: ToyClass) -> None:
    due = DUE.replace(SOON, "2020-01-01T00:00:00Z")
    with school_of(toys, 'before_due = "nothing"', due) as school, school.student() as ada:
        ada.open(f"/try/{school.grade(school.keep(), FAILED).number}")
        assert MISTAKE in ada.text


def test_what_is_withheld_is_shown_nowhere(toys: ToyClass) -> None:
    later = DUE + f"feedback_from = {SOON}\n"
    with school_of(toys, settings=later) as school, school.student() as ada:
        number = school.grade(school.keep(note="1"), FAILED).number
        school.grade(school.keep(note="2"), PASSED)
        for path in ("/homework", f"/try/{number}", f"/try/{number + 1}"):
            ada.open(path)
            assert MISTAKE not in ada.text
            assert " of 9" not in ada.text


def test_a_student_chooses_where_the_course_lets_them(toys: ToyClass) -> None:
    with school_of(toys, 'counts = "chosen"') as school, school.student() as ada:
        first = school.grade(school.keep(note="1"), PASSED)
        school.grade(school.keep(note="2"), FAILED)
        ada.open(f"/try/{first.number}")
        ada.send("form[action$='/choose']")
        assert ada.status == 200
        school.record(first)
        (marks,) = read_marks(school.toys.course, [TOYS])
        assert marks.score == 9


def test_an_appeal_waits_for_an_answer_and_gets_it(school: School) -> None:
    found = school.grade(school.keep(), FAILED)
    with school.student() as ada, school.signed_in(INSTRUCTOR) as ida:
        ada.open(f"/try/{found.number}")
        ada.send("form.appeal", exercise="double", text="Law 0 holds.")
        assert "It waits for an answer." in ada.text
        ida.open("/class")
        ida.open(str(ida.page.select("a[href^='/try/']")[0]["href"]))
        ida.send("form[action^='/appeal/']", answer="So it does.")
        ada.open(f"/try/{found.number}")
        assert "So it does." in ada.text
        assert "waits for an answer" not in ada.text
        ida.open("/class")
        assert "Appeals that wait None." in ida.text


def test_an_answer_may_give_other_points(school: School) -> None:
    found = school.grade(school.keep(), FAILED)
    with school.student() as ada, school.signed_in(INSTRUCTOR) as ida:
        ada.open(f"/try/{found.number}")
        ada.send("form.appeal", exercise="double", text="Law 0 holds.")
        ida.open(f"/try/{found.number}")
        refused = ida.send("form[action^='/appeal/']", answer="So it does.", points="6")
        assert "give a number from 0 to 5" in refused.get_text()
        ida.open(f"/try/{found.number}")
        ida.send("form[action^='/appeal/']", answer="So it does.", points="3,5")
        ada.open(f"/try/{found.number}")
        assert "You have 7.5 of 11 points" in ada.text
        assert "So it does." in ada.text
    (marks,) = read_marks(school.toys.course, [TOYS])
    assert marks.score == 7.5


def test_other_points_are_for_the_try_that_counts(school: School) -> None:
    first = school.grade(school.keep(note="1"), FAILED)
    with school.student() as ada, school.signed_in(INSTRUCTOR) as ida:
        ada.open(f"/try/{first.number}")
        ada.send("form.appeal", exercise="double", text="Law 0 holds.")
        school.grade(school.keep(note="2"), FAILED)
        ida.open(f"/try/{first.number}")
        assert ida.page.select("input[name=points]") == []
        said = ida.send("form[action^='/appeal/']", answer="No.", points="5").get_text()
        assert "Another try counts" in said
    (marks,) = read_marks(school.toys.course, [TOYS])
    assert marks.score == 4


def test_points_that_were_changed_meanwhile_stay(school: School) -> None:
    found = school.grade(school.keep(), FAILED)
    with school.student() as ada, school.signed_in(INSTRUCTOR) as ida:
        ada.open(f"/try/{found.number}")
        ada.send("form.appeal", exercise="double", text="Law 0 holds.")
        ida.open(f"/try/{found.number}")
        (marks,) = read_marks(school.toys.course, [TOYS])
        mark = marks["double"]
        assert mark
        award = Award("tim", 5, "It was right.")
        giving.give(school.house.telling.gradebook, award, {mark.key: mark.version})
        said = ida.send("form[action^='/appeal/']", answer="No.", points="0").get_text()
        assert "Changed meanwhile: tim gave 5 of 5 points" in said
    (marks,) = read_marks(school.toys.course, [TOYS])
    assert marks.score == 9


def test_marks_are_withheld_and_given_out_from_the_page(school: School) -> None:
    found = school.grade(school.keep(), FAILED)
    school.grade(school.keep("bob"))
    with school.student() as ada, school.signed_in(INSTRUCTOR) as ida:
        ida.open(f"/class/{TOYS}")
        ida.send("form[action$='/withhold']", student="ada", reason="Two are alike.")
        assert "Withheld from ada. Two are alike." in ida.text
        ada.open(f"/try/{found.number}")
        assert "4 of" not in ada.text
        assert "withheld" in ada.text
        ida.send("form[action*='/give-out/']")
        ada.open(f"/try/{found.number}")
        assert "You have 4 of 11 points" in ada.text
    with school.student("bob") as bob:
        bob.open("/homework")
        assert "9 of" in bob.text


def test_the_report_and_the_table_of_points_are_a_click_away(school: School) -> None:
    school.grade(school.keep(), FAILED)
    with school.signed_in(INSTRUCTOR) as ida:
        ida.open(f"/class/{TOYS}")
        ida.open(str(ida.page.select("a[href$='/report']")[0]["href"]))
        assert "Law 0 holds." in ida.text
        ida.open("/class")
        table = ida.http.get(str(ida.page.select("a[href$='.csv']")[0]["href"])).text
    header, row, *_ = table.splitlines()
    assert header.startswith("student")
    assert row.startswith("ada")


def test_what_a_person_gave_at_the_desk_is_told_at_once(school: School) -> None:
    found = school.grade(school.keep(), FAILED)
    marks = school.house.telling.marks("ada", TOYS)
    assert marks
    mark = marks["double"]
    assert mark
    award = Award("tim", 5, "It was right.")
    giving.give(school.house.telling.gradebook, award, {mark.key: mark.version})
    with school.student() as ada:
        ada.open(f"/try/{found.number}")
        assert "It was right." in ada.text
        assert "You have 9 of 11 points." in ada.text


def test_the_class_at_a_glance(school: School) -> None:
    for student, outcomes in (("ada", PASSED), ("bob", FAILED), ("eve", FAILED)):
        school.grade(school.keep(student), outcomes)
    school.keep("ada", "2")
    with school.signed_in(INSTRUCTOR) as ida:
        ida.open("/class")
        assert "1 notebook is in the queue" in ida.text
        assert "3 of 3 4 4 of 9" in ida.text
        ida.open(f"/class/{TOYS}")
        assert "in the queue, place 1" in ida.text


def test_a_notebook_on_which_the_grader_fails_is_told_to_the_instructor(school: School) -> None:
    found = school.keep()
    said = "The process that graded it was killed."
    school.tries.update(found.number, state=TryState.FAILED, said=said)
    with school.signed_in(INSTRUCTOR) as ida, school.student() as ada:
        ida.open("/class")
        assert f"ada, {TOYS} : {said}" in ida.text
        ada.open(f"/try/{found.number}")
        assert "your instructor sees it" in ada.text
        assert said not in ada.text
        ida.open(f"/try/{found.number}")
        ida.send("form[action$='/again']")
        assert "in the queue" in ida.text


def test_an_extension_is_a_line_in_the_settings_that_holds_at_once(toys: ToyClass) -> None:
    due = DUE.replace(SOON, "2020-01-01T00:00:00Z") + "late = { per_day = 0.5 }\n"
    with school_of(toys, settings=due) as school, school.signed_in(INSTRUCTOR) as ida:
        school.grade(school.keep())
        ida.open("/student/ada")
        assert "for being late" in ida.text
        ida.send("form[action*='/extend/']", until="2999-01-01T12:00")
        assert ida.status == 200
        assert "for being late" not in ida.text
        said = tomllib.loads((school.toys.course.root / "course.toml").read_text())
        assert list(said["assignments"][TOYS]["extensions"]) == ["ada"]
        for odd in ("soon", "0020-01-01T12:00", "9999-12-31T23:59"):
            ida.send("form[action*='/extend/']", until=odd)
            assert ida.status == 422


@pytest.mark.slow
def test_of_two_extensions_at_once_none_is_lost(
    toys: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(text: str) -> TOMLDocument:
        said = tomlkit.parse(text)
        time.sleep(0.5)
        return said

    def extend(student: str) -> int:
        with school.signed_in(INSTRUCTOR) as ida:
            ida.open(f"/student/{student}")
            ida.send("form[action*='/extend/']", until="2999-01-01T12:00")
            return ida.status

    monkeypatch.setattr(staff, "tomlkit", Mock(wraps=tomlkit, parse=slowly))
    with school_of(toys, settings=DUE) as school, ThreadPoolExecutor() as pool:
        assert [*pool.map(extend, ("ada", "bob"))] == [200, 200]
        extended = school.house.store.course.settings.assignment(TOYS).extensions
    assert extended.keys() == {"ada", "bob"}


def test_times_are_told_in_the_courses_zone_also_once_that_is_changed_and_changed_back(
    school: School,
) -> None:
    due = datetime(2030, 1, 1, 12, tzinfo=UTC)
    with school.student() as ada:
        for zone, told in (("UTC", "12:00"), ("Asia/Tokyo", "21:00"), ("UTC", "12:00")):
            settings = f'time_zone = "{zone}"\n[assignments.{TOYS}]\ndue = {due.isoformat()}\n'
            with_settings(school.toys.course.root, settings)
            ada.open("/homework")
            assert f"due Tue 01 Jan, {told}" in ada.text


@pytest.mark.slow
def test_staff_who_look_leave_a_line_in_the_log(school: School) -> None:
    school.grade(school.keep())
    with school.signed_in(INSTRUCTOR) as ida:
        for path in ("/student/ada", "/try/1", "/log"):
            ida.open(path)
        assert "looked at all tries ada" in ida.text
        assert "looked at try 1 ada" in ida.text
