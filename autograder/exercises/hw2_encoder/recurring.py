"""What misconceptions of several exercises share: edits of a right answer, and words."""

from __future__ import annotations

from autograder.testing import Variant

# The guards on built-ins are not in place where variants are asked: they raise like this.
FORBIDDEN = """\
class Forbidden(RuntimeError):
    pass


"""

NOT_ALLOWED = 'raise Forbidden("not allowed in this exercise")'

# Words of mistakes that can be made in several modules: what is wrong is the same in each.
NO_BIAS = (
    "A linear layer of yours, or each of them, has no bias. The exercise asks for `nn.Linear` as "
    "it comes. Without a bias, a layer can make nothing but 0 of 0. Which of its arguments do you "
    "set?"
)
NO_GRADIENT_AT_ALL = (
    "No gradient comes back from your result, so nothing in this "
    "module can learn. `no_grad`, `detach`, `.data`, NumPy and a new `torch.tensor(…)` all cut the "
    "thread. Which of them stands between your layers and the result?"
)
LAYERS_FROZEN = (
    "Your module trains fewer numbers than the layers that the exercise names have. PyTorch trains "
    "what is a parameter of the module and isn't frozen, and counts what stands there under two "
    "names once. Print the shape of each parameter and its `requires_grad`, and look for what is "
    "missing."
)
TRAINS_TOO_MUCH = (
    "Besides the layers that the exercise names, your module trains numbers of its own. Weights "
    "that were trained elsewhere have none for them, and the formula has no place. Which "
    "parameters do you make that nobody asked for?"
)
TRANSPOSED_WHERE_NEEDED = (
    "Where there are as many keys as a key has entries, you multiply with the keys as they are, "
    "since the sizes fit without a transpose. That a product runs doesn't make it the right one: a "
    "query should meet each key, and a key is a row. What does your code ask of the shapes?"
)
ZEROS_HIDDEN = (
    "A token {} gets no attention in your code, as if it were padding. No number means padding: "
    "what has no features, or some that cancel out, is a token like any other. Which line of yours "
    "decides who counts?"
)
ZEROS = {  # tag, description and what is asked of `{0}`
    "zeros-hidden": ("whose features are all 0", "({0} == 0).all(-1)"),
    "zero-sums-hidden": ("whose features sum to 0", "{0}.sum(-1) == 0"),
}
SIGN_LOST = (
    "A key that points away from a query gets as much of its attention as one that points the same "
    "way: the scores have lost their sign on the way to the softmax. A score of -3 says that a key "
    "doesn't fit, and softmax makes little of it. What in your code takes the minus away?"
)
NEGATIVE_SCORES_CUT = (
    "No score of yours is below 0 when it comes to the softmax: a key that doesn't fit at all gets "
    "the same share as one whose score is 0. Softmax takes negative numbers as they are, and makes "
    "little of them. What in your code makes 0 of what is negative?"
)
SCALED_ON_ONE_SIDE = (
    "Your scores are divided by something smaller than equation 1 has, so your weights come out "
    "too sharp: a fourth root fits them. Some share the division between queries and keys, a "
    "fourth root each. Does yours reach both?"
)
SCORES_WITHOUT_GRADIENT = (
    "No gradient comes back through your weights, so queries and keys "
    "would never learn where to look. `detach`, `.data`, NumPy and a new `torch.tensor(…)` all cut "
    "the thread. Which of them stands between the projections and the weights?"
)
NUMPY_MEETS_GRADIENTS = (
    "Your module works as long as nothing learns, and fails in training: NumPy can't take a tensor "
    "that carries gradients, and none would come back from it. PyTorch has functions of its own "
    "for what you called NumPy for."
)
ATTENTION_DROPOUT = (
    "In train mode, two runs of your module on the same input differ, as they do with dropout. "
    "Some implementations drop weights out, but this exercise has no rate to set it by. Its text "
    "has nothing between softmax and values."
)
ATTENTION_DROPOUT_ALWAYS = (
    "Two runs of your module on the same input differ, in eval mode too: some weights are set to 0 "
    "at random, and the others enlarged. A function that drops out doesn't know the mode unless it "
    "is told. But this exercise asks for no dropout at all: its text has nothing between softmax "
    "and values."
)
SQUEEZED = (
    "Where an axis has length 1, it gets lost in your result: one sentence, or one token, is as "
    "good as many. `squeeze()` without a number removes every axis of length 1. Which axis did you "
    "mean, and was there one to remove?"
)
UNSHIFTED = (
    "With scores of some hundreds your softmax breaks: e to such a power is more than float32 can "
    "hold. Homework 1 had a remedy that leaves the shares as they are. It comes before the "
    "exponential."
)
SHIFTED_BY_ALL = (
    "A row of scores far below those of another row is left with nothing to share out in your "
    "module, though alone it does well. So it goes where one number, like the largest of the whole "
    "tensor, is subtracted from all rows. A row should be measured by its own scores."
)
HALF_INSTEAD_OF_ROOT = (
    "Your scores are divided by half the number of features, not by its root. If there is a power "
    "in your code: `**` binds more tightly than `/`. What does `16 ** 1 / 2` give, and what would "
    "the root of 16 be?"
)
TWICE_INSTEAD_OF_ROOT = (
    "Your scores are divided by twice the number of features, not by its root. If there is a power "
    "in your code: `**` binds more tightly than `/`. What does `16 ** -1 / 2` give, and what would "
    "the root of 1/16 be?"
)
RESULT_KEPT = (
    "Given other numbers in the same shape, your module answers with what it had computed before: "
    "something is kept on the object, and used again where it no longer fits. A module keeps its "
    "layers from call to call. What it finds belongs to one input."
)


def keeping(tag: str, description: str, edits: dict[str, str]) -> Variant:
    """Return the mistake whose `edits` keep something in `self.kept` from call to call."""
    start = "super().__init__()"
    return Variant(
        tag=tag,
        description=description,
        message=RESULT_KEPT,
        pairs=False,  # what else is wrong hardly shows
        edits={start: f"{start}\n        self.kept = {{}}"} | edits,
    )


COSINE = (
    "You bring queries and keys to length 1 before they meet, so that only their directions "
    "count. The formula multiplies them as they were projected, where a long key may outweigh the "
    "others. Which line makes all lengths alike?"
)
COSINE_ALONE = (
    "You bring queries and keys to length 1 before they meet, so that only their directions "
    "count. The formula multiplies them as they were projected, where a long key may outweigh the "
    "others, and one number divides all scores alike."
)
DISTANCE = (
    "You compare queries and keys by how far apart they are. The formula multiplies them, so that "
    "long ones count for more. Which operation stands between Q and Kᵀ?"
)
LAYERS_IN_FORWARD = (
    "Asked the same twice, your module gives two answers, and its own layers don't learn: new ones "
    "are drawn in each call. What is made inside `forward` begins from scratch every time. Layers "
    "that are made in `__init__` are made once."
)


def scaled_by_a_constant(prefix: str, root: str) -> tuple[Variant, ...]:
    """Return variants of a reference that divides by `root`: a number stands in its place."""
    return tuple(
        Variant(
            tag=f"{prefix}-scaled-by-a-constant{suffix}",
            description=f"Divides the scores by {number}, however many features a query has",
            message=f"Your scores are divided by {number}, however many features a query has. "
            f"{number} is right for {number**2} of them{where}. What in the formula stands under "
            "the root?",
            edits={root: str(number)},
        )
        for suffix, number, where in (
            ("", 8, ", the paper's own number"),
            ("-of-two", 2, ""),
            ("-of-four", 4, ""),
        )
    )
