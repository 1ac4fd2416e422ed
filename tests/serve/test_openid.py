"""Signing in by an OpenID Connect provider: who is let in, as whom, and who isn't."""

import base64
import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import Mock
from urllib.parse import parse_qs

import httpx
import jwt
import pytest
from sqlalchemy.exc import OperationalError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from autograder.course.roster import FILE, Person, write_roster
from autograder.serve import openid
from autograder.serve.id_tokens import KeySets
from autograder.serve.outgoing import Outgoing
from autograder.serve.people import Identity, Role
from autograder.serve.store import Store, open_store
from tests.serve.lti.platforms import TOOL, new_key, pem, query_of
from tests.serve.lti.worlds import Hosts, Waiting, who_is
from tests.toy_class import ToyClass
from tests.toys import with_settings

ISSUER = "https://login.example"
SETTINGS = f"""
[openid]
issuer = "{ISSUER}"
client_id = "homework"
instructors = ["Grace@Example.edu"]
assistants = {{ "tim@example.edu" = "Lab A" }}
"""
KEY = new_key()


@dataclass
class Provider:
    """A provider that signs in whoever is next, and checks what it is asked."""

    claims: dict[str, Any] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)  # that only its userinfo says
    asked: dict[str, str] = field(default_factory=dict)
    token: str = ""  # in place of its own
    codes: set[str] = field(default_factory=set)

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._configuration),
                Route("/keys", self._keys),
                Route("/token", self._token, methods=["POST"]),
                Route("/me", self._me),
            ]
        )

    def sign_in(self, asked: dict[str, str]) -> dict[str, str]:
        """Return what the browser brings back, once somebody has typed a password."""
        assert asked["redirect_uri"] == f"{TOOL}/openid/back"
        assert (asked["policy"], asked["scope"]) == ("sign-in", "openid email profile")
        assert asked["code_challenge_method"] == "S256"
        self.asked = asked
        self.codes.add("code")
        return {"code": "code", "state": asked["state"]}

    async def _configuration(self, _: Request) -> Response:
        return JSONResponse(
            {
                "issuer": ISSUER,
                "authorization_endpoint": f"{ISSUER}/authorize?policy=sign-in",
                "token_endpoint": f"{ISSUER}/token",
                "jwks_uri": f"{ISSUER}/keys",
                "userinfo_endpoint": f"{ISSUER}/me",
            }
        )

    async def _keys(self, _: Request) -> Response:
        key = jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key(), as_dict=True)
        return JSONResponse({"keys": [key]})

    async def _token(self, request: Request) -> Response:
        form = {name: one for name, (one,) in parse_qs((await request.body()).decode()).items()}
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if challenge != self.asked["code_challenge"] or form["code"] not in self.codes:
            return JSONResponse({"error": "invalid_grant"}, 400)
        self.codes.remove(form["code"])
        assert request.headers["authorization"].startswith("Basic ")
        now = int(time.time())
        said = {"iss": ISSUER, "aud": "homework", "sub": "42", "iat": now, "exp": now + 300}
        claims = said | {"nonce": self.asked["nonce"]} | self.claims
        token = self.token or jwt.encode(claims, pem(KEY), "RS256")
        return JSONResponse({"id_token": token, "access_token": "access", "expires_in": 300})

    async def _me(self, request: Request) -> Response:
        assert request.headers["authorization"] == "Bearer access"
        return JSONResponse({"sub": "42"} | self.more)


@dataclass
class World:
    app: Starlette
    provider: Provider
    browser: httpx.Client

    def begin(self) -> dict[str, str]:
        return query_of(self.browser.get(f"{TOOL}{openid.BEGIN}").headers["location"])

    def end(self, answer: dict[str, str]) -> httpx.Response:
        return self.browser.get(f"{TOOL}/openid/back", params=answer)

    def sign_in(self) -> Identity | None:
        self.end(self.provider.sign_in(self.begin()))
        return who_is(self.app, self.browser)


