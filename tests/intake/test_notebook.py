"""A notebook file is read whatever it is, or refused in one sentence; links are refused."""

import base64
import json
import os
import struct
import time
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nbformat import v3, v4

from autograder.errors import SubmissionError
from autograder.grading.submissions import Job
from autograder.intake.notebook import (
    MAX_NOTEBOOK,
    MAX_PICTURE,
    MAX_PICTURES,
    Cell,
    CellRole,
    pictures_in,
    read_file,
    read_notebook,
    read_submitted,
)
from tests.notebooks import code, markdown, notebook


def test_a_cell_is_told_by_nbgraders_mark() -> None:
    cells = read_notebook(
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
    assert [cell.source for cell in read_notebook(b"\xef\xbb\xbf" + raw).cells] == ["a\nb\n", "y"]


def test_half_a_character_is_read_as_a_question_mark() -> None:
    raw = notebook(code("x")).replace(b'"x"', rb'"a \ud83d b \ud83d\ude00"')
    assert [cell.source for cell in read_notebook(raw).cells] == ["a ? b \N{GRINNING FACE}"]


def of_format_3(*cells: dict[str, Any]) -> bytes:
    sheets = [{"cells": [cell], "metadata": {}} for cell in cells]
    content = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": sheets}
    return json.dumps(content).encode()


PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\b").decode()
OLD = {"cell_type": "code", "input": "x = 1", "language": "python", "metadata": {}, "outputs": []}
OLD_TEXT = {"metadata": {}, "source": ["a\n", "b"]}


def test_a_notebook_of_format_3_is_upgraded_as_nbformat_does() -> None:
    picture = {"output_type": "display_data", "png": PNG, "metadata": {}}
    stream = {"output_type": "stream", "stream": "stdout", "text": "1"}
    mark = {"nbgrader": {"grade_id": "f", "solution": True}}
    raw = of_format_3(
        OLD | {"outputs": [stream, picture], "metadata": mark},
        {"cell_type": "heading", "level": 2, "metadata": {}, "source": "Title"},
        *({"cell_type": kind, **OLD_TEXT} for kind in ("markdown", "raw", "html")),
    )
    found = read_notebook(raw)
    upgraded = v4.upgrade(v3.reads_json(raw.decode()))  # type: ignore[no-untyped-call]
    theirs = read_notebook(json.dumps(upgraded).encode())
    parts = [(c.cell_type, c.source, c.metadata, c.pictures) for c in found.cells]
    assert parts == [(c.cell_type, c.source, c.metadata, c.pictures) for c in theirs.cells]
    assert found.cells[0].grade_id == "f"
    assert [picture.data for picture in found.cells[0].pictures] == [PNG]


def test_an_old_notebook_full_of_outputs_takes_little_longer_than_its_json() -> None:
    outputs = [{"output_type": "stream", "text": "x", "metadata": {}}] * 100_000
    raw = of_format_3(OLD | {"outputs": outputs})
    began = time.process_time()
    json.loads(raw)
    parsed = time.process_time()
    assert len(read_notebook(raw).cells) == 1
    # Upgraded by nbformat, which checks each of them, they would take a hundred times as long.
    assert time.process_time() - parsed < 20 * (parsed - began)


@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), st.lists, max_leaves=5))
@example(odd=-(2**63) - 1)
@example(odd=float("inf"))
def test_an_old_notebook_that_is_damaged_is_refused_in_one_sentence(odd: Any) -> None:
    for place in OLD | OLD_TEXT | {"level": 1}:
        for kind in ("code", "heading", "raw"):
            with suppress(SubmissionError):
                read_notebook(of_format_3(OLD | OLD_TEXT | {"cell_type": kind, place: odd}))


@pytest.mark.parametrize("odd", [None, 7, ["a"]])
def test_an_id_that_is_no_text_counts_as_none(odd: Any) -> None:
    assert read_notebook(notebook(code("x") | {"id": odd})).cells[0].id == ""


