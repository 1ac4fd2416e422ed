"""Laws that hold for every exercise of a kind, written once: a hidden test calls those that apply.

Each fails with a sentence about what was seen; a hidden test may append a hint of its own.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from autograder.testing import expect
from autograder.testing.comparison import describe
from autograder.testing.failures import StudentRaised
from autograder.testing.student import ModuleProxy, Student

Case = TypeVar("Case")
STEP = 3e-4  # of parameters, to see how the output changes
MAX_SLOPE_ERROR = 0.1  # of what is claimed: the step isn't tiny, and float32 rounds


def leaves_inputs_alone(
    student: Student, first: Callable[[], Any], *others: Callable[[], Any], reveals: str = ""
) -> None:
    """Require that no call changes its input; what that `reveals` is as in `expect.that`."""
    says = (
        "After a call, something that was passed in is no longer what it was. Its owner may "
        "still need it: which line writes into an argument instead of making a new value?"
    )
    for call in (first, *others):
        call()
        expect.that(not student.inputs_changed, says, reveals)


def repeats(call: Callable[[], Any], says: str = "", *, reveals: str = "") -> None:
    """Require that two equal calls return the same."""
    first, second = call(), call()
    says = f"Asked the same twice, your code gives two answers. {says}".rstrip()
    expect.close(second, first, says, reveals=reveals)


def drops_out(call: Callable[[], Any], *, reveals: str = "") -> None:
    """Require that two equal calls, of a module in train mode with dropout, differ."""
    first, second = call(), call()
    for result in (first, second):
        assert hasattr(result, "shape"), f"An array should come back, not {describe(result)}."
    expect.that(
        first.shape != second.shape or bool((first != second).any()),
        "In train mode with dropout, two runs on the same input agree in every number.",
        reveals,
    )


def learns(
    module: ModuleProxy,
    *args: Any,
    cotangent: Any,
    draw: Callable[..., Any],
    numbers: int | None = None,
    reveals: str = "",
    reveals_more: str = "",
    reveals_fewer: str = "",
    unused: Collection[str] = (),
    **kwargs: Any,
) -> None:
    """Require that a gradient which isn't zero reaches every parameter from the first output.

    A bias may have a gradient of zero: that of keys has, by mathematics. Those that may as well be
    `unused` may have none. Gradients are what the
    student's process says, so they are compared with how much the output changes when the
    parameters do, by steps drawn by `draw(*shape)`. `numbers`, if given, is how many numbers
    are trained in all: no more, and no fewer, as where a layer is frozen. What a parameter without
    gradient, more numbers or fewer reveal is as in `expect.that`.
    """
    gradients = module.gradients(*args, cotangent=cotangent, **kwargs)
    assert gradients, "Your module has no parameters that can learn."
    resting = [name for name in unused if name in gradients and gradients[name] is None]
    gradients = {name: each for name, each in gradients.items() if name not in resting}
    for name, gradient in gradients.items():
        expect.that(
            gradient is not None,
            f"No gradient reaches `{name}`, so it would never learn. Is it used at all, and does "
            "any step between it and the result leave PyTorch, or stop gradients?",
            reveals,
        )
        assert gradient.isfinite().all(), f"The gradient of `{name}` isn't finite."
        expect.that(
            name.endswith("bias") or bool(gradient.any()),
            f"The gradient of `{name}` is zero everywhere: a small change of it changes nothing.",
            reveals,
        )
    trained = sum(gradient.numel() for gradient in gradients.values())
    trained += sum(math.prod(module.parameters()[name]) for name in resting)
    expect.that(
        numbers is None or trained <= numbers,
        f"Your module trains {trained} numbers, but those of the layers that the exercise names "
        f"are {numbers}. Which of your parameters should stay as it is?",
        reveals_more,
    )
    expect.that(
        numbers is None or trained >= numbers,
        f"Your module trains only {trained} numbers, but the layers that the exercise names have "
        f"{numbers}. Which of them are frozen, missing, or made in another way than it says?",
        reveals_fewer,
    )
    _change_the_output(module, gradients, draw, lambda: module(*args, **kwargs), cotangent)


def _change_the_output(
    module: ModuleProxy,
    gradients: Mapping[str, Any],
    draw: Callable[..., Any],
    run: Callable[[], Any],
    cotangent: Any,
) -> None:
    """Require that the output changes with the parameters as their `gradients` say.

    Each number goes the way that its gradient says is up, by a drawn step, so that whatever is
    claimed adds up and an invented gradient can't hide in a sum near zero.
    """
    uphill = {name: draw(*each.shape).abs().copysign(each) for name, each in gradients.items()}
    claimed = sum(float((gradients[name] * step).sum()) for name, step in uphill.items())
    before = {name: value for name, value in module.state().items() if name in uphill}
    outputs = []
    for step in (STEP, -STEP):
        module.load({name: before[name] + step * each for name, each in uphill.items()})
        output = run()
        first = output[0] if isinstance(output, (tuple, list)) and output else output
        expect.array(first, tuple(cotangent.shape), "tensor")
        outputs.append(first.double())
    module.load(before)
    measured = float(((outputs[0] - outputs[1]) * cotangent).sum()) / (2 * STEP)
    assert abs(measured - claimed) <= MAX_SLOPE_ERROR * claimed, (
        "When all parameters change a little, the output doesn't change as their gradients say. "
        "Does every step on the way from the parameters to the result belong to PyTorch?"
    )


def learns_with(module: ModuleProxy, *args: Any, cotangent: Any, says: str, **given: Any) -> None:
    """Require that what learns without the arguments `given` by name learns with them as well.

    A parameter that doesn't learn without them, or a call that fails there, is another test's.
    Biases are left out: what reaches that of keys is nothing but rounding.
    """
    try:
        without = module.gradients(*args, cotangent=cotangent)
    except StudentRaised:
        return
    weights = [name for name in without if not name.endswith("bias")]
    learning = [name for name in weights if _is_effective(without[name])]
    if not learning:
        return
    gradients = module.gradients(*args, cotangent=cotangent, **given)
    for name in learning:
        assert _is_effective(gradients.get(name)), (
            f"{says} the gradient that reaches `{name}` is missing, zero, or no number, though it "
            "is none of these without. Which step is taken only then, and what does it do to "
            "gradients?"
        )


def _is_effective(gradient: Any) -> bool:
    return gradient is not None and bool(gradient.isfinite().all()) and bool(gradient.any())


def reaches_input(
    module: ModuleProxy, *args: Any, place: int, called: str, cotangent: Any, **kwargs: Any
) -> None:
    """Require a gradient that isn't zero at argument `place`; those given by name come last."""
    gradients = module.input_gradients(*args, cotangent=cotangent, **kwargs)
    gradient = gradients[place] if place < len(gradients) else None
    assert gradient is not None and bool(gradient.any()), (
        f"No gradient reaches `{called}`, so whatever made it could not learn from this module's "
        "mistakes. Does any step on the way leave PyTorch, or stop gradients?"
    )


