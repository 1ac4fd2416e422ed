"""A platform registers itself and us: an administrator pastes one address there, and no fields.

The address holds a secret that `autograder serve lti register` drew. It is open for a day, once.
"""

from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from autograder.errors import PlatformFault, SignInRefused
from autograder.gradebook.database import now
from autograder.serve.lti.claims import Id, Text
from autograder.serve.lti.deep_linking import ASKED
from autograder.serve.lti.platforms import LtiPlatform
from autograder.serve.lti.services import SCOPES
from autograder.serve.openid import Discovery
from autograder.serve.outgoing import Outgoing
from autograder.serve.store import Store, hashed
from autograder.serve.tables import OFFERS

VALID = timedelta(days=1)
_TOOL: Final = "https://purl.imsglobal.org/spec/lti-tool-configuration"


class _Configuration(Discovery):
    registration_endpoint: str
    authorization_server: Text = ""


class _Registered(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True)

    client_id: Id
    tool: dict[str, Any] | None = Field(None, alias=_TOOL)


def offer(store: Store) -> str:
    """Return the address that an administrator pastes on the platform."""
    return f"{store.site}/lti/register/{store.draw(OFFERS, VALID, length=24)}"


def use_offer(store: Store, secret: str) -> None:
    with store.writing() as connection:
        mine = OFFERS.delete().where(OFFERS.c.key == hashed(secret), OFFERS.c.expires > now())
        if not connection.execute(mine).rowcount:
            raise SignInRefused("this registration was used already, or is older than a day")


async def register(store: Store, outgoing: Outgoing, config_url: str, token: str) -> LtiPlatform:
    """Register with the platform whose configuration lies at an address, and return it."""
    said = (await outgoing.ask("GET", config_url)).read(_Configuration)
    issuer, address = said.issuer, said.registration_endpoint
    # Or else a platform could register in another one's name.
    if urlsplit(outgoing.check(issuer)).hostname != urlsplit(config_url).hostname:
        raise PlatformFault(f"The configuration at {config_url} is that of another host, {issuer}.")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    tool = tool_configuration(store.site, store.course.settings.title)
    done = (await outgoing.ask("POST", address, json=tool, headers=headers)).read(_Registered)
    deployment = (done.tool or {}).get("deployment_id")
    return LtiPlatform(
        issuer=issuer,
        client_id=done.client_id,
        login_url=said.authorization_endpoint,
        token_url=said.token_endpoint,
        keys_url=said.jwks_uri,
        token_audience=said.authorization_server,
        deployments=frozenset({str(deployment)} if deployment else ()),
    )


def addresses(site: str) -> dict[str, str]:
    """Return what a platform has to know of us, as people paste it into its fields."""
    custom = "\n".join(f"{name}={asked}" for name, asked in ASKED.items())
    ours = {what: f"{site}/lti/{what}" for what in ("launch", "login", "keys")}
    return ours | {"custom": custom}


def tool_configuration(site: str, title: str) -> dict[str, Any]:
    """Return what we are, as Dynamic Registration 1.0 says it."""
    ours = addresses(site)
    launch = ours["launch"]
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": ours["login"],
        "redirect_uris": [launch],
        "client_name": title,
        "jwks_uri": ours["keys"],
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": " ".join(SCOPES),
        _TOOL: {
            "domain": urlsplit(site).netloc,
            "target_link_uri": launch,
            "custom_parameters": ASKED,
            "claims": ["iss", "sub", "name", "email"],
            "messages": [
                {"type": "LtiDeepLinkingRequest", "target_link_uri": launch, "label": title},
                {"type": "LtiResourceLinkRequest"},
            ],
        },
    }
