"""Fixtures of the hidden tests of hw3_transformer: those of homework 2, but for its table."""

from __future__ import annotations

from autograder.exercises.hw2_encoder.conftest import draw, draw_tokens, randomise

__all__ = ["draw", "draw_tokens", "randomise"]
