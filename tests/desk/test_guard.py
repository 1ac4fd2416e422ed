"""Nobody reads or changes anything at the desk who wasn't given its address."""

from collections.abc import Iterator

import httpx
import pytest

from autograder.course import Course
from autograder.desk.guard import Door
from tests.desk.desks import POINTS, WHY, OpenDesk, answered, desk
from tests.toy_class import ToyClass
from tests.toys import TOYS

PATHS = ("/", WHY, f"/appeals/{TOYS}", "/desk.css", "/desk.js", "/nowhere")


@pytest.fixture(scope="module")
def opened(unanswered: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenDesk]:
    school = ToyClass.like(unanswered, tmp_path_factory.mktemp("guarded"))
    answered(school, {"a": "Because."})
    with desk(school.course) as opened:
        yield opened


@pytest.mark.parametrize("path", PATHS)
def test_without_the_token_nothing_is_shown(opened: OpenDesk, path: str) -> None:
    response = httpx.get(opened.site + path)
    assert response.status_code == 403
    assert response.text == "Open the address that `autograder desk` printed, token and all.\n"


def test_another_token_opens_nothing(opened: OpenDesk) -> None:
    response = httpx.get(opened.site, params={"token": "x" * 32})
    assert response.status_code == 403
    assert "set-cookie" not in response.headers
    for cookie in ("x" * 64, "é" * 64, ""):
        header = b"Cookie", f"{opened.door.cookie}={cookie}".encode()
        assert httpx.get(opened.site, headers=[header]).status_code == 403


def test_the_token_becomes_a_cookie_that_no_script_and_no_other_site_has(opened: OpenDesk) -> None:
    response = httpx.get(f"{opened.site}{WHY}", params={"token": opened.door.token, "show": "all"})
    assert response.status_code == 303
    assert response.headers["location"] == f"{WHY}?show=all"
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert opened.door.token not in cookie


def test_the_token_leads_to_no_other_site(opened: OpenDesk) -> None:
    response = httpx.get(f"{opened.site}//example.org/", params={"token": opened.door.token})
    assert response.headers["location"] == "/example.org/"


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1:1",
        "127.0.0.1",
        "",
        "[::1",
        "10.0.0.1:{port}",
    ],
)
def test_a_site_of_another_name_reaches_nothing(opened: OpenDesk, host: str) -> None:
    """As after a DNS rebinding: the browser sends the cookie, and the other site's name."""
    with opened.person() as ada:
        named = host.format(port=opened.door.port)
        response = ada.http.get(WHY, headers={"Host": named})
        assert response.status_code == 421
        assert "Because" not in response.text


@pytest.mark.parametrize(
    ("door", "named"),
    [
        (Door("127.0.0.1", 8000, "t"), {"127.0.0.1:8000", "localhost:8000", "[::1]:8000"}),
        (
            Door("0.0.0.0", 8000, "t"),
            {"127.0.0.1:8000", "localhost:8000", "10.0.0.1:8000", "[::1]:8000"},
        ),
        (Door("desk.lan", 80, "t"), {"desk.lan:80", "desk.lan", "10.0.0.1"}),
    ],
)
def test_only_numbers_and_the_desks_own_name_are_its_names(door: Door, named: set[str]) -> None:
    hosts = {"127.0.0.1:8000", "localhost:8000", "[::1]:8000", "10.0.0.1:8000", "evil.example:8000"}
    hosts |= {"desk.lan:80", "desk.lan", "10.0.0.1", "evil.example", "evil.example:80"}
    assert {host for host in hosts if door.is_named(host)} == named


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_of_another_site_changes_nothing(opened: OpenDesk, headers: dict[str, str]) -> None:
    with opened.person() as ada:
        ada.http.headers.update(headers)
        ada.open(WHY)
        ada.earn(POINTS[0])
        assert ada.status == 403
        ada.open("/")
        assert "0 of 1 done" in ada.text


@pytest.mark.parametrize("csrf", ["", "x", "é"])
def test_a_form_that_is_not_from_our_page_changes_nothing(opened: OpenDesk, csrf: str) -> None:
    with opened.person() as ada:
        for path in (WHY, f"{WHY}/undo", "/grader", f"/share/{TOYS}/why", f"/appeals/{TOYS}/x"):
            response = ada.http.post(path, data={"csrf": csrf, "grader": "eve"})
            assert (response.status_code, "nothing was saved" in response.text) == (422, True)
        ada.open("/")
        assert "Grading as ada" in ada.text


@pytest.mark.parametrize("body", [b"csrf=%ff&\xff", b"a" * (2 << 20), b"&" * 100_000])
def test_a_form_that_cannot_be_read_changes_nothing(opened: OpenDesk, body: bytes) -> None:
    with opened.person() as ada:
        assert ada.http.post(WHY, content=body).status_code in (413, 422)
        ada.open("/")
        assert ada.status == 200


@pytest.mark.parametrize("path", PATHS)
def test_every_page_has_a_policy_that_lets_nothing_foreign_run(opened: OpenDesk, path: str) -> None:
    with opened.person() as ada:
        headers = ada.http.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


def test_a_students_notebook_may_run_nothing_at_all(opened: OpenDesk) -> None:
    with opened.person() as ada:
        ada.open(WHY)
        link = str(ada.page.select("[aria-keyshortcuts=o]")[0]["href"]).partition("#")[0]
        policy = ada.http.get(link).headers["content-security-policy"]
    assert "script-src" not in policy
    assert "sandbox" in policy
    assert "allow-scripts" not in policy


def test_what_is_not_there_is_told_in_a_sentence(opened: OpenDesk) -> None:
    with opened.person() as ada:
        ada.open("/question/nothing/why")
        assert (ada.status, "No assignment is named" in ada.text) == (404, True)
        ada.open(f"/question/{TOYS}/nothing")
        assert (ada.status, "no longer has a written question" in ada.text) == (422, True)
        ada.open(f"/appeals/{TOYS}/nothing")
        assert (ada.status, "no such submission" in ada.text) == (422, True)
        ada.open(f"/notebook/{TOYS}/..%2f..%2fsecret")
        assert ada.status in (404, 422)


def test_names_of_graders_are_words(opened: OpenDesk) -> None:
    with opened.person() as ada:
        for name in ("", "\x1b]0;x\x07", "x" * 81):
            ada.open("/")
            ada.send(".grader form", grader=name)
            assert (ada.status, "can't be your name" in ada.text) == (422, True)
