"""Our own keys: what is published, what signs, and when that changes."""

from datetime import date, timedelta
from pathlib import Path

import jwt
import pytest

from autograder.errors import CourseError
from autograder.serve.lti.keys import ROTATED, Keys

BEGIN = date(2026, 9, 1)


def ids(keys: Keys) -> list[str]:
    return [key["kid"] for key in keys.published()["keys"]]


def signer(keys: Keys) -> str:
    token = keys.sign({"iss": "us"})
    published = {key.key_id: key for key in jwt.PyJWKSet.from_dict(keys.published()).keys}
    used = str(jwt.get_unverified_header(token)["kid"])
    assert jwt.decode(token, published[used], ["RS256"]) == {"iss": "us"}
    return used


def on(keys: Keys, days: int) -> Keys:
    return Keys(keys.folder, lambda: BEGIN + timedelta(days=days))


def test_the_first_key_signs_at_once(tmp_path: Path) -> None:
    keys = on(Keys(tmp_path / "keys"), 0)
    assert [signer(keys)] == ids(keys)


def test_a_new_key_is_published_a_day_before_it_signs_and_the_old_one_a_month_after(
    tmp_path: Path,
) -> None:
    keys = Keys(tmp_path / "keys")
    old, days = signer(on(keys, 0)), ROTATED.days
    assert ids(on(keys, days - 1)) == [old]
    _, new = ids(on(keys, days))
    assert signer(on(keys, days)) == old
    assert signer(on(keys, days + 1)) == new
    assert ids(on(keys, days + 31)) == [old, new]
    assert ids(on(keys, days + 32)) == [new]
    assert len(list(keys.folder.iterdir())) == 1


def test_nobody_else_can_read_a_key(tmp_path: Path) -> None:
    keys = on(Keys(tmp_path / "keys"), 0)
    keys.published()
    (path,) = keys.folder.iterdir()
    assert (keys.folder.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)
    assert b"PRIVATE" in path.read_bytes()
    path.chmod(0o640)
    with pytest.raises(CourseError, match="chmod 600"):
        keys.sign({})


def test_what_is_published_is_public(tmp_path: Path) -> None:
    (key,) = Keys(tmp_path / "keys").published()["keys"]
    assert set(key) == {"kty", "n", "e", "alg", "use", "kid"}


def test_two_processes_that_make_a_key_at_once_agree_on_it(tmp_path: Path) -> None:
    keys = on(Keys(tmp_path / "keys"), 0)
    keys._make(BEGIN)
    (first,) = ids(keys)
    keys._make(BEGIN)
    assert ids(keys) == [first]
