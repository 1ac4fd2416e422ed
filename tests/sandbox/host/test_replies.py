"""A reply has exactly the fields that it may have, in exact types and bounded lengths."""

from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.sandbox.host.replies import MAX_MESSAGE, MAX_NAME, MAX_NAMES, checked
from autograder.sandbox.limits import MAX_OUTPUT
from autograder.sandbox.wire import Handle, Opaque, WireError

ERROR = {"type": "ValueError", "bases": ["ValueError", "object"], "message": "No.", "line": 3}
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def test_a_reply_is_what_its_operation_returns() -> None:
    message = {"number": 7, "output": "hi", "value": [1], "changed": True}
    assert checked(message, 7, "call") == {"output": "hi", "value": [1], "changed": True}


def test_an_error_is_described_in_full() -> None:
    reply = checked({"number": 7, "error": ERROR}, 7, "run")
    assert reply["error"] == ERROR | {"function": None, "callers": []}


@pytest.mark.parametrize(
    ("operation", "change"),
    [
        ("call", {"value": 1, "number": 6}),
        ("call", {"value": 1, "more": "than was asked for"}),
        ("call", {}),
        ("state", {"output": ""}),
        ("call", {"value": 1, "changed": 1}),
        ("call", {"value": 1, "output": None}),
        ("call", {"value": 1, "output": Opaque("str")}),
        ("call", {"error": ERROR, "value": 1}),
        ("call", {"error": "ValueError"}),
        ("call", {"error": Handle("k", "ValueError")}),
        ("call", {"error": ERROR | {"more": 1}}),
        ("call", {"error": ERROR | {"type": None}}),
        ("call", {"error": ERROR | {"bases": "object"}}),
        ("call", {"error": ERROR | {"message": Opaque("str")}}),
        ("run", {"value": 1}),
        ("defined", {"value": "softmax"}),
        ("defined", {"value": [Opaque("str")]}),
        ("parameters", {"value": {"w": [2, 3]}}),
        ("parameters", {"value": {"w": (-1,)}}),
        ("parameters", {"value": {"w": (True,)}}),
        ("parameters", {"value": {"v": (4000, 4000), "w": (2000, 2000)}}),
        pytest.param(
            "parameters", {"value": {"w": (10**4000,) * 1000}}, id="more than fits a float"
        ),
        ("state", {"value": [1]}),
        ("state", {"value": {1: None}}),
        ("state", {"value": {"w": pd.DataFrame()}}),
        ("parameters", {"value": {1: (2,)}}),
        ("method", {"value": 1, "more": 2}),
        ("state", {"value": {"w": "text"}}),
        ("gradients", {"value": {"parameters": {}}}),
        ("gradients", {"value": {"parameters": {"w": 1.5}, "inputs": []}}),
        ("gradients", {"value": {"parameters": {}, "inputs": {}}}),
        ("mode", {"value": 1}),
        ("call", {"value": 1, "parameters": {"weight": (-1,)}}),
        ("forward", {"value": 1, "parameters": {}}),
        ("call", {"error": {"type": "E"}, "at": 0}),  # nothing came before it
    ],
    ids=str,
)
def test_everything_else_is_refused(operation: str, change: dict[str, Any]) -> None:
    with pytest.raises(WireError):
        checked({"number": 7} | change, 7, operation)


@pytest.mark.parametrize("at", [0, 1])
def test_an_error_may_be_that_of_a_request_that_came_before(at: int) -> None:
    reply = checked({"number": 7, "error": {"type": "E"}, "at": at}, 7, "forward", before=2)
    assert reply["at"] == at


@pytest.mark.parametrize(
    "change",
    [
        {"error": {"type": "E"}, "at": 2},
        {"error": {"type": "E"}, "at": True},
        {"value": 1, "at": 0},
    ],
    ids=str,
)
def test_a_place_that_no_request_has_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(WireError):
        checked({"number": 7} | change, 7, "forward", before=2)


def test_texts_are_cut_and_names_stay_on_one_line() -> None:
    long = {
        "type": "Bad\n# Heading" + "x" * 200,
        "bases": ["object"] * 1000,
        "message": "x" * 100_000,
        "line": 10**30,
        "function": "f" * 200,
        "callers": ["g" * 200],
    }
    reply = checked({"number": 1, "output": "x" * 10**6, "error": long}, 1, "call")
    error = reply["error"]
    assert error["type"].startswith("Bad?# Heading")
    assert len(error["type"]) == len(error["function"]) == len(error["callers"][0]) == MAX_NAME
    assert (len(error["bases"]), len(error["message"])) == (MAX_NAMES, MAX_MESSAGE)
    assert (len(reply["output"]), error["line"]) == (MAX_OUTPUT, None)


@pytest.mark.slow
@given(
    st.dictionaries(
        st.sampled_from(["number", "output", "value", "error", "changed", "parameters", "at"]),
        PLAIN,
    )
)
def test_whatever_arrives_becomes_a_reply_or_is_refused(message: dict[str, Any]) -> None:
    try:
        reply = checked(message, 0, "call", before=1)
    except WireError:
        return
    assert type(reply["output"]) is str
    assert type(reply.get("changed", False)) is bool
    assert "error" not in reply or set(map(type, reply["error"]["bases"])) <= {str}
