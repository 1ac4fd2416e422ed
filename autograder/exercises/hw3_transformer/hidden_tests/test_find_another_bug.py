"""Hidden test of `find_another_bug`: a student's wrong attention and a right one, with heads."""

from __future__ import annotations

from typing import Any

import torch

from autograder.testing import (
    Bugs,
    ModuleProxy,
    Student,
    describe,
    expect_difference,
    implementation,
    open_ended,
    points,
)

pytestmark = open_ended

MAX_SIZE, MAX_ENTRY = 16, 100
NAMES = ("query", "key", "value")
SETUP = "import math\nimport torch\nfrom torch import nn"


@points(3, "on your input, your bug returns something else than a right attention with heads")
def test_the_bug_shows(student: Student, bugs: Bugs) -> None:
    """With your heads, sequences and mask, your bug clearly differs from a right attention."""
    found = student.find_another_bug()
    wrong, (n_heads, sequences, mask) = bugs.found_in(found, "the input", attention_input)
    expect_difference(
        *(module_of(source, sequences[0].shape[2], n_heads) for source in (bugs.reference, wrong)),
        *sequences,
        mask,
    )


def module_of(source: str, d_model: int, n_heads: int) -> ModuleProxy:
    """Return the module of a source, in eval mode, always with the same weights."""
    module: ModuleProxy = implementation(SETUP, source).MultiHeadAttention(d_model, n_heads)
    generator = torch.Generator().manual_seed(2017)
    shapes = module.parameters()
    drawn = (torch.randn(shape, generator=generator) for shape in shapes.values())
    module.load({name: each * d_model**-0.5 for name, each in zip(shapes, drawn, strict=True)})
    module.eval()
    return module


def attention_input(given: Any) -> tuple[int, list[torch.Tensor], torch.Tensor | None]:
    """Return n_heads, the three sequences and the mask; raise `AssertionError` if they don't fit.

    What they must be is what `MultiHeadAttention` asks for, and small.
    """
    assert isinstance(given, (tuple, list)) and len(given) == 5, (
        f"The input should be (n_heads, query, key, value, mask), but it is {describe(given)}."
    )
    n_heads, *sequences, mask = given
    for name, each in zip(NAMES, sequences, strict=True):
        is_tensor = isinstance(each, torch.Tensor) and each.dim() == 3 and not each.is_complex()
        assert is_tensor, (
            f"{name} should be a tensor (batch, n, d_model) of numbers, but it is {describe(each)}."
        )
        shape = tuple(each.shape)
        assert min(shape) > 0 and max(shape) <= MAX_SIZE, (
            f"{name} has the shape {shape}: sizes from 1 to {MAX_SIZE} are enough."
        )
        assert bool((each.double().abs() <= MAX_ENTRY).all()), (
            f"The entries of {name} should be numbers from {-MAX_ENTRY} to {MAX_ENTRY}."
        )
    query, key, value = ((*each.shape[::2], each.shape[1]) for each in sequences)
    assert query[:2] == key[:2] and key == value, (
        f"query, key and value have the shapes {[tuple(each.shape) for each in sequences]}. They "
        "share batch and d_model, and each key has a value."
    )
    batch, d_model, n_q = query
    is_divisor = type(n_heads) is int and 0 < n_heads <= d_model and d_model % n_heads == 0
    assert is_divisor, f"n_heads should be a whole number that divides d_model = {d_model}."
    expect_mask(mask, (batch, n_heads, n_q, key[2]))
    return n_heads, [each.float() for each in sequences], mask


def expect_mask(mask: Any, shape: tuple[int, ...]) -> None:
    """Require None, or a mask that broadcasts to `shape` and lets each query attend some key."""
    if mask is None:
        return
    assert isinstance(mask, torch.Tensor) and mask.dtype == torch.bool and mask.dim() >= 2, (
        "The mask should be None, or a tensor of booleans with two axes at least, but it is "
        f"{describe(mask)}."
    )
    sizes = zip(reversed(mask.shape), reversed(shape), strict=False)
    fits = mask.dim() <= 4 and all(size in (1, wanted) for size, wanted in sizes)
    assert fits, (
        f"The mask has the shape {tuple(mask.shape)}, which doesn't broadcast to {shape}: (batch, "
        "n_heads, n_q, n_k)."
    )
    assert bool(mask.any(dim=-1).all()), (
        "The mask hides every key from some query. What attention should return then, nobody says."
    )
