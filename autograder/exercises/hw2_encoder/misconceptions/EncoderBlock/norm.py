"""What learners get wrong in EncoderBlock: norm."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="block-pre-norm",
        description="Pre-norm: normalises before each sublayer instead of after each sum",
        message="Your norms stand before the sublayers, which is called pre-norm; many later "
        "models do that. The paper's block normalises elsewhere, and then the same weights mean "
        "something else. In the picture, which box follows each sum?",
        edits={
            "x, x, x": "y, y, y",
            "        attended, _": "        y = self.norm1(x)\n        attended, _",
            "self.norm1(total)": "total",
            "self.linear1(normed)": "self.linear1(self.norm2(normed))",
            "self.norm2(total)": "total",
        },
        pairs=False,
    ),
    Variant(
        tag="block-norm-before-the-sum",
        description="Normalises each sublayer's output, then adds the residual",
        message="You normalise what each sublayer returns and add the residual afterwards, so the "
        "sums grow from block to block. The formula has one pair of brackets around something. "
        "What does it put inside LayerNorm(…)?",
        edits={
            "x + attended": "x + self.norm1(attended)",
            "self.norm1(total)": "total",
            "normed + transformed": "normed + self.norm2(transformed)",
            "self.norm2(total)": "total",
        },
        pairs=False,
    ),
    Variant(
        tag="block-one-norm-twice",
        description="Uses norm1 in both places",
        message="You call norm1 twice and norm2 never. Fresh norms are all alike, so at first "
        "nobody can tell; once trained, each has a scale and a shift of its own. Which one belongs "
        "around the feed-forward network?",
        edits={"self.norm2(": "self.norm1("},
    ),
    Variant(
        tag="block-first-norm-missing",
        description="Doesn't apply norm1",
        message="After attention and its residual, your block goes straight on: norm1 is made but "
        "never called. Follow the formula for one sublayer from the inside out. What is the last "
        "step?",
        edits={"self.norm1(total)": "total"},
    ),
    Variant(
        tag="block-second-norm-missing",
        description="Doesn't apply norm2",
        message="Your block ends with a sum: norm2 is made but never called, so the next block "
        "gets larger and larger numbers. Follow the formula for one sublayer from the inside out. "
        "What is the last step?",
        edits={"self.norm2(total)": "total"},
    ),
    Variant(
        tag="block-norms-exchanged",
        description="Uses norm2 after attention and norm1 at the end",
        message="norm1 and norm2 have changed places. Fresh norms are all alike, so at first "
        "nobody can tell; once trained, each has a scale and a shift of its own. Which one "
        "belongs around attention?",
        edits={
            "self.norm1(total)": "self.norm2(total)",
            "result = self.norm2": "result = self.norm1",
        },
        pairs=False,
    ),
    Variant(
        tag="block-second-norm-twice",
        description="Uses norm2 in both places, or one norm under two names",
        message="Both of your norms act with the weights of norm2. Fresh norms are all alike, so "
        "at first nobody can tell; once trained, each has a scale and a shift of its own. Is "
        "`nn.LayerNorm` called twice in `__init__`, and each of the two once in `forward`?",
        edits={"self.norm1(": "self.norm2("},
        pairs=False,
    ),
    Variant(
        tag="block-first-norm-before-the-sum",
        description="Normalises what attention returns, then adds the residual",
        message="You normalise what attention returns and add the residual afterwards. The "
        "formula has one pair of brackets around something. What does it put inside LayerNorm(…)?",
        edits={"x + attended": "x + self.norm1(attended)", "self.norm1(total)": "total"},
        pairs=False,
    ),
    Variant(
        tag="block-second-norm-before-the-sum",
        description="Normalises what linear2 returns, then adds the residual",
        message="You normalise what the feed-forward network returns and add the residual "
        "afterwards. The formula has one pair of brackets around something. What does it put "
        "inside LayerNorm(…)?",
        edits={
            "normed + transformed": "normed + self.norm2(transformed)",
            "self.norm2(total)": "total",
        },
        pairs=False,
    ),
    Variant(
        tag="block-pre-norm-of-the-query-alone",
        description="Pre-norm, with the norm on the query but not on key and value",
        message="Your norms stand before the sublayers (pre-norm), and in attention on the query "
        "alone. The paper's block normalises elsewhere, and there query, key and value are one "
        "tensor. In the picture, which box follows each sum?",
        edits={
            "x, x, x": "self.norm1(x), x, x",
            "self.norm1(total)": "total",
            "self.linear1(normed)": "self.linear1(self.norm2(normed))",
            "self.norm2(total)": "total",
        },
        pairs=False,
    ),
    Variant(
        tag="block-pre-norm-residual-normalised",
        description="Pre-norm, with residuals from the normalised tensors",
        message="Your norms stand before the sublayers (pre-norm), and the residuals start behind "
        "them. The paper's block normalises elsewhere. In the picture, which box follows each "
        "sum, and where does its arrow begin?",
        edits={
            "        attended, _": "        x = self.norm1(x)\n        attended, _",
            "normed = self.norm1(total)": "normed = self.norm2(total)",
            "self.norm2(total)\n        return": "total\n        return",
        },
        pairs=False,
    ),
    Variant(
        tag="block-pre-norm-around-attention",
        description="Pre-norm around attention, post-norm around the feed-forward network",
        message="Your first norm stands before attention, your second after its sum. The paper's "
        "block has both in the same place. In the picture, which box follows each sum?",
        edits={
            "x, x, x": "y, y, y",
            "        attended, _": "        y = self.norm1(x)\n        attended, _",
            "self.norm1(total)": "total",
        },
        pairs=False,
    ),
    Variant(
        tag="block-norm-before-and-after",
        description="Normalises before attention and after the sum",
        message="norm1 is called twice around attention: on x before, and on the sum after. Each "
        "norm has one turn. In the picture, which box follows the sum, and is there one in front "
        "of attention?",
        edits={
            "x, x, x": "y, y, y",
            "        attended, _": "        y = self.norm1(x)\n        attended, _",
        },
        pairs=False,
    ),
    Variant(
        tag="block-norm-over-the-sentence",
        description="Normalises over all tokens of a sentence together",
        message="Your first norm measures mean and spread over a whole sentence, so padding and "
        "length have a say in every token. A layer norm looks at one token's features at a time. "
        "Along which axis do those lie?",
        edits={
            "self.norm1(total)": (
                "F.layer_norm(total, total.shape[1:]) * self.norm1.weight + self.norm1.bias"
            )
        },
        pairs=False,
    ),
    Variant(
        tag="block-norm-epsilon",
        description="Makes the norms with an eps of its own (1e-3)",
        message="Your norms have an `eps` of their own, so where a token's features lie close "
        "together, the result differs. The exercise asks for `nn.LayerNorm` as it comes. Which of "
        "its arguments do you set?",
        edits={"nn.LayerNorm(d_model)": "nn.LayerNorm(d_model, eps=1e-3)"},
        pairs=False,
    ),
    Variant(
        tag="block-norm-smaller-epsilon",
        description="Makes the norms with a smaller eps (1e-6)",
        message="Your norms have an `eps` of their own, so where a token's features lie close "
        "together, the result differs. The exercise asks for `nn.LayerNorm` as it comes. Which of "
        "its arguments do you set?",
        edits={"nn.LayerNorm(d_model)": "nn.LayerNorm(d_model, eps=1e-6)"},
        pairs=False,
    ),
    Variant(
        tag="block-norm-without-weights",
        description="Norms have no `weight`: affine switched off, or a class of its own",
        message="Your norms have no `weight`, as `nn.LayerNorm` has it, and so nothing else could "
        "be tested. The exercise asks for `nn.LayerNorm` as it comes. How are yours made, and what "
        "are their parameters called?",
        edits={"nn.LayerNorm(d_model)": "nn.LayerNorm(d_model, elementwise_affine=False)"},
        pairs=False,
    ),
    *(
        Variant(
            tag=f"block-norm-{tag}",
            description=f"Computes its own norm, {description}",
            message=message,
            edits={
                f"self.norm{i}(total)": (
                    f"(total - total.mean(-1, keepdim=True)) / {spread}"
                    f" * self.norm{i}.weight + self.norm{i}.bias"
                )
                for i in (1, 2)
            },
            pairs=False,
        )
        for tag, description, spread, message in (
            (
                "unbiased",
                "with the variance divided by n - 1",
                "torch.sqrt(total.var(-1, keepdim=True) + 1e-5)",
                "Your norms divide by a spread that is a little too large, as if the features "
                "were a sample of more: torch's `std` and `var` do that unless told otherwise, "
                "layer norm doesn't. By how many does the mean of squares divide?",
            ),
            (
                "unbiased-and-eps-outside",
                "with std (divided by n - 1) plus eps",
                "(total.std(-1, keepdim=True) + 1e-5)",
                "Your norms divide by a spread that is a little too large, as if the features "
                "were a sample of more, and add their eps to its root. `nn.LayerNorm` does both in "
                "another way. By how many does it divide, and is its eps inside the root?",
            ),
            (
                "eps-outside",
                "with eps outside the root",
                "(total.std(-1, keepdim=True, unbiased=False) + 1e-5)",
                "Where a token's features lie close together, your norms differ from "
                "`nn.LayerNorm`: there, eps is a small variance; in yours it is a small spread. Is "
                "it added before the root is taken, or after?",
            ),
        )
    ),
    Variant(
        tag="block-norm-of-the-hidden-size",
        description="Makes norm2 for d_ff features",
        message="Your norm2 is made for d_ff features. By the time it is called, linear2 has led "
        "back to the width of x. How many features has the sum that it normalises?",
        edits={"self.norm2 = nn.LayerNorm(d_model)": "self.norm2 = nn.LayerNorm(d_ff)"},
        pairs=False,
    ),
    Variant(
        tag="block-norm-of-a-fixed-length",
        description="Makes the norms for (10, d_model): one length only",
        message="Your norms are made for sentences of 10 tokens, and normalise each as a whole. A "
        "layer norm looks at one token's features at a time, however many tokens there are. Which "
        "size alone does it need?",
        edits={"nn.LayerNorm(d_model)": "nn.LayerNorm((10, d_model))"},
        pairs=False,
    ),
)
