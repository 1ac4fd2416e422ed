"""What a student's run drew is kept, if it is a picture of an ordinary size."""

from __future__ import annotations

import base64
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.intake.notebook import Cell
from autograder.intake.pictures import MAX_BYTES, MAX_PICTURES, pictures_in


def png(width: int = 8, height: int = 4, size: int = 100) -> str:
    head = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" + struct.pack(">II", width, height)
    return base64.b64encode(head + bytes(size)).decode()


def drawn(data: object, kind: str = "image/png") -> dict[str, Any]:
    return {"output_type": "display_data", "data": {kind: data}, "metadata": {}}


def test_a_picture_is_kept_however_its_lines_are_written() -> None:
    text = png()
    lines = [f"{text[:20]}\n", text[20:]]
    assert [each.data for each in pictures_in([drawn(text), drawn(lines)])] == [text, text]


def test_a_cell_reads_them_from_its_outputs() -> None:
    content = {"cell_type": "code", "source": "plot()", "outputs": [drawn(png())]}
    assert Cell.model_validate(content).pictures[0].kind == "image/png"


@pytest.mark.parametrize(
    "output",
    [
        drawn("<svg onload='alert(1)'/>", "image/svg+xml"),
        drawn("<script>alert(1)</script>"),
        drawn(base64.b64encode(b"<script>alert(1)</script>" * 9).decode()),
        drawn(png(width=100_000)),
        drawn(png(size=2 * MAX_BYTES)),
        drawn(png(), "image/jpeg"),
        drawn('x" onerror="alert(1)'),
    ],
)
def test_what_is_no_picture_or_too_large_a_one_is_left_out(output: dict[str, Any]) -> None:
    assert pictures_in([output]) == ()


def test_a_cell_has_so_many_pictures_and_no_more() -> None:
    assert len(pictures_in([drawn(png())] * 50)) == MAX_PICTURES


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["data", "image/png"]), inner),
)


@given(JSON)
def test_outputs_may_be_anything(outputs: object) -> None:
    assert pictures_in(outputs) == ()
