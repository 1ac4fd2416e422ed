"""Wrong variants of every attention that divides by a root: the root of 5 is no whole number."""

from __future__ import annotations

from autograder.testing import Variant


def whole_roots(prefix: str, root: str, size: str) -> tuple[Variant, ...]:
    """Return variants of a reference that divides by `root`, which sentences call √`size`."""
    message = (
        f"You divide by a whole number near √{size}, so where the root isn't whole your weights "
        "are a little off. What makes a whole number of it?"
    )
    return (
        Variant(
            tag=f"{prefix}-scale-cut-off",
            description=f"Cuts the root of {size} off to a whole number",
            message=message,
            edits={root: f"int({root})"},
        ),
        Variant(
            tag=f"{prefix}-scale-rounded",
            description=f"Rounds the root of {size} to a whole number",
            message=message,
            edits={root: f"round({root})"},
        ),
    )
