"""Somebody opens a link on the platform, and is here who they are there."""

from dataclasses import replace

import httpx
import pytest

from autograder.course.roster import FILE, Person, read_roster, write_roster
from autograder.serve.id_tokens import TRIED_AGAIN
from autograder.serve.lti.claims import INSTRUCTOR, TA
from autograder.serve.people import Identity, Role
from autograder.serve.store import put_new
from autograder.serve.tables import LINKS, MEMBERS
from tests.postgresql import in_either_database
from tests.serve.lti.platforms import ADA, BOB, GRACE, LINE_ITEM, LMS, TIM, TOOL, new_key
from tests.serve.lti.worlds import World, fields
from tests.toys import TOYS


def roster(world: World) -> dict[str, Person]:
    return {person.student_id: person for person in read_roster(world.course.root / FILE)}


def test_a_student_comes_to_the_assignment_of_the_link(linked: World) -> None:
    with linked.browser() as browser:
        response = linked.launch(browser, ADA)
        assert response.headers["location"] == "/homework/toys"
        assert linked.who(browser) == Identity("ada@example.edu")
    person = roster(linked)["ada@example.edu"]
    assert (person.name, person.lti_id) == ("Ada Lovelace", "u-1@lms.example")


@in_either_database
def test_a_launch_leaves_what_services_need(linked: World) -> None:
    with linked.browser() as browser:
        linked.launch(browser, ADA)
    (link,) = linked.rows(LINKS)
    assert (link.assignment, link.line_item) == (TOYS, LINE_ITEM)
    assert [row.student for row in linked.rows(MEMBERS)] == ["ada@example.edu"]


def test_who_stands_in_the_roster_keeps_the_id_from_there(linked: World) -> None:
    path = linked.course.root / FILE
    write_roster(path, [Person("ada", "A. Lovelace", "Ada@Example.edu"), Person("bob")])
    with linked.browser() as browser:
        linked.launch(browser, ADA)
        assert linked.who(browser) == Identity("ada")
    assert roster(linked)["ada"].name == "A. Lovelace"


def test_another_email_later_changes_nobody(linked: World) -> None:
    with linked.browser() as browser:
        linked.launch(browser, ADA)
        linked.launch(browser, BOB)
        linked.platform.users[BOB.id] = replace(BOB, email=ADA.email)
        linked.launch(browser, BOB)
        assert linked.who(browser) == Identity("bob@example.edu")


def test_nobody_becomes_a_student_who_has_come_already(linked: World) -> None:
    linked.platform.users["u-3"] = replace(BOB, id="u-3", email=ADA.email)
    with linked.browser() as browser, linked.browser() as another:
        linked.launch(browser, ADA)
        response = linked.launch(another, linked.platform.users["u-3"])
        assert response.status_code == 403
        assert "who is somebody else" in response.text
        assert linked.who(another) is None


@pytest.mark.parametrize(
    ("user", "identity"),
    [
        (GRACE, Identity("grace@example.edu", Role.INSTRUCTOR)),
        (TIM, Identity("tim@example.edu", Role.TA)),
    ],
)
def test_staff_come_to_the_class_and_not_into_the_roster(
    linked: World, user: object, identity: Identity
) -> None:
    with linked.browser() as browser:
        response = linked.launch(browser, user)  # type: ignore[arg-type]
        assert response.headers["location"] == "/class/toys"
        assert linked.who(browser) == identity
    assert roster(linked) == {}


@pytest.mark.parametrize("role", [TA, TA.replace("/I", "/i"), f"{TA}Section"])
def test_an_assistant_is_one_though_the_platform_says_instructor_as_well(
    linked: World, role: str
) -> None:
    both = f"{INSTRUCTOR} {role}"
    linked.platform.users[TIM.id] = replace(TIM, role=both)
    linked.platform.custom = {"section": '["Lab A","Lab B"]'}
    with linked.browser() as browser:
        linked.launch(browser, TIM)
        found = linked.who(browser)
    assert found == Identity("tim@example.edu", Role.TA, ("Lab A", "Lab B"))


