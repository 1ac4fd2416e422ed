"""Pictures with sliders: pages in which no slider is alive show them as they begin."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.browser import PROGRAM, browser
from tests.courses import ROOT

SHARED = ROOT / "solutions" / "shared"
WORKBENCH = "\n".join(
    (SHARED / name).read_text("utf-8") for name in ("drawing.py", "workbench.py", "guesses.py")
)
DRAW = """
def draw(a=3):
    print("a <", a)
    show_bars_of({"a": a, "b": 2}, "Two bars")
"""
WRONG = "def wrong(a=3):\n    return [][a]\n"

SHELL = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
shell, displayed = InteractiveShell.instance(), []
for source in json.load(sys.stdin):
    with capture_output() as seen:
        shell.run_cell(source)
    displayed.append([output.data for output in seen.outputs])
print(json.dumps(displayed))
"""

pytestmark = pytest.mark.slow  # it starts a shell, and a browser


@pytest.fixture(scope="module")
def outputs() -> list[list[dict[str, str]]]:
    """What two cells with sliders display, by type: one that draws, and one that raises."""
    cells = [WORKBENCH, f"{DRAW}play(draw, a=(1, 9))", f"{WRONG}play(wrong, a=(1, 9))"]
    done = subprocess.run(
        [sys.executable, "-c", SHELL],
        input=json.dumps(cells), check=True, stdout=subprocess.PIPE, encoding="utf-8", timeout=300,
    )  # fmt: skip
    displayed: list[list[dict[str, str]]] = json.loads(done.stdout)
    return displayed[1:]


def test_below_the_sliders_stands_what_they_begin_with(
    outputs: list[list[dict[str, str]]],
) -> None:
    *_, sliders, still = outputs[0]
    assert "application/vnd.jupyter.widget-view+json" in sliders
    page = BeautifulSoup(still["text/html"], "html.parser")
    (picture,) = page.select(".still img")
    assert picture["alt"] == "Two bars: a 3, b 2."
    assert [words.get_text() for words in page.select(".still pre")] == ["a < 3\n"]
    assert still["text/plain"] == "a < 3\n\nTwo bars: a 3, b 2."


def test_what_cannot_be_drawn_is_told_by_the_sliders_alone(
    outputs: list[list[dict[str, str]]],
) -> None:
    (sliders,) = outputs[1]
    assert "application/vnd.jupyter.widget-view+json" in sliders


@pytest.mark.skipif(not PROGRAM, reason="there is no Chromium here")
def test_the_still_is_hidden_while_the_sliders_are_alive(
    outputs: list[list[dict[str, str]]], tmp_path: Path
) -> None:
    page, still = tmp_path / "page.html", outputs[0][-1]["text/html"]
    page.write_text(f'<div><p id="above"></p></div><div>{still}</div>', "utf-8")
    height = "document.querySelector('.still').offsetHeight"
    with browser() as tab:
        tab.open(page.as_uri())
        assert tab.run(height) > 0
        tab.run("document.querySelector('#above').className = 'widget-interact'")
        assert tab.run(height) == 0
