"""What learners get wrong in Transformer."""  # noqa: N999 - the name of the exercise

from __future__ import annotations

from autograder.misconceptions import Variant

# It is free inside, so an answer agrees with these only if it draws its weights in the same order.
REFERENCE = """\
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=64, n_heads=4, d_ff=128, n_layers=2,
                 max_len=64, dropout=0.0):
        super().__init__()
        self.src_embedding = nn.Embedding(src_vocab, d_model)
        self.tgt_embedding = nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("positions", positional_encoding(max_len, d_model))
        self.encoder = nn.ModuleList(
            [self.encoder_layer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.decoder = nn.ModuleList(
            [self.decoder_layer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.to_logits = nn.Linear(d_model, tgt_vocab)

    def encoder_layer(self, d_model, n_heads, d_ff, dropout):
        return nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)

    def decoder_layer(self, d_model, n_heads, d_ff, dropout):
        return nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)

    def forward(self, src, tgt):
        x = self.src_embedding(src)
        x = x + self.positions[: src.shape[1]]
        for layer in self.encoder:
            x = layer(x)
        memory = x
        y = self.tgt_embedding(tgt)
        y = y + self.positions[: tgt.shape[1]]
        hidden = torch.ones(tgt.shape[1], tgt.shape[1]).triu(1).bool()
        for layer in self.decoder:
            y = layer(y, memory, tgt_mask=hidden)
        logits = self.to_logits(y)
        return logits
"""

WRONG_SIGHT = (
    Variant(
        tag="transformer-no-mask",
        description="The decoder gets no causal mask",
        message="Your decoder sees the whole target at every position, also what it is to predict. "
        "Its loss will fall to nothing in training, and it won't be able to write a word. Who "
        "hides the tokens that come later?",
        edits={", tgt_mask=hidden": ""},
    ),
    Variant(
        tag="transformer-mask-inverted",
        description="Hands a mask with True = may attend to torch's layers",
        message="Each position of your decoder sees only what comes *after* it, and the last one "
        "sees nothing and becomes nan. The masks of torch's layers mean the opposite of yours. "
        "What does True say to them?",
        edits={"triu(1)": "tril()"},
    ),
    Variant(
        tag="transformer-mask-strict",
        description="The mask hides the diagonal too: no token sees itself",
        message="In your decoder no token sees itself, so the first one has nothing to look at and "
        "becomes nan. The token that is read is already written. Does the diagonal belong to what "
        "is hidden?",
        edits={"triu(1)": "triu()"},
    ),
    Variant(
        tag="transformer-mask-in-the-first-layer-only",
        description="Only the first decoder layer gets the causal mask",
        message="The first layer of your decoder is causal, the next ones aren't, and one leak is "
        "enough: what a layer mixes in from later tokens reaches the logits. Which layers need the "
        "mask?",
        edits={
            "y = layer(y, memory, tgt_mask=hidden)": "y = layer(y, memory, tgt_mask=hidden)\n"
            "            hidden = None"
        },
    ),
    Variant(
        tag="transformer-source-ignored",
        description="The decoder never sees what the encoder found",
        message="Whatever the source says, your logits stay the same: what the encoder found "
        "doesn't arrive in the decoder. What is the `memory` that your decoder layers look at?",
        edits={"memory = x": "memory = torch.zeros_like(x)"},
    ),
    Variant(
        tag="transformer-encoder-skipped",
        description="The decoder looks at the embedded source; the encoder isn't applied",
        message="Your decoder looks at the embeddings of the source as they are: the encoder is "
        "made, and never gets anything to read. What goes through its layers, and what becomes of "
        "the result?",
        edits={"x = layer(x)": "layer(x)"},
    ),
    Variant(
        tag="transformer-target-shifted",
        description="Shifts the target to the right inside forward",
        message="Your model shifts the target before reading it, so position i doesn't know the "
        "token i yet. To feed the target without its last token is the business of whoever calls "
        "the model. What should the logits at position i follow?",
        edits={"self.tgt_embedding(tgt)": "self.tgt_embedding(F.pad(tgt, (1, 0))[:, :-1])"},
    ),
    Variant(
        tag="transformer-arguments-swapped",
        description="forward(tgt, src): takes the target for the source",
        message="Your forward takes its two arguments the other way round: it is called as "
        "`model(src, tgt)`, source first. Which of them decides how many positions get logits?",
        edits={"def forward(self, src, tgt)": "def forward(self, tgt, src)"},
    ),
)

