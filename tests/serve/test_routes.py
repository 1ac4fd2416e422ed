"""Each page is shown to those whom it is for, and to nobody else: every route, as everybody."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from unittest.mock import Mock

import pytest
from sqlalchemy.exc import OperationalError
from starlette.routing import Route

from autograder.serve import tokens
from autograder.serve.app import PAGES, app
from autograder.serve.people import Identity, Role
from autograder.serve.store import Store
from tests.serve.houses import Person, School, school_of
from tests.toy_class import ToyClass
from tests.toys import TOYS

# Who asks about ada's work, who is in section A; `nobody` isn't signed in.
PEOPLE: dict[str, Identity | None] = {
    "nobody": None,
    "ada": Identity("ada"),
    "bob": Identity("bob"),
    "ta of A": Identity("tim", Role.TA, ("A",)),
    "ta of B": Identity("tom", Role.TA, ("B",)),
    "ta of none": Identity("zoe", Role.TA, ("Z",)),
    "instructor": Identity("ida", Role.INSTRUCTOR),
}
# What each is answered, in that order: 401 who isn't signed in, 403 who has another role, and 404
# who may not know that there is such a thing. A form that lacks what it needs is answered 422: it
# got through.
EXPECTED = {
    "GET /": "200 303 303 303 303 303 303",
    "GET /invite/x": "404 404 404 404 404 404 404",
    "POST /invite/x": "404 404 404 404 404 404 404",
    "POST /leave": "401 303 303 303 303 303 303",
    "POST /devices": "401 200 200 200 200 200 200",
    "GET /homework": "401 200 200 403 403 403 403",
    "GET /homework/toys": "401 200 200 403 403 403 403",
    "POST /homework/toys": "401 422 422 403 403 403 403",
    "POST /homework/toys/token": "401 200 200 403 403 403 403",
    "POST /homework/toys/token/end": "401 303 303 403 403 403 403",
    "GET /try/1": "401 200 404 200 404 422 200",
    "GET /try/1/live": "401 200 404 200 404 422 200",
    "GET /try/1/feedback": "401 200 404 200 404 422 200",
    "GET /try/1/notebook": "401 200 404 200 404 422 200",
    "POST /try/1/choose": "401 422 404 403 403 403 403",
    "POST /try/1/appeal": "401 422 404 403 403 403 403",
    "POST /try/1/again": "401 403 403 303 404 422 422",  # it waits already
    "GET /class": "401 403 403 200 200 422 200",
    "GET /class/toys": "401 403 403 200 200 422 200",
    "GET /class/toys/report": "401 403 403 403 403 403 200",
    "POST /class/toys/withhold": "401 403 403 403 403 403 422",
    "POST /class/toys/give-out/1": "401 403 403 403 403 403 404",
    "GET /points.csv": "401 403 403 403 403 403 200",
    "GET /student/ada": "401 403 403 200 404 422 200",
    "POST /student/ada/extend/toys": "401 403 403 403 403 403 422",
    "POST /appeal/1": "401 403 403 422 404 422 422",
    "GET /log": "401 403 403 403 403 403 200",
    "POST /api/homework/toys": "401 401 401 401 401 401 401",  # no cookie counts
    "GET /api/try/1": "401 401 401 401 401 401 401",
}
_VALUES = {"secret": "x", "assignment": TOYS, "number": "1", "student": "ada"}


def concrete(path: str) -> str:
    """Return a path with what it is about: ada's try and appeal."""
    return re.sub(r"{(\w+)(:int)?}", lambda found: _VALUES[found[1]], path)


def ask(person: Person, method: str, path: str) -> int:
    """Ask as a browser does that has the page open, and return the status."""
    if method == "GET":
        return person.http.get(path, follow_redirects=False).status_code
    form = person.page.select_one("input[name=csrf]")
    data = {"csrf": str(form["value"])} if form else {}
    return person.http.post(path, data=data, follow_redirects=False).status_code


