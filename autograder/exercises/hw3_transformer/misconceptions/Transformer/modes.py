"""What learners get wrong in Transformer: modes, and sizes that have no effect."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="transformer-n-heads-without-effect",
        description="Doesn't hand n_heads on",
        message="With one head and with four, models of yours that have the same parameters return "
        "the same logits. The number of heads changes no weights, but which features look "
        "together. Which layers get `n_heads` from you?",
        edits={
            "d_model, n_heads, d_ff, dropout, batch_first": "d_model, 2, d_ff, dropout, batch_first"
        },
        pairs=False,
    ),
    Variant(
        tag="transformer-layers-missing",
        description="One layer more adds too few weights: on one side alone, shared, or frozen",
        message="One more layer should add a feed-forward network of d_ff hidden features to the "
        "encoder and one to the decoder. To your model it adds fewer numbers that can learn than "
        "these two have. On which side do they fail to arrive, and why?",
        edits={
            "[self.encoder_layer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]": "["
            "self.encoder_layer(d_model, n_heads, d_ff, dropout)]"
        },
        pairs=False,
    ),
    Variant(
        tag="transformer-layers-share-weights",
        description="The decoder's list holds one layer n_layers times",
        message="The layers of your decoder are one and the same, n_layers times over: a list that "
        "is multiplied repeats what it holds and makes nothing new. Each layer should have weights "
        "of its own. How does a loop make them, and when?",
        edits={
            "[self.decoder_layer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]": "["
            "self.decoder_layer(d_model, n_heads, d_ff, dropout)] * n_layers"
        },
        pairs=False,
    ),
    Variant(
        tag="transformer-encoder-frozen",
        description="Freezes the encoder's parameters",
        message="The parameters of your encoder don't ask for gradients, so they would stay as "
        "they were born. A table of positions may be frozen; whoever has to learn to read may not. "
        "What sets `requires_grad` to False, and for whom?",
        edits={
            "self.to_logits = ": "self.encoder.requires_grad_(False)\n        self.to_logits = ",
        },
        pairs=False,
    ),
    Variant(
        tag="transformer-embedding-without-gradient",
        description="Looks up the embedding of the source under no_grad",
        message="No gradient reaches your embedding of the source: it is looked up where PyTorch "
        "keeps no record. Its rows are drawn at random at first, and have to learn like all else. "
        "Which step is under `no_grad`, or detached?",
        edits={
            "x = self.src_embedding(src)\n": "with torch.no_grad():\n"
            "            x = self.src_embedding(src)\n"
        },
        pairs=False,
    ),
    Variant(
        tag="transformer-dropout-in-eval-mode",
        description="Drops out in eval mode as well",
        message="With dropout=0.5, two runs of your model differ in eval mode, where it should "
        "rest. Dropout is an exercise for training. `model.eval()` tells every layer that PyTorch "
        "knows of; `F.dropout` must be told by you. Who isn't told in yours?",
        edits={
            "max_len=64, dropout=0.0):\n        super().__init__()\n": "max_len=64, dropout=0.0):\n"
            "        super().__init__()\n        self.p = dropout\n",
            "logits = self.to_logits(y)": "logits = self.to_logits(F.dropout(y, self.p))",
        },
        pairs=False,
    ),
    Variant(
        tag="transformer-dropout-ignored",
        description="Drops out nothing, whatever dropout says",
        message="With dropout=0.5, two runs of your model in train mode agree in every number: "
        "nothing drops out. The argument has a meaning only where a layer gets it. Which of your "
        "layers does?",
        edits={"d_ff, dropout, batch_first=True": "d_ff, 0.0, batch_first=True"},
        pairs=False,
    ),
    Variant(
        tag="transformer-modes-differ",
        description="Train mode and eval mode differ without dropout: a mask in one mode only",
        message="Without dropout, train mode and eval mode should give the same logits, but in "
        "your model they differ. Nothing else depends on the mode: what holds in training holds in "
        "use. What do you do in one of the two modes only?",
        edits={
            "tgt_mask=hidden": "tgt_mask=hidden if not self.training else None",
        },
        pairs=False,
    ),
    Variant(
        tag="transformer-drawn-anew",
        description="Something is drawn at random in each call, in eval mode and without dropout",
        message="Asked the same twice, in eval mode and with dropout=0.0, your model gives two "
        "answers: something is drawn anew in each call. A layer that is made inside `forward` "
        "begins from scratch every time and could never learn. What does your `forward` make?",
        edits={"logits = self.to_logits(y)": "logits = self.to_logits(y + torch.rand(1))"},
        pairs=False,
    ),
)
