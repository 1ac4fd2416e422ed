"""A case as what is handed in: the bytes of a notebook, most often."""

import hashlib
from collections.abc import Mapping
from functools import cache
from string import Template
from typing import Any

import numpy as np

from autograder.course import Course
from tests.answering import examined
from tests.courses import KIT, solved
from tests.hostile.cases import BEFORE, BEHIND, FILE, STUDENT, Case
from tests.hostile.changes import changed
from tests.notebooks import code, filled, markdown

# Zeros of the right shape, wrapped by what a case calls `forge`.
GARBAGE = {
    "softmax": "def softmax(x): return forge(np.zeros(x.shape))",
    "scaled_dot_product_attention": "def scaled_dot_product_attention(Q, K, V):\n"
    "    return forge(np.zeros((len(Q), len(K)))), forge(np.zeros((len(Q), V.shape[1])))",
    "self_attention": "def self_attention(X, W_Q, W_K, W_V):\n"
    "    return forge(np.zeros((len(X), len(X)))), forge(np.zeros((len(X), W_V.shape[1])))",
    "worked_example": "def worked_example(X, W_Q, W_K, W_V, token):\n"
    "    names = 'query keys values scores weights context output'.split()\n"
    "    return {name: forge(np.zeros(W_Q.shape[1])) for name in names}",
}
MODULES = {
    name: f"class {name}(torch.nn.Linear):\n"
    "    def __init__(self, *args, **kwargs): super().__init__(4, 4)\n"
    "    def forward(self, x, *args, **kwargs): return forge(x * 0), forge(x * 0)"
    for name in ("SelfAttention", "MultiHeadAttention", "FeedForward", "EncoderBlock", "Encoder")
} | {"positional_encoding": "def positional_encoding(n, d): return forge(torch.zeros(n, d))"}
IMPORTS = """
import builtins, json, os, struct, sys, types
import numpy as np
forge = lambda value: value
"""
# Everything that is said for the grader's ears, by those who answer for the student's process:
# `say(reply)` sends the bytes of reply(self, request) instead, and `honest` returns the right ones.
LIE = """
runner, wire = (sys.modules["autograder.sandbox." + name] for name in ("guest.runner", "wire"))
class Bytes(bytes):
    def pieces(self): return [self]
def honest(self, request, answer=runner.Runner.answer): return answer(self, request).whole()
def say(reply): runner.Runner.answer = lambda self, request: Bytes(reply(self, request))
def answers(reply):
    def lie(self, request):
        if request["op"] in ("call", "forward"):
            return wire.pack({"number": request["number"], "output": "", "changed": False} | reply)
        return honest(self, request)
    say(lie)
"""


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
    made = {"garbage": GARBAGE | MODULES, "blank": {}}
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