def test_an_odd_mark_of_nbgrader_counts_as_none() -> None:
    odd: Any = {"grade_id": ["a"], "points": "many"}
    raw = notebook(code("x") | {"metadata": {"nbgrader": odd}})
    assert read_notebook(raw).cells[0].role is CellRole.FREE


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "isn't a notebook"),
        (b"{'single': quotes}", "isn't a notebook"),
        (b'{"nbformat": 4, "ce', "isn't a notebook"),
        (notebook(code("x = 1"))[:-9], "breaks off before its end"),
        (notebook(code("x = 1"))[:105], "breaks off before its end"),
        (notebook(code("x = 1")).replace(b'"x = 1"', b'\n\n"x" = 1'), "in line 3"),
        (notebook(code("\xfc")).replace(b"\\u00fc", b"\xfc"), "not in UTF-8"),
        (b"[" * 200_000, "isn't a notebook"),
        (b"[]", "not a notebook"),
        (b'{"a": 1}', "not a notebook"),
        (b'{"nbformat": 2, "cells": []}', "not in format 4"),
        (b'{"nbformat": 3, "worksheets": 7}', "format 3"),
        (notebook({"cell_type": "code", "source": 7}), "damaged in cell 1: open it"),
        (notebook({"cell_type": "movie", "source": ""}), "damaged in cell 1: open it"),
        (notebook(code("x" * 200_001)), "a cell of more than 200,000 characters: split"),
        (notebook(*[code("x")] * 1001), "has more than 1,000 cells: remove"),
        (b" " * MAX_NOTEBOOK + notebook(), "clear its outputs"),
    ],
    ids=lambda value: str(value[:40]),
)
def test_what_is_no_notebook_is_refused_in_one_sentence(raw: bytes, sentence: str) -> None:
    with pytest.raises(SubmissionError, match=sentence) as refusal:
        read_notebook(raw)
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
    assert most < 3 * MAX_NOTEBOOK


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where Ada's notebook belongs; Bob's lies in its place."""
    for student in ("ada", "bob"):
        (tmp_path / student / "hw").mkdir(parents=True)
    (tmp_path / "bob" / "hw" / "hw.ipynb").write_bytes(b"Bob's")
    return tmp_path / "ada" / "hw" / "hw.ipynb"


def test_a_link_to_another_students_notebook_is_refused(path: Path) -> None:
    path.symlink_to("../../bob/hw/hw.ipynb")
    with pytest.raises(SubmissionError, match=r"^hw\.ipynb is a link"):
        read_submitted(path)


@pytest.mark.parametrize("folder", ["ada", "ada/hw"])
def test_a_link_to_another_students_folder_is_refused(path: Path, folder: str) -> None:
    root = path.parents[2]
    path.parent.rmdir()
    if folder == "ada":
        path.parents[1].rmdir()
    (root / folder).symlink_to(root / folder.replace("ada", "bob"))
    with pytest.raises(SubmissionError, match="is a link"):
        read_submitted(path)


def test_the_folder_of_all_submissions_may_be_a_link(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"Ada's")
    (tmp_path / "elsewhere").symlink_to(tmp_path)
    assert read_submitted(tmp_path / "elsewhere" / path.relative_to(tmp_path)) == b"Ada's"


def test_a_pipe_is_refused_at_once(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(SubmissionError, match=r"^hw\.ipynb is not a file"):
        Job("ada", "hw", path).read()


def test_a_device_and_a_folder_are_refused(path: Path) -> None:
    with pytest.raises(SubmissionError, match="zero is not a file"):
        read_file(Path("/dev/zero"))
    path.mkdir()
    with pytest.raises(SubmissionError):
        read_submitted(path)


def test_an_instructor_may_check_a_notebook_behind_a_link(path: Path) -> None:
    path.symlink_to("../../bob/hw/hw.ipynb")
    assert read_file(path) == b"Bob's"


@pytest.mark.parametrize("gone", ["hw.ipynb", "hw", "ada"])
def test_what_vanished_before_it_was_read_is_told_in_a_sentence(path: Path, gone: str) -> None:
    path.write_bytes(b"Ada's")
    places = {"hw.ipynb": path, "hw": path.parent, "ada": path.parents[1]}
    places[gone].rename(path.parents[2] / "elsewhere")
    with pytest.raises(SubmissionError, match=r"^hw\.ipynb can't be read \(No such file"):
        Job("ada", "hw", path).read()


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
        drawn(png(size=2 * MAX_PICTURE)),
        drawn(png(), "image/jpeg"),
        drawn('x" onerror="alert(1)'),
    ],
)
def test_what_is_no_picture_or_too_large_a_one_is_left_out(output: dict[str, Any]) -> None:
    assert pictures_in([output]) == ()


def test_a_cell_has_so_many_pictures_and_no_more() -> None:
    assert len(pictures_in([drawn(png())] * 50)) == MAX_PICTURES


json_outputs = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["data", "image/png"]), inner),
)


@given(json_outputs)
def test_outputs_may_be_anything(outputs: object) -> None:
    assert pictures_in(outputs) == ()
