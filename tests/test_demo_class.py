"""The demo's class is the one that is drawn."""

from tests import demo_class


def test_the_class_on_file_is_what_is_drawn() -> None:
    assert demo_class.CLASS.read_text("utf-8") == demo_class.text()
