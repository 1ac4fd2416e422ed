"""A torch module whose parameters live here, and whose passes the grader runs."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from autograder.sandbox import wire


class RemoteModule(torch.nn.Module):
    """Represents the grader's module `target`; `call_back` sends a request to the grader."""

    def __init__(self, target: wire.Handle, call_back: Callable[[Mapping[str, Any]], Any]) -> None:
        super().__init__()
        self._target, self._call_back = target, call_back
        self._sent: list[tuple[int, int]] = []  # id and version of each parameter sent last
        self._sent_mode: bool | None = None

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        others: list[Any] = []
        tracked = [*self.parameters(), *filter(torch.is_tensor, (*args, *kwargs.values()))]
        first = _RemotePass.apply(self, args, kwargs, others, *tracked)  # type: ignore[no-untyped-call]  # torch's
        return (first, *others) if others else first

    def ask(self, operation: str, **request: Any) -> Any:
        """Send a request, after bringing the grader's module up to date."""
        current = [(id(value), value._version) for value in self.parameters()]
        if current != self._sent:
            state = {name: value.detach() for name, value in self.named_parameters()}
            self._call_back({"op": "load", "target": self._target, "state": state})
            self._sent = current
        if self.training != self._sent_mode:
            self._call_back({"op": "mode", "target": self._target, "train": self.training})
            self._sent_mode = self.training
        return self._call_back({"op": operation, "target": self._target} | request)


class _RemotePass(torch.autograd.Function):
    """The forward and backward pass; autograd tracks the tensors at the end of the arguments."""

    @staticmethod
    def forward(
        ctx: Any,
        module: RemoteModule,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        others: list[Any],
        *tracked: torch.Tensor,
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
        reply = ctx.module.ask("gradients", **ctx.request, cotangent=cotangent, inputs=True)
        ours = [reply["parameters"].get(name) for name, _ in ctx.module.named_parameters()]
        pairs = zip(arguments, reply["inputs"], strict=True)
        return (None, None, None, None, *ours, *(g for value, g in pairs if torch.is_tensor(value)))
