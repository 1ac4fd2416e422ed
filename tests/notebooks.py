"""Small notebooks, made by hand."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Cell = dict[str, Any]


def code(source: str, grade_id: str = "", **mark: Any) -> Cell:
    """A code cell; `mark` is nbgrader's: solution, grade, locked, points."""
    return _cell("code", source, grade_id, mark) | {"outputs": [], "execution_count": None}


def markdown(source: str, grade_id: str = "", **mark: Any) -> Cell:
    return _cell("markdown", source, grade_id, mark)


def notebook(*cells: Cell, **overrides: Any) -> bytes:
    """The bytes of a notebook file of these cells."""
    content = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)}
    return json.dumps(content | overrides).encode()


def filled(release: Path, sources: Mapping[str, str]) -> dict[str, Any]:
    """The notebook at `release` with these sources in its solution cells, by grade_id."""
    content: dict[str, Any] = json.loads(release.read_text("utf-8"))
    for cell in content["cells"]:
        mark = cell["metadata"].get("nbgrader", {})
        if mark.get("solution"):
            cell["source"] = sources.get(mark["grade_id"], cell["source"])
    return content


def _cell(kind: str, source: str, grade_id: str, mark: dict[str, Any]) -> Cell:
    metadata = {"nbgrader": {"grade_id": grade_id, **mark}} if grade_id else {}
    return {"cell_type": kind, "id": grade_id, "source": source, "metadata": metadata}