WRONG_ORDER = (
    Variant(
        tag="transformer-no-positions-in-the-source",
        description="Adds no positions to the source",
        message="For your model the source is a bag of tokens: in any order it says the same. "
        "Attention by itself doesn't know where a token stands. What tells your decoder, and who "
        "tells your encoder?",
        edits={"        x = x + self.positions[: src.shape[1]]\n": ""},
    ),
    Variant(
        tag="transformer-no-positions-in-the-target",
        description="Adds no positions to the target",
        message="For your decoder what was written is a bag of tokens: with earlier ones exchanged "
        "it says the same. (Several causal layers leak the order, but don't rely on it.) What "
        "tells your encoder where a token stands?",
        edits={"        y = y + self.positions[: tgt.shape[1]]\n": ""},
    ),
    Variant(
        tag="transformer-one-position-for-all",
        description="Adds the same row of positions to every token",
        message="You add the same row of the table to every token, so it tells nothing of where a "
        "token stands. The table has a row for each position. How many rows does a sequence of n "
        "tokens need?",
        edits={
            "self.positions[: src.shape[1]]": "self.positions[0]",
            "self.positions[: tgt.shape[1]]": "self.positions[0]",
        },
        pairs=False,
    ),
    Variant(
        tag="transformer-positions-over-the-batch",
        description="Numbers the sequences of the batch instead of the tokens",
        message="You number the sequences of a batch, not the tokens of a sequence: all tokens of "
        "a sequence get the same row, and it depends on who stands beside them. Which axis counts "
        "tokens?",
        edits={
            "self.positions[: src.shape[1]]": "self.positions[: len(src), None]",
            "self.positions[: tgt.shape[1]]": "self.positions[: len(tgt), None]",
        },
        pairs=False,
    ),
    Variant(
        tag="transformer-batch-first-forgotten",
        description="Makes torch's layers without batch_first=True",
        message="torch's layers take the first axis for the sequence unless told otherwise, so "
        "yours mix the *sequences* of a batch instead of the tokens of each. Which argument tells "
        "them where the batch is, and have all of them got it?",
        edits={"d_ff, dropout, batch_first=True": "d_ff, dropout"},
    ),
)

WRONG_LOGITS = (
    Variant(
        tag="transformer-probabilities",
        description="Returns probabilities (a softmax at the end)",
        message="You return probabilities. The loss applies a softmax itself, and a softmax of a "
        "softmax is nearly flat, so learning gets slow and poor. What are the scores called that "
        "stand before it?",
        edits={"return logits": "return torch.softmax(logits, dim=-1)"},
    ),
    Variant(
        tag="transformer-no-logits",
        description="Returns the decoder's vectors, without the last linear layer",
        message="You return the decoder's vectors of d_model features. The last box of figure 1 "
        "turns each of them into a score for every token of a vocabulary. Which layer of yours "
        "does that, and is it called?",
        edits={"logits = self.to_logits(y)": "logits = y"},
    ),
    Variant(
        tag="transformer-source-vocabulary",
        description="The last layer has the size of the source's vocabulary",
        message="Your logits speak of the *source's* vocabulary: each position gets as many as the "
        "source has tokens to choose from. What is written are tokens of which vocabulary?",
        edits={"nn.Linear(d_model, tgt_vocab)": "nn.Linear(d_model, src_vocab)"},
    ),
    Variant(
        tag="transformer-one-embedding",
        description="Looks the target up in the source's embedding",
        message="You look up the target's tokens in the embedding of the source: where the "
        "vocabularies differ, the same number means different words, or none at all. Which of your "
        "two embeddings has never been asked?",
        edits={"self.tgt_embedding(tgt)": "self.src_embedding(tgt)"},
    ),
    Variant(
        tag="transformer-last-position-only",
        description="Returns the logits of the last position alone",
        message="You return the logits of the last position alone. To write, that is all one "
        "needs; but training predicts at every position at once. How many logits does a target of "
        "t tokens get?",
        edits={"return logits": "return logits[:, -1]"},
    ),
    Variant(
        tag="transformer-axes-exchanged",
        description="Returns (batch, tgt_vocab, t), as F.cross_entropy likes it",
        message="Your logits come as (batch, tgt_vocab, t). `F.cross_entropy` may like that, but "
        "everybody else expects the vocabulary on the last axis. Whose business is it to turn them "
        "for the loss?",
        edits={"return logits": "return logits.transpose(1, 2)"},
    ),
)

