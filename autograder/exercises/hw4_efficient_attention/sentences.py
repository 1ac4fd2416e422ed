"""What hidden tests of every attention ask about the sentences of a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from autograder.testing import expect


def stay_apart(
    attend: Callable[..., Any], given: Sequence[torch.Tensor], changed: Sequence[torch.Tensor]
) -> torch.Tensor:
    """Require that a sentence gets the same in any company; return what all of them get.

    What is `changed` has other keys and values: a result that these don't move says nothing.
    """
    together = attend(*given)
    shape = tuple(given[0].shape)
    expect.array(together, shape, "tensor")
    assert not torch.allclose(together[0], together[1]), (
        "Two different sentences get the same result."
    )
    other = attend(*changed)
    expect.array(other, shape, "tensor")
    assert not torch.allclose(other, together), (
        "Keys and values were changed, and your result stayed the same."
    )
    for some in (slice(0, 2), slice(1, len(together))):
        expect.close(
            attend(*(part[some] for part in given)),
            together[some],
            "A sentence should get the same, whatever is beside it in the batch, and yours "
            "doesn't. Each query meets the keys and values of its own sentence. What does your "
            "code do with the axis of the batch?",
        )
    return torch.as_tensor(together)
