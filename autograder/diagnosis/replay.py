"""A replay of a test's calls against a known answer, only as far as it is needed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache, partial
from types import ModuleType
from typing import Any

import numpy as np

from autograder.diagnosis.calls import Calls
from autograder.diagnosis.deadline import within
from autograder.errors import CourseError
from autograder.sandbox.guest.runner import Runner
from autograder.sandbox.host.callbacks import call_back_here, models_in
from autograder.sandbox.host.in_process import PlainShell

MAX_SECONDS = 10  # for one call: a known mistake may loop where nobody expects it
_NUMPY_FRESH = 624  # the position of a Mersenne twister that was seeded and not used yet


@dataclass
class Replay:
    """A known answer in a namespace of its own, which is asked one call after the other."""

    calls: Calls
    _runner: Runner
    _next: int = field(default=0, init=False)

    @classmethod
    def of(cls, calls: Calls, source: str, namespace: Mapping[str, Any]) -> Replay:
        """Run `source` in a copy of `namespace`; raise `CourseError` if it raises."""
        # arrays from setup cells are copied, because some mistakes write into them
        own = {name: _fresh(value) for name, value in namespace.items()}
        runner = Runner(PlainShell(own))
        reply = runner.answer({"op": "run", "source": source}).message()
        if "error" in reply:
            raised = f"raised {reply['error']['type']} ({reply['error']['message']})"
            raise CourseError(f"The course's own code fails: it {raised}; correct it.")
        return cls(calls, runner)

    def can_reach(self, calls: Calls, place: int) -> bool:
        """Tell whether a call of a test is still to come."""
        return calls is self.calls and self._next <= place

    def advance(self, place: int) -> Iterator[tuple[bytes, bytes, bool]]:
        """Replay the calls up to `place`.

        Yield of each its history, the frame of the reply, and whether random numbers were drawn.
        """
        for at in range(self._next, place + 1):
            self._next = at + 1
            request = self.calls.exchanges[at].request
            self._runner.call_back = partial(call_back_here, list(models_in(request)))
            with within(MAX_SECONDS):  # the error that this raises becomes the reply
                frame = self._runner.answer(self.calls.request(at)).whole()
            yield self.calls.histories[at], frame, _has_drawn(request["seed"])


def _fresh(value: Any) -> Any:
    # a module may have an attribute `shape` too, as numpy does
    is_array = hasattr(value, "shape") and not isinstance(value, ModuleType)
    return deepcopy(value) if is_array else value


def _has_drawn(seed: int) -> bool:
    """Tell whether random numbers were drawn since the generators were seeded with `seed`."""
    if np.random.get_state(legacy=False)["state"]["pos"] != _NUMPY_FRESH:
        return True
    torch = sys.modules.get("torch")
    return torch is not None and not torch.equal(
        torch.default_generator.get_state(), _state_after(seed)
    )


@lru_cache(maxsize=256)  # every suspect is asked with the same seeds
def _state_after(seed: int) -> Any:
    """Return the state of PyTorch's generator when it has just been seeded."""
    import torch

    return torch.Generator().manual_seed(seed).get_state()
