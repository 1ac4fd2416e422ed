"""Whom the tool doesn't let in: one table, which docs/lti.md shows as well.

Each token is right but for one thing; the first test shows that it would be accepted without that.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx
import jwt
import pytest
from bs4 import BeautifulSoup

from autograder.course import Course
from autograder.gradebook.database import now
from autograder.serve import logins
from autograder.serve.guard import Limiter
from autograder.serve.lti.claims import LTI
from autograder.serve.outgoing import MAX_BYTES
from tests.courses import ROOT
from tests.serve.lti.platforms import (
    ADA,
    CLIENT,
    LMS,
    TIM,
    TOOL,
    Platform,
    new_key,
    pem,
    public_pem,
)
from tests.serve.lti.worlds import World, world
from tests.toy_class import ToyClass

DOCS = ROOT / "docs" / "lti.md"
Claims = dict[str, Any]
ANOTHER = new_key()


def signed(platform: Platform, claims: Claims, key: str = "", algorithm: str = "RS256") -> str:
    """Sign claims as the platform does, or with another key under its key's name."""
    kid = platform.config.get_registration().get_kid()
    return jwt.encode(claims, key or pem(platform.key), algorithm, headers={"kid": kid})


def without(claims: Claims, name: str) -> Claims:
    return {other: value for other, value in claims.items() if other != name}


def by_hand(header: Mapping[str, str], claims: Claims, signature: bytes = b"") -> str:
    parts = (json.dumps(header).encode(), json.dumps(claims).encode(), signature)
    return ".".join(base64.urlsafe_b64encode(each).decode().rstrip("=") for each in parts)


def tampered(platform: Platform, claims: Claims) -> str:
    header, _, signature = signed(platform, claims).split(".")
    changed = by_hand({}, claims | {"sub": TIM.id}).split(".")[1]
    return f"{header}.{changed}.{signature}"


def with_our_public_key(platform: Platform, claims: Claims) -> str:
    """Use what everybody knows as a secret: a tool that let the token choose would be fooled."""
    kid = platform.config.get_registration().get_kid()
    head, body, _ = by_hand({"alg": "HS256", "kid": str(kid)}, claims).split(".")
    made = hmac.new(public_pem(platform.key).encode(), f"{head}.{body}".encode(), hashlib.sha256)
    signature = base64.urlsafe_b64encode(made.digest()).decode().rstrip("=")
    return f"{head}.{body}.{signature}"


def claiming(**changed: Any) -> Callable[[Platform, Claims], str]:
    return lambda platform, claims: signed(platform, claims | changed)


def lacking(name: str) -> Callable[[Platform, Claims], str]:
    return lambda platform, claims: signed(platform, without(claims, name))


def at(**seconds: float) -> Callable[[Platform, Claims], str]:
    return lambda platform, claims: signed(
        platform, claims | {name: time.time() + each for name, each in seconds.items()}
    )


