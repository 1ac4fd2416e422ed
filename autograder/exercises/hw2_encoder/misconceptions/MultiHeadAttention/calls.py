"""What learners get wrong in MultiHeadAttention: what shows in training, in sizes or modes."""

from __future__ import annotations

from autograder.testing import Variant

from ....roots import whole_roots
from ... import recurring

MISCONCEPTIONS = (
    Variant(
        tag="multi-head-no-bias",
        description="Makes the linear layers without bias",
        message=recurring.NO_BIAS,
        edits={"nn.Linear(d_model, d_model)": "nn.Linear(d_model, d_model, bias=False)"},
    ),
    Variant(
        tag="multi-head-no-input-biases",
        description="Makes W_Q, W_K and W_V without bias",
        message="W_O has a bias, but the layers before the heads have none, as in some code that "
        "one finds. The exercise asks for `nn.Linear` as it comes, all four times. Which of its "
        "arguments do you set?",
        edits={
            f"self.{name} = nn.Linear(d_model, d_model)": (
                f"self.{name} = nn.Linear(d_model, d_model, bias=False)"
            )
            for name in ("W_Q", "W_K", "W_V")
        },
    ),
    Variant(
        tag="multi-head-one-layer-under-several-names",
        description="Makes one layer and calls it W_Q, W_K and W_V",
        message="W_Q, W_K and W_V are one and the same layer: a second name doesn't make a second "
        "layer, and to set the weights of one is to set all three. How often is nn.Linear called "
        "in your `__init__`?",
        edits={
            "self.W_K = nn.Linear(d_model, d_model)": "self.W_K = self.W_Q",
            "self.W_V = nn.Linear(d_model, d_model)": "self.W_V = self.W_Q",
        },
    ),
    Variant(
        tag="multi-head-no-gradient",
        description="No gradient comes back: no_grad, detach, NumPy",
        message=recurring.NO_GRADIENT_AT_ALL,
        edits={"return output": "return output.detach()"},
    ),
    Variant(
        tag="multi-head-layers-frozen",
        description="Trains fewer numbers than the layers of the exercise have",
        message=recurring.LAYERS_FROZEN,
        edits={
            "self.W_O = nn.Linear(d_model, d_model)": (
                "self.W_O = nn.Linear(d_model, d_model).requires_grad_(False)"
            )
        },
    ),
    Variant(
        tag="multi-head-trains-too-much",
        description="Trains parameters that the exercise doesn't name",
        message=recurring.TRAINS_TOO_MUCH,
        edits={
            "super().__init__()": (
                "super().__init__()\n        self.scale = nn.Parameter(torch.ones(1))"
            ),
            "self.W_O(context)": "self.scale * self.W_O(context)",
        },
    ),
    Variant(
        tag="multi-head-scores-without-gradient",
        description="No gradient reaches queries and keys: scores or weights detached",
        message=recurring.SCORES_WITHOUT_GRADIENT,
        edits={"torch.softmax(scores, dim=-1)": "torch.softmax(scores.detach(), dim=-1)"},
    ),
    Variant(
        tag="multi-head-numpy-meets-gradients",
        description="Hands a tensor to NumPy, which fails once gradients are recorded",
        message=recurring.NUMPY_MEETS_GRADIENTS,
        edits={"torch.softmax(scores": "torch.softmax(torch.from_numpy(scores.numpy())"},
    ),
    *(
        Variant(
            tag=f"multi-head-dropout-always-{told}",
            description=f"Drops out {told} of the weights, in eval mode as well",
            message=recurring.ATTENTION_DROPOUT_ALWAYS,
            same_draws=True,
            edits={"weights @ V": f"F.dropout(weights, {rate}) @ V"},
        )
        for told, rate in (("a-tenth", 0.1), ("half", 0.5))
    ),
    Variant(
        tag="multi-head-dropout",
        description="Drops out in train mode",
        message=recurring.ATTENTION_DROPOUT,
        edits={"weights @ V": "F.dropout(weights, 0.1, self.training) @ V"},
    ),
    Variant(
        tag="multi-head-squeezed",
        description="Squeezes the result: axes of length 1 are lost",
        message=recurring.SQUEEZED,
        edits={"return output": "return output.squeeze()"},
    ),
    Variant(
        tag="multi-head-softmax-unshifted",
        description="Softmax by hand without subtracting the maximum: overflows",
        message=recurring.UNSHIFTED,
        edits={
            "torch.softmax(scores, dim=-1)": (
                "torch.exp(scores) / torch.exp(scores).sum(dim=-1, keepdim=True)"
            )
        },
    ),
    Variant(
        tag="multi-head-softmax-unshifted-with-epsilon",
        description="Softmax by hand without subtracting the maximum, and a tiny number in the sum",
        message=recurring.UNSHIFTED,
        edits={
            "torch.softmax(scores, dim=-1)": (
                "torch.exp(scores) / (torch.exp(scores).sum(dim=-1, keepdim=True) + 1e-9)"
            )
        },
    ),
    Variant(
        tag="multi-head-shifted-by-the-largest-of-all",
        description="Subtracts the maximum of the whole tensor: rows underflow",
        message=recurring.SHIFTED_BY_ALL,
        edits={
            "        weights =": (
                "        powers = torch.exp(scores - scores.max())\n        weights ="
            ),
            "torch.softmax(scores, dim=-1)": "powers / powers.sum(dim=-1, keepdim=True)",
        },
    ),
    Variant(
        tag="multi-head-scaled-by-half-of-d-head",
        description="Divides by d_head ** 1 / 2, which is half of d_head",
        message=recurring.HALF_INSTEAD_OF_ROOT,
        edits={"math.sqrt(self.d_head)": "(self.d_head**1 / 2)"},
    ),
    Variant(
        tag="multi-head-scaled-by-twice-d-head",
        description="Multiplies by d_head ** -1 / 2, which is half of 1/d_head",
        message=recurring.TWICE_INSTEAD_OF_ROOT,
        edits={"math.sqrt(self.d_head)": "(2 * self.d_head)"},
    ),
    *whole_roots("multi-head", "math.sqrt(self.d_head)", "d_head"),
    *recurring.scaled_by_a_constant("multi-head", "math.sqrt(self.d_head)"),
    Variant(
        tag="multi-head-merged-with-the-length-of-the-keys",
        description="Joins the heads with n_k for the length of the result",
        message="You join the heads with the length of the keys. In self-attention the two lengths "
        "agree; here there is one result for each query, and there may be more keys, or fewer. "
        "Which tensor knows the length that you need?",
        edits={
            "self.merge(weights @ V)": (
                "(weights @ V).transpose(1, 2).reshape(len(key), key.shape[1], query.shape[-1])"
            )
        },
    ),
    Variant(
        tag="multi-head-layers-drawn-in-forward",
        description="Makes new layers for queries, keys and values in each call of forward",
        message=recurring.LAYERS_IN_FORWARD,
        edits={f"self.W_{name}(": "nn.Linear(query.shape[-1], query.shape[-1])(" for name in "QKV"},
    ),
    recurring.keeping(
        tag="multi-head-scores-kept",
        description="Keeps the scores of the first call of each shape, and uses them again",
        edits={
            "        if mask is not None": (
                "        scores = self.kept.setdefault(scores.shape, scores)\n"
                "        if mask is not None"
            ),
        },
    ),
    recurring.keeping(
        tag="multi-head-result-kept",
        description="Returns the result of the first call of each shape again",
        edits={
            "return output": "return self.kept.setdefault((query.shape, key.shape), output)",
        },
    ),
)
