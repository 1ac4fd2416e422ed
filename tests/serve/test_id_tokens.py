"""Keys of issuers: which of them sign, and how often they are asked for."""

import asyncio
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import httpx
import jwt
import pytest

from autograder.errors import PlatformFault, SignInRefused
from autograder.serve.id_tokens import ANY, KEPT, TRIED_AGAIN, Issuer, KeySets, verified
from autograder.serve.outgoing import Outgoing
from tests.serve.lti.platforms import new_key, pem

KEYS = "https://issuer.example/keys"
KEY, SECRET = new_key(), "s" * 32
RSA = jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key(), as_dict=True)
OCT = {"kty": "oct", "alg": "HS256", "k": urlsafe_b64encode(SECRET.encode()).decode().rstrip("=")}


class Network(httpx.AsyncBaseTransport):
    """Answers each request with the same JSON, and counts them."""

    def __init__(self, said: object) -> None:
        self.said, self.number = said, 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.number += 1
        return httpx.Response(200, stream=httpx.ByteStream(json.dumps(self.said).encode()))


def key_sets(network: Network, clock: Callable[[], float] = time.monotonic) -> KeySets:
    return KeySets(Outgoing(transport=network), clock)


def accepted(keys: list[dict[str, Any]], signer: str, algorithm: str, key_id: str = "") -> str:
    """Return whom a token names, that is signed so where these keys are published."""
    now = int(time.time())
    said = {"iss": "issuer", "aud": "us", "sub": "ada", "nonce": "n", "iat": now, "exp": now + 60}
    token = jwt.encode(said, signer, algorithm, headers={"kid": key_id} if key_id else None)
    issuer = Issuer("issuer", "us", KEYS, ANY)
    found = asyncio.run(verified(token, issuer, "n", key_sets(Network({"keys": keys}))))
    return str(found["sub"])


def test_the_only_key_needs_no_name() -> None:
    assert accepted([RSA], pem(KEY), "RS256") == "ada"


def test_a_secret_in_a_key_set_signs_nothing() -> None:
    with pytest.raises(SignInRefused, match="signed in a way that isn't accepted"):
        accepted([OCT | {"kid": "k"}], SECRET, "HS256", "k")


def test_a_key_for_another_use_signs_nothing() -> None:
    with pytest.raises(SignInRefused, match="doesn't publish"):
        accepted([RSA | {"kid": "k", "use": "enc"}], pem(KEY), "RS256", "k")


def test_among_several_keys_a_token_says_which() -> None:
    keys = [RSA | {"kid": "k"}, RSA | {"kid": "l"}]
    assert accepted(keys, pem(KEY), "RS256", "l") == "ada"
    with pytest.raises(SignInRefused, match="doesn't publish"):
        accepted(keys, pem(KEY), "RS256")


@pytest.mark.parametrize("said", [[], {"keys": 7}, {"keys": [7]}, {"keys": []}, {}, "keys"])
def test_what_is_no_key_set_holds_no_key(said: object) -> None:
    with pytest.raises((SignInRefused, PlatformFault)):
        asyncio.run(key_sets(Network(said)).key(KEYS, "k"))


def test_unknown_keys_make_nobody_ask_all_the_time() -> None:
    network, time_now = Network({"keys": [RSA | {"kid": "k"}]}), [0.0]
    keys = key_sets(network, lambda: time_now[-1])

    def ask(key_id: str) -> None:
        asyncio.run(keys.key(KEYS, key_id))

    ask("k")
    for _ in range(3):
        with pytest.raises(SignInRefused):
            ask("unknown")
    assert network.number == 1
    time_now.append(TRIED_AGAIN)
    with pytest.raises(SignInRefused):
        ask("unknown")
    assert network.number == 2
    ask("k")
    assert network.number == 2
    time_now.append(TRIED_AGAIN + KEPT)
    ask("k")
    assert network.number == 3
