"""What learners get wrong in Transformer: modes, and sizes that have no effect."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="transformer-n-heads-without-effect",
        description="Doesn't hand n_heads on",
        message="Given the same parameters, your model with one head and your model with four "
        "return the same logits. The number of heads changes no weights, only which features look "
        "together. Which layers get `n_heads` from you?",
        edits={
            "d_model, n_heads, d_ff, dropout, batch_first": "d_model, 2, d_ff, dropout, batch_first"
        },
    ),
    Variant(
        tag="transformer-n-heads-on-one-side",
        description="Hands n_heads to the encoder's layers alone",
        message="`n_heads` has an effect on one side of your model only. The number of heads "
        "changes no weights, only which features look together, so it is easily forgotten. Every "
        "attention should get it, in the encoder as in the decoder.",
        edits={
            "TransformerDecoderLayer(d_model, n_heads,": "TransformerDecoderLayer(d_model, 2,",
        },
    ),
    Variant(
        tag="transformer-layers-missing",
        description="Too few weights learn: no encoder, layers missing, shared, unused or frozen",
        message="Two layers on each side have four feed-forward networks between them. In your "
        "model fewer numbers get a gradient than these four have: a layer is missing, or shared, "
        "or nothing that it computes is used, or no gradient gets back to it. Follow a source "
        "through your `forward`: which layers does it pass before the decoder looks at it, and "
        "which does the target pass?",
        edits={
            "[self.encoder_layer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]": "["
            "self.encoder_layer(d_model, n_heads, d_ff, dropout)]"
        },
    ),
    Variant(
        tag="transformer-layers-share-weights",
        description="The decoder's list holds one layer n_layers times",
        message="The layers of your decoder are one and the same, n_layers times over. A list that "
        "is multiplied repeats what it holds and makes nothing new; neither does a loop that puts "
        "in the same layer each time. Each layer should have weights of its own. Where, and how "
        "often, is a layer made?",
        edits={
            "[self.decoder_layer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]": "["
            "self.decoder_layer(d_model, n_heads, d_ff, dropout)] * n_layers"
        },
    ),
    Variant(
        tag="transformer-encoder-frozen",
        description="Freezes the encoder's parameters",
        message="The parameters of your encoder don't require gradients, so they would never "
        "learn. A table of positions may be frozen, but an encoder has to learn to read. Where is "
        "`requires_grad` set to False?",
        edits={
            "self.to_logits = ": "self.encoder.requires_grad_(False)\n        self.to_logits = ",
        },
    ),
    Variant(
        tag="transformer-embedding-without-gradient",
        description="Looks up the embedding of the source under no_grad",
        message="No gradient reaches your embedding of the source: it is looked up where PyTorch "
        "keeps no record. Its rows start out random and have to learn like everything else. Which "
        "step is under `no_grad`, or detached?",
        edits={
            "x = self.src_embedding(src)\n": "with torch.no_grad():\n"
            "            x = self.src_embedding(src)\n"
        },
    ),
    Variant(
        tag="transformer-dropout-in-eval-mode",
        description="Drops out in eval mode as well",
        message="With dropout=0.5, two runs of your model differ even in eval mode. Dropout is for "
        "training alone. `model.eval()` tells every layer that PyTorch knows of; `F.dropout` has "
        "to be told separately. Which part of yours hasn't been told?",
        edits={
            "max_len=64, dropout=0.0):\n        super().__init__()\n": "max_len=64, dropout=0.0):\n"
            "        super().__init__()\n        self.p = dropout\n",
            "logits = self.to_logits(y)": "logits = self.to_logits(F.dropout(y, self.p))",
        },
    ),
    Variant(
        tag="transformer-dropout-ignored",
        description="Drops out nothing, whatever dropout says",
        message="With dropout=0.5, two runs of your model in train mode agree in every number: "
        "nothing drops out. The argument takes effect only where a layer gets it. Which of your "
        "layers get it?",
        edits={"d_ff, dropout, batch_first=True": "d_ff, 0.0, batch_first=True"},
    ),
    Variant(
        tag="transformer-modes-differ",
        description="Train mode and eval mode differ without dropout: a mask in one mode only",
        message="Without dropout, train mode and eval mode should give the same logits, but in "
        "your model they differ. Nothing else should depend on the mode: what holds in training "
        "holds in use. What do you do in only one of the two modes?",
        edits={
            "tgt_mask=hidden": "tgt_mask=hidden if not self.training else None",
        },
    ),
    # Before the next one, which also gives two answers: what is drawn can't be compared.
    Variant(
        tag="transformer-keeps-something",
        description="A call leaves something in the module that changes the logits of later calls",
        message="What your model answers depends on what it was asked before: each call leaves "
        "something behind that a later one uses. The logits belong to one source, one target, and "
        "the parameters. What does your `forward` store, in `self` or elsewhere?",
        edits={
            "logits = self.to_logits(y)": 'self.calls = getattr(self, "calls", 0) + 1\n'
            "        logits = self.to_logits(y) / self.calls"
        },
    ),
    Variant(
        tag="transformer-drawn-anew",
        description="Something is drawn at random in each call, in eval mode and without dropout",
        message="Asked the same thing twice, in eval mode and with dropout=0.0, your model gives "
        "two answers: something is drawn anew in each call. A layer that is made inside `forward`, "
        "for example, starts from scratch every time and could never learn.",
        edits={"logits = self.to_logits(y)": "logits = self.to_logits(y + torch.rand(1))"},
    ),
    Variant(
        tag="transformer-writes-into-its-arguments",
        description="Changes the tensors that forward is given",
        message="After a call, the source or the target is no longer what it was: your `forward` "
        "writes into a tensor that was passed in. The caller may still need it. Look for a line "
        "that changes a tensor instead of making a new one.",
        edits={
            "self.tgt_embedding(tgt)": "self.tgt_embedding(tgt.clone())",
            "return logits": "tgt[:, -1] = 0\n        return logits",
        },
    ),
)
