"""The platforms that students may come from, as they were registered."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, select

from autograder.errors import CourseError, SignInRefused
from autograder.serve.id_tokens import Issuer, KeySets
from autograder.serve.lti.tables import DEPLOYMENTS, PLATFORMS
from autograder.serve.outgoing import Outgoing
from autograder.serve.store import Store


@dataclass(frozen=True)
class Platform:
    """A platform and our registration there; `deployments` are the places that may use it."""

    issuer: str
    client_id: str
    login_url: str
    token_url: str
    keys_url: str
    token_audience: str = ""  # whom a request for a token is meant for, if not `token_url`
    deployments: frozenset[str] = field(default_factory=frozenset)
    number: int = 0

    @property
    def signs(self) -> Issuer:
        return Issuer(self.issuer, self.client_id, self.keys_url)

    @property
    def audience(self) -> str:
        return self.token_audience or self.token_url

    def lti_id(self, subject: str) -> str:
        """Return the id in the roster of whom this platform calls `subject`."""
        return f"{subject}@{self.issuer.removeprefix('https://')}"

    def subject(self, lti_id: str) -> str:
        """Return what this platform calls somebody; nothing if they are another's."""
        subject, _, issuer = lti_id.partition("@")
        return subject if issuer == self.issuer.removeprefix("https://") else ""


# What these platforms have in common wherever they are: {host} is yours, {client_id} theirs.
KINDS: Mapping[str, Mapping[str, str]] = {
    "canvas": {
        "issuer": "https://canvas.instructure.com",
        "login_url": "https://sso.canvaslms.com/api/lti/authorize_redirect",
        "token_url": "https://sso.canvaslms.com/login/oauth2/token",
        "keys_url": "https://sso.canvaslms.com/api/lti/security/jwks",
    },
    "moodle": {
        "issuer": "https://{host}",
        "login_url": "https://{host}/mod/lti/auth.php",
        "token_url": "https://{host}/mod/lti/token.php",
        "keys_url": "https://{host}/mod/lti/certs.php",
    },
    "blackboard": {
        "issuer": "https://blackboard.com",
        "login_url": "https://developer.blackboard.com/api/v1/gateway/oidcauth",
        "token_url": "https://developer.blackboard.com/api/v1/gateway/oauth2/jwttoken",
        "keys_url": "https://developer.blackboard.com/api/v1/management/applications/"
        "{client_id}/jwks.json",
    },
    "brightspace": {
        "issuer": "https://{host}",
        "login_url": "https://{host}/d2l/lti/authenticate",
        "token_url": "https://auth.brightspace.com/core/connect/token",
        "token_audience": "https://api.brightspace.com/auth/token",
        "keys_url": "https://{host}/d2l/.well-known/jwks",
    },
}


def of_kind(kind: str, host: str, client_id: str, deployments: frozenset[str]) -> Platform:
    """Return a platform by what its kind has in common."""
    patterns = KINDS[kind]
    if not host and any("{host}" in each for each in patterns.values()):
        raise CourseError(f"Say where your {kind.title()} is: --host moodle.example.edu.")
    said: dict[str, Any] = {
        name: pattern.format(host=host, client_id=client_id) for name, pattern in patterns.items()
    }
    return Platform(client_id=client_id, deployments=deployments, **said)


async def check(platform: Platform, outgoing: Outgoing) -> int:
    """Return how many keys a platform publishes; raise an error that says what is wrong with it."""
    for address in (platform.login_url, platform.token_url):
        outgoing.check(address)
    found = await KeySets(outgoing).fetch(platform.keys_url)
    if not found:
        raise CourseError(
            f"{platform.keys_url} publishes no keys: it must be the platform's key set."
        )
    return len(found)


def save(store: Store, platform: Platform) -> None:
    """Add a platform, or what is new of one: no deployment of it is lost."""
    said = asdict(platform)
    deployments = said.pop("deployments")
    del said["number"]
    with store.writing() as connection:
        same = (PLATFORMS.c.issuer == platform.issuer) & (
            PLATFORMS.c.client_id == platform.client_id
        )
        if not connection.execute(PLATFORMS.update().where(same).values(said)).rowcount:
            connection.execute(PLATFORMS.insert().values(said))
        number = connection.scalar(select(PLATFORMS.c.number).where(same))
        known = _deployments(connection, number)
        rows = [{"platform": number, "deployment": each} for each in deployments - known]
        if rows:
            connection.execute(DEPLOYMENTS.insert(), rows)


def all_of(store: Store) -> list[Platform]:
    with store.engine.connect() as connection:
        rows = connection.execute(select(PLATFORMS).order_by(PLATFORMS.c.number)).all()
        return [_platform(connection, row) for row in rows]


def named(store: Store, issuer: str, client_id: str = "") -> Platform:
    """Return the platform of an issuer; where it has several, `client_id` tells which."""
    found = [
        each
        for each in all_of(store)
        if each.issuer == issuer and client_id in ("", each.client_id)
    ]
    if len(found) != 1:
        raise SignInRefused("it comes from a platform that isn't registered here")
    return found[0]


def numbered(store: Store, number: int) -> Platform:
    return next(each for each in all_of(store) if each.number == number)


def _platform(connection: Connection, row: Row[Any]) -> Platform:
    return Platform(**row._mapping, deployments=_deployments(connection, row.number))


def _deployments(connection: Connection, number: int | None) -> frozenset[str]:
    wanted = select(DEPLOYMENTS.c.deployment).where(DEPLOYMENTS.c.platform == number)
    return frozenset(connection.scalars(wanted))
