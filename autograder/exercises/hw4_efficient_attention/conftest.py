"""Fixtures of the hidden tests of hw4_efficient_attention: drawn inputs."""

from __future__ import annotations

from autograder.exercises.drawing import draw

__all__ = ["draw"]
