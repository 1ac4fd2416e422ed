"""A case as what is handed in: the bytes of a notebook, most often."""

import hashlib
import tomllib
from collections.abc import Mapping
from functools import cache
from string import Template
from typing import Any

import numpy as np

from autograder.course import Course
from tests.answering import examined
from tests.courses import KIT, solved
from tests.hostile.cases import BEFORE, BEHIND, CATALOGUE, FILE, STUDENT, Case
from tests.hostile.changes import changed
from tests.notebooks import code, filled, markdown

GARBAGE = tomllib.loads((CATALOGUE.parent / "garbage.toml").read_text("utf-8"))
GARBAGE |= {
    name: f"class {name}(torch.nn.Linear):\n"
    "    def __init__(self, *args, **kwargs): super().__init__(4, 4)\n"
    "    def forward(self, x, *args, **kwargs): return forge(x * 0), forge(x * 0)"
    for name in ("SelfAttention", "MultiHeadAttention", "FeedForward", "EncoderBlock", "Encoder")
}
IMPORTS = """
import builtins, json, os, struct, sys, types
import numpy as np
forge = lambda value: value
"""
LIE = (CATALOGUE / "lie.py").read_text("utf-8")


def source_of(case: Case, course: Course, places: Mapping[str, str]) -> str:
    """Return the case's source; $answer, $lie, $nest and the `places` are filled in."""
    words = {"answer": solved(course, case.assignment).get(case.place, ""), "lie": LIE}
    words["nest"] = case.nest * case.times
    if "$seen" in case.source:
        words["seen"] = repr(inputs_seen(case.assignment, case.place, seed=0))
    return Template(case.source).safe_substitute(places, **words)


@cache
def inputs_seen(assignment: str, exercise: str, seed: int) -> tuple[str, ...]:
    """Return a digest of each array that the hidden tests of `exercise` pass under `seed`.

    A student could know them who knows the seed.
    """
    findings = examined(assignment, exercise, solved(KIT, assignment)[exercise], seed=seed)
    requests = [exchange.request for found in findings for exchange in found.exchanges]
    return tuple(sorted({_digest(value) for asked in requests for value in asked["args"]}))


def _digest(value: Any) -> str:
    array = np.asarray(value)
    return hashlib.blake2s(repr(array.shape).encode() + array.tobytes()).hexdigest()[:16]


def notebook_of(case: Case, course: Course, places: Mapping[str, str]) -> bytes:
    source = source_of(case, course, places)
    if case.place == FILE:
        return source.encode("utf-8", "surrogateescape")
    content = filled(course.release_path(case.assignment), _answers(case, course))
    for cell in content["cells"]:
        cell["source"] = "".join(cell["source"])  # one text, where there are lines
    _put(content, case, source)
    return changed(content, case.change)


def student_of(case: Case) -> str:
    return case.source if case.place == STUDENT else "mallory"


def _answers(case: Case, course: Course) -> dict[str, str]:
    made = {"garbage": GARBAGE, "blank": {}}
    return solved(course, case.assignment) if case.answers == "solved" else made[case.answers]


def _put(content: dict[str, Any], case: Case, source: str) -> None:
    cells = content["cells"]
    own = (code if case.cell_type == "code" else markdown)(source) | {"id": "own"}
    if case.answers == "garbage":
        imports = IMPORTS + "import torch\n" * (case.assignment == "hw2_encoder")
        cells.insert(0, code(imports) | {"id": "own-imports"})
    if case.place == BEFORE and source:
        cells.insert(case.answers == "garbage", own)
    elif case.place == BEHIND:
        cells.append(own)
    for cell in cells:
        if cell["id"] == case.place:
            cell["source"] = source
