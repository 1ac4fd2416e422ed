"""What learners get wrong in Encoder."""  # noqa: N999 - the name of the exercise

from __future__ import annotations

from autograder.exercises.hw2_encoder.everywhere import (
    dropout_in_eval_mode,
    nothing_returned,
    other_names,
)
from autograder.misconceptions import Variant

REFERENCE = """\
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.d_model, self.max_len = d_model, max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        blocks = [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        self.layers = nn.ModuleList(blocks)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        batch, seq = tokens.shape
        if seq > self.max_len:
            raise ValueError("this sequence is too long")
        x = self.embedding(tokens) * math.sqrt(self.d_model)
        x = x + positional_encoding(seq, self.d_model)
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
"""

_POSITIONS = "positional_encoding(seq, self.d_model)"

WRONG_SCALE = (
    Variant(
        tag="encoder-not-scaled",
        description="Doesn't multiply the embeddings by √d_model",
        message="Your embeddings meet the positions just as they are looked up, while the paper "
        "makes them larger first (§3.4). Read step 1 of the exercise from left to right: which "
        "factor is missing?",
        edits={" * math.sqrt(self.d_model)": ""},
    ),
    Variant(
        tag="encoder-scaled-by-d-model",
        description="Multiplies the embeddings by d_model instead of its root",
        message="Your embeddings drown the positions: they are multiplied by all of d_model. The "
        "factor of §3.4 grows more slowly. What stands around d_model in the formula?",
        edits={"math.sqrt(self.d_model)": "self.d_model"},
    ),
    Variant(
        tag="encoder-scale-divides",
        description="Divides the embeddings by √d_model",
        message="You make the embeddings smaller, and the positions drown them. Attention divides "
        "its scores by a root, but here the root is there for the opposite. Read step 1 of the "
        "exercise once more: which sign stands before it?",
        edits={"* math.sqrt": "/ math.sqrt"},
    ),
    Variant(
        tag="encoder-positions-scaled-too",
        description="Multiplies the sum of embeddings and positions by √d_model",
        message="You multiply the sum, so the positions grow along with the embeddings, and "
        "between the two nothing has changed. Only one of the two should be made larger. When "
        "does each come in?",
        source=REFERENCE.replace(_POSITIONS, f"{_POSITIONS} * math.sqrt(self.d_model)"),
    ),
    Variant(
        tag="encoder-positions-scaled-alone",
        description="Multiplies the positions by √d_model instead of the embeddings",
        message="You make the positions larger instead of the embeddings, and they drown what the "
        "tokens mean. The paper does it the other way round. In step 1 of the exercise, what does "
        "the root stand next to?",
        source=REFERENCE.replace(" * math.sqrt(self.d_model)", "").replace(
            "x = x + positional_encoding(seq, self.d_model)",
            ("x = x + positional_encoding(seq, self.d_model) * math.sqrt(self.d_model)"),
        ),
    ),
    Variant(
        tag="encoder-scaled-by-length",
        description="Multiplies the embeddings by the root of the sequence's length",
        message="Your embeddings grow with the length of the sentence, so the same token weighs "
        "more in a long one. The root in step 1 is that of a size of the *model*. Which?",
        source=REFERENCE.replace("math.sqrt(self.d_model)", "math.sqrt(seq)"),
    ),
    Variant(
        tag="encoder-input-normalised",
        description="Normalises the sum before the layers",
        message="You normalise what goes into the layers. Some later models do that; here each "
        "block normalises by itself, and step 2 of the exercise names dropout alone. Which line "
        "is one too many?",
        source=REFERENCE.replace("self.dropout(x)", "F.layer_norm(self.dropout(x), x.shape[-1:])"),
    ),
)

