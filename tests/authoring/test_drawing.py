"""Pictures of the notebooks: one colour a role, words for those who can't see them, valid SVG."""

import base64
import re
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.courses import KIT, ROOT

DRAWING = (ROOT / "solutions/shared/drawing.py").read_text("utf-8")
PAGE = (ROOT / "docs/visual-language.md").read_text("utf-8")
WHITE, DARK = "#FFFFFF", "#111111"  # the latter is JupyterLab's


@pytest.fixture(scope="module")
def drawing() -> dict[str, Any]:
    names: dict[str, Any] = {"shown": []}
    exec(DRAWING, names)
    names["display"] = lambda data, raw: names["shown"].append(data)
    return names


def luminance(colour: str) -> float:
    """As WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_each_colour_can_be_read_on_white_and_on_dark(drawing: dict[str, Any]) -> None:
    for colour in [*drawing["COLOURS"].values(), *drawing["NEUTRALS"]]:
        assert contrast(colour, WHITE) >= 4.5
        assert contrast(colour, DARK) >= 3


def test_the_page_of_our_style_lists_the_colours_and_has_its_pictures(
    drawing: dict[str, Any],
) -> None:
    colours = [*drawing["COLOURS"].values(), *drawing["NEUTRALS"]]
    assert re.findall(r"`(#[0-9A-F]{6})` ", PAGE) == colours
    shown = set(re.findall(r"\]\((pictures/style/[\w-]+\.svg)\)", PAGE))
    kept = {f"pictures/style/{path.name}" for path in (ROOT / "docs/pictures/style").iterdir()}
    assert shown == kept
    for path in kept:
        ElementTree.parse(ROOT / "docs" / path)


@pytest.mark.parametrize("assignment", KIT.assignment_names())
def test_formulas_have_the_colours_of_their_roles(drawing: dict[str, Any], assignment: str) -> None:
    text = (KIT.solutions / f"{assignment}.py").read_text("utf-8")
    used = re.findall(r"\\color\{(#\w+)\}\{(.'?)", text)
    assert used
    assert {colour for colour, _ in used} <= set(drawing["COLOURS"].values())
    roles = {"Q": "query", "K": "key", "V": "value"}
    for colour, letter in used:
        if letter in roles:
            assert colour == drawing["COLOURS"][roles[letter]]
    # `\color{…}{…}` colours its second part alone only inside braces of its own (KaTeX, MathJax 3)
    assert len(re.findall(r"\{\\color\{#", text)) == len(used)


def test_bars_and_suspects_say_their_numbers(drawing: dict[str, Any]) -> None:
    drawing["show_bars_of"]({"whole": 4, "half": 2.5}, "Words", unit=" bits")
    assert drawing["shown"][-1]["text/plain"] == "Words: whole 4 bits, half 2.50 bits."
    drawing["show_suspects"]({"A": [[0.5, 0.5]], "B": [[1, 0]]}, mask=[[True, False]])
    assert drawing["shown"][-1]["text/plain"] == (
        "Weights, a row for each query. The mask hides query 0 key 1; A: 0.50, 0.50; B: 1, 0."
    )


def test_a_drawing_is_an_image_with_its_words_escaped(drawing: dict[str, Any]) -> None:
    picture = drawing["Drawing"](100, 50)
    picture.box(0, 0, 10, 10, "#1F6FC8")
    picture.line((0, 0), (10, 10), arrow=True)
    picture.line((5, 5), (5, 5), arrow=True)
    picture.words(5, 5, "<Q> & K")
    width, height = picture.grid(0, 0, [[0.5, -1.0]], "#0B8043", hidden=[[True, False]])
    drawing["show_drawing"](picture, 'a "small" <picture>')
    shown = drawing["shown"][-1]
    svg = base64.b64decode(re.search(r"base64,([\w+/=]+)", shown["text/html"])[1])  # type: ignore[index]
    words = [
        each.text for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert (width, height) == (68, 34)
    assert words == ["<Q> & K", "-1"]
    assert shown["text/plain"] == 'a "small" <picture>'
    assert 'alt="a &quot;small&quot; &lt;picture&gt;"' in shown["text/html"]


def test_frames_are_shown_one_at_a_time_three_times_and_the_last_one_stays(
    drawing: dict[str, Any],
) -> None:
    frames = [drawing["Drawing"](10, 10) for _ in range(3)]
    for number, frame in enumerate(frames):
        frame.words(5, 5, f"frame {number}")
    drawing["show_frames"](frames, "three frames", seconds=2)
    (encoded,) = re.findall(r"base64,([\w+/=]+)", drawing["shown"][-1]["text/html"])
    svg = base64.b64decode(encoded).decode()
    delays = re.findall(r"animation-delay:([\d.]+)s", svg)
    assert [float(each) for each in delays] == [0, 2]
    assert "animation:f 6.0000s step-end 3}" in svg
    assert svg.index("frame 2") < svg.index('<g class="f"') < svg.index("frame 0")  # beneath them
    (shown,) = re.findall(r"visible\}([\d.]+)%", svg)
    assert 0 < float(shown) - 100 / 3 < 0.1  # until the next one is there, lest none be
    assert "prefers-reduced-motion:reduce),print{" in svg
    assert svg.count('<g class="f"') == 2


@pytest.mark.parametrize(
    ("number", "written"),
    [(0, "0"), (1e-5, "≈0"), (-0.001, "≈0"), (0.25, "0.25"), (-1.234, "-1.23"), (12.5, "12.50"),
     (3.0, "3"), (1234.5, "1234")],
)  # fmt: skip
def test_numbers_fit_into_their_cells(drawing: dict[str, Any], number: float, written: str) -> None:
    assert drawing["short"](number) == written


def test_numbers_can_be_read_on_every_tint_by_day_and_at_night(drawing: dict[str, Any]) -> None:
    at_night, contrast = drawing["at_night"], drawing["contrast"]
    for colour in (*drawing["COLOURS"].values(), drawing["TEAL"]):
        for share in range(0, 101, 5):
            shade = drawing["tint"](colour, share / 100)
            ink = drawing["ink_on"](shade)
            assert contrast(ink, shade) > 3
            assert contrast(at_night(ink), at_night(shade)) > 3
