"""A course for answers that are diagnosed."""

from pathlib import Path

import pytest

from tests.diagnosis.answers import Room, room_at


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A course whose exercise `double` has the bank that a test gives it."""
    return room_at(tmp_path, monkeypatch)