WRONG_POSITIONS = (
    Variant(
        tag="encoder-no-positions",
        description="Adds no positional encoding",
        message="Nothing tells your encoder where a token stands: *dog bites man* and *man bites "
        "dog* are all the same to it. Attention sees which tokens there are, not their order. "
        "Which exercise of yours should have its say here?",
        edits={f"x + {_POSITIONS}": "x"},
    ),
    Variant(
        tag="encoder-positions-twice",
        description="Adds the positional encoding twice",
        message="The positions count double in your sum, as if they were added in two places. "
        "Follow x from the embedding to the first layer: where does a position come in?",
        edits={f"x + {_POSITIONS}": f"x + 2 * {_POSITIONS}"},
    ),
    Variant(
        tag="encoder-positions-over-the-batch",
        description="Positions along the batch: all tokens of a sentence get the same",
        message="All tokens of a sentence get the same position in your encoder, and each sentence "
        "another one: the table runs along the batch. Which axis of (batch, seq, d_model) says "
        "where a token stands?",
        edits={_POSITIONS: "positional_encoding(batch, self.d_model).unsqueeze(1)"},
    ),
    Variant(
        tag="encoder-positions-from-one",
        description="Takes the rows of the table from 1 on",
        message="Your first token gets the second row of the table, and so on. Positions count "
        "from 0 here as well. Where does your slice of the table begin?",
        edits={_POSITIONS: "positional_encoding(seq + 1, self.d_model)[1:]"},
    ),
    Variant(
        tag="encoder-positions-in-every-layer",
        description="Adds the positional encoding again before every layer",
        message="You add the positions anew before every layer. They need to be told only once: "
        "the residuals carry them on. Where does the paper's figure 1 let them in?",
        source=REFERENCE.replace(f"x + {_POSITIONS}", "x").replace(
            "layer(x, key", f"layer(x + {_POSITIONS}, key"
        ),
    ),
    Variant(
        tag="encoder-positions-alone",
        description="Takes the positions alone: the embeddings are lost",
        message="The tokens play no part in your encoder: the positions are put in the place of "
        "the embeddings, where they should be added to them. Which sign is missing?",
        source=REFERENCE.replace(
            "x = x + positional_encoding(seq, self.d_model)",
            "x = positional_encoding(seq, self.d_model).expand(batch, -1, -1)",
        ),
    ),
    Variant(
        tag="encoder-positions-multiplied",
        description="Multiplies the embeddings by the positions",
        message="You multiply the embeddings by the positions, so wherever a sine is 0 a feature "
        "is lost. What does step 1 of the exercise do with the two?",
        source=REFERENCE.replace(
            "x + positional_encoding(seq, self.d_model)",
            "x * positional_encoding(seq, self.d_model)",
        ),
    ),
    Variant(
        tag="encoder-positions-side-by-side",
        description="Puts positions beside the embeddings: twice as many features",
        message="You put the positions beside the embeddings, so twice as many features go into "
        "the layers as they expect. Two vectors of the same size can also be made one of that "
        "size. How?",
        source=REFERENCE.replace(
            "x + positional_encoding(seq, self.d_model)",
            (
                "torch.cat([x, positional_encoding(seq, self.d_model).expand(batch, -1, "
                "-1)], dim=-1)"
            ),
        ),
    ),
    Variant(
        tag="encoder-positions-in-place-of-half",
        description="Puts positions in the place of half the features",
        message="Half of each embedding gives way to positions, so half of what a token means is "
        "lost. Two vectors of the same size can be made one without losing any feature. How?",
        source=REFERENCE.replace(
            "x = x + positional_encoding(seq, self.d_model)",
            (
                "half = self.d_model // 2\n"
                "        positions = positional_encoding(seq, self.d_model).expand(batch, "
                "-1, -1)\n"
                "        x = torch.cat([x[..., :half], positions[..., half:]], dim=-1)"
            ),
        ),
    ),
    Variant(
        tag="encoder-positions-twice-over",
        description="Adds the positions before the layers and before every layer again",
        message="You add the positions before the layers, and then before every layer once more. "
        "They need to be told only once: the residuals carry them on. Where does the paper's "
        "figure 1 let them in?",
        source=REFERENCE.replace(
            "layer(x, key", "layer(x + positional_encoding(seq, self.d_model), key"
        ),
    ),
    Variant(
        tag="encoder-positions-after-the-layers",
        description="Adds the positions after the layers",
        message="You add the positions at the end, when all layers have had their turn: while the "
        "tokens attended, nobody knew where they stood. Where does the paper's figure 1 let them "
        "in?",
        source=REFERENCE.replace("x + positional_encoding(seq, self.d_model)", "x").replace(
            "return x", "return x + positional_encoding(seq, self.d_model)"
        ),
    ),
    Variant(
        tag="encoder-positions-learned",
        description="Learns the positions (nn.Embedding made after the tokens')",
        message="Your positions are learnt numbers, which begin at random. Some later models do "
        "that; this exercise asks for sines and cosines, which hold for every length and need no "
        "training. Which exercise of yours makes them?",
        source=REFERENCE.replace(
            "        blocks =",
            ("        self.position = nn.Embedding(max_len, d_model)\n        blocks ="),
        ).replace("positional_encoding(seq, self.d_model)", "self.position(torch.arange(seq))"),
    ),
    Variant(
        tag="encoder-positions-learned-made-last",
        description="Learns the positions (nn.Embedding made after the layers)",
        message="Your positions are learnt numbers, which begin at random. Some later models do "
        "that; this exercise asks for sines and cosines, which hold for every length and need no "
        "training. Which exercise of yours makes them?",
        source=REFERENCE.replace(
            "        self.dropout =",
            ("        self.position = nn.Embedding(max_len, d_model)\n        self.dropout ="),
        ).replace("positional_encoding(seq, self.d_model)", "self.position(torch.arange(seq))"),
    ),
    Variant(
        tag="encoder-positions-of-the-end",
        description="Takes the last rows of the table",
        message="Your tokens get the last rows of a table of max_len, so the first token's "
        "position depends on how long the sentence is. Positions count from 0 here as well. At "
        "which end of the table does that begin?",
        source=REFERENCE.replace(
            "positional_encoding(seq, self.d_model)",
            "positional_encoding(self.max_len, self.d_model)[-seq:]",
        ),
    ),
    Variant(
        tag="encoder-one-position-for-all",
        description="Adds a single row of the table to all tokens",
        message="All tokens of a sentence get the same position: you take one row of the table "
        "where you need as many as there are tokens. Which sign in an index means *up to*?",
        source=REFERENCE.replace(
            "positional_encoding(seq, self.d_model)",
            "positional_encoding(seq + 1, self.d_model)[seq]",
        ),
    ),
    Variant(
        tag="encoder-last-position-for-all",
        description="Adds the last token's row to all tokens",
        message="All tokens of a sentence get the last one's position: you take one row of the "
        "table where you need as many as there are tokens. Which sign in an index means *up to*?",
        source=REFERENCE.replace(
            "positional_encoding(seq, self.d_model)",
            "positional_encoding(seq, self.d_model)[seq - 1]",
        ),
    ),
    Variant(
        tag="encoder-tokens-taken-for-positions",
        description="Looks positions up by the tokens",
        message="You look up the position by the *number of the token*, as if each word had a "
        "fixed place in every sentence. A position says where a token stands. Which numbers are "
        "those, whatever the tokens?",
        source=REFERENCE.replace(
            "positional_encoding(seq, self.d_model)",
            "positional_encoding(self.max_len, self.d_model)[tokens]",
        ),
    ),
    Variant(
        tag="encoder-whole-table-added",
        description="Adds all max_len rows of the table: the sizes clash",
        message="You add the whole table of max_len rows to a shorter sentence, and the sizes "
        "clash. Each token needs one row. How many of them do you need, and from where on?",
        source=REFERENCE.replace(
            "positional_encoding(seq, self.d_model)",
            "positional_encoding(self.max_len, self.d_model)",
        ),
    ),
    Variant(
        tag="encoder-positions-cut-by-the-batch",
        description="Takes as many rows as there are sentences: the sizes clash",
        message="You take as many rows of the table as there are *sentences* in the batch, and "
        "the sizes clash. One row belongs to one token. Which size of `tokens` counts those?",
        source=REFERENCE.replace(
            "positional_encoding(seq, self.d_model)", "positional_encoding(batch, self.d_model)"
        ),
    ),
    Variant(
        tag="encoder-table-on-its-side",
        description="Makes the table with its two sizes exchanged",
        message="The two sizes of your table have changed places: it has a row for each feature "
        "and a column for each position. In which order does `positional_encoding` take its "
        "arguments?",
        source=REFERENCE.replace(
            "positional_encoding(seq, self.d_model)",
            "positional_encoding(self.d_model, self.max_len)[:seq]",
        ),
    ),
)

