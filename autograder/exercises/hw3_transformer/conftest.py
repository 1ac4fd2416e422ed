"""Fixtures of the hidden tests of hw3_transformer: drawn inputs and drawn weights."""

from __future__ import annotations

from autograder.exercises.drawing import draw, draw_tokens, randomise

__all__ = ["draw", "draw_tokens", "randomise"]
