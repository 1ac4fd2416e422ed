"""What learners get wrong in Transformer: learning."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="transformer-layers-in-a-plain-list",
        description="Keeps layers in a Python list: no optimiser finds them",
        message="Some of your layers are kept where PyTorch doesn't look, as in a plain Python "
        "list. They compute, but `parameters()` doesn't find them, so no optimiser will ever train "
        "them. torch has containers that register what is put into them.",
        edits={"self.decoder = nn.ModuleList(\n": "self.decoder = list(\n"},
    ),
    Variant(
        tag="transformer-memory-cut-off",
        description="Detaches the memory: the encoder gets no gradient",
        message="No gradient reaches your encoder, so it would never learn. The forward pass looks "
        "right all the same. Where on the way from encoder to decoder is the graph cut?",
        edits={"memory = x": "memory = x.detach()"},
    ),
    Variant(
        tag="transformer-one-layer-n-times",
        description="Applies the first decoder layer n_layers times",
        message="You apply one and the same decoder layer again and again; the others have no part "
        "in the result, so no gradient reaches them. Which layer do you call in each round?",
        edits={"y = layer(y, memory": "y = self.decoder[0](y, memory"},
    ),
    Variant(
        tag="transformer-last-layer-only",
        description="Each decoder layer reads the embeddings; only the last result is kept",
        message="Each of your decoder layers reads the embeddings, and only what the last one "
        "returns is used: the others work in vain. Figure 1 shows what a layer reads.",
        edits={
            "y = layer(y, memory": "z = layer(y, memory",
            "self.to_logits(y)": "self.to_logits(z)",
        },
    ),
    Variant(
        tag="transformer-drawn-in-forward",
        description="Makes the last layer inside forward, anew in each call",
        message="Your last layer is made inside `forward`: each call draws a new one at random, "
        "and none could ever learn. A layer has to be made once, before the first call.",
        edits={
            "self.to_logits = nn.Linear(d_model, tgt_vocab)": "self.tgt_vocab = tgt_vocab",
            "self.to_logits(y)": "nn.Linear(y.shape[-1], self.tgt_vocab)(y)",
        },
    ),
    Variant(
        tag="transformer-parameters-without-gradient",
        description="Some parameters get no gradient, or zero: unused, or cut off",
        message="Some parameters of your model get no gradient from the loss, or nothing but zero, "
        "so they would never learn. Either nothing that they compute reaches the logits, or the "
        "way back to them is cut. Which are they, and what happens to what they compute?",
        edits={
            "self.to_logits = ": "self.norm = nn.LayerNorm(d_model)\n        self.to_logits = ",
        },
    ),
    Variant(
        tag="transformer-token-without-gradient",
        description="A token's row in an embedding gets no gradient: padding_idx",
        message="In one of your tables of tokens, a row gets no gradient although its token "
        "occurs: that token could never learn. There is no padding in this homework, so no token "
        "number is special. Which row is it, and what keeps the loss from reaching it?",
        edits={
            "nn.Embedding(src_vocab, d_model)": "nn.Embedding(src_vocab, d_model, padding_idx=0)",
        },
    ),
    Variant(
        tag="transformer-out-of-reach",
        description="No table that learns has a row for each token: a tensor, or the other "
        "vocabulary's",
        message="However many tokens one of the two vocabularies has, your model has the same "
        "number of parameters to learn. Each token of either needs features of its own, and these "
        "have to learn like all the rest. Which of your tables has a row for each of them, and is "
        "it a parameter?",
        edits={
            "self.src_embedding = nn.Embedding(src_vocab, d_model)": "self.src_embedding = "
            "torch.randn(src_vocab, d_model)",
            "self.src_embedding(src)": "self.src_embedding[src]",
        },
    ),
)
