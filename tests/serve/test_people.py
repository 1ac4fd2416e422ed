"""Nobody is signed in but by a link of their own, once."""

from datetime import timedelta

import pytest
from sqlalchemy import select
from starlette.applications import Starlette
from starlette.requests import Request

from autograder.course.roster import EVERYBODY
from autograder.errors import CourseError
from autograder.gradebook.database import now
from autograder.serve import invites
from autograder.serve.entrance import SOON
from autograder.serve.people import SESSION, Identity, Role, sign_in
from autograder.serve.store import Store
from autograder.serve.tables import AUDIT, INVITES, SESSIONS
from tests.serve.houses import School

ADA = Identity("ada")


def secret_in(link: str) -> str:
    return link.rpartition("/")[2]


def test_a_link_signs_in_once(school: School) -> None:
    path = invites.invite(school.house.store, ADA, SOON)
    with school.signed_in(None) as ada, school.signed_in(None) as eve:
        ada.open(path)
        eve.open(path)
        ada.send("main form")
        assert (ada.status, ada.path) == (200, "/homework")
        eve.send("main form")
        assert (eve.status, "has been used" in eve.text) == (404, True)
        eve.open("/homework")
        assert eve.status == 401


def test_whoever_got_no_answer_sends_the_form_again_and_nobody_else_can(school: School) -> None:
    path = invites.invite(school.house.store, ADA, SOON)
    with school.signed_in(None) as ada, school.signed_in(None) as eve:
        ada.open(path)
        form = ada.page.select_one("main form input")
        assert form is not None
        for _ in range(2):
            ada.http.cookies.clear()
            answer = ada.http.post(path, data={"form": str(form["value"])})
            assert (answer.status_code, answer.url.path) == (200, "/homework")
        for made_up in ({}, {"form": ""}, {"form": "x"}):
            assert eve.http.post(path, data=made_up).status_code == 404
        eve.open("/homework")
        assert eve.status == 401


def test_the_same_form_signs_in_for_some_minutes_alone(
    school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invites, "AGAIN", timedelta(seconds=-1))
    store = school.house.store
    secret = secret_in(invites.invite(store, ADA, SOON))
    assert invites.use(store, secret, "a form") == ADA
    assert invites.use(store, secret, "a form") is None


def test_to_open_a_link_uses_nothing_up(school: School) -> None:
    """Programs that read mail open the links in it."""
    path = invites.invite(school.house.store, ADA, SOON)
    with school.signed_in(None) as scanner, school.signed_in(None) as ada:
        for _ in range(3):
            scanner.open(path)
        scanner.open("/homework")
        assert scanner.status == 401
        ada.open(path)
        ada.send("main form")
        assert ada.path == "/homework"


def test_a_link_ends_with_its_days_or_when_it_is_revoked(school: School) -> None:
    store = school.house.store
    old = invites.invite(store, ADA, timedelta(seconds=-1))
    revoked = invites.invite(store, ADA, SOON)
    assert invites.revoke(store, ["ada"]) == (1, 0, 0)
    for secret in (secret_in(old), secret_in(revoked), "made-up", ""):
        assert invites.use(store, secret, "a form") is None


def test_whoever_is_revoked_is_signed_out_at_once(school: School) -> None:
    with school.student() as ada:
        invites.revoke(school.house.store, ["ada"])
        ada.open("/homework")
        assert ada.status == 401


def test_what_is_stored_signs_nobody_in(school: School) -> None:
    secret = secret_in(invites.invite(school.house.store, ADA, SOON))
    with school.student("bob") as bob, school.house.store.engine.connect() as connection:
        (cookie,) = bob.http.cookies.jar
        kept = [*connection.execute(select(INVITES.c.key)), *connection.execute(select(SESSIONS))]
    assert secret not in str(kept)
    assert str(cookie.value) not in str(kept)


def test_a_session_ends_by_itself_and_by_leaving(school: School) -> None:
    with school.student() as ada:
        with school.house.store.writing() as connection:
            connection.execute(SESSIONS.update().values(expires=now()))
        ada.open("/homework")
        assert ada.status == 401
    with school.student() as ada:
        (cookie,) = ada.http.cookies.jar
        ada.send("form[action='/leave']")
        assert (ada.path, "open it to sign in" in ada.text) == ("/", True)
        ada.http.cookies.set(cookie.name, str(cookie.value))
        ada.open("/homework")
        assert ada.status == 401


