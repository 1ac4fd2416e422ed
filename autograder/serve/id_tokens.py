"""Whether an ID token may be believed: who signed it, when, meant for what, and in answer to what.

OpenID Connect Core, section 3.1.3.7, which LTI's security framework repeats.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import jwt

from autograder.browsers import is_same
from autograder.errors import SignInRefused
from autograder.serve.outgoing import Outgoing

LEEWAY = 60  # seconds that the clocks of two machines may differ
# Signed by a key that only the issuer has. A secret that two share signs nothing here.
RSA, ANY = ("RS256",), ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384")
KEPT, TRIED_AGAIN = 24 * 3600, 30  # seconds after which keys are fetched: anyway, and for a new one
_REQUIRED = ("iss", "sub", "aud", "exp", "iat", "nonce")
_REASONS: Mapping[type[jwt.PyJWTError], str] = {
    jwt.ExpiredSignatureError: "it has expired",
    jwt.ImmatureSignatureError: "it is dated in the future: a clock is wrong, there or here",
    jwt.InvalidAudienceError: "it is meant for another tool",
    jwt.InvalidIssuerError: "it comes from another issuer",
    jwt.InvalidAlgorithmError: "it is signed in a way that isn't accepted",
    jwt.InvalidSignatureError: "its signature is wrong",
    jwt.MissingRequiredClaimError: "it lacks `{claim}`",
    jwt.InvalidKeyError: "it is signed with a key that is too short",
}


@dataclass(frozen=True)
class Issuer:
    """Who signs tokens, the audience that they must name, and where the keys are."""

    name: str  # as tokens say it, in `iss`
    audience: str  # our client id there
    keys_url: str
    algorithms: tuple[str, ...] = RSA


@dataclass(frozen=True)
class KeySets:
    """The public keys of issuers, as they were fetched last."""

    outgoing: Outgoing
    clock: Callable[[], float] = time.monotonic
    _kept: dict[str, tuple[float, Mapping[str | None, jwt.PyJWK]]] = field(default_factory=dict)

    async def key(self, address: str, key_id: str | None) -> jwt.PyJWK:
        """Return a key; one that is new is looked for, but not at anybody's command.

        Without an id, it is the only one that there is.
        """
        fetched, keys = self._kept.get(address, (-KEPT, {}))
        age = self.clock() - fetched
        if age >= KEPT or (age >= TRIED_AGAIN and _named(keys, key_id) is None):
            keys = await self.fetch(address)
        if (found := _named(keys, key_id)) is None:
            raise SignInRefused("it is signed with a key that its issuer doesn't publish")
        return found

    async def fetch(self, address: str) -> Mapping[str | None, jwt.PyJWK]:
        """Return the keys for signing at an address, by their ids."""
        answer = await self.outgoing.ask("GET", address)
        try:
            found = jwt.PyJWKSet.from_dict(answer.object()).keys
        except (jwt.PyJWTError, AttributeError, TypeError):
            found = []
        keys = {key.key_id: key for key in found if key.public_key_use in (None, "sig")}
        self._kept[address] = self.clock(), keys
        return keys


def _named(keys: Mapping[str | None, jwt.PyJWK], key_id: str | None) -> jwt.PyJWK | None:
    return next(iter(keys.values())) if key_id is None and len(keys) == 1 else keys.get(key_id)


async def verified(token: str, issuer: Issuer, nonce: str, keys: KeySets) -> dict[str, Any]:
    """Return the claims of a token that answers `nonce`; raise `SignInRefused` saying why not."""
    try:
        key = await keys.key(issuer.keys_url, jwt.get_unverified_header(token).get("kid"))
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=issuer.algorithms,
            audience=issuer.audience,
            issuer=issuer.name,
            leeway=LEEWAY,
            options={"require": list(_REQUIRED), "enforce_minimum_key_length": True},
        )
    except jwt.PyJWTError as error:
        said = _REASONS.get(type(error), "it can't be read")
        raise SignInRefused(said.format(claim=getattr(error, "claim", ""))) from None
    several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    if claims.get("azp", "" if several else issuer.audience) != issuer.audience:
        raise SignInRefused("it was issued to another tool")
    if not is_same(str(claims["nonce"]), nonce):
        raise SignInRefused("it answers another sign-in than this one")
    return claims