WRONG_LAYERS = (
    Variant(
        tag="encoder-one-block-shared",
        description="The same block n_layers times: [block] * n_layers",
        message="All your layers are one and the same block, so they share their weights. "
        "`[block] * n` makes a list of n names for one thing. How often is EncoderBlock(…) called "
        "in your `__init__`?",
        edits={"nn.ModuleList(blocks)": "nn.ModuleList(blocks[:1] * n_layers)"},
    ),
    Variant(
        tag="encoder-first-layer-repeated",
        description="Applies layers[0] n_layers times",
        message="You make several layers but apply the first one again and again. Each has weights "
        "of its own and should have its turn. What does your loop count, and what does it call?",
        source=REFERENCE.replace("layer(x, key", "self.layers[0](x, key"),
    ),
    Variant(
        tag="encoder-layers-not-applied",
        description="Returns the sum of embeddings and positions: no layer is applied",
        message="What you return is what should go into the layers: they are made, but x never "
        "passes through. An encoder's vectors should know their context. Where does the loop over "
        "the layers belong?",
        source=REFERENCE.replace("x = layer(x, key_padding_mask)", "pass"),
    ),
    Variant(
        tag="encoder-only-last-layer-counts",
        description="Gives every layer the same input, so the last one alone counts",
        message="Every layer of yours gets the same input, so only what the last one makes of it "
        "is left. A layer should go on where the one before has stopped. Which name holds that, "
        "and do you use it?",
        source=REFERENCE.replace("x = layer(x", "y = layer(x").replace("return x", "return y"),
    ),
    Variant(
        tag="encoder-returns-in-the-loop",
        description="Returns after the first layer: return stands inside the loop",
        message="Your encoder stops after the first layer, however many there are. A `return` ends "
        "the loop it stands in. How far is yours indented?",
        source=REFERENCE.replace("        return x", "            return x"),
    ),
    Variant(
        tag="encoder-norm-at-the-end",
        description="Ends with one more layer norm",
        message="Your encoder ends with one more layer norm. Pre-norm models need it; each block "
        "here ends with a norm already. Which line comes after your last layer?",
        source=REFERENCE.replace("return x", "return F.layer_norm(x, x.shape[-1:])"),
    ),
    Variant(
        tag="encoder-layers-in-reverse",
        description="Applies the layers from the last to the first",
        message="Your layers have their turn from the last to the first. With fresh weights "
        "nobody can tell, but once set, each knows its place. In which order does a loop over "
        "them go by itself?",
        source=REFERENCE.replace("in self.layers:", "in reversed(self.layers):"),
    ),
    Variant(
        tag="encoder-first-layer-skipped",
        description="Skips the first layer",
        message="Your first layer is never called: the loop begins with the second. Each should "
        "have its turn. How do positions in a list count?",
        source=REFERENCE.replace("in self.layers:", "in self.layers[1:]:"),
    ),
    Variant(
        tag="encoder-last-layer-skipped",
        description="Skips the last layer",
        message="Your last layer is never called: the loop ends one too early. Each should have "
        "its turn. Does a range or a slice include its end?",
        source=REFERENCE.replace("in self.layers:", "in self.layers[:-1]:"),
    ),
    Variant(
        tag="encoder-residual-around-layers",
        description="Adds a residual around each layer",
        message="You add x to what each layer returns. The residuals are inside the blocks "
        "already, one around each sublayer; with another around the whole, x counts twice. What "
        "does the exercise hand from one layer to the next?",
        source=REFERENCE.replace(
            "x = layer(x, key_padding_mask)", "x = x + layer(x, key_padding_mask)"
        ),
    ),
    Variant(
        tag="encoder-residual-around-everything",
        description="Adds the input of the layers to the result",
        message="You add what went into the layers to what comes out. The residuals are inside "
        "the blocks already, one around each sublayer. What does the exercise ask you to return?",
        source=REFERENCE.replace(
            "        for layer", "        first = x\n        for layer"
        ).replace("return x", "return first + x"),
    ),
    Variant(
        tag="encoder-layers-twice",
        description="Applies each layer twice",
        message="Each of your layers has two turns in a row. One is enough: how often does your "
        "loop call it?",
        source=REFERENCE.replace(
            "x = layer(x, key_padding_mask)",
            "x = layer(layer(x, key_padding_mask), key_padding_mask)",
        ),
    ),
    Variant(
        tag="encoder-one-layer-too-many",
        description="Makes n_layers + 1 layers",
        message="You make one layer more than asked for, so one of them keeps weights that nobody "
        "has set. How often does your loop run?",
        source=REFERENCE.replace("range(n_layers)", "range(n_layers + 1)"),
    ),
    Variant(
        tag="encoder-one-layer-too-few",
        description="Makes n_layers - 1 layers",
        message="You make one layer less than asked for, so the weights of the last can't be set. "
        "How often does a range run that starts at 1?",
        source=REFERENCE.replace("range(n_layers)", "range(1, n_layers)"),
    ),
    Variant(
        tag="encoder-one-layer-only",
        description="Makes one layer, whatever n_layers is",
        message="You make a single layer, whatever is asked for, so the weights of the others "
        "can't be set. Which argument have you not used?",
        source=REFERENCE.replace("range(n_layers)", "range(1)"),
    ),
    Variant(
        tag="encoder-two-layers-always",
        description="Makes two layers, whatever n_layers is",
        message="You make two layers, whatever is asked for. Whoever makes the encoder wants to "
        "choose. Which argument have you not used?",
        source=REFERENCE.replace("range(n_layers)", "range(2)"),
    ),
    Variant(
        tag="encoder-six-layers-always",
        description="Makes six layers, whatever n_layers is",
        message="You make six layers, as in the paper, whatever is asked for. Whoever makes the "
        "encoder wants to choose. Which argument have you not used?",
        source=REFERENCE.replace("range(n_layers)", "range(6)"),
    ),
    Variant(
        tag="encoder-d-ff-not-passed-on",
        description="Doesn't pass d_ff on to the layers",
        message="Your layers have the hidden size that EncoderBlock takes by default, whatever "
        "d_ff is. Whoever makes the encoder wants to choose. Which of its arguments do you hand "
        "on, and in which order does the block take them?",
        source=REFERENCE.replace(
            "EncoderBlock(d_model, n_heads, d_ff, dropout)",
            "EncoderBlock(d_model, n_heads, dropout=dropout)",
        ),
    ),
    Variant(
        tag="encoder-n-heads-not-passed-on",
        description="Doesn't pass n_heads on to the layers, or not in its place",
        message="Another number of heads than n_heads reaches your layers, and not every width "
        "can be shared out among that many. Which of your arguments do you hand on, and in which "
        "order does EncoderBlock take them?",
        source=REFERENCE.replace(
            "EncoderBlock(d_model, n_heads, d_ff, dropout)",
            "EncoderBlock(d_model, d_ff=d_ff, dropout=dropout)",
        ),
    ),
    Variant(
        tag="encoder-nothing-passed-on",
        description="Makes the layers by EncoderBlock() without any argument",
        message="Your layers have the sizes that EncoderBlock takes by default, whatever is asked "
        "for. Whoever makes the encoder wants to choose. What could stand between the brackets?",
        source=REFERENCE.replace("EncoderBlock(d_model, n_heads, d_ff, dropout)", "EncoderBlock()"),
    ),
    Variant(
        tag="encoder-layers-output-listed",
        description="Returns a list with every layer's output",
        message="You return what every layer said, in a list. The exercise asks for the last word "
        "alone: one tensor of shape (batch, seq, d_model). Which of them is that?",
        source=REFERENCE.replace("        for layer", "        said = []\n        for layer")
        .replace(
            "            x = layer(x, key_padding_mask)\n",
            ("            x = layer(x, key_padding_mask)\n            said.append(x)\n"),
        )
        .replace("return x", "return said"),
    ),
)

