"""Parameters of layers, set by hidden tests."""

from __future__ import annotations

from torch import nn


def silence(*layers: nn.Module) -> None:
    """Set all parameters of `layers` to zero: what they compute says nothing."""
    for layer in layers:
        for parameter in layer.parameters():
            parameter.zero_()
