"""Parts of notebooks in the form in which nbformat keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.intake.notebook import Cell


def node(content: Mapping[str, Any]) -> NotebookNode:
    """Return `content`, dicts and lists as in a notebook's JSON, as nbformat's nodes."""
    made: NotebookNode = nbformat.from_dict(dict(content))  # type: ignore[no-untyped-call]
    return made


def notebook(cells: list[Cell]) -> NotebookNode:
    """Return a notebook of `cells`, without outputs."""
    return node(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {"language_info": {"name": "python"}},
            "cells": [_cell(cell) for cell in cells],
        }
    )


def _cell(cell: Cell) -> dict[str, Any]:
    unrun: dict[str, Any] = {"outputs": [], "execution_count": None}
    return cell.model_dump() | (unrun if cell.cell_type == "code" else {})


def note(text: str, identity: str) -> NotebookNode:
    """Return a markdown cell."""
    return node(_cell(Cell(cell_type="markdown", source=text, id=identity)))


def result(text: str, html: str) -> NotebookNode:
    """Return what a cell's last line gave."""
    return node(
        {
            "output_type": "execute_result",
            "data": {"text/plain": text, "text/html": html},
            "metadata": {},
            "execution_count": None,
        }
    )


def printed(text: str) -> NotebookNode:
    """Return what a cell printed."""
    return node({"output_type": "stream", "name": "stdout", "text": text})


def error(text: str) -> NotebookNode:
    """Return what ended a cell."""
    return node({"output_type": "error", "ename": "", "evalue": "", "traceback": text.splitlines()})
