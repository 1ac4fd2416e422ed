"""A module whose forward and backward passes are run by the grader, on the parameters held here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch

from autograder.sandbox import wire


class AskingModule(torch.nn.Module):
    """Stands for the grader's module `target`; `consult` puts a request to the grader."""

    def __init__(self, target: wire.Handle, consult: Callable[[Mapping[str, Any]], Any]) -> None:
        super().__init__()
        self._target, self._consult = target, consult
        self._sent: list[tuple[int, int]] = []  # which parameters the grader has, in which version

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the grader's module makes of the arguments."""
        others: list[Any] = []
        watched = [*self.parameters(), *filter(torch.is_tensor, (*args, *kwargs.values()))]
        first = _Asking.apply(self, args, kwargs, others, *watched)  # type: ignore[no-untyped-call]  # torch's
        return (first, *others) if others else first

    def ask(self, operation: str, **request: Any) -> Any:
        """Put a request about the module as it is now."""
        current = [(id(value), value._version) for value in self.parameters()]
        if current != self._sent:
            state = {name: value.detach() for name, value in self.named_parameters()}
            self._consult({"op": "load", "target": self._target, "state": state})
            self._sent = current
        self._consult({"op": "mode", "target": self._target, "train": self.training})
        return self._consult({"op": operation, "target": self._target} | request)


class _Asking(torch.autograd.Function):
    """The passes; tensors to be watched stand last, as autograd wants them."""

    @staticmethod
    def forward(
        ctx: Any,
        module: AskingModule,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        others: list[Any],
        *watched: torch.Tensor,
    ) -> Any:
        ctx.module, ctx.request = module, {"args": list(args), "kwargs": kwargs}
        output = module.ask("forward", **ctx.request)
        if isinstance(output, (tuple, list)):
            output, *others[:] = output
        return output

    @staticmethod
    def backward(ctx: Any, *cotangents: torch.Tensor) -> Any:
        (cotangent,) = cotangents
        arguments = (*ctx.request["args"], *ctx.request["kwargs"].values())
        given = ctx.module.ask("gradients", **ctx.request, cotangent=cotangent, inputs=True)
        ours = [given["parameters"].get(name) for name, _ in ctx.module.named_parameters()]
        pairs = zip(arguments, given["inputs"], strict=True)
        return (None, None, None, None, *ours, *(g for value, g in pairs if torch.is_tensor(value)))