# What is wrong with a token, how it is made, and why it is refused.
TOKENS: Mapping[str, tuple[Callable[[Platform, Claims], str], str]] = {
    "for another tool": (claiming(aud="another", azp="another"), "it is meant for another tool"),
    "for others alone, in a list": (
        claiming(aud=["another", "third"]),
        "it is meant for another tool",
    ),
    "for us and others, issued to another": (
        claiming(aud=[CLIENT, "another"], azp="another"),
        "it was issued to another tool",
    ),
    "for us and others, issued to nobody": (
        lambda platform, claims: signed(
            platform, without(claims, "azp") | {"aud": [CLIENT, "another"]}
        ),
        "it was issued to another tool",
    ),
    "for us, issued to another": (claiming(azp="another"), "it was issued to another tool"),
    "that has expired": (at(iat=-900, exp=-120), "it has expired"),
    "that is issued in the future": (
        at(iat=600, exp=900),
        "it is dated in the future: a clock is wrong, there or here",
    ),
    "without `exp`": (lacking("exp"), "it lacks `exp`"),
    "without `iat`": (lacking("iat"), "it lacks `iat`"),
    "without `nonce`": (lacking("nonce"), "it lacks `nonce`"),
    "without `sub`": (lacking("sub"), "it lacks `sub`"),
    "that answers another sign-in": (
        claiming(nonce="another"),
        "it answers another sign-in than this one",
    ),
    "of another issuer, with this platform's key": (
        claiming(iss="https://other.example"),
        "it comes from another issuer",
    ),
    "signed with another key": (
        lambda platform, claims: signed(platform, claims, pem(ANOTHER)),
        "its signature is wrong",
    ),
    "signed with a key that isn't published": (
        lambda platform, claims: jwt.encode(
            claims, pem(ANOTHER), "RS256", headers={"kid": "unknown"}
        ),
        "it is signed with a key that its issuer doesn't publish",
    ),
    "signed with what everybody knows of the key, as a secret (`HS256`)": (
        with_our_public_key,
        "it is signed in a way that isn't accepted",
    ),
    "not signed (`alg: none`)": (
        lambda platform, claims: by_hand(
            {"alg": "none", "kid": str(platform.config.get_registration().get_kid())}, claims
        ),
        "it is signed in a way that isn't accepted",
    ),
    "tampered with": (tampered, "its signature is wrong"),
    "that is no token": (lambda _, __: "a.b", "it can't be read"),
    "of an unknown deployment": (
        claiming(**{f"{LTI}deployment_id": "2"}),
        "it comes from the platform's deployment '2', which isn't registered here",
    ),
    "of another course on the platform": (
        claiming(**{f"{LTI}context": {"id": "course-10"}}),
        "it comes from a course on the platform that isn't this one's yet",
    ),
    "of somebody without a role in the course": (
        claiming(
            **{
                f"{LTI}roles": [
                    "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator"
                ]
            }
        ),
        "it gives no role in the course",
    ),
    "of another version of LTI": (
        claiming(**{f"{LTI}version": "1.1"}),
        "nothing that can be used stands in its `version`",
    ),
    "of a link to no assignment of this course": (
        claiming(**{f"{LTI}custom": {"assignment": "../hw9"}}),
        "No assignment is named",
    ),
}
# What is wrong with how a right token comes.
USED = "it was begun in another browser, used already, or begun too long ago"
WAYS: Mapping[str, str] = {
    "twice, in the same browser": USED,
    "twice, in another browser": USED,
    "twice, under a fresh state": "it answers another sign-in than this one",
    "first in another browser": USED,
    "ten minutes late": USED,
}
OTHERS: Mapping[str, str] = {
    "a platform that isn't registered": "it comes from a platform that isn't registered here",
    "a platform that hangs": "doesn't answer within",
    "a platform whose answer never ends": "answers more than",
    "a platform that sends us elsewhere": "answers with status 302",
}


