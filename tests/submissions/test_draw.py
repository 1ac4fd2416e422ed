"""The demo's class is the one that is drawn."""

from __future__ import annotations

from tests.submissions import draw


def test_the_class_on_file_is_what_is_drawn() -> None:
    assert draw.CLASS.read_text("utf-8") == draw.text()
