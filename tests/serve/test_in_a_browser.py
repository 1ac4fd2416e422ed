"""A real browser signs in, is told live what becomes of a try, and shows all of it on a phone."""

from collections.abc import Iterator

import pytest

from autograder.serve import invites
from autograder.serve.entrance import SOON
from autograder.serve.people import Identity, Role
from tests.browser import PROGRAM, Browser, browser
from tests.serve.houses import FAILED, School
from tests.toys import TOYS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAM, reason="there is no Chromium here"),
]
PHONE = 390, 844


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    with browser() as opened:
        opened.look(*PHONE)
        yield opened


def sign_in(tab: Browser, school: School, who: Identity) -> None:
    """Open a link, and press its button by the keyboard."""
    tab.open(invites.invite(school.house.store, who, SOON))
    tab.run("document.querySelector('main button').focus()")
    tab.press_and_go("Enter")


def test_the_button_of_a_link_signs_in(tab: Browser, school: School) -> None:
    sign_in(tab, school, Identity("ada"))
    assert "Your homework" in tab.text()


def test_a_page_that_is_open_tells_what_becomes_of_the_try(tab: Browser, school: School) -> None:
    sign_in(tab, school, Identity("ada"))
    line = school.house.line
    school.keep("bob")
    found = school.keep()
    tab.open(f"{school.site}/try/{found.number}")
    assert "Place 2" in tab.text()
    line.next()
    tab.wait("document.body.innerText.includes('Place 1')")
    job = line.next()
    assert job
    assert job.progress
    tab.wait("document.body.innerText.includes('is being graded')")
    job.progress.write_text("double\n")
    tab.wait("document.querySelector('[data-exercise=double]').className === 'held'")
    school.grade(found, FAILED)
    line.finished(job, timed=True)
    tab.wait("document.body.innerText.includes('You have 4 of 11 points')")


def test_every_page_fits_a_phone_and_begins_with_a_way_to_its_content(
    tab: Browser, school: School
) -> None:
    found = school.grade(school.keep(), FAILED)
    pages = {
        Identity("ada"): ("/homework", f"/homework/{TOYS}", f"/try/{found.number}"),
        Identity("ida", Role.INSTRUCTOR): ("/class", f"/class/{TOYS}", "/student/ada", "/log"),
    }
    for who, paths in pages.items():
        sign_in(tab, school, who)
        for path in paths:
            tab.open(school.site + path)
            assert tab.run("document.documentElement.scrollWidth") <= PHONE[0], path
            assert tab.run("document.querySelector('a').hash") == "#main"
            assert tab.run("document.querySelectorAll('h1').length") == 1
            unnamed = (
                "[...document.querySelectorAll('input:not([type=hidden]), textarea, select')]"
                ".filter(each => !each.labels.length).length"
            )
            assert tab.run(unnamed) == 0, path