WRONG_LEARNING = (
    Variant(
        tag="transformer-layers-in-a-plain-list",
        description="Keeps layers in a Python list: no optimiser finds them",
        message="Some of your layers stand in a plain Python list. They compute, but "
        "`parameters()` doesn't find them, so no optimiser will ever train them. Which container "
        "of torch's registers what is put into it?",
        edits={"self.decoder = nn.ModuleList(\n": "self.decoder = list(\n"},
    ),
    Variant(
        tag="transformer-memory-cut-off",
        description="Detaches the memory: the encoder gets no gradient",
        message="No gradient reaches your encoder, so it would stay as it was born. The forward "
        "pass looks right all the same. Where on the way from encoder to decoder is the graph cut?",
        edits={"memory = x": "memory = x.detach()"},
    ),
    Variant(
        tag="transformer-one-layer-n-times",
        description="Applies the first decoder layer n_layers times",
        message="You apply one and the same decoder layer again and again; the others are made and "
        "never called, so no gradient reaches them. Which layer does your loop call in each round?",
        edits={"y = layer(y, memory": "y = self.decoder[0](y, memory"},
    ),
    Variant(
        tag="transformer-last-layer-only",
        description="Each decoder layer reads the embeddings; only the last result is kept",
        message="Every decoder layer of yours reads the embeddings, and only what the last one "
        "returns is used: the others work in vain. What should a layer read, if not what the one "
        "below it wrote?",
        edits={
            "y = layer(y, memory": "z = layer(y, memory",
            "self.to_logits(y)": "self.to_logits(z)",
        },
        pairs=False,
    ),
    Variant(
        tag="transformer-drawn-in-forward",
        description="Makes the last layer inside forward, anew in each call",
        message="Your last layer is made inside `forward`: in each call another one, drawn at "
        "random, which could never learn. Where do layers have to be made to be remembered?",
        edits={
            "self.to_logits = nn.Linear(d_model, tgt_vocab)": "self.tgt_vocab = tgt_vocab",
            "self.to_logits(y)": "nn.Linear(y.shape[-1], self.tgt_vocab)(y)",
        },
        pairs=False,
    ),
)

WRONG_SIZES = (
    Variant(
        tag="transformer-two-layers-always",
        description="Makes two layers whatever n_layers says",
        message="Your model has two layers whatever n_layers says: with more or fewer asked for, "
        "it stays as large as it was. Where is a number written that should be a name?",
        edits={"range(n_layers)": "range(2)"},
        pairs=False,
    ),
    Variant(
        tag="transformer-d-ff-forgotten",
        description="Doesn't hand d_ff on: torch's default of 2048",
        message="Whatever d_ff says, your feed-forward networks have the size that torch gives "
        "them by default, which is far larger. Which arguments do your layers get, and in which "
        "order do they expect them?",
        edits={
            "d_model, n_heads, d_ff, dropout, batch": "d_model, n_heads, dropout=dropout, batch"
        },
    ),
    Variant(
        tag="transformer-dropout-forgotten",
        description="Doesn't hand dropout on: torch's layers drop out a tenth by default",
        message="In train mode your model drops out a tenth, though dropout is 0.0: torch's layers "
        "have a default of their own. So small a model learns more slowly for it. What do your "
        "layers get as their fourth argument?",
        edits={"d_ff, dropout, batch_first=True": "d_ff, batch_first=True"},
    ),
    Variant(
        tag="transformer-max-len-ignored",
        description="Makes a table of positions shorter than max_len",
        message="Your table of positions has a length of its own, and longer sequences don't find "
        "a row in it. Which argument says how long sequences may get?",
        edits={"positional_encoding(max_len, d_model)": "positional_encoding(8, d_model)"},
    ),
    Variant(
        tag="transformer-nothing-returned",
        description="Computes, but returns nothing",
        message="Your forward returns None, though it computes something. A function hands back "
        "what follows `return`, on every way through it: is yours there, and outside any loop?",
        edits={"return logits": "logits"},
        pairs=False,
    ),
)

MISCONCEPTIONS = (
    *WRONG_SIGHT,
    *WRONG_ORDER,
    *WRONG_LOGITS,
    *WRONG_LEARNING,
    *WRONG_SIZES,
)
