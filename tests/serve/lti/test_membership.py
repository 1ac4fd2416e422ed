"""Who is in the course on the platform comes into the roster."""

import asyncio
import json
from dataclasses import replace
from unittest.mock import Mock

import httpx
import pytest

from autograder.course.roster import FILE, Person, read_roster, write_roster
from autograder.serve.lti import courier, roster
from autograder.serve.lti.roster import Fetched
from autograder.serve.tables import CONTEXTS, MEMBERS
from tests.serve.lti.platforms import ADA, BOB, LMS, TIM
from tests.serve.lti.worlds import World


def fetch(world: World) -> list[Fetched]:
    return asyncio.run(roster.fetch(world.store, world.services))


def test_all_pages_of_members_come_into_the_roster(linked: World) -> None:
    linked.platform.page = 1
    (found,) = fetch(linked)
    assert found.roles == {"student": 2, "instructor": 1, "ta": 1}
    assert (found.enrolled.added, found.enrolled.left_out, found.problem) == (2, [], "")
    people = read_roster(linked.course.root / FILE)
    assert [person.lti_id for person in people] == ["u-1@lms.example", "u-2@lms.example"]
    assert len(linked.rows(MEMBERS)) == 2
    assert linked.platform.faults == []


def test_a_platform_that_was_down_is_asked_again_before_the_day_is_over(
    linked: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def down(_: httpx.Request) -> httpx.Response:
        return httpx.Response(503, stream=httpx.ByteStream(b""))

    clock = Mock(monotonic=Mock(return_value=0.0))
    monkeypatch.setattr(courier, "time", clock)
    made = courier.Courier(linked.store, linked.services)
    with linked.network(down):
        asyncio.run(made.round())
    assert linked.rows(MEMBERS) == []
    clock.monotonic.return_value = courier.SWEEP
    asyncio.run(made.round())
    assert len(linked.rows(MEMBERS)) == 2


def test_sections_come_along_once_a_link_asks_for_them(linked: World) -> None:
    with linked.browser() as browser:
        linked.launch(browser, ADA)
    fetch(linked)
    ada, bob = read_roster(linked.course.root / FILE)
    assert (ada.section, bob.section) == ("", "Lab B")


def test_groups_are_sections_by_their_names(linked: World) -> None:
    async def answer(request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if path == "/groups":
            answered: object = {"groups": [{"id": 7, "name": "Lab A"}, {"id": 8, "name": "Lab B"}]}
        elif path == "/token":
            answered = {"access_token": "token", "expires_in": 3600}
        else:
            enrolled = [{"group_id": 8}, {"group_id": 7}]
            role = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"
            member = {"user_id": "u-1", "roles": [role], "group_enrollments": enrolled}
            answered = {"members": [member]}
        return httpx.Response(200, stream=httpx.ByteStream(json.dumps(answered).encode()))

    with linked.store.writing() as connection:
        connection.execute(CONTEXTS.update().values(groups_url=f"{LMS}/groups"))
    with linked.network(answer):
        fetch(linked)
    (ada,) = read_roster(linked.course.root / FILE)
    assert (ada.student_id, ada.section) == ("lti-u-1", "Lab B, Lab A")


def test_an_instructors_roster_keeps_what_it_says(linked: World) -> None:
    path = linked.course.root / FILE
    ada = Person("ada", "Countess Lovelace", ADA.email, section="Lab A", github="ada")
    write_roster(path, [ada, Person("zoe", "Zoe")])
    (found,) = fetch(linked)
    assert found.enrolled.added == 1
    assert read_roster(path)[:2] == (replace(ada, lti_id="u-1@lms.example"), Person("zoe", "Zoe"))


def test_a_name_alone_makes_nobody_the_same(linked: World) -> None:
    path = linked.course.root / FILE
    write_roster(path, [Person("ada", ADA.name)])
    fetch(linked)
    assert [person.student_id for person in read_roster(path)][:2] == ["ada", ADA.email]


def test_a_running_number_of_another_platform_makes_nobody_the_same(linked: World) -> None:
    path = linked.course.root / FILE
    write_roster(path, [Person("zoe", moodle_id=ADA.email), Person(BOB.email, canvas_id=BOB.email)])
    old = read_roster(path)
    (found,) = fetch(linked)
    assert read_roster(path)[:2] == old
    assert [person.student_id for person in found.enrolled.students] == [ADA.email]
    (said,) = found.enrolled.left_out
    assert "Bob Noyce has an id or an email of bob@example.edu" in said


def test_who_could_be_two_is_left_out_and_told(linked: World) -> None:
    path = linked.course.root / FILE
    write_roster(path, [Person("a", email=ADA.email), Person("b", canvas_login=ADA.email)])
    (found,) = fetch(linked)
    assert [person.email for person in found.enrolled.students] == [BOB.email]
    (said,) = found.enrolled.left_out
    assert "Ada Lovelace has an id or an email of a, b" in said


def test_who_left_the_course_stays_and_who_never_was_in_it_doesnt_come(linked: World) -> None:
    fetch(linked)
    linked.platform.users[ADA.id] = replace(ADA, status="Inactive")
    linked.platform.users["u-3"] = replace(BOB, id="u-3", email="eve@e", status="Inactive")
    fetch(linked)
    people = read_roster(linked.course.root / FILE)
    assert [person.student_id for person in people] == [ADA.email, BOB.email]


def test_an_id_that_cant_be_one_is_told(linked: World) -> None:
    linked.platform.users = {"u-4": replace(ADA, id="u-4", email="=cmd|' /C calc'!A1"), "u-9": TIM}
    (found,) = fetch(linked)
    (said,) = found.enrolled.left_out
    assert "can't be a student id" in said


def test_a_platform_that_doesnt_answer_is_told(linked: World) -> None:
    async def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(500, stream=httpx.ByteStream(b""))

    with linked.network(answer):
        (found,) = fetch(linked)
    assert "answers with status 500" in found.problem


@pytest.mark.parametrize(
    "answered",
    [
        {},
        {"members": None},
        {"members": [7]},
        {"members": [{}]},
        {"members": [{"user_id": "1", "roles": [], "message": [7]}]},
        {"members": [{"user_id": "1", "roles": [], "group_enrollments": [{}]}]},
    ],
)
def test_a_list_that_cant_be_read_is_told(linked: World, answered: dict[str, object]) -> None:
    async def answer(request: httpx.Request) -> httpx.Response:
        said = {"access_token": "t", "expires_in": 60} if "token" in request.url.path else answered
        return httpx.Response(200, stream=httpx.ByteStream(json.dumps(said).encode()))

    with linked.network(answer):
        (found,) = fetch(linked)
    assert found.problem == "The platform's list of members can't be read."
