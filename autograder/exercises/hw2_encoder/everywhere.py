"""What learners get wrong in any module: slips that are the same whatever it computes.

Each makes a variant of an exercise (`prefix` begins its tag) from the wrong answer `source`.
"""

from __future__ import annotations

from autograder.testing import Variant

# The guards on built-ins are not in place where variants are asked: they raise like this.
FORBIDDEN = """\
class Forbidden(RuntimeError):
    pass


"""

NOT_ALLOWED = 'raise Forbidden("not allowed in this exercise")'


def nothing_returned(prefix: str, source: str) -> Variant:
    """Forget the return of forward."""
    return Variant(
        tag=f"{prefix}-nothing-returned",
        description="Computes, but returns nothing",
        message="Your forward returns None, though it computes something. A function hands back "
        "what follows `return`, on every way through it: is yours there, and outside any `if`?",
        source=source,
    )


def other_names(prefix: str, attribute: str, source: str) -> Variant:
    """Give the attributes names of one's own."""
    return Variant(
        tag=f"{prefix}-other-names",
        description=f"Has no attribute {attribute}: names of its own, or never made",
        message=f"Your module has no attribute `{attribute}`, so we can't set its weights, and "
        "nothing else could be tested. Capitals and underscores count. How do the names in your "
        "`__init__` differ from those in the exercise?",
        source=source,
    )


def no_bias(prefix: str, layer: str, source: str) -> Variant:
    """Make the linear layers without bias."""
    return Variant(
        tag=f"{prefix}-no-bias",
        description="Makes the linear layers without bias",
        message=f"Your {layer} has no bias, while the exercise asks for `nn.Linear` as it comes, "
        "and so nothing else could be tested. Which of its arguments do you set?",
        source=source,
    )


def drawn_anew(prefix: str, source: str) -> Variant:
    """Draw something in forward."""
    return Variant(
        tag=f"{prefix}-drawn-anew",
        description="Something is drawn at random in each call: fresh layers, or dropout",
        message="Asked the same twice, your module gives two answers: something is drawn anew in "
        "each call. Layers made inside `forward` begin from scratch every time and could never "
        "learn, and dropout is not asked for here. Which of the two do you find in yours?",
        source=source,
    )


def dropout_in_eval_mode(prefix: str, source: str) -> Variant:
    """Drop out in eval mode too."""
    return Variant(
        tag=f"{prefix}-dropout-in-eval-mode",
        description="Drops out in eval mode as well",
        message="In eval mode, two runs on the same input differ. Dropout is an exercise for "
        "training; whoever uses the model wants all of it. `nn.Dropout` knows the mode, "
        "`F.dropout` only if it is told: which argument tells it?",
        source=source,
    )
