"""In a real browser: the desk is worked by keys alone, and nothing that a student wrote runs."""

from collections.abc import Iterator

import pytest

from autograder.gradebook import feedback
from autograder.gradebook.marks import marks_to_export
from autograder.gradebook.recording import record
from autograder.report import Outcome
from tests.browser import PROGRAM, Browser, browser
from tests.desk.desks import WHY, OpenDesk, answered, desk
from tests.desk.test_pictures import hand_in
from tests.drawings import drawing
from tests.gradebook.books import book_of
from tests.hostile.cases import catalogue
from tests.telling.pages.test_browser import PAYLOADS
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

ANSWERS = 30
HOSTILE = [*PAYLOADS, *(case.source for case in catalogue() if case.kind == "feedback")]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAM, reason="no chromium here"),
]


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


def grade_by_keys(tab: Browser, opened: OpenDesk) -> tuple[dict[str, float], int]:
    """Grade all answers, each by what it says: `tick 12`; return the points and key presses."""
    given, presses = {}, 0
    tab.open(opened.site + WHY)
    while tab.run("!!document.querySelector('#text')"):
        answer = str(tab.run("document.querySelector('#text').innerText")).strip()
        keys = answer.rpartition(" ")[2]
        for key in keys:
            tab.press(key)
        tab.press_and_go("Enter")
        given[answer] = float(len(keys.replace("0", "")))
        presses += len(keys) + 1
    return given, presses


def test_thirty_answers_are_graded_by_keys_alone(school: ToyClass, tab: Browser) -> None:
    ticks = ["0", "1", "2", "12"]
    answers = {f"s{n:02}": f"answer {(n + 1) * 'i'} tick {ticks[n % 4]}" for n in range(ANSWERS)}
    answered(school, answers)
    with desk(school.course) as opened:
        tab.open(opened.address)
        given, presses = grade_by_keys(tab, opened)
        assert f"{ANSWERS} of {ANSWERS} done" in tab.text()
    assert presses < 3 * ANSWERS
    expected = {student: given[answer] for student, answer in answers.items()}
    with book_of(school.course) as book:
        found = {s: book.find_grade("why", TOYS, TOYS, s) for s in answers}
        assert {s: grade.manual_score for s, grade in found.items()} == expected
        assert not any(grade.needs_manual_grade for grade in found.values())
    exported = marks_to_export(school.course, TOYS)
    assert {student: found.score - 9 for student, found in exported.items()} == expected
    feedback.write_feedback(school.course, [TOYS])
    for student, points in expected.items():
        page = (school.course.feedback / student / TOYS / f"{TOYS}.html").read_text()
        share = "all 11" if points == 2 else f"{9 + points:g} of 11"
        assert f"You have {share} points." in page


def test_keys_undo_comment_say_again_and_go_back_and_forth(school: ToyClass, tab: Browser) -> None:
    answered(school, {"a": "one", "b": "two", "c": "three"})
    with desk(school.course) as opened:
        tab.open(opened.address)
        tab.open(opened.site + WHY)
        first = tab.run("document.querySelector('#text').innerText")
        tab.press("1")
        tab.press("0")
        assert tab.run("document.querySelectorAll('[name=earned]:checked').length") == 0
        tab.press("2")
        assert tab.run("document.getElementById('sum').textContent") == "1 of 2"
        tab.press("c")
        tab.write("Look 1 at the first half.")
        tab.press("Escape")
        tab.press_and_go("Enter")
        assert "1 of 3 done" in tab.text()
        tab.press_and_go("u")
        assert "0 of 3 done" in tab.text()
        assert tab.run("document.querySelector('#text').innerText") == first
        tab.press("2")
        tab.press("c")
        tab.write("Look 1 at the first half.")
        tab.press("Escape")
        tab.press_and_go("Enter")
        tab.press_and_go("n")
        tab.press_and_go("p")
        tab.press("q")
        tab.press("1")
        tab.press_and_go("Enter")
    with book_of(school.course) as book:
        comments = [book.find_comment("why", TOYS, TOYS, s).manual_comment for s in "abc"]
    assert sorted(map(str, comments)) == ["Look 1 at the first half."] * 2 + ["None"]