WRONG_PADDING = (
    Variant(
        tag="encoder-padding-ignored",
        description="Doesn't pass key_padding_mask on to the layers",
        message="Your encoder takes a `key_padding_mask`, but real tokens still look at the "
        "padding: the mask never reaches the blocks. What does `forward` of your EncoderBlock "
        "take besides x?",
        edits={"(x, key_padding_mask)": "(x)"},
    ),
    Variant(
        tag="encoder-padding-inverted",
        description="Inverts key_padding_mask",
        message="In your encoder, tokens look at the padding and at nothing else. This mask "
        "follows torch's convention, in which True means *ignore this token*, and the blocks "
        "expect the same. What happens to it on the way?",
        edits={
            "(x, key_padding_mask)": "(x, None if key_padding_mask is None else ~key_padding_mask)"
        },
    ),
    Variant(
        tag="encoder-padding-in-first-layer-only",
        description="Passes key_padding_mask to the first layer alone",
        message="Your first layer hides the padding, the others look at it again. No layer knows "
        "what another was told. Who else needs the mask?",
        source=REFERENCE.replace(
            "(x, key_padding_mask)", "(x, key_padding_mask if layer is self.layers[0] else None)"
        ),
    ),
    Variant(
        tag="encoder-padding-inverted-without-a-question",
        description="Inverts key_padding_mask even where there is none",
        message="You invert `key_padding_mask`, but mostly there is none, and None can't be "
        "inverted. Nor is there any need: this mask follows torch's convention, and the blocks "
        "expect the same. What is left to do with it?",
        source=REFERENCE.replace("(x, key_padding_mask)", "(x, ~key_padding_mask)"),
    ),
    Variant(
        tag="encoder-padding-guessed",
        description="Takes token 0 for padding, whatever mask is given",
        message="You hide every token number 0, whatever the mask says. Which tokens are padding "
        "is for the caller to say: here 0 is a word like any other. Which argument tells you?",
        source=REFERENCE.replace("(x, key_padding_mask)", "(x, tokens == 0)"),
    ),
    Variant(
        tag="encoder-padding-guessed-without-a-mask",
        description="Takes token 0 for padding where no mask is given",
        message="Where no mask is given, you hide every token number 0. No mask means that all "
        "tokens are real: here 0 is a word like any other. Who told you that it is padding?",
        source=REFERENCE.replace(
            "(x, key_padding_mask)",
            ("(x, tokens == 0 if key_padding_mask is None else key_padding_mask)"),
        ),
    ),
    Variant(
        tag="encoder-token-zero-dropped",
        description="Sets the embedding of token 0 to zero",
        message="Token number 0 loses its embedding, as if it were padding. Here it is a word "
        "like any other, and what is padding the caller says by a mask. Which line treats it in "
        "its own way?",
        source=REFERENCE.replace(
            "self.embedding(tokens) *", "self.embedding(tokens) * (tokens != 0).unsqueeze(-1) *"
        ),
    ),
)

