"""Notebooks, cells and outputs as nbformat's nodes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.intake.notebook import Cell


def node(content: Mapping[str, Any]) -> NotebookNode:
    """Convert `content`, dicts and lists as in a notebook's JSON, to nbformat's nodes."""
    made: NotebookNode = nbformat.from_dict(dict(content))  # type: ignore[no-untyped-call]
    return made


def to_json(notebook: NotebookNode) -> str:
    """Return a notebook's JSON on one line: nbformat's own layout takes ten times as long."""
    return json.dumps(notebook, ensure_ascii=False) + "\n"


def notebook(cells: list[Cell]) -> NotebookNode:
    """Return a notebook of `cells`, without outputs other than pictures."""
    return node(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {"language_info": {"name": "python"}},
            "cells": [_cell(cell) for cell in cells],
        }
    )


def _cell(cell: Cell) -> dict[str, Any]:
    content = cell.model_dump(exclude={"pictures"})
    if cell.cell_type == "code":
        content |= {"outputs": [_drawn(*each) for each in cell.pictures], "execution_count": None}
    return content


def _drawn(kind: str, data: str) -> dict[str, Any]:
    return {"output_type": "display_data", "data": {kind: data}, "metadata": {}}


def note(text: str, identity: str) -> NotebookNode:
    """Return a markdown cell."""
    return node(_cell(Cell(cell_type="markdown", source=text, id=identity)))


def result(text: str, html: str) -> NotebookNode:
    """Return an output: the result of a cell's last line."""
    return node(
        {
            "output_type": "execute_result",
            "data": {"text/plain": text, "text/html": html},
            "metadata": {},
            "execution_count": None,
        }
    )


def printed(text: str) -> NotebookNode:
    """Return an output: text that a cell printed."""
    return node({"output_type": "stream", "name": "stdout", "text": text})


def error(text: str) -> NotebookNode:
    """Return an output: the error that ended a cell."""
    return node({"output_type": "error", "ename": "", "evalue": "", "traceback": text.splitlines()})