def test_a_photographed_page_is_read_in_the_whole_window_while_keys_go_on_working(
    school: ToyClass, tab: Browser
) -> None:
    hand_in(school, None, page=drawing("JPEG", (1200, 2000)))
    width = "document.querySelector('#text img').clientWidth"
    with desk(school.course) as opened:
        tab.look(1200, 900)
        tab.open(opened.address)
        tab.open(opened.site + WHY)
        before = tab.run(width)
        tab.press("z")
        assert tab.run(width) > 2 * before
        tab.press("1")
        assert tab.run("document.getElementById('sum').textContent") == "1 of 2"
        tab.press("z")
        assert tab.run(width) == before


def test_a_form_is_sent_once_however_often_enter_is_pressed(school: ToyClass, tab: Browser) -> None:
    answered(school, {"a": "one", "b": "two"})
    with desk(school.course) as opened:
        tab.open(opened.address)
        tab.open(opened.site + WHY)
        tab.press("1")
        tab.run("document.getElementById('grade').requestSubmit()")
        tab.run("window.stillHere = true; document.getElementById('grade')?.requestSubmit()")
        tab.wait("document.body.innerText.includes('1 of 2 done')")


@pytest.fixture
def attacked(school: ToyClass) -> ToyClass:
    """A school in which everything that students can write holds payloads."""
    reports = []
    for number, payload in enumerate(HOSTILE):
        student = f"s{number:02}"
        school.hand_in(
            student,
            RIGHT | {"double": f'"""{payload}"""', "why": payload},
            {"cell_type": "markdown", "id": "own", "metadata": {}, "source": payload},
        )
        failed = 9 * [Outcome.FAILED]
        reports.append(school.report(student, *failed, warnings=(payload[:500],)))
    assert record(school.course, reports) == []
    return school


@pytest.mark.exhaustive  # `telling/pages/test_browser` tries each payload on a page
def test_no_payload_runs_at_the_desk(attacked: ToyClass, tab: Browser) -> None:
    shown = 0
    with desk(attacked.course) as opened:
        tab.open(opened.address)
        tab.open(f"{opened.site}/appeals/{TOYS}")
        submissions = tab.run("[...document.querySelectorAll('tbody a')].map(a => a.href)")
        assert len(submissions) == len(HOSTILE)
        for address in submissions:
            tab.open(address)
            tab.run("document.querySelectorAll('details').forEach(each => { each.open = true; })")
            check_nothing_ran(tab)
            tab.open(str(tab.run("document.querySelector('[aria-keyshortcuts=o]').href")))
            check_nothing_ran(tab)
        tab.open(f"{opened.site}{WHY}?show=all")
        while tab.run("!!document.querySelector('#text')") and shown < len(HOSTILE):
            shown += 1
            check_nothing_ran(tab)
            if not tab.run("!!document.querySelector('[aria-keyshortcuts=n]')"):
                break
            tab.press_and_go("n")
    assert shown > len(HOSTILE) * 3 / 4  # some say nothing but the same


def check_nothing_ran(tab: Browser) -> None:
    assert "pwned" not in str(tab.run("document.title"))
    assert tab.dialogs == []
    foreign = "script:not([src='/desk.js']), iframe, object, embed, main form[action^='http']"
    assert tab.run(f'document.querySelectorAll("{foreign}").length') == 0
    assert not tab.run(
        "[...document.querySelectorAll('*')].some(each =>"
        " [...each.attributes].some(one => one.name.startsWith('on')))"
    )


def test_a_payload_that_is_not_cleaned_is_noticed(tab: Browser) -> None:
    """Or else the test above would prove nothing."""
    tab.open("data:text/html,<title>x</title><svg onload=\"document.title='pwned'\">")
    tab.wait("document.title === 'pwned'")
    with pytest.raises(AssertionError):
        check_nothing_ran(tab)
    tab.open("data:text/html,<body onload='alert(1)'>")
    tab.run("1")
    assert tab.dialogs == ["1"]
    tab.dialogs.clear()