@pytest.fixture
def world(toys: ToyClass, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    course = with_settings(toys.course.root, SETTINGS)
    write_roster(course.root / FILE, [Person("ada", "Ada", "Ada@example.edu"), Person("b17")])
    monkeypatch.setenv(openid.SECRET, "secret")
    hosts, provider = Hosts(), Provider()
    with open_store(course.at_address(TOOL)) as store:
        assert course.settings.openid
        outgoing = Outgoing(transport=hosts)
        door = openid.Provider(course.settings.openid, outgoing, KeySets(outgoing))
        app = Starlette(routes=openid.door(store, door))
        app.state.store = store
        hosts.add(TOOL, app)
        hosts.add(ISSUER, provider.app())
        with httpx.Client(transport=Waiting(hosts), verify=False) as browser:
            yield World(app, provider, browser)


def email(address: str, verified: object = True) -> dict[str, object]:
    return {"email": address, "email_verified": verified}


@pytest.mark.parametrize(
    ("address", "identity"),
    [
        ("ada@example.edu", Identity("ada")),
        ("grace@example.edu", Identity("grace@example.edu", Role.INSTRUCTOR)),
        ("tim@example.edu", Identity("tim@example.edu", Role.TA, ("Lab A",))),
        ("b17", Identity("b17")),
    ],
)
def test_somebody_of_the_course_is_let_in(world: World, address: str, identity: Identity) -> None:
    world.provider.claims = email(address)
    assert world.sign_in() == identity


def test_what_the_token_doesnt_say_the_provider_is_asked_for(world: World) -> None:
    world.provider.more = email("ada@example.edu")
    assert world.sign_in() == Identity("ada")


def test_it_is_about_the_same_person(world: World) -> None:
    world.provider.more = email("ada@example.edu") | {"sub": "43"}
    assert world.sign_in() is None


@pytest.mark.parametrize(
    "claims",
    [
        email("stranger@example.edu"),
        email("ada@example.edu", verified=False),
        email("ada@example.edu", verified=None),
        {"email": "ada@example.edu"},
        email(""),
        {},
    ],
)
def test_nobody_else_is(world: World, claims: dict[str, object]) -> None:
    world.provider.claims = claims
    assert world.sign_in() is None


@pytest.mark.parametrize(
    "changed",
    [
        {"aud": "another"},
        {"aud": ["homework", "another"]},
        {"azp": "another"},
        {"nonce": "another"},
        {"iss": "https://other.example"},
        {"exp": 1},
        {"iat": 2**40},
    ],
)
def test_a_token_of_another_kind_is_refused(world: World, changed: dict[str, object]) -> None:
    world.provider.claims = email("ada@example.edu") | changed
    assert world.sign_in() is None


@pytest.mark.parametrize(("key", "algorithm"), [(pem(new_key()), "RS256"), ("s" * 32, "HS256")])
def test_a_token_of_another_signature_is_refused(world: World, key: str, algorithm: str) -> None:
    asked = world.begin()
    now = int(time.time())
    claims = {"iss": ISSUER, "aud": "homework", "sub": "42", "iat": now, "exp": now + 300}
    claims |= {"nonce": asked["nonce"]} | email("ada@example.edu")
    world.provider.token = jwt.encode(claims, key, algorithm)
    assert world.end(world.provider.sign_in(asked)).status_code == 403


def test_an_answer_counts_once(world: World) -> None:
    world.provider.claims = email("ada@example.edu")
    answer = world.provider.sign_in(world.begin())
    assert world.end(answer).status_code == 303
    world.provider.codes.add("code")
    assert world.end(answer).status_code == 403


def test_an_answer_counts_in_the_browser_that_began(world: World) -> None:
    world.provider.claims = email("ada@example.edu")
    answer = world.provider.sign_in(world.begin())
    world.browser.cookies.clear()
    assert world.end(answer).status_code == 403


def test_a_database_that_cannot_be_asked_is_told_in_a_sentence(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = OperationalError("INSERT", {}, Exception("database is locked"))
    monkeypatch.setattr(Store, "add", Mock(side_effect=locked))
    response = world.browser.get(f"{TOOL}{openid.BEGIN}")
    assert (response.status_code, "can't be used (database is locked)" in response.text) == (
        503,
        True,
    )


def test_a_sign_in_that_was_called_off_is_told(world: World) -> None:
    state = world.begin()["state"]
    response = world.end({"error": "access_denied", "state": state})
    assert (response.status_code, "access_denied" in response.text) == (403, True)
