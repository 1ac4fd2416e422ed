"""Our own keys, by which platforms know us: one signs, the next is published before it does.

Platforms keep what they fetched of us for hours. So a key is published for a day before it signs,
and for a month after the next one took over. Each is a file for us alone, named by its day.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from jwt.algorithms import RSAAlgorithm

from autograder.course.saving import save_first
from autograder.errors import CourseError

BITS = 2048
ROTATED = timedelta(days=90)
PUBLISHED_BEFORE, PUBLISHED_AFTER = timedelta(days=1), timedelta(days=30)


@dataclass(frozen=True)
class Keys:
    folder: Path
    today: Callable[[], date] = lambda: datetime.now(UTC).date()

    def sign(self, claims: dict[str, Any]) -> str:
        """Return a token with these claims, signed with the key that signs now."""
        days = self._days()
        ready = [day for day in days if day <= self.today() - PUBLISHED_BEFORE]
        key = self._read((ready or days[:1])[-1])
        return jwt.encode(claims, key, "RS256", headers={"kid": _public(key)["kid"]})

    def published(self) -> dict[str, Any]:
        """Return the JSON Web Key Set by which platforms check what we sign (RFC 7517)."""
        return {"keys": [_public(self._read(day)) for day in self._days()]}

    def _days(self) -> list[date]:
        """Return the days of the keys, in order; make one that is due, and delete old ones."""
        today = self.today()
        found = sorted(date.fromisoformat(path.stem) for path in self.folder.glob("*.pem"))
        if not found or today - found[-1] >= ROTATED:
            self._make(today)
            found.append(today)
        outdated = [
            old for old, new in pairwise(found) if today - new > PUBLISHED_BEFORE + PUBLISHED_AFTER
        ]
        for day in outdated:
            self._path(day).unlink(missing_ok=True)
        return [day for day in found if day not in outdated]

    def _make(self, day: date) -> None:
        """Make a key; of two processes that do so at once, the first one's counts."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        pem = generate_private_key(65537, BITS).private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        save_first(pem, self._path(day), 0o600)

    def _read(self, day: date) -> RSAPrivateKey:
        path = self._path(day)
        if path.stat().st_mode & 0o077:
            raise CourseError(f"Others can read {path}: run `chmod 600` on it, or delete it.")
        return _loaded(path)

    def _path(self, day: date) -> Path:
        return self.folder / f"{day}.pem"


@cache  # it is checked as it is loaded, which takes a while; nobody changes it
def _loaded(path: Path) -> RSAPrivateKey:
    key = serialization.load_pem_private_key(path.read_bytes(), None)
    assert isinstance(key, RSAPrivateKey)
    return key


def _public(key: RSAPrivateKey) -> dict[str, Any]:
    """Return a public key as JSON, with its thumbprint as its id (RFC 7638)."""
    made = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    text = '{{"e":"{e}","kty":"RSA","n":"{n}"}}'.format(**made)
    kid = hashlib.sha256(text.encode()).hexdigest()
    return {"kty": "RSA", "n": made["n"], "e": made["e"], "alg": "RS256", "use": "sig", "kid": kid}
