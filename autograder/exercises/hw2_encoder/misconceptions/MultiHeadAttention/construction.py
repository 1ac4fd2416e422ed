"""What learners get wrong in MultiHeadAttention: construction."""

from __future__ import annotations

from autograder.testing import Variant

from ...recurring import FORBIDDEN, NOT_ALLOWED

MISCONCEPTIONS = (
    Variant(
        tag="multi-head-indivisible-accepted",
        description="Doesn't refuse a d_model that n_heads doesn't divide",
        message="Some d_model that n_heads doesn't divide is accepted, like 10 columns for 3 "
        "heads, or 4 for 8. Such a mistake should be reported when the module is made, not by "
        "strange shapes later on. A remainder tells whether one number divides another.",
        edits={"if d_model % n_heads != 0:": "if False:"},
    ),
    Variant(
        tag="multi-head-divisible-refused",
        description="Refuses a d_model that n_heads divides",
        message="Your module refuses a d_model that n_heads does divide, so nothing else of it "
        "could be tested. There is to be an error only where the columns can't be dealt out "
        "evenly. Which of the two numbers do you divide by which, and what should be left?",
        edits={"d_model % n_heads != 0": "d_model % n_heads == 0"},
    ),
    Variant(
        tag="multi-head-one-head-wide-layers",
        description="Makes W_Q, W_K and W_V as wide as one head, shared by all",
        message="Your layers have the width of a single head. Then all heads share one view, or "
        "there is only one; and the weights can't be set, so nothing else could be tested. All "
        "heads together need more columns.",
        edits={"nn.Linear(d_model, d_model)": "nn.Linear(self.d_head, self.d_head)"},
    ),
    Variant(
        tag="multi-head-indivisible-asserted",
        description="Refuses an indivisible d_model by an AssertionError",
        message="You do refuse columns that the heads can't share, but by an `assert`. A caller "
        "who wants to catch this needs the error that the exercise names. Another statement raises "
        "an error of your choice.",
        edits={
            'raise ValueError("n_heads doesn\'t divide d_model")': (
                'raise AssertionError("n_heads doesn\'t divide d_model")'
            )
        },
    ),
    Variant(
        tag="multi-head-indivisible-another-error",
        description="Refuses an indivisible d_model by another exception",
        message="You do refuse columns that the heads can't share, but by an exception of another "
        "kind. A caller catches errors by their kind, and the exercise names one.",
        edits={
            'raise ValueError("n_heads doesn\'t divide d_model")': (
                'raise Exception("n_heads doesn\'t divide d_model")'
            )
        },
    ),
    Variant(
        tag="multi-head-indivisible-runtime-error",
        description="Refuses an indivisible d_model by a RuntimeError",
        message="You do refuse columns that the heads can't share, but by a RuntimeError. A caller "
        "catches errors by their kind, and the exercise names one.",
        edits={
            'raise ValueError("n_heads doesn\'t divide d_model")': (
                'raise RuntimeError("n_heads doesn\'t divide d_model")'
            )
        },
    ),
    Variant(
        tag="multi-head-narrow-layers",
        description="Makes W_Q, W_K and W_V with d_head outputs",
        message="Your layers lead to the width of a single head, so there is only one, or all "
        "share a view; and the weights can't be set, so nothing else could be tested. All heads "
        "together need more columns.",
        edits={
            "self.W_Q = nn.Linear(d_model, d_model)": "self.W_Q = nn.Linear(d_model, self.d_head)",
            "self.W_K = nn.Linear(d_model, d_model)": "self.W_K = nn.Linear(d_model, self.d_head)",
            "self.W_V = nn.Linear(d_model, d_model)": "self.W_V = nn.Linear(d_model, self.d_head)",
        },
    ),
    Variant(
        tag="multi-head-projection-is-no-layer",
        description="Makes W_Q a list of small layers, or a bare matrix",
        message="Your `W_Q` has no `weight` of its own: it's a list of small layers, one a head, "
        "or a bare matrix. Either can work, but the exercise asks for one layer that serves all "
        "heads at once, so weights can't be set, and nothing else could be tested. It must be wide "
        "enough for all of them.",
        edits={
            "self.W_Q = nn.Linear(d_model, d_model)": (
                "self.W_Q = nn.ModuleList(nn.Linear(d_model, self.d_head) for _ in range(n_heads))"
            )
        },
    ),
    Variant(
        tag="multi-head-no-output-layer",
        description="Has no attribute W_O: another name, or never made",
        message="Your module has no attribute `W_O`, so its weights can't be set, and nothing else "
        "could be tested. Capitals and underscores count. Compare the names in your `__init__` "
        "with those in the exercise.",
        edits={"self.W_O": "self.out_proj"},
    ),
    Variant(
        tag="multi-head-output-bias-for-each-head",
        description="Sums W_O over the heads, with its bias each time",
        message="The bias of W_O comes into your result once for each head. The heads' results "
        "stand side by side, and W_O takes them all at once. How often do you add its bias?",
        edits={
            "output = self.W_O(context)": (
                "output = self.W_O(context) + (self.n_heads - 1) * self.W_O.bias"
            )
        },
    ),
    Variant(
        tag="multi-head-no-output-bias",
        description="Makes W_O without bias",
        message="Your W_O has no bias, while the exercise asks for `nn.Linear` as it comes, all "
        "four times. Compare its line with those of the other three: which argument is set?",
        edits={
            "self.W_O = nn.Linear(d_model, d_model)": (
                "self.W_O = nn.Linear(d_model, d_model, bias=False)"
            )
        },
    ),
    Variant(
        tag="multi-head-built-in-function",
        description="Calls F.scaled_dot_product_attention or its like",
        message="You let PyTorch's own function attend. It is switched off here, for this part is "
        "about the wheels inside: a product, a scale, a mask, a softmax, another product. You "
        "have built most of it once, in SelfAttention.",
        edits={
            "class Multi": FORBIDDEN + "class Multi",
            "scores = Q @": NOT_ALLOWED + "\n        scores = Q @",
        },
    ),
    Variant(
        tag="multi-head-built-in-layer",
        description="Wraps nn.MultiheadAttention",
        message="You wrap PyTorch's own nn.MultiheadAttention. It is switched off here, for this "
        "part is about the wheels inside; from part 5 on you may use it. The exercise names the "
        "layers; what happens between them is yours to write.",
        edits={
            "class Multi": FORBIDDEN + "class Multi",
            "super().__init__()": "super().__init__()\n        " + NOT_ALLOWED,
        },
    ),
)
