"""What we ask a platform, signed with our key: who is in a course, and to take a score.

It works from what a launch left here, long after the browser is gone.
"""

import secrets
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit, urlunsplit

from pydantic import BaseModel, ValidationError

from autograder.errors import PlatformFault
from autograder.serve.lti.claims import LTI, SECTION, STUDENT_ID, Member, text_in, texts_in
from autograder.serve.lti.keys import Keys
from autograder.serve.lti.platforms import LtiPlatform
from autograder.serve.outgoing import Answer, Outgoing

_AGS = "https://purl.imsglobal.org/spec/lti-ags/scope/"
SCORE, LINE_ITEM = f"{_AGS}score", f"{_AGS}lineitem"
MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
GROUPS = "https://purl.imsglobal.org/spec/lti-gs/scope/contextgroup.readonly"
SCOPES = (SCORE, LINE_ITEM, MEMBERS, GROUPS)
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
MAX_PAGES = 200
_LIFE = 300  # seconds for which an assertion of ours holds
_EARLY = 60  # seconds before its end, in which a token isn't used any more


class _Token(BaseModel):
    access_token: str
    expires_in: float = 0  # seconds; a platform that doesn't say is asked again each time


@dataclass(frozen=True)
class Services:
    outgoing: Outgoing
    keys: Keys
    _tokens: dict[tuple[int, str], tuple[float, str]] = field(default_factory=dict)

    async def members(self, platform: LtiPlatform, address: str, link: str = "") -> list[Member]:
        """Return who is in a course; for one of our links, a platform also says what that asks."""
        accepts = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
        params = {"rlid": link} if link else None
        pages = [each async for each in self._pages(platform, MEMBERS, address, accepts, params)]
        try:
            members = [each for page in pages for each in page["members"]]
            return [Member.model_validate(each | _said_elsewhere(each)) for each in members]
        except (ValidationError, LookupError, TypeError, AttributeError):
            raise PlatformFault("The platform's list of members can't be read.") from None

    async def groups(self, platform: LtiPlatform, address: str) -> dict[str, str]:
        accepts = "application/vnd.ims.lti-gs.v1.contextgroupcontainer+json"
        pages = [each async for each in self._pages(platform, GROUPS, address, accepts)]
        try:
            return {str(each["id"]): str(each["name"]) for page in pages for each in page["groups"]}
        except (LookupError, TypeError):
            raise PlatformFault("The platform's list of groups can't be read.") from None

    async def make_line_item(
        self, platform: LtiPlatform, address: str, said: Mapping[str, Any]
    ) -> str:
        """Make a column for scores, and return its address."""
        kind = "application/vnd.ims.lis.v2.lineitem+json"
        answer = await self._ask(platform, LINE_ITEM, "POST", address, kind, json=dict(said))
        return self.outgoing.check(str(answer.object().get("id", "")))

    async def give_score(
        self, platform: LtiPlatform, line_item: str, said: Mapping[str, Any]
    ) -> None:
        """Give a score; the address of the column may have a query, which stays behind its path."""
        parts = urlsplit(line_item)
        address = urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/scores"))
        kind = "application/vnd.ims.lis.v1.score+json"
        await self._ask(platform, SCORE, "POST", address, kind, json=dict(said))

    async def _pages(
        self,
        platform: LtiPlatform,
        scope: str,
        address: str,
        accepts: str,
        params: Mapping[str, str] | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """Yield the pages of a list, of which each names the next."""
        for _ in range(MAX_PAGES):
            answer = await self._ask(platform, scope, "GET", address, accepts, params=params)
            yield answer.object()
            if not answer.next_page:
                return
            address, params = urljoin(address, answer.next_page), None
        raise PlatformFault(f"The platform's list has more than {MAX_PAGES} pages.")

    async def _ask(
        self, platform: LtiPlatform, scope: str, method: str, address: str, kind: str, **said: Any
    ) -> Answer:
        headers = {"Authorization": f"Bearer {await self._token(platform, scope)}", "Accept": kind}
        if method == "POST":
            headers["Content-Type"] = kind
        try:
            return await self.outgoing.ask(method, address, headers=headers, **said)
        except PlatformFault:
            self._tokens.pop((platform.number, scope), None)  # it may be what was wrong
            raise

    async def _token(self, platform: LtiPlatform, scope: str) -> str:
        """Return a token for one scope, which is asked for once in its life (RFC 7523)."""
        until, token = self._tokens.get((platform.number, scope), (0.0, ""))
        if time.time() < until:
            return token
        now = int(time.time())
        assertion = {
            "iss": platform.client_id,
            "sub": platform.client_id,
            "aud": platform.audience,
            "iat": now,
            "exp": now + _LIFE,
            "jti": secrets.token_urlsafe(16),
        }
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": ASSERTION,
            "client_assertion": self.keys.sign(assertion),
            "scope": scope,
        }
        given = (await self.outgoing.ask("POST", platform.token_url, data=form)).read(_Token)
        until = now + given.expires_in - _EARLY
        self._tokens[platform.number, scope] = until, given.access_token
        return given.access_token


def _said_elsewhere(member: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the list says of a member in another place than a launch does."""
    message = (member.get("message") or [{}])[0]
    custom = message.get(f"{LTI}custom", {})
    groups = [str(each["group_id"]) for each in member.get("group_enrollments", ())]
    return {
        "sections": texts_in(custom.get(SECTION)) or groups,
        "student_id": text_in(custom.get(STUDENT_ID)),
    }