@pytest.fixture
def crowd(school: School) -> Iterator[dict[str, Person]]:
    with school.student() as ada:
        number = school.grade(school.keep()).number
        ada.open(f"/try/{number}")
        ada.send("form.appeal", exercise="double", text="It is right.")
        assert (number, ada.status) == (1, 200)
    with ExitStack() as stack:
        found = {}
        for name, who in PEOPLE.items():
            found[name] = stack.enter_context(school.signed_in(who))
            found[name].open("/log" if who is None else found[name].path)
        yield found


@pytest.mark.slow
def test_every_route_answers_each_role_as_the_table_says(crowd: dict[str, Person]) -> None:
    found = {}
    for route in EXPECTED:
        if route == "POST /leave":  # the last one, since it ends the session
            continue
        method, _, path = route.partition(" ")
        found[route] = " ".join(str(ask(person, method, path)) for person in crowd.values())
    found["POST /leave"] = " ".join(str(ask(p, "POST", "/leave")) for p in crowd.values())
    assert found == EXPECTED


def test_a_token_reaches_what_notebooks_ask_and_no_page(
    crowd: dict[str, Person], school: School
) -> None:
    for student, expected in (("ada", "422 200"), ("bob", "422 404")):
        with school.signed_in(None) as program:
            token = tokens.make(school.house.store, student)
            program.http.headers["Authorization"] = f"Bearer {token}"
            found = {}
            for route in EXPECTED:
                method, _, path = route.partition(" ")
                found[route] = str(ask(program, method, path))
        as_nobody = {route: said.split()[0] for route, said in EXPECTED.items()}
        of_programs = [route for route in EXPECTED if " /api/" in route]
        assert found == as_nobody | dict(zip(of_programs, expected.split(), strict=True))


def test_the_table_has_every_route(school: School) -> None:
    pages = {f"{method} {concrete(path)}" for method, path, _, _ in PAGES}
    assert pages == EXPECTED.keys()
    routes = {r.path for r in app(school.house).routes if isinstance(r, Route)}
    assert routes - {path for _, path, _, _ in PAGES} == {"/serve.css", "/serve.js", "/handin.py"}


@pytest.mark.slow
def test_no_form_counts_without_the_secret_of_its_page(crowd: dict[str, Person]) -> None:
    for person, who in zip(crowd.values(), PEOPLE.values(), strict=True):
        for method, path, _, roles in PAGES:
            if method == "POST" and who and who.role in roles and "/api/" not in path:
                for csrf in ("", "x", "é", "0" * 64):
                    answer = person.http.post(concrete(path), data={"csrf": csrf})
                    assert answer.status_code == 403, path


def test_what_is_not_there_is_told_in_a_sentence(school: School) -> None:
    with school.student() as ada:
        for path in (
            "/try/999",
            f"/try/{9**30}",
            "/homework/nothing",
            "/nowhere",
            "/try/x",
            "/homework/..%2f..",
            "/leave",
        ):
            ada.open(path)
            assert ada.status == (405 if path == "/leave" else 404)
            assert "There is no such " in ada.text


def test_a_database_that_cannot_be_asked_is_told_in_a_sentence(
    school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = OperationalError("SELECT", {}, Exception("database is locked"))
    with school.student() as ada:
        monkeypatch.setattr(Store, "unexpired", Mock(side_effect=locked))
        ada.open("/homework")
    assert (ada.status, "can't be used (database is locked)" in ada.text) == (503, True)


def test_only_what_a_person_may_see_stands_on_a_page(toys: ToyClass) -> None:
    with school_of(toys) as school:
        for student in ("ada", "bob"):
            school.grade(school.keep(student))
        tim = Identity("tim", Role.TA, ("B",))
        with school.signed_in(tim) as person:
            for path in ("/class", f"/class/{TOYS}"):
                person.open(path)
                assert "ada" not in person.text
            assert "bob" in person.text
            assert "1 of 2 handed in" in person.text
