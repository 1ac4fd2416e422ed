"""Wrong variants that every attention with scores can have: of their scale and of their range."""

from __future__ import annotations

from autograder.testing import Variant

from ..roots import whole_roots

SOFTMAX = "torch.softmax(scores, dim=-1)"
TRANSPOSED_WHERE_NEEDED = (
    "Where there are as many keys as features, you multiply with the keys as they are, since the "
    "sizes fit without a transpose. That a product runs doesn't make it the right one: a key is a "
    "row, at any size. What does your code ask of the shapes?"
)
BY_HAND = "scores.exp() / scores.exp().sum(dim=-1, keepdim=True)"


def wrong_scales(prefix: str, d: str) -> tuple[Variant, ...]:
    """Return variants of a reference that divides by the root of `d` and applies `SOFTMAX`."""
    divided = f"scores / math.sqrt({d})"
    return (
        Variant(
            tag=f"{prefix}-not-scaled",
            description="The scores are not divided by the root of d",
            message="Your scores go into the softmax undivided, or divided by 1, so the attention "
            "is sharper than it should be. Which key wins stays the same, but by how much it wins "
            "does not. Compare with what `full_attention` divides by.",
            edits={divided: "scores"},
        ),
        Variant(
            tag=f"{prefix}-scaled-by-d",
            description="The scores are divided by d instead of its root",
            message="Your scores are divided by d, so the attention is flatter than it should "
            "be. The spread of a dot product grows with the *root* of the number of its terms.",
            edits={divided: f"scores / {d}"},
        ),
        Variant(
            tag=f"{prefix}-scaled-by-half-d",
            description="The scores are divided by d / 2, as of (d ** 1/2)",
            message="Your scores are divided by d / 2, which for d = 4 is the root of d and for "
            "other sizes isn't. If you write a root as a power: what does Python work out first in "
            "`16 ** 1/2`, the power or the division?",
            edits={divided: f"scores / ({d} / 2)"},
        ),
        Variant(
            tag=f"{prefix}-scaled-by-twice-d",
            description="The scores are divided by 2 d, as of / d ** 1/2",
            message="Your scores are divided by 2 · d, so the attention is far flatter than it "
            "should be. If you write a root as a power: what does Python work out first in "
            "`x / 16 ** 1/2`, and what last?",
            edits={divided: f"scores / (2 * {d})"},
        ),
        Variant(
            tag=f"{prefix}-multiplied-by-the-root",
            description="The scores are multiplied by the root of d instead of divided",
            message="Your scores are *multiplied* by √d, so large ones get still larger and one "
            "key takes nearly all. The scale is there to make scores smaller, the more so the "
            "more features there are. On which side of the fraction does the root belong?",
            edits={divided: f"scores * math.sqrt({d})"},
        ),
        Variant(
            tag=f"{prefix}-scaled-after-softmax",
            description="The weights are divided by the root of d, the scores are not",
            message="You divide by √d after the softmax: the shares of a token no longer sum to "
            "1, and the attention is as sharp as without a scale. The scale is for scores, not "
            "for shares.",
            edits={divided: "scores", SOFTMAX: f"{SOFTMAX} / math.sqrt({d})"},
        ),
        *whole_roots(prefix, f"math.sqrt({d})", "d"),
    )


def wrong_ranges(prefix: str, clipped: str = "torch.softmax(scores") -> tuple[Variant, ...]:
    """Return variants, of a reference that applies `SOFTMAX`, that fail for large scores alone.

    In `clipped` stand the scores that may be clipped: none is hidden yet.
    """
    return (
        Variant(
            tag=f"{prefix}-exponentials-unshifted",
            description="The softmax by hand, without subtracting the largest score",
            message="With scores in the hundreds your shares become nan, which ordinary ones "
            "never show. e⁵⁵⁰ is ∞ in float32, e⁻³⁵⁰ is 0, and ∞ / ∞ and 0 / 0 are no "
            "numbers. Softmax doesn't mind if all scores of a query are moved alike. By how much "
            "would you move them?",
            edits={SOFTMAX: BY_HAND},
        ),
        Variant(
            tag=f"{prefix}-scores-clipped",
            description="Scores are clipped on both sides",
            message="Beyond some size your scores are cut off, above and below, so keys whose "
            "scores lie out there count alike, however far apart they were. Only differences "
            "matter to softmax: what may be taken off all scores of a query without changing them?",
            edits={clipped: clipped.replace("scores", "scores.clamp(-50, 50)")},
        ),
        Variant(
            tag=f"{prefix}-large-scores-clipped",
            description="Scores are clipped above",
            message="Beyond some size your scores are cut off, so keys with large scores count "
            "alike, however far apart they were. Only differences matter to softmax, so the same "
            "number may be taken off all scores of a query.",
            edits={clipped: clipped.replace("scores", "scores.clamp(max=80)")},
        ),
    )
