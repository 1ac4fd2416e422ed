"""What learners get wrong in DecoderBlock: parts."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="decoder-batch-first-forgotten",
        description="Makes both attentions without batch_first=True",
        message="Unless told otherwise, torch's attention takes the first axis for the sequence, "
        "so yours lets tokens look at the other *sequences* of the batch, and the mask doesn't "
        "even fit. One argument tells it where the batch is.",
        edits={", batch_first=True": ""},
    ),
    Variant(
        tag="decoder-self-attention-across-the-batch",
        description="Turns x to (t, batch, d_model) for self-attention made with batch_first=True",
        message="Your self-attention lets a token look at the tokens in the same place of *other* "
        "sentences. Made with `batch_first=True`, torch's attention takes (batch, t, d_model) as "
        "it comes. Which two axes change places on the way in?",
        edits={
            "torch.ones(x.shape[1], x.shape[1])": "torch.ones(len(x), len(x))",
            "q = x\n": "q = x.transpose(0, 1)\n",
            "self.dropout(attended)": "self.dropout(attended.transpose(0, 1))",
        },
    ),
    Variant(
        tag="decoder-no-relu",
        description="No ReLU between linear1 and linear2",
        message="Nothing happens between linear1 and linear2 of your block, so the two are no "
        "better than a single linear layer. What stood between them in your encoder?",
        edits={"F.relu(self.linear1(r))": "self.linear1(r)"},
    ),
    Variant(
        tag="decoder-gelu",
        description="GELU instead of ReLU",
        message="Between linear1 and linear2 your block has a GELU, as many later models do. Small "
        "negative features get through it. The exercise asks for a ReLU.",
        edits={"F.relu(self.linear1(r))": "F.gelu(self.linear1(r))"},
    ),
    Variant(
        tag="decoder-relu-after-linear2",
        description="A second ReLU, after linear2",
        message="What your feed-forward network adds is never negative, as if a ReLU stood "
        "after linear2: a feature can be pushed up and never down. Where does the exercise ask for "
        "a ReLU?",
        edits={"self.linear2(inner)": "F.relu(self.linear2(inner))"},
    ),
    Variant(
        tag="decoder-feed-forward-reads-norm1",
        description="The feed-forward network reads what norm1 returned",
        message="Your feed-forward network reads what self-attention made, so it knows nothing of "
        "what cross-attention found. In the picture, which box does its arrow come from?",
        edits={"r = z\n": "r = y\n"},
    ),
    Variant(
        tag="decoder-pair-not-unpacked",
        description="Goes on with the pair that an attention returns",
        message="`nn.MultiheadAttention` returns two things, and you go on with both at once: a "
        "tuple can't be dropped out or added to x. What are the two, and which one do you need?",
        edits={"attended, _ =": "attended ="},
    ),
    Variant(
        tag="decoder-other-names",
        description="Has no attribute multihead_attn: names of its own, or never made",
        message="Your block has no attribute `multihead_attn`, so we can't set its weights, and "
        "nothing else could be tested. Capitals and underscores count. Compare the names in your "
        "`__init__` with those in the exercise.",
        edits={"self.multihead_attn": "self.cross_attn"},
    ),
    Variant(
        tag="decoder-one-batch-first-forgotten",
        description="Makes multihead_attn without batch_first=True",
        message="One of your two attentions takes the first axis for the sequence, as torch does "
        "unless told otherwise, and the other takes it for the batch. Compare the two lines in "
        "which they are made: which argument does only one of them have?",
        edits={
            "self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, dropout, "
            "batch_first=True)": (
                "self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, dropout)"
            )
        },
    ),
    Variant(
        tag="decoder-weights-returned-too",
        description="Returns (result, weights) where the result alone is asked for",
        message="You return two things, but one block feeds the next: what comes out should look "
        "like x.",
        edits={"found, _ =": "found, weights =", "return result": "return result, weights"},
    ),
    Variant(
        tag="decoder-first-weights-returned-too",
        description="Returns (result, weights of self-attention)",
        message="You return two things, but one block feeds the next: what comes out should look "
        "like x.",
        edits={"attended, _ =": "attended, weights =", "return result": "return result, weights"},
    ),
    Variant(
        tag="decoder-memory-normalised",
        description="Normalises the memory before cross-attention",
        message="You normalise the memory before it is looked at. What the encoder returns has "
        "already been through a norm, and its features mean something as they are. In the picture, "
        "there is nothing on the arrow from the side.",
        edits={
            "padding = memory": "memory = F.layer_norm(memory, memory.shape[-1:])\n"
            "        padding = memory"
        },
    ),
    *(
        Variant(
            tag=f"decoder-memory-through-norm{number}",
            description=f"Applies norm{number} to the memory before cross-attention",
            message=f"You apply norm{number} to the memory before it is looked at. What the "
            "encoder returns has already been through a norm of its own. In the picture, there is "
            "nothing on the arrow from the side, and each norm of the block is there once.",
            edits={
                "padding = memory": f"memory = self.norm{number}(memory)\n        padding = memory"
            },
        )
        for number in (1, 2)
    ),
    Variant(
        tag="decoder-four-heads-by-default",
        description="Has the default n_heads=4",
        message="Unless told otherwise, your block has four heads instead of eight. Compare the "
        "first line of your `__init__` with the exercise, default by default.",
        edits={"n_heads=8": "n_heads=4"},
    ),
    Variant(
        tag="decoder-d-ff-of-the-paper",
        description="Has the default d_ff=2048",
        message="Unless told otherwise, your block has 2048 hidden features, as in the paper. "
        "Compare the first line of your `__init__` with the exercise, default by default.",
        edits={"d_ff=512": "d_ff=2048"},
    ),
    Variant(
        tag="decoder-other-argument-names",
        description="The arguments of __init__ have other names, such as torch's",
        message="With its arguments in order your block can be made, and by the names in the "
        "exercise it can't: your `__init__` calls some argument something else. (PyTorch's own "
        "layer says `nhead` and `dim_feedforward`.) Compare its first line with the exercise, "
        "name by name.",
        edits={"n_heads": "nhead", "d_ff": "dim_feedforward"},
    ),
)
