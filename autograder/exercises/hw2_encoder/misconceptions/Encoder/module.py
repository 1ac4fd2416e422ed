"""What learners get wrong in Encoder: module."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="encoder-other-names",
        description="Has no attribute layers: names of its own, or never made",
        message="Your module has no attribute `layers`, so we can't set its weights, and nothing "
        "else could be tested. Capitals and underscores count. How do the names in your `__init__` "
        "differ from those in the exercise?",
        edits={"self.layers": "self.blocks"},
    ),
    Variant(
        tag="encoder-six-layers-by-default",
        description="Has the default n_layers=6",
        message="Unless told otherwise, your encoder has six layers, as in the paper, where two "
        "are asked for. Compare the first lines of your `__init__` with the exercise, default by "
        "default.",
        edits={"n_layers=2": "n_layers=6"},
    ),
    Variant(
        tag="encoder-four-heads-by-default",
        description="Has the default n_heads=4",
        message="Unless told otherwise, your encoder has four heads, where eight are asked for. "
        "Compare the first lines of your `__init__` with the exercise, default by default.",
        edits={"n_heads=8": "n_heads=4"},
    ),
    Variant(
        tag="encoder-d-ff-of-the-paper",
        description="Has the default d_ff=2048",
        message="Unless told otherwise, your layers have 2048 hidden features, as in the paper. "
        "Compare the first lines of your `__init__` with the exercise, default by default.",
        edits={"d_ff=512": "d_ff=2048"},
    ),
    Variant(
        tag="encoder-d-model-of-the-paper",
        description="Has the default d_model=512",
        message="Unless told otherwise, your tokens have 512 features, as in the paper. Compare "
        "the first lines of your `__init__` with the exercise, default by default.",
        edits={"d_model=128": "d_model=512"},
    ),
    Variant(
        tag="encoder-max-len-5000-by-default",
        description="Has the default max_len=5000",
        message="Unless told otherwise, your encoder takes 5000 tokens, as some well-known code "
        "does. Compare the first lines of your `__init__` with the exercise, default by default.",
        edits={"max_len=512": "max_len=5000"},
    ),
    Variant(
        tag="encoder-first-token-alone",
        description="Returns the first token's vector alone",
        message="You return the first token alone, as classifiers do. Here all tokens should come "
        "out: (batch, seq, d_model). Which index is one too many?",
        edits={"return x": "return x[:, 0]"},
    ),
    Variant(
        tag="encoder-last-token-alone",
        description="Returns the last token's vector alone",
        message="You return the last token alone. Here all tokens should come out: (batch, seq, "
        "d_model). Which index is one too many?",
        edits={"return x": "return x[:, -1]"},
    ),
    Variant(
        tag="encoder-tokens-averaged",
        description="Averages over the tokens",
        message="You average over the tokens at the end, so one vector is left for a whole "
        "sentence. Here all tokens should come out: (batch, seq, d_model). Which axis went "
        "missing?",
        edits={"return x": "return x.mean(dim=1)"},
    ),
    Variant(
        tag="encoder-scores-for-the-vocabulary",
        description="Ends with a projection to the vocabulary",
        message="You end with a score for every word of the vocabulary. That is for a decoder, in "
        "the next homework; an encoder hands on its vectors: (batch, seq, d_model). Which line "
        "comes after your last layer?",
        edits={"return x": "return x @ self.embedding.weight.T"},
    ),
    Variant(
        tag="encoder-layer-for-the-vocabulary",
        description="Ends with a linear layer to the vocabulary",
        message="You end with a score for every word of the vocabulary. That is for a decoder, in "
        "the next homework; an encoder hands on its vectors: (batch, seq, d_model). Which line "
        "comes after your last layer?",
        edits={
            "        self.dropout = nn.Dropout(dropout)\n": (
                "        self.dropout = nn.Dropout(dropout)\n"
                "        self.scores = nn.Linear(d_model, vocab_size)\n"
            ),
            "return x": "return self.scores(x)",
        },
    ),
    Variant(
        tag="encoder-embedding-under-another-name",
        description="Has no attribute embedding: another name",
        message="Your module has no attribute `embedding`, so we can't set its weights, and "
        "nothing else could be tested. How do the names in your `__init__` differ from those in "
        "the exercise?",
        edits={"self.embedding": "self.embed"},
    ),
    Variant(
        tag="encoder-embedding-exchanged",
        description="Makes nn.Embedding(d_model, vocab_size), or an nn.Linear",
        message="The weights of your embedding lie on their side: a row for each feature, where "
        "each word should have one. Is it an `nn.Embedding`, not an `nn.Linear`, and in which "
        "order does that take its sizes?",
        edits={"nn.Embedding(vocab_size, d_model)": "nn.Embedding(d_model, vocab_size)"},
    ),
    Variant(
        tag="encoder-embedding-one-row-more",
        description="Makes one row too many: vocab_size + 1",
        message="Your embedding has one row more than there are words, as if one were kept for "
        "padding. Tokens count from 0 to vocab_size - 1. How many rows is that?",
        edits={"nn.Embedding(vocab_size, d_model)": "nn.Embedding(vocab_size + 1, d_model)"},
    ),
    Variant(
        tag="encoder-embedding-for-positions",
        description="Makes the embedding with max_len rows",
        message="Your embedding has max_len rows, one for each position. It should have one for "
        "each word. Which argument says how many there are?",
        edits={"nn.Embedding(vocab_size, d_model)": "nn.Embedding(max_len, d_model)"},
    ),
    Variant(
        tag="encoder-layers-without-self",
        description="Loops over layers instead of self.layers",
        message="Inside a method, `layers` alone is looked for among the variables of the "
        "notebook. What `__init__` has made hangs on the object itself. The name needs something "
        "in front of it.",
        edits={"in self.layers:": "in layers:"},
    ),
    Variant(
        tag="encoder-d-model-not-kept",
        description="Reads self.d_model, which was never set",
        message="`forward` reads `self.d_model`, but nobody has put it there: the arguments of "
        "`__init__` are gone when it ends.",
        edits={"self.d_model, self.max_len = d_model, max_len": "self.max_len = max_len"},
    ),
    Variant(
        tag="encoder-max-len-not-kept",
        description="Reads self.max_len, which was never set",
        message="`forward` reads `self.max_len`, but nobody has put it there: the arguments of "
        "`__init__` are gone when it ends.",
        edits={"self.d_model, self.max_len = d_model, max_len": "self.d_model = d_model"},
    ),
    Variant(
        tag="encoder-d-model-out-of-reach",
        description="Reads d_model in forward, where it is not known",
        message="`forward` reads `d_model`, which is an argument of `__init__` and gone when that "
        "ends. The object itself can keep it for later.",
        edits={"math.sqrt(self.d_model)": "math.sqrt(d_model)"},
    ),
    Variant(
        tag="encoder-plain-list-of-layers",
        description="Keeps the layers in a plain list: train and eval don't reach them",
        message="Your layers hang in a plain list, where PyTorch doesn't see them: `eval()` "
        "doesn't reach them, and an optimiser would leave them out. The exercise names another "
        "kind of list.",
        edits={"nn.ModuleList(blocks)": "blocks"},
    ),
)
