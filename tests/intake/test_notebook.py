"""A notebook file is read whatever it is, or refused in one sentence."""

from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.errors import SubmissionError
from autograder.intake.notebook import MAX_BYTES, CellRole, read, read_file
from tests.notebooks import code, markdown, notebook


def test_a_cell_is_told_by_nbgraders_mark() -> None:
    cells = read(
        notebook(
            code("import numpy", "imports", locked=True),
            code("def f(): ...", "f", solution=True, locked=False),
            code("assert f()", "f_test", grade=True, locked=True, points=3),
            markdown("…", "why", grade=True, solution=True, points=2),
            markdown("# prose"),
            code("plot()"),
        )
    ).cells
    assert [cell.role for cell in cells] == [
        CellRole.SETUP,
        CellRole.SOLUTION,
        CellRole.TEST,
        CellRole.WRITTEN,
        CellRole.FREE,
        CellRole.FREE,
    ]


def test_windows_line_ends_a_byte_order_mark_and_split_sources_are_read() -> None:
    raw = notebook(code("x"), code("y"))
    raw = raw.replace(b'"x"', b'["a\\r\\n", "b\\r"]').replace(b"{", b"\r\n{", 1)
    assert [cell.source for cell in read(b"\xef\xbb\xbf" + raw).cells] == ["a\nb\n", "y"]


def test_a_notebook_of_format_3_is_upgraded() -> None:
    cell = {"cell_type": "code", "input": "x = 1", "language": "python", "outputs": []}
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}}
    raw = json.dumps(old | {"worksheets": [{"cells": [cell], "metadata": {}}]}).encode()
    assert [cell.source for cell in read(raw).cells] == ["x = 1"]


def test_an_odd_mark_of_nbgrader_counts_as_none() -> None:
    odd: Any = {"grade_id": ["a"], "points": "many"}
    raw = notebook(code("x") | {"metadata": {"nbgrader": odd}})
    assert read(raw).cells[0].role is CellRole.FREE


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "isn't a notebook"),
        (b"{'single': quotes}", "isn't a notebook"),
        (b'{"nbformat": 4, "cells": [', "isn't a notebook"),
        (b"[" * 200_000, "isn't a notebook"),
        (b"[]", "not a notebook"),
        (b'{"a": 1}', "not a notebook"),
        (b'{"nbformat": 2, "cells": []}', "not in format 4"),
        (b'{"nbformat": 3, "worksheets": 7}', "format 3"),
        (notebook({"cell_type": "code", "source": 7}), "damaged at cells.0.source"),
        (notebook({"cell_type": "movie", "source": ""}), "damaged at cells.0.cell_type"),
        (notebook(*[code("x")] * 1001), "damaged at cells"),
        (b" " * MAX_BYTES + notebook(), "clear its outputs"),
    ],
    ids=lambda value: str(value[:40]),
)
def test_what_is_no_notebook_is_refused_in_one_sentence(raw: bytes, sentence: str) -> None:
    with pytest.raises(SubmissionError, match=sentence) as refusal:
        read(raw)
    assert "\n" not in str(refusal.value)


def test_a_file_far_too_large_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "sparse.ipynb"
    path.touch()
    os.truncate(path, 50 << 30)
    tracemalloc.start()
    try:
        with pytest.raises(SubmissionError, match="larger than 20 MB: clear its outputs"):
            read_file(path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 3 * MAX_BYTES


@given(st.binary(max_size=100) | st.text().map(str.encode))
def test_noise_is_refused_and_nothing_else_happens(noise: bytes) -> None:
    with pytest.raises(SubmissionError):
        read(noise)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
cells = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("cell_type", "source", "metadata", "id", "outputs"), json_values)
)


@given(st.lists(cells, max_size=3))
def test_odd_cells_are_read_or_refused(odd: list[Any]) -> None:
    try:
        read(notebook(*odd))
    except SubmissionError as refusal:
        assert "damaged" in str(refusal)
