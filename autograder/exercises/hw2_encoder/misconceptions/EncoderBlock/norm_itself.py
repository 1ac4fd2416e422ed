"""What learners get wrong in EncoderBlock: how a norm is made, or what it computes."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="block-batch-norm",
        description="Batch norm instead of layer norm",
        message="Your norms take each feature over all tokens of the batch, where a layer norm "
        "takes each token over its own features; in eval mode they go by what they saw in "
        "training. What becomes of a token shouldn't depend on the others.",
        edits={
            "nn.LayerNorm(": "nn.BatchNorm1d(",
            "self.norm1(total)": "self.norm1(total.mT).mT",
            "self.norm2(total)": "self.norm2(total.mT).mT",
        },
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
    ),
    Variant(
        tag="block-norms-over-the-sentence",
        description="Both norms are over all tokens of a sentence together",
        message="Your norms measure mean and spread over a whole sentence, so padding and length "
        "have a say in every token. A layer norm looks at one token's features at a time. Along "
        "which axis do those lie?",
        edits={
            f"self.norm{number}(total)": (
                f"F.layer_norm(total, total.shape[1:]) * self.norm{number}.weight "
                f"+ self.norm{number}.bias"
            )
            for number in (1, 2)
        },
    ),
    Variant(
        tag="block-third-norm",
        description="Ends with a third layer norm",
        message="Your block ends with a third norm. In the picture each of the two sums has one, "
        "and the second is the end of the block. Which line is too many?",
        edits={
            "        self.norm2 = nn.LayerNorm(d_model)\n": (
                "        self.norm2 = nn.LayerNorm(d_model)\n"
                "        self.norm3 = nn.LayerNorm(d_model)\n"
            ),
            "return result": "return self.norm3(result)",
        },
    ),
    Variant(
        tag="block-norm-epsilon",
        description="Makes the norms with an eps of its own (1e-3)",
        message="Your norms have an `eps` of their own, so where a token's features lie close "
        "together, the result differs. The exercise asks for `nn.LayerNorm` as it comes. Which of "
        "its arguments do you set?",
        edits={"nn.LayerNorm(d_model)": "nn.LayerNorm(d_model, eps=1e-3)"},
    ),
    Variant(
        tag="block-norm-smaller-epsilon",
        description="Makes the norms with a smaller eps (1e-6)",
        message="Your norms have an `eps` of their own, so where a token's features lie close "
        "together, the result differs. The exercise asks for `nn.LayerNorm` as it comes. Which of "
        "its arguments do you set?",
        edits={"nn.LayerNorm(d_model)": "nn.LayerNorm(d_model, eps=1e-6)"},
    ),
    Variant(
        tag="block-norm-smallest-epsilon",
        description="Makes the norms with BERT's eps (1e-12)",
        message="Your norms have an `eps` of their own, so where a token's features lie close "
        "together, the result differs. The exercise asks for `nn.LayerNorm` as it comes. Which of "
        "its arguments do you set?",
        edits={"nn.LayerNorm(d_model)": "nn.LayerNorm(d_model, eps=1e-12)"},
    ),
    Variant(
        tag="block-norm-without-weights",
        description="Norms have no `weight`: affine switched off, or a class of its own",
        message="Your norms have no `weight`, as `nn.LayerNorm` has it, and so nothing else could "
        "be tested. The exercise asks for `nn.LayerNorm` as it comes. How are yours made?",
        edits={"nn.LayerNorm(d_model)": "nn.LayerNorm(d_model, elementwise_affine=False)"},
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
        "back to the width of x. The sum that it normalises is as wide as x.",
        edits={"self.norm2 = nn.LayerNorm(d_model)": "self.norm2 = nn.LayerNorm(d_ff)"},
    ),
    Variant(
        tag="block-norm-of-a-fixed-length",
        description="Makes the norms for (10, d_model): one length only",
        message="Your norms are made for sentences of 10 tokens, and normalise each as a whole. A "
        "layer norm looks at one token's features at a time, however many tokens there are. So it "
        "needs no length.",
        edits={"nn.LayerNorm(d_model)": "nn.LayerNorm((10, d_model))"},
    ),
)