def test_the_platform_tells_sections_and_ids_where_it_knows_the_words(linked: World) -> None:
    linked.platform.custom = {"section": '["Lab B"]', "student_id": "$Person.sourcedId"}
    with linked.browser() as browser:
        linked.launch(browser, ADA)
        linked.platform.custom = {"section": "$no.such.word", "student_id": "b-17"}
        linked.launch(browser, BOB)
    assert roster(linked)["ada@example.edu"].section == "Lab B"
    assert roster(linked)["b-17"].section == ""


def test_a_key_that_is_new_is_looked_for_once(
    linked: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = linked.tool.key_sets.clock() + TRIED_AGAIN
    linked.platform.key = new_key()
    with linked.browser() as browser:
        assert linked.launch(browser, ADA).status_code == 403  # it was fetched a moment ago
        fetched = linked.platform.fetched_keys
        object.__setattr__(linked.tool.key_sets, "clock", lambda: later)
        assert linked.launch(browser, ADA).status_code == 303
        assert linked.launch(browser, BOB).status_code == 303
    assert linked.platform.fetched_keys == fetched + 1


def test_a_link_that_names_no_assignment_leads_to_the_first_page(linked: World) -> None:
    linked.platform.assignment = ""
    with linked.browser() as browser:
        assert linked.launch(browser, ADA).headers["location"] == "/"
    assert linked.rows(LINKS) == []


def test_in_a_frame_there_is_a_way_out_of_it(linked: World) -> None:
    with linked.browser() as browser:
        form = linked.platform.form(linked.begin(browser, ADA))
        response = linked.post(
            browser, form["id_token"], form["state"], **{"Sec-Fetch-Dest": "iframe"}
        )
        assert f'href="{TOOL}/invite/' in response.text
        assert "frame-ancestors *" in response.headers["content-security-policy"]
        assert linked.who(browser) is None


def test_an_instructor_chooses_what_a_link_leads_to(linked: World) -> None:
    with linked.browser() as browser:
        page = linked.launch(browser, GRACE, "choose")
        assert f"form-action {LMS}" in page.headers["content-security-policy"]
        assert f'action="{LMS}/chosen"' in page.text
        browser.post(f"{LMS}/chosen", data=fields(page.text))
    (item,) = linked.platform.returned
    assert item["custom"]["assignment"] == TOYS
    assert item["lineItem"] == {"scoreMaximum": 11, "label": TOYS, "resourceId": TOYS}
    assert item["window"] == {"targetName": "_blank"}
    assert linked.platform.faults == []


@pytest.mark.parametrize("user", [ADA, TIM])
def test_nobody_else_chooses(linked: World, user: object) -> None:
    with linked.browser() as browser:
        response = linked.launch(browser, user, "choose")  # type: ignore[arg-type]
        assert "only instructors choose" in response.text


def test_the_browser_is_marked_so_that_the_form_of_another_site_brings_the_mark(
    linked: World,
) -> None:
    with linked.browser() as browser:
        response = browser.get(linked.platform.initiate(ADA))
    cookie = response.headers["set-cookie"].casefold()
    assert cookie.startswith("__host-autograder-login=")
    assert {"httponly", "secure", "samesite=none", "path=/", "partitioned"} <= set(
        cookie.split("; ")
    )


def test_a_form_may_begin_a_sign_in_as_well(linked: World) -> None:
    address = httpx.URL(linked.platform.initiate(ADA))
    with linked.browser() as browser:
        response = browser.post(f"{TOOL}/lti/login", data=dict(address.params))
        form = linked.platform.form(dict(httpx.URL(response.headers["location"]).params))
        assert linked.post(browser, form["id_token"], form["state"]).status_code == 303


@in_either_database
def test_two_who_open_a_new_link_at_once_both_come_in(linked: World) -> None:
    """What another has just written is found, not written twice."""
    with linked.store.writing() as connection:
        row = {"context": 1, "student": "ada"}
        put_new(connection, MEMBERS, row)
        put_new(connection, MEMBERS, row)
    assert len(linked.rows(MEMBERS)) == 1