WRONG_LENGTH = (
    Variant(
        tag="encoder-length-not-checked",
        description="Accepts sequences longer than max_len",
        message="A sequence longer than max_len gets through your encoder. `max_len` is a promise "
        "to whoever uses it, and the exercise says what should happen beyond. Where in `forward` "
        "do you look at the length, and what do you compare with what?",
        edits={"if seq > self.max_len:": "if False:"},
    ),
    Variant(
        tag="encoder-length-off-by-one",
        description="Refuses a sequence of exactly max_len tokens",
        message="A sequence of exactly max_len tokens is refused, though it is the *longest one "
        "allowed*. Which comparison lets the equal case through?",
        source=REFERENCE.replace("seq > self", "seq >= self"),
    ),
    Variant(
        tag="encoder-length-asserted",
        description="Refuses longer sequences by an AssertionError",
        message="You do refuse a sequence that is too long, but by an `assert`. A caller who wants "
        "to catch this needs the error that the exercise names. Which statement throws an error "
        "of your choice?",
        source=REFERENCE.replace("raise ValueError(", "raise AssertionError("),
    ),
    Variant(
        tag="encoder-length-left-to-the-table",
        description="Lets a clash of sizes stop longer sequences",
        message="A sequence that is too long does end in an error, but in one about sizes that "
        "don't fit, from deep inside. A caller who wants to catch this needs the error that the "
        "exercise names. Where in `forward` could you look at the length?",
        source=REFERENCE.replace(
            (
                "        if seq > self.max_len:\n"
                '            raise ValueError("this sequence is too long")\n'
            ),
            "",
        ).replace(
            "positional_encoding(seq, self.d_model)",
            "positional_encoding(self.max_len, self.d_model)[:seq]",
        ),
    ),
    Variant(
        tag="encoder-length-by-exception",
        description="Refuses longer sequences by a bare Exception",
        message="You do refuse a sequence that is too long, but by an exception of another kind. "
        "A caller catches errors by their kind: which one does the exercise name?",
        source=REFERENCE.replace("raise ValueError(", "raise Exception("),
    ),
    Variant(
        tag="encoder-length-by-runtime-error",
        description="Refuses longer sequences by a RuntimeError",
        message="You do refuse a sequence that is too long, but by a RuntimeError. A caller "
        "catches errors by their kind: which one does the exercise name?",
        source=REFERENCE.replace("raise ValueError(", "raise RuntimeError("),
    ),
    Variant(
        tag="encoder-length-by-index-error",
        description="Refuses longer sequences by an IndexError",
        message="You do refuse a sequence that is too long, but by an IndexError. A caller "
        "catches errors by their kind: which one does the exercise name?",
        source=REFERENCE.replace("raise ValueError(", "raise IndexError("),
    ),
    Variant(
        tag="encoder-length-cut",
        description="Cuts longer sequences silently",
        message="You cut a sequence that is too long, and nobody learns that its end is lost. "
        "`max_len` is a promise: the exercise says what should happen to whoever breaks it. What?",
        source=REFERENCE.replace(
            (
                "        if seq > self.max_len:\n"
                '            raise ValueError("this sequence is too long")\n'
            ),
            ("        tokens = tokens[:, : self.max_len]\n        seq = tokens.shape[1]\n"),
        ),
    ),
    Variant(
        tag="encoder-length-the-wrong-way-round",
        description="Refuses shorter sequences instead of longer ones",
        message="You refuse sentences that are *shorter* than max_len. Read your comparison "
        "aloud: which of the two should be the larger one, when something is wrong?",
        source=REFERENCE.replace("if seq >", "if seq <"),
    ),
    Variant(
        tag="encoder-length-error-returned",
        description="Returns a ValueError instead of raising it",
        message="You *return* a ValueError: the caller gets an odd result, and nothing stops. "
        "Which statement throws an error?",
        source=REFERENCE.replace("raise ValueError(", "return ValueError("),
    ),
)