def test_no_script_and_no_other_site_has_the_cookie(school: School) -> None:
    link = invites.invite(school.house.store, ADA, SOON)
    with school.signed_in(None) as ada:
        form = {"form": "any"}
        response = ada.http.post(link, data=form, follow_redirects=False)
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert f"Max-Age={SESSION.total_seconds():.0f}" in cookie


@pytest.mark.parametrize(
    ("site", "name", "secure"),
    [("http://hw.test", "autograder", False), ("https://hw.test", "__Host-autograder", True)],
)
def test_over_tls_the_cookie_goes_nowhere_else(
    school: School, site: str, name: str, secure: bool
) -> None:
    made = Starlette()
    made.state.store = Store(school.house.store.course.at_address(site), school.house.store.engine)
    request = Request({"type": "http", "app": made, "headers": []})
    response = sign_in(request, ADA, "a link", "//evil.example/")
    cookie = response.headers["set-cookie"]
    assert cookie.startswith(f"{name}=")
    assert ("Secure" in cookie) == secure
    assert response.headers["location"] == "/evil.example/"


def test_who_signs_in_anew_leaves_no_session_behind(school: School) -> None:
    with school.student() as ada:
        ada.open(invites.invite(school.house.store, ADA, SOON))
        ada.send("main form")
    with school.house.store.engine.connect() as connection:
        assert len(connection.execute(select(SESSIONS)).all()) == 1


@pytest.mark.parametrize("name", ["", "../ada", "a\x1b[2J", "=1+1"])
def test_what_cannot_be_an_id_signs_nobody_in(school: School, name: str) -> None:
    with school.signed_in(None) as eve:
        link = invites.invite(school.house.store, Identity(name), SOON)
        eve.http.post(link, data={"form": "any"})
        eve.open("/homework")
        assert eve.status == 401


def test_somebody_who_is_signed_in_gets_a_link_for_another_device(school: School) -> None:
    with school.student() as ada, school.signed_in(None) as phone:
        ada.send("form[action='/devices']")
        link = ada.page.select_one(".link")
        assert link
        phone.open(link.get_text(strip=True).removeprefix(school.site))
        phone.send("main form")
        assert phone.path == "/homework"
        assert "ada" in phone.text


@pytest.mark.parametrize(
    ("who", "sees"),
    [
        (Identity("ada"), {"ada"}),
        (Identity("tim", Role.TA, ("A",)), {"ada", "eve"}),
        (Identity("tim", Role.TA, ("A", "B")), {"ada", "bob", "eve"}),
        (Identity("tim", Role.TA), {"ada", "bob", "eve"}),
        (Identity("ida", Role.INSTRUCTOR, ("A",)), {"ada", "bob", "eve"}),
    ],
)
def test_everybody_sees_their_own_students(school: School, who: Identity, sees: set[str]) -> None:
    seen = who.sees(school.toys.course)
    assert {student for student in ("ada", "bob", "eve") if student in seen} == sees


def test_a_section_that_is_gone_shows_nobody(school: School) -> None:
    with pytest.raises(CourseError, match="Nobody is in a section"):
        Identity("tim", Role.TA, ("Z",)).sees(school.toys.course)
    assert Identity("ida", Role.INSTRUCTOR).sees(school.toys.course) is EVERYBODY


def test_only_students_of_the_roster_are_invited(school: School) -> None:
    course = school.toys.course
    assert [each.person for each in invites.students_named(course, [])] == ["ada", "bob", "eve"]
    with pytest.raises(CourseError, match="knows no student 'nobody'"):
        invites.students_named(course, ["nobody"])


def test_who_came_and_went_stands_in_the_log(school: School) -> None:
    with school.student() as ada:
        ada.send("form[action='/leave']")
    with school.house.store.engine.connect() as connection:
        rows = connection.execute(select(AUDIT.c.person, AUDIT.c.did)).all()
    assert [tuple(row) for row in rows] == [("ada", "signed in by a link"), ("ada", "signed out")]


def test_whoever_is_not_let_in_is_not_in_the_log_as_signed_in(school: School) -> None:
    with school.signed_in(None) as eve:
        link = invites.invite(school.house.store, Identity("../ada"), SOON)
        eve.http.post(link, data={"form": "any"})
    with school.house.store.engine.connect() as connection:
        assert connection.execute(select(AUDIT)).all() == []
