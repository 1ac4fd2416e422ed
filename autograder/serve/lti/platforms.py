"""The platforms that students may come from, as they were registered."""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from sqlalchemy import func, select

from autograder.errors import CourseError, SignInRefused
from autograder.serve.id_tokens import Issuer, KeySets
from autograder.serve.outgoing import Outgoing
from autograder.serve.store import Store, put, put_new
from autograder.serve.tables import CONTEXTS, DEPLOYMENTS, LINKS, MEMBERS, PLATFORMS


@dataclass(frozen=True)
class LtiPlatform:
    """A platform and our registration there; `deployments` are the places that may use it."""

    issuer: str
    client_id: str
    login_url: str
    token_url: str
    keys_url: str
    token_audience: str = ""  # that a request for a token is meant for, if not `token_url`
    deployments: frozenset[str] = field(default_factory=frozenset)
    number: int = 0

    @property
    def signs(self) -> Issuer:
        return Issuer(self.issuer, self.client_id, self.keys_url)

    @property
    def audience(self) -> str:
        return self.token_audience or self.token_url

    def lti_id(self, subject: str) -> str:
        """Return the id in the roster of the person that this platform calls `subject`."""
        return f"{subject}@{self.issuer.removeprefix('https://')}"

    def subject(self, lti_id: str) -> str:
        """Return what this platform calls somebody; nothing if they are another's."""
        ours = self.lti_id("")
        return lti_id.removesuffix(ours) if lti_id.endswith(ours) else ""


class PlatformKind(BaseModel):
    """What a kind of platform has in common wherever it is, in `platforms.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    where: str  # one registers a tool there
    issuer: str
    login_url: str
    token_url: str
    keys_url: str
    token_audience: str = ""
    paste: Mapping[str, Literal["launch", "login", "keys", "custom"]]  # its fields, and what of us

    def platform(self, host: str, client_id: str, deployments: Iterable[str]) -> LtiPlatform:
        """Return the platform of this kind at `host`, in which we are `client_id`."""
        if not host and "{host}" in self.issuer:
            raise CourseError(f"Say where your {self.title} is, as --host learn.example.edu.")
        names = ("issuer", "login_url", "token_url", "keys_url", "token_audience")
        said: dict[str, Any] = {
            name: getattr(self, name).format(host=host, client_id=client_id) for name in names
        }
        return LtiPlatform(client_id=client_id, deployments=frozenset(deployments), **said)

    def fields(self, ours: Mapping[str, str]) -> dict[str, str]:
        """Return what to paste into each field there."""
        return {field: ours[what] for field, what in self.paste.items()}


@cache
def kinds() -> Mapping[str, PlatformKind]:
    text = (Path(__file__).parent / "platforms.toml").read_text("utf-8")
    return {name: PlatformKind.model_validate(said) for name, said in tomllib.loads(text).items()}


async def check(platform: LtiPlatform, outgoing: Outgoing) -> int:
    """Return how many keys a platform publishes; raise an error that says what is wrong with it."""
    for address in (platform.login_url, platform.token_url):
        outgoing.check(address)
    found = await KeySets(outgoing).fetch(platform.keys_url)
    if not found:
        raise CourseError(
            f"{platform.keys_url} publishes no keys: it must be the platform's key set."
        )
    return len(found)


def save(store: Store, platform: LtiPlatform) -> None:
    """Add a platform, or what is new of one: no deployment of it is lost."""
    said = asdict(platform)
    deployments = said.pop("deployments")
    del said["number"]
    key = {name: said.pop(name) for name in ("issuer", "client_id")}
    with store.writing() as connection:
        number = put(connection, PLATFORMS, key, said, {}).number
        for each in deployments:
            put_new(connection, DEPLOYMENTS, {"platform": number, "deployment": each})


def all_of(store: Store) -> list[LtiPlatform]:
    places: dict[int, set[str]] = defaultdict(set)
    for row in store.rows(select(DEPLOYMENTS)):
        places[row.platform].add(row.deployment)
    rows = store.rows(select(PLATFORMS).order_by(PLATFORMS.c.number))
    return [LtiPlatform(**r._mapping, deployments=frozenset(places[r.number])) for r in rows]


def named(store: Store, issuer: str, client_id: str = "") -> LtiPlatform:
    """Return the platform of an issuer; where it has several, `client_id` tells which."""
    found = [
        each
        for each in all_of(store)
        if each.issuer == issuer and client_id in ("", each.client_id)
    ]
    if len(found) != 1:
        raise SignInRefused("it comes from a platform that isn't registered here")
    return found[0]


def numbered(store: Store, number: int) -> LtiPlatform:
    return next(each for each in all_of(store) if each.number == number)


def overview(store: Store) -> Iterator[str]:
    """Yield lines on what is connected: platforms, their courses, and links."""
    platforms = all_of(store)
    if not platforms:
        yield "No platform is registered: `autograder serve lti add` says how."
    members = select(func.count()).where(MEMBERS.c.context == CONTEXTS.c.number).scalar_subquery()
    contexts = store.rows(select(CONTEXTS, members.label("members")))
    links = store.rows(select(LINKS.c.context, LINKS.c.assignment))
    for platform in platforms:
        deployments = ", ".join(sorted(platform.deployments)) or "no deployment yet"
        yield f"{platform.issuer}, client {platform.client_id}: {deployments}"
        for each in contexts:
            if each.platform != platform.number:
                continue
            state = f"students who came here or are members there: {each.members}"
            if not each.accepted:
                state = f"waits: `autograder serve lti accept {each.number}` lets people in"
            yield f"  {each.number}. {each.title or each.context}: {state}"
            for name in sorted(link.assignment for link in links if link.context == each.number):
                yield f"     {name} is linked"