def agrees_at(
    cases: Iterable[Case],
    ours: Callable[[Case], Any],
    theirs: Callable[[Case], Any],
    says: Callable[[Case], str],
    tolerance: float = 1e-5,
) -> None:
    """Require ours(case) ≈ theirs(case) for each case, in the order given.

    Cases of different sizes that are put to one object (short, long, short again) find what it
    keeps from an earlier call; sizes of 1 find axes that are lost.
    """
    for case in cases:
        expect.close(ours(case), theirs(case), says(case), tolerance)


def ignores_its_mode(
    student: Student, module: ModuleProxy, call: Callable[[], Any], *, reveals: str = ""
) -> None:
    """Require that `call` repeats in eval mode and in train mode, alike, and changes no input.

    The `module` that it asks is in eval mode before, and in train mode afterwards. What a changed
    input `reveals` is as in `expect.that`.
    """
    evaluated = call()
    leaves_inputs_alone(student, call, reveals=reveals)
    repeats(call, "That is in eval mode.")
    module.train()
    repeats(call, "That is in train mode, where there should be no dropout either.")
    leaves_inputs_alone(student, call, reveals=reveals)
    expect.close(
        call(),
        evaluated,
        "In train mode the result differs from that in eval mode. Nothing in this exercise depends "
        "on the mode: what in your code does?",
    )


def changes_each_position(result: Any, x: Any) -> None:
    """Require finite numbers of the shape of a tensor `x` that neither are `x`, nor repeat.

    They repeat if the first and the last position, along the second axis, have the same: no law may
    hold of an answer that computes nothing.
    """
    expect.array(result, tuple(x.shape), "tensor")
    assert result.isfinite().all(), "Your result contains nan or infinity."
    is_constant = x.shape[1] > 1 and bool((result[:, 0] == result[:, -1]).all())
    assert not is_constant and bool((result != x).any()), (
        "Your module returns what it was given, or the same for every token. Which of its layers "
        "have a part in the result?"
    )
