"""What learners get wrong in SelfAttention: result."""

from __future__ import annotations

from autograder.testing import Variant

from ...recurring import (
    FORBIDDEN,
    NOT_ALLOWED,
)

MISCONCEPTIONS = (
    Variant(
        tag="self-attention-weights-first",
        description="Returns (weights, output) instead of (output, weights)",
        message="You return the weights first and the output second, as in homework 1. Here it is "
        "the other way round, as PyTorch's own attention does it. Look at the order of your "
        "`return`.",
        edits={"return output, weights": "return weights, output"},
    ),
    Variant(
        tag="self-attention-output-alone",
        description="Returns the output without the weights",
        message="You return one tensor where two are asked for. The output is there; what is "
        "missing is what tells a reader which token looked at which.",
        edits={"return output, weights": "return output"},
    ),
    Variant(
        tag="self-attention-weights-alone",
        description="Returns the weights without the output",
        message="You return the weights alone. They say where each token looks, but not yet what "
        "it takes home: both are to be returned, the output first.",
        edits={"return output, weights": "return weights"},
    ),
    Variant(
        tag="self-attention-weights-returned-transposed",
        description="Returns the transposed weights",
        message="The weights that you return lie on their side: a column of "
        "theirs belongs to the token that looks. Where do you turn them?",
        edits={"return output, weights": "return output, weights.transpose(1, 2)"},
    ),
    Variant(
        tag="self-attention-three-results",
        description="Returns (output, weights, scores)",
        message="You return three things, the scores among them. Two are asked for, (output, "
        "weights), as PyTorch's own attention does it. Which is one too many?",
        edits={"return output, weights": "return output, weights, scores"},
    ),
    Variant(
        tag="self-attention-weights-rounded",
        description="Rounds the weights to three decimals",
        message="You round the weights. That is pleasant to read, but a token's no longer sum to "
        "1, and nothing can be learnt through a rounding. Rounding is for printing.",
        edits={"torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-1).round(decimals=3)"},
    ),
    Variant(
        tag="self-attention-results-rounded",
        description="Rounds what is returned to three decimals",
        message="You round what you return. That is pleasant to read, but the next layer has lost "
        "the rest of the digits, and nothing can be learnt through a rounding. Rounding is for "
        "printing.",
        edits={
            "return output, weights": "return output.round(decimals=3), weights.round(decimals=3)"
        },
    ),
    Variant(
        tag="self-attention-built-in-function",
        description="Calls F.scaled_dot_product_attention",
        message="You let PyTorch's own function attend. It is switched off here, for this part is "
        "about the wheels inside: a product, a scale, a softmax, another product. You have built "
        "all of them once, in homework 1.",
        edits={
            "class Self": FORBIDDEN + "class Self",
            "scores = Q @": NOT_ALLOWED + "\n        scores = Q @",
        },
    ),
    Variant(
        tag="self-attention-built-in-layer",
        description="Wraps nn.MultiheadAttention",
        message="You wrap PyTorch's own nn.MultiheadAttention. It is switched off here, for this "
        "part is about the wheels inside; from part 5 on you may use it. The exercise names the "
        "layers; what happens between them is yours to write.",
        edits={
            "class Self": FORBIDDEN + "class Self",
            "super().__init__()": "super().__init__()\n        " + NOT_ALLOWED,
        },
    ),
    Variant(
        tag="self-attention-scores-returned",
        description="Returns the scores beside the output instead of the weights",
        message="What you return beside your output are the scores before the "
        "softmax: its rows don't sum to 1. With which of your tensors did you average the values?",
        edits={"return output, weights": "return output, scores"},
    ),
    Variant(
        tag="self-attention-one-layer-under-three-names",
        description="Makes one layer and gives it three names",
        message="W_Q, W_K and W_V are one and the same layer: a second name doesn't make a second "
        "layer, and to set the weights of one is to set all three. How often is nn.Linear called "
        "in your `__init__`?",
        edits={
            "self.W_K = nn.Linear(d_model, d_k)": "self.W_K = self.W_Q",
            "self.W_V = nn.Linear(d_model, d_k)": "self.W_V = self.W_Q",
        },
    ),
    Variant(
        tag="self-attention-sizes-exchanged",
        description="Makes layers from d_k to d_model",
        message="Your layers lead from d_k features to d_model. X comes with d_model of them. Look "
        "at the order in which `nn.Linear` takes the two.",
        edits={"nn.Linear(d_model, d_k)": "nn.Linear(d_k, d_model)"},
    ),
    Variant(
        tag="self-attention-layers-as-wide-as-x",
        description="Makes layers from d_model to d_model",
        message="Your layers lead from d_model to d_model features, so the head is as wide as X. "
        "Which argument says how wide it should be, and where have you used it?",
        edits={"nn.Linear(d_model, d_k)": "nn.Linear(d_model, d_model)"},
    ),
    Variant(
        tag="self-attention-value-layer-as-wide-as-x",
        description="Makes W_V from d_model to d_model",
        message="Your W_V leads from d_model to d_model features. In homework 1 values had a size "
        "of their own; here all three layers lead to d_k.",
        edits={"self.W_V = nn.Linear(d_model, d_k)": "self.W_V = nn.Linear(d_model, d_model)"},
    ),
    Variant(
        tag="self-attention-matrices-instead-of-layers",
        description="Makes bare matrices (nn.Parameter) instead of nn.Linear",
        message="Your `W_Q` has no `weight`: it is a bare matrix, as in homework 1, or something "
        "else that is no single layer. A layer holds a matrix and a bias: as it is, its weights "
        "can't be set, and nothing else could be tested. The exercise names the class.",
        edits={"nn.Linear(d_model, d_k)": "nn.Parameter(torch.randn(d_model, d_k))"},
    ),
    Variant(
        tag="self-attention-value-layer-never-made",
        description="Never makes W_V",
        message="Your module has no attribute `W_V`, so its weights can't be set, and nothing else "
        "could be tested. What a token can be found by and what it has to tell are two things. So "
        "the exercise names three layers.",
        edits={"        self.W_V = nn.Linear(d_model, d_k)\n": "", "self.W_V(X)": "X"},
    ),
    Variant(
        tag="self-attention-output-projected",
        description="Sends the output through a fourth linear layer",
        message="A fourth layer stands behind your average of the values. With several heads one "
        "will be needed there, to mix what they have found; a single head, and equation 1, end "
        "with the average.",
        edits={
            "        self.W_V = nn.Linear(d_model, d_k)\n": (
                "        self.W_V = nn.Linear(d_model, d_k)\n"
                "        self.W_O = nn.Linear(d_k, d_k)\n"
            ),
            "output = weights @ V": "output = self.W_O(weights @ V)",
        },
    ),
    Variant(
        tag="self-attention-value-layer-without-bias",
        description="Makes W_V without bias",
        message="Your W_V has no bias, while the exercise asks for `nn.Linear` as it comes, all "
        "three times. Compare its line with those of the other two: which argument is set?",
        edits={
            "self.W_V = nn.Linear(d_model, d_k)": "self.W_V = nn.Linear(d_model, d_k, bias=False)"
        },
    ),
    Variant(
        tag="self-attention-self-missing",
        description="Calls W_Q without self",
        message="Inside a method, `W_Q` alone is looked for among the variables of the notebook. "
        "What `__init__` has made hangs on the object itself. The name needs something in front of "
        "it.",
        edits={"self.W_Q(X)": "W_Q(X)"},
    ),
    Variant(
        tag="self-attention-self-missing-in-forward",
        description="Defines forward(X) without self",
        message="Your `forward` takes X alone, but a method is handed the object itself first, and "
        "so it gets one argument too many.",
        edits={"forward(self, X)": "forward(X)"},
    ),
    Variant(
        tag="self-attention-d-k-not-kept",
        description="Reads self.d_k, which was never set",
        message="`forward` reads `self.d_k`, but nobody has put it there: the arguments of "
        "`__init__` are gone when it ends. How do you keep one for later, or which tensor has the "
        "number among its sizes?",
        edits={"        self.d_k = d_k\n": ""},
    ),
    Variant(
        tag="self-attention-d-k-out-of-reach",
        description="Reads d_k in forward, where it is not known",
        message="`forward` reads `d_k`, which is an argument of `__init__` and gone when that "
        "ends. How do you keep it for later, or which tensor has the number among its sizes?",
        edits={"math.sqrt(self.d_k)": "math.sqrt(d_k)"},
    ),
)
