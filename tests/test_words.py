"""The listing of sentences holds what people read, and leaves out what they don't."""

from pathlib import Path

import pytest

from tests import words

HIDDEN_TEST = '''"""Tests of a thing, for maintainers."""
def test_rows(student):
    """Every row sums to 1."""
    assert close(student.f(2), 1, "Your rows sum to " f"{2 * 3} "
        "instead of 1.")
def helper():
    """Return nothing that anybody reads."""
'''
BANK = '''REFERENCE = """def f(x): return the right thing for x"""
Variant(message="You forgot the square root.", edits={"a b c d": "e f g h"})
'''
COMMAND = '''@app.command()
def grade():
    """Grade what was handed in."""
    typer.Option(help="Grade this student alone.")
'''
PAGE = """<p class='a b c'>Do this {# not read #}<b>next</b>: {{ name }}</p>
<style>a { b: c d e }</style>"""
TABLE = """[crash-shapes]
# for a table
'size (?P<b>\\d) is (different)' = "Print both shapes just before {line}."
"""
SCRIPT = "# %% [markdown]\n# Read this paragraph,\n# and this line.\n\n# %%\nx = 1\n"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "autograder/exercises/hw/hidden_tests/test_f.py",
            HIDDEN_TEST,
            [(3, "Every row sums to 1."), (4, "Your rows sum to {…} instead of 1.")],
        ),
        ("autograder/exercises/hw/misconceptions/f.py", BANK, [(2, "You forgot the square root.")]),
        (
            "autograder/cli/grading.py",
            COMMAND,
            [(3, "Grade what was handed in."), (4, "Grade this student alone.")],
        ),
        ("autograder/telling/pages/templates/page.html", PAGE, [(1, "Do this next: {…}")]),
        ("autograder/testing/crashes.toml", TABLE, [(3, "Print both shapes just before {line}.")]),
        ("solutions/hw.py", SCRIPT, [(2, "Read this paragraph, and this line.")]),
    ],
)
def test_what_people_read_is_listed_with_its_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    text: str,
    expected: list[tuple[int, str]],
) -> None:
    monkeypatch.setattr(words, "ROOT", tmp_path)
    file = tmp_path / name
    file.parent.mkdir(parents=True)
    file.write_text(text)
    assert [(each.line, each.text) for each in words.sentences(file)] == expected


@pytest.mark.slow
def test_each_room_that_speaks_is_in_the_listing() -> None:
    rooms = {each.room for file in words.files() for each in words.sentences(file)}
    assert {"cli", "course", "desk", "diagnosis", "exercises", "telling", "solutions"} <= rooms


@pytest.mark.parametrize("text", ["import numpy as np\nx = 1", r"(?:a) \w+ of these", "two words"])
def test_code_patterns_and_names_are_no_prose(text: str) -> None:
    assert not words.is_prose(text)