WRONG_MODULE = (
    Variant(
        tag="encoder-no-dropout",
        description="No dropout between the input and the layers",
        message="In train mode, the sum of embeddings and positions goes into the layers as it is. "
        "The blocks drop out inside, but step 2 of the exercise comes before them. What does it "
        "say?",
        edits={"self.dropout(x)": "x"},
    ),
    Variant(
        tag="encoder-dropout-before-the-positions",
        description="Drops out of the embeddings alone, before the positions are added",
        message="The embeddings drop out, and the positions are added to what is left, so the "
        "positions always come through whole. Step 2 of the exercise speaks of what step 1 made. "
        "What is all of that?",
        source=REFERENCE.replace("        x = self.dropout(x)\n", "").replace(
            f"x + {_POSITIONS}", f"self.dropout(x) + {_POSITIONS}"
        ),
    ),
    dropout_in_eval_mode("encoder", REFERENCE.replace("self.dropout(x)", "F.dropout(x, 0.1)")),
    nothing_returned("encoder", REFERENCE.replace("return x", "x")),
    other_names("encoder", "layers", REFERENCE.replace("self.layers", "self.blocks")),
    Variant(
        tag="encoder-dropout-at-the-end",
        description="Drops out what layers return as well",
        message="In train mode, what the last layer returns drops out as well, or what each does. "
        "The layers have dropout of their own; the one of step 2 comes before them. Which of "
        "yours is one too many?",
        source=REFERENCE.replace("return x", "return self.dropout(x)"),
    ),
    Variant(
        tag="encoder-dropout-at-the-end-alone",
        description="Drops out the result of the layers instead of their input",
        message="In train mode, what the last layer returns drops out, while its input goes in as "
        "it is. The dropout of step 2 comes before the layers. Where does yours stand?",
        source=REFERENCE.replace("        x = self.dropout(x)\n", "").replace(
            "return x", "return self.dropout(x)"
        ),
    ),
    Variant(
        tag="encoder-dropout-half-by-default",
        description="Has the default dropout=0.5",
        message="Unless told otherwise, half of what goes into the layers drops out, where a "
        "tenth should. Compare the first lines of your `__init__` with the exercise, default by "
        "default.",
        source=REFERENCE.replace("dropout=0.1", "dropout=0.5"),
    ),
    Variant(
        tag="encoder-dropout-argument-not-used",
        description="Drops out at dropout=0.0: a fixed rate, or the layers aren't told",
        message="Even with `dropout=0.0` something drops out in train mode. Whoever makes the "
        "encoder wants to choose. Does `nn.Dropout` get its rate from the argument, and do the "
        "layers get it as well?",
        source=REFERENCE.replace("nn.Dropout(dropout)", "nn.Dropout(0.1)"),
    ),
    Variant(
        tag="encoder-six-layers-by-default",
        description="Has the default n_layers=6",
        message="Unless told otherwise, your encoder has six layers, as in the paper, where two "
        "are asked for. Compare the first lines of your `__init__` with the exercise, default by "
        "default.",
        source=REFERENCE.replace("n_layers=2", "n_layers=6"),
    ),
    Variant(
        tag="encoder-four-heads-by-default",
        description="Has the default n_heads=4",
        message="Unless told otherwise, your encoder has four heads, where eight are asked for. "
        "Compare the first lines of your `__init__` with the exercise, default by default.",
        source=REFERENCE.replace("n_heads=8", "n_heads=4"),
    ),
    Variant(
        tag="encoder-d-ff-of-the-paper",
        description="Has the default d_ff=2048",
        message="Unless told otherwise, your layers have 2048 hidden features, as in the paper. "
        "Compare the first lines of your `__init__` with the exercise, default by default.",
        source=REFERENCE.replace("d_ff=512", "d_ff=2048"),
    ),
    Variant(
        tag="encoder-d-model-of-the-paper",
        description="Has the default d_model=512",
        message="Unless told otherwise, your tokens have 512 features, as in the paper. Compare "
        "the first lines of your `__init__` with the exercise, default by default.",
        source=REFERENCE.replace("d_model=128", "d_model=512"),
    ),
    Variant(
        tag="encoder-max-len-5000-by-default",
        description="Has the default max_len=5000",
        message="Unless told otherwise, your encoder takes 5000 tokens, as some well-known code "
        "does. Compare the first lines of your `__init__` with the exercise, default by default.",
        source=REFERENCE.replace("max_len=512", "max_len=5000"),
    ),
    Variant(
        tag="encoder-first-token-alone",
        description="Returns the first token's vector alone",
        message="You return the first token alone, as classifiers do. Here all tokens should come "
        "out: (batch, seq, d_model). Which index is one too many?",
        source=REFERENCE.replace("return x", "return x[:, 0]"),
    ),
    Variant(
        tag="encoder-last-token-alone",
        description="Returns the last token's vector alone",
        message="You return the last token alone. Here all tokens should come out: (batch, seq, "
        "d_model). Which index is one too many?",
        source=REFERENCE.replace("return x", "return x[:, -1]"),
    ),
    Variant(
        tag="encoder-tokens-averaged",
        description="Averages over the tokens",
        message="You average over the tokens at the end, so one vector is left for a whole "
        "sentence. Here all tokens should come out: (batch, seq, d_model). Which axis went "
        "missing?",
        source=REFERENCE.replace("return x", "return x.mean(dim=1)"),
    ),
    Variant(
        tag="encoder-scores-for-the-vocabulary",
        description="Ends with a projection to the vocabulary",
        message="You end with a score for every word of the vocabulary. That is for a decoder, in "
        "the next homework; an encoder hands on its vectors: (batch, seq, d_model). Which line "
        "comes after your last layer?",
        source=REFERENCE.replace("return x", "return x @ self.embedding.weight.T"),
    ),
    Variant(
        tag="encoder-embedding-under-another-name",
        description="Has no attribute embedding: another name",
        message="Your module has no attribute `embedding`, so we can't set its weights, and "
        "nothing else could be tested. How do the names in your `__init__` differ from those in "
        "the exercise?",
        source=REFERENCE.replace("self.embedding", "self.embed"),
    ),
    Variant(
        tag="encoder-embedding-exchanged",
        description="Makes nn.Embedding(d_model, vocab_size), or an nn.Linear",
        message="The weights of your embedding lie on their side: a row for each feature, where "
        "each word should have one. Is it an `nn.Embedding`, not an `nn.Linear`, and in which "
        "order does that take its sizes?",
        source=REFERENCE.replace(
            "nn.Embedding(vocab_size, d_model)", "nn.Embedding(d_model, vocab_size)"
        ),
    ),
    Variant(
        tag="encoder-embedding-one-row-more",
        description="Makes one row too many: vocab_size + 1",
        message="Your embedding has one row more than there are words, as if one were kept for "
        "padding. Tokens count from 0 to vocab_size - 1. How many rows is that?",
        source=REFERENCE.replace(
            "nn.Embedding(vocab_size, d_model)", "nn.Embedding(vocab_size + 1, d_model)"
        ),
    ),
    Variant(
        tag="encoder-embedding-for-positions",
        description="Makes the embedding with max_len rows",
        message="Your embedding has max_len rows, one for each position. It should have one for "
        "each word. Which argument says how many there are?",
        source=REFERENCE.replace(
            "nn.Embedding(vocab_size, d_model)", "nn.Embedding(max_len, d_model)"
        ),
    ),
    Variant(
        tag="encoder-layers-without-self",
        description="Loops over layers instead of self.layers",
        message="Inside a method, `layers` alone is looked for among the variables of the "
        "notebook. What `__init__` has made hangs on the object itself. What must stand in front "
        "of the name?",
        source=REFERENCE.replace("in self.layers:", "in layers:"),
    ),
    Variant(
        tag="encoder-d-model-not-kept",
        description="Reads self.d_model, which was never set",
        message="`forward` reads `self.d_model`, but nobody has put it there: the arguments of "
        "`__init__` are gone when it ends. How do you keep one for later?",
        source=REFERENCE.replace(
            "self.d_model, self.max_len = d_model, max_len", "self.max_len = max_len"
        ),
    ),
    Variant(
        tag="encoder-max-len-not-kept",
        description="Reads self.max_len, which was never set",
        message="`forward` reads `self.max_len`, but nobody has put it there: the arguments of "
        "`__init__` are gone when it ends. How do you keep one for later?",
        source=REFERENCE.replace(
            "self.d_model, self.max_len = d_model, max_len", "self.d_model = d_model"
        ),
    ),
    Variant(
        tag="encoder-d-model-out-of-reach",
        description="Reads d_model in forward, where it is not known",
        message="`forward` reads `d_model`, which is an argument of `__init__` and gone when that "
        "ends. How do you keep it for later?",
        source=REFERENCE.replace("math.sqrt(self.d_model)", "math.sqrt(d_model)"),
    ),
    Variant(
        tag="encoder-super-missing",
        description="Doesn't call super().__init__()",
        message="Your `__init__` doesn't call the one of nn.Module, which prepares the place "
        "where layers are kept, so the first layer finds none. Which line of the given stub has "
        "gone?",
        source=REFERENCE.replace("        super().__init__()\n", ""),
    ),
    Variant(
        tag="encoder-plain-list-of-layers",
        description="Keeps the layers in a plain list: train and eval don't reach them",
        message="Your layers hang in a plain list, where PyTorch doesn't see them: `eval()` "
        "doesn't reach them, and an optimiser would leave them out. Which kind of list does the "
        "exercise ask for?",
        source=REFERENCE.replace("nn.ModuleList(blocks)", "blocks"),
    ),
)

MISCONCEPTIONS = (
    *WRONG_SCALE,
    *WRONG_POSITIONS,
    *WRONG_LAYERS,
    *WRONG_PADDING,
    *WRONG_LENGTH,
    *WRONG_MODULE,
)
