"""A platform registers itself by an address that is open for a day, and used once."""

import json
from datetime import timedelta

import httpx
import pytest

from autograder.gradebook.database import now
from autograder.serve.lti import platforms, registration
from autograder.serve.tables import DEPLOYMENTS, PLATFORMS
from tests.serve.lti.platforms import ADA, CLIENT, DEPLOYMENT, LMS, TOOL
from tests.serve.lti.worlds import World

CONFIGURATION = f"{LMS}/.well-known/openid-configuration"
SAID = {"openid_configuration": CONFIGURATION, "registration_token": "registration-token"}


@pytest.fixture
def unknown(linked: World) -> World:
    """A platform that isn't registered here any more."""
    with linked.store.writing() as connection:
        connection.execute(DEPLOYMENTS.delete())
        connection.execute(PLATFORMS.update().values(issuer="https://another.example"))
    return linked


def test_a_platform_that_registers_itself_can_send_students(unknown: World) -> None:
    address = registration.offer(unknown.store)
    with unknown.browser() as browser:
        page = browser.get(address, params=SAID)
        assert page.status_code == 200, page.text
        assert unknown.launch(browser, ADA).status_code == 403  # its course isn't accepted yet
    found = platforms.named(unknown.store, LMS)
    assert (found.client_id, found.deployments) == (CLIENT, frozenset({DEPLOYMENT}))
    said = unknown.platform.registered
    assert said["initiate_login_uri"] == f"{TOOL}/lti/login"
    assert said["redirect_uris"] == [f"{TOOL}/lti/launch"]
    assert said["token_endpoint_auth_method"] == "private_key_jwt"


def test_the_address_works_once(unknown: World) -> None:
    address = registration.offer(unknown.store)
    with unknown.browser() as browser:
        assert browser.get(address, params=SAID).status_code == 200
        assert browser.get(address, params=SAID).status_code == 403


def test_the_address_works_for_a_day(unknown: World, monkeypatch: pytest.MonkeyPatch) -> None:
    address, later = registration.offer(unknown.store), now() + timedelta(days=1)
    monkeypatch.setattr(registration, "now", lambda: later)
    with unknown.browser() as browser:
        assert browser.get(address, params=SAID).status_code == 403


def test_nobody_is_asked_for_who_has_no_such_address(unknown: World) -> None:
    unknown.hosts.asked.clear()
    with unknown.browser() as browser:
        assert browser.get(f"{TOOL}/lti/register/x", params=SAID).status_code == 403
    assert not [each for each in unknown.hosts.asked if each.startswith(LMS)]


@pytest.mark.parametrize("address", ["http://169.254.169.254/", "file:///etc/passwd", "https:///"])
def test_only_what_answers_over_tls_is_asked(unknown: World, address: str) -> None:
    said = SAID | {"openid_configuration": address}
    with unknown.browser() as browser:
        page = browser.get(registration.offer(unknown.store), params=said)
    assert page.status_code == 502
    assert "must begin with https://" in page.text


@pytest.mark.parametrize(
    ("said", "lacks"),
    [
        (b'{"issuer": 7}', "issuer"),
        (b'{"issuer": "https://lms.example", "authorization_endpoint": ["x"]}', "authorization_"),
    ],
)
def test_what_a_platform_doesnt_say_is_told(unknown: World, said: bytes, lacks: str) -> None:
    async def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=httpx.ByteStream(said))

    address = registration.offer(unknown.store)
    with unknown.network(answer), unknown.browser() as browser:
        page = browser.get(address, params=SAID)
    assert page.status_code == 502
    assert f"say its `{lacks}" in page.text.replace("<code>", "`")


@pytest.mark.parametrize(
    ("issuer", "why"),
    [
        ("https://canvas.instructure.com", "is that of another host"),
        ("https://[x", "is no address"),
    ],
)
def test_no_platform_registers_in_the_name_of_another(
    unknown: World, issuer: str, why: str
) -> None:
    names = ("registration_endpoint", "authorization_endpoint", "token_endpoint", "jwks_uri")
    said = json.dumps(dict.fromkeys(names, "x") | {"issuer": issuer}).encode()

    async def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=httpx.ByteStream(said))

    address = registration.offer(unknown.store)
    with unknown.network(answer), unknown.browser() as browser:
        page = browser.get(address, params=SAID)
    assert why in page.text
