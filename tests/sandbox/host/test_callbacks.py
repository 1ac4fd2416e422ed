"""A callback has exactly the fields of its operation, exact types, and costs the grader little."""

from typing import Any

import numpy as np
import pytest
import torch

from autograder.sandbox.host.callbacks import MAX_TOGETHER, MAX_VALUES, is_allowed
from autograder.sandbox.wire import Handle, Opaque, Stream

TARGET = Handle("k", "Model")
CALL = {"op": "call", "name": "softmax", "args": [], "kwargs": {}, "key": "softmax-0"}
FORWARD = {"op": "forward", "target": TARGET, "args": [torch.ones(2, 3)], "kwargs": {"mask": None}}
GRADIENTS = FORWARD | {"op": "gradients", "cotangent": torch.ones(2, 3), "inputs": True}
LOAD = {"op": "load", "target": TARGET, "state": {"w": torch.ones(2)}}


class Text(str):
    """Looks like a text."""


@pytest.mark.parametrize(
    "request_",
    [
        CALL | {"args": [np.ones(3), np.float64(1), 2, 0.5, "relu", (1, 2), Stream([1])]},
        FORWARD,
        GRADIENTS,
        LOAD,
        {"op": "mode", "target": TARGET, "train": False},
        {"op": "state", "target": TARGET},
    ],
    ids=lambda request: request["op"],
)
def test_what_a_stand_in_asks_for_is_allowed(request_: dict[str, Any]) -> None:
    assert is_allowed(request_)


@pytest.mark.parametrize(
    "request_",
    [
        None,
        [],
        {},
        {"op": ["call"]},
        {"op": "run", "source": "1"},
        CALL | {"seed": 1},
        {name: value for name, value in CALL.items() if name != "key"},
        CALL | {"op": Text("call")},
        CALL | {"name": Text("softmax")},
        CALL | {"name": "x" * 100},
        CALL | {"key": 1},
        CALL | {"args": (1,)},
        CALL | {"kwargs": []},
        CALL | {"args": [b"1"]},
        CALL | {"args": [5000]},
        CALL | {"args": [2.0 + 1j]},
        CALL | {"args": [[np.ones(3000)]]},
        CALL | {"args": [torch.ones(1 << 11, 1 << 10)]},
        CALL | {"args": [[0] * MAX_VALUES]},
        CALL | {"args": [np.zeros((1 << 10, 1 << 10), bool)] * (1 + (MAX_TOGETHER >> 20))},
        FORWARD | {"target": "k"},
        FORWARD | {"target": Opaque("Model")},
        GRADIENTS | {"inputs": 1},
        GRADIENTS | {"cotangent": 1.0},
        LOAD | {"state": {"w": 1.0}},
        LOAD | {"state": [torch.ones(2)]},
        {"op": "mode", "target": TARGET, "train": 1},
    ],
    ids=lambda request: str(request)[:70],
)
def test_everything_else_is_refused(request_: Any) -> None:
    assert not is_allowed(request_)