@pytest.fixture(scope="module")
def linked(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A course that all share: whoever isn't let in leaves nothing behind."""
    with world(ToyClass.like(fresh, tmp_path_factory.mktemp("linked")).course) as made:
        yield made.accept()


@pytest.fixture
def browser(linked: World) -> Iterator[httpx.Client]:
    with linked.browser() as browser:
        yield browser


def claims_of(form: Mapping[str, str]) -> Claims:
    found: Claims = jwt.decode(form["id_token"], options={"verify_signature": False})
    return found


def refused(world: World, response: httpx.Response, why: str, status: int = 403) -> None:
    assert response.status_code == status, response.text
    said = BeautifulSoup(response.text, "html.parser").get_text()
    assert why.replace("`", "") in said
    assert "set-cookie" not in response.headers


def test_the_same_token_unchanged_is_accepted(linked: World, browser: httpx.Client) -> None:
    form = linked.platform.form(linked.begin(browser, ADA))
    token = signed(linked.platform, claims_of(form))
    assert linked.post(browser, token, form["state"]).status_code == 303
    assert linked.who(browser)


def test_a_token_for_several_is_accepted_if_we_are_who_it_was_issued_to(
    linked: World, browser: httpx.Client
) -> None:
    form = linked.platform.form(linked.begin(browser, ADA))
    claims = claims_of(form) | {"aud": ["another", CLIENT], "azp": CLIENT}
    assert linked.post(browser, signed(linked.platform, claims), form["state"]).status_code == 303


@pytest.mark.parametrize("what", TOKENS)
def test_a_token_is_refused(what: str, linked: World, browser: httpx.Client) -> None:
    make, why = TOKENS[what]
    form = linked.platform.form(linked.begin(browser, ADA))
    response = linked.post(browser, make(linked.platform, claims_of(form)), form["state"])
    refused(linked, response, why)
    assert not linked.who(browser)


@pytest.mark.parametrize("what", WAYS)
def test_a_right_token_is_refused(
    what: str, linked: World, browser: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = linked.platform.form(linked.begin(browser, ADA))
    token, state = form["id_token"], form["state"]
    with linked.browser() as another:
        linked.begin(another, ADA)
        if what.startswith("twice"):
            assert linked.post(browser, token, state).status_code == 303
            browser.cookies.delete("__Host-autograder")
        if what.endswith("another browser"):
            response = linked.post(another, token, state)
        elif what.endswith("fresh state"):
            response = linked.post(browser, token, linked.begin(browser, ADA)["state"])
        else:
            if what.endswith("late"):
                soon = now() + logins.PATIENCE
                monkeypatch.setattr(logins, "now", lambda: soon)
            response = linked.post(browser, token, state)
        refused(linked, response, WAYS[what])


def test_whoever_tries_in_another_browser_doesnt_spoil_the_sign_in(
    linked: World, browser: httpx.Client
) -> None:
    form = linked.platform.form(linked.begin(browser, ADA))
    with linked.browser() as another:
        refused(linked, linked.post(another, form["id_token"], form["state"]), USED)
    assert linked.post(browser, form["id_token"], form["state"]).status_code == 303


def test_nobody_begins_sign_ins_all_the_time(
    linked: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Limiter, "allows", lambda *_: False)
    with linked.browser() as browser:
        response = browser.get(linked.platform.initiate(ADA))
    refused(linked, response, "too many sign-ins begin at your address")


def test_a_platform_that_is_not_registered_is_refused(linked: World, browser: httpx.Client) -> None:
    said = {"iss": "https://other.example", "login_hint": "1", "target_link_uri": TOOL}
    response = browser.get(f"{TOOL}/lti/login", params=said)
    refused(linked, response, OTHERS["a platform that isn't registered"])


async def _hang(_: httpx.Request) -> httpx.Response:
    await asyncio.sleep(3600)
    raise AssertionError


async def _never_end(_: httpx.Request) -> httpx.Response:
    return httpx.Response(200, stream=httpx.ByteStream(b"[" * (2 * MAX_BYTES)))


async def _send_elsewhere(_: httpx.Request) -> httpx.Response:
    return httpx.Response(302, headers={"Location": f"{LMS}/keys"}, stream=httpx.ByteStream(b""))


@pytest.mark.parametrize(
    ("what", "answer"),
    [
        ("a platform that hangs", _hang),
        ("a platform whose answer never ends", _never_end),
        ("a platform that sends us elsewhere", _send_elsewhere),
    ],
)
def test_a_platform_that_misbehaves_is_given_up(
    what: str, answer: Any, linked: World, browser: httpx.Client
) -> None:
    form = linked.platform.form(linked.begin(browser, ADA))
    linked.tool.key_sets._kept.clear()
    with linked.network(answer):
        response = linked.post(browser, form["id_token"], form["state"])
    refused(linked, response, OTHERS[what], 502)


def test_the_documentation_shows_this_table() -> None:
    rows = [f"| a token {what} | {why} |" for what, (_, why) in TOKENS.items()]
    rows += [f"| a right token that comes {what} | {why} |" for what, why in WAYS.items()]
    rows += [f"| {what} | {why} |" for what, why in OTHERS.items()]
    _, _, table = DOCS.read_text("utf-8").partition("### Who isn't let in")
    assert [line for line in table.splitlines() if line.startswith("| a ")] == rows
