"""What learners get wrong in Encoder: layers."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="encoder-one-block-shared",
        description="The same block n_layers times: [block] * n_layers",
        message="All your layers are one and the same block, so they share their weights: what is "
        "set in one is set in all. Each should have weights of its own. How many blocks does your "
        "`__init__` make?",
        edits={"nn.ModuleList(blocks)": "nn.ModuleList(blocks[:1] * n_layers)"},
    ),
    Variant(
        tag="encoder-first-layer-repeated",
        description="Applies layers[0] n_layers times",
        message="You make several layers but apply the first one again and again. Each has weights "
        "of its own and should have its turn. What does your loop count, and what does it call?",
        edits={"layer(x, key": "self.layers[0](x, key"},
    ),
    Variant(
        tag="encoder-layers-not-applied",
        description="Returns the sum of embeddings and positions: no layer is applied",
        message="What you return is what should go into the layers: nothing that they make of it "
        "is kept. An encoder's vectors should know their context. Is each layer called, and what "
        "becomes of what it returns?",
        edits={"x = layer(x, key_padding_mask)": "pass"},
    ),
    Variant(
        tag="encoder-only-last-layer-counts",
        description="Gives every layer the same input, so the last one alone counts",
        message="Every layer of yours gets the same input, so only what the last one makes of it "
        "is left. A layer should go on where the one before has stopped. Which name holds that, "
        "and do you use it?",
        edits={"x = layer(x": "y = layer(x", "return x": "return y"},
    ),
    Variant(
        tag="encoder-returns-in-the-loop",
        description="Returns after the first layer: return stands inside the loop",
        message="You return what the first layer makes, however many there are. Each should have "
        "its turn. How many layers have been called when your `forward` comes to its end?",
        edits={"        return x": "            return x"},
    ),
    Variant(
        tag="encoder-norm-at-the-end",
        description="Ends with one more layer norm",
        message="Your encoder ends with one more layer norm. Pre-norm models need it; each block "
        "here ends with a norm already. Which line comes after your last layer?",
        edits={
            "self.dropout = nn.Dropout(dropout)": (
                "self.dropout = nn.Dropout(dropout)\n        self.norm = nn.LayerNorm(d_model)"
            ),
            "return x": "return self.norm(x)",
        },
    ),
    Variant(
        tag="encoder-plain-norm-at-the-end",
        description="Ends with one more layer norm, which learns nothing",
        message="Your encoder ends with one more layer norm. Pre-norm models need it; each block "
        "here ends with a norm already. Which line comes after your last layer?",
        edits={"return x": "return F.layer_norm(x, x.shape[-1:])"},
    ),
    Variant(
        tag="encoder-layers-in-reverse",
        description="Applies the layers from the last to the first",
        message="Your layers have their turn from the last to the first. With fresh weights nobody "
        "can tell, but once set, each knows its place. A loop over them goes in the right order by "
        "itself.",
        edits={"in self.layers:": "in reversed(self.layers):"},
    ),
    Variant(
        tag="encoder-first-layer-skipped",
        description="Skips the first layer",
        message="Your first layer is never called: the loop begins with the second. Each should "
        "have its turn. Positions in a list count from 0.",
        edits={"in self.layers:": "in self.layers[1:]:"},
    ),
    Variant(
        tag="encoder-last-layer-skipped",
        description="Skips the last layer",
        message="Your last layer is never called: the loop ends one too early. Each should have "
        "its turn. A range, like a slice, leaves out its end.",
        edits={"in self.layers:": "in self.layers[:-1]:"},
    ),
    Variant(
        tag="encoder-residual-around-layers",
        description="Adds a residual around each layer",
        message="You add x to what each layer returns. The residuals are inside the blocks "
        "already, one around each sublayer; with another around the whole, x counts twice. The "
        "exercise hands on what a layer returns, as it is.",
        edits={"x = layer(x, key_padding_mask)": "x = x + layer(x, key_padding_mask)"},
    ),
    Variant(
        tag="encoder-residual-around-everything",
        description="Adds the input of the layers to the result",
        message="You add what went into the layers to what comes out. The residuals are inside the "
        "blocks already, one around each sublayer. The exercise asks for what the last layer "
        "returns.",
        edits={
            "        for layer": "        first = x\n        for layer",
            "return x": "return first + x",
        },
    ),
    Variant(
        tag="encoder-residual-from-the-embeddings-after-each-layer",
        description="Adds the input of the first layer to what each layer returns",
        message="To what each layer returns you add once more what went into the first. The "
        "residuals are inside the blocks already, one around each sublayer. The exercise hands on "
        "what a layer returns, as it is.",
        edits={
            "        for layer": "        first = x\n        for layer",
            "x = layer(x, key_padding_mask)": "x = first + layer(x, key_padding_mask)",
        },
    ),
    Variant(
        tag="encoder-layers-twice",
        description="Applies each layer twice",
        message="Each of your layers has two turns in a row. One is enough: how often does your "
        "loop call it?",
        edits={
            "x = layer(x, key_padding_mask)": (
                "x = layer(layer(x, key_padding_mask), key_padding_mask)"
            )
        },
    ),
    Variant(
        tag="encoder-one-layer-too-many",
        description="Makes n_layers + 1 layers",
        message="You make one layer more than asked for, so one of them keeps weights that nobody "
        "has set. How often does your loop run?",
        edits={"range(n_layers)": "range(n_layers + 1)"},
    ),
    Variant(
        tag="encoder-one-layer-too-few",
        description="Makes n_layers - 1 layers",
        message="You make one layer fewer than asked for, so the weights of the last can't be set. "
        "A range that starts at 1 runs once less.",
        edits={"range(n_layers)": "range(1, n_layers)"},
    ),
    Variant(
        tag="encoder-two-layers-at-most",
        description="Runs the first two layers, however many there are",
        message="Only the first two of your layers have a say; others are made, and their result "
        "isn't used. Two is the default, and the caller may ask for more. How often do you apply a "
        "layer?",
        edits={"for layer in self.layers:": "for layer in self.layers[:2]:"},
    ),
    Variant(
        tag="encoder-one-layer-only",
        description="Makes one layer, whatever n_layers is",
        message="You make a single layer, whatever is asked for, so the weights of the others "
        "can't be set. Which argument have you not used?",
        edits={"range(n_layers)": "range(1)"},
    ),
    Variant(
        tag="encoder-two-layers-always",
        description="Makes two layers, whatever n_layers is",
        message="You make two layers, whatever is asked for. Their number is the caller's to "
        "choose. Which argument have you not used?",
        edits={"range(n_layers)": "range(2)"},
    ),
    Variant(
        tag="encoder-six-layers-always",
        description="Makes six layers, whatever n_layers is",
        message="You make six layers, as in the paper, whatever is asked for. Their number is the "
        "caller's to choose. Which argument have you not used?",
        edits={"range(n_layers)": "range(6)"},
    ),
    Variant(
        tag="encoder-d-ff-not-passed-on",
        description="Doesn't pass d_ff on to the layers",
        message="Your layers have the hidden size that EncoderBlock takes by default, whatever "
        "d_ff is. The size is the caller's to choose. Which of your arguments do you hand on, and "
        "in which order does the block take them?",
        edits={
            "EncoderBlock(d_model, n_heads, d_ff, dropout)": (
                "EncoderBlock(d_model, n_heads, dropout=dropout)"
            )
        },
    ),
    Variant(
        tag="encoder-n-heads-not-passed-on",
        description="Doesn't pass n_heads on to the layers, or not in its place",
        message="Another number of heads than n_heads reaches your layers, and not every width "
        "can be shared out among that many. Which of your arguments do you hand on, and in which "
        "order does EncoderBlock take them?",
        edits={
            "EncoderBlock(d_model, n_heads, d_ff, dropout)": (
                "EncoderBlock(d_model, d_ff=d_ff, dropout=dropout)"
            )
        },
    ),
    Variant(
        tag="encoder-nothing-passed-on",
        description="Makes the layers by EncoderBlock() without any argument",
        message="Your layers have the sizes that EncoderBlock takes by default, whatever is asked "
        "for. They are the caller's to choose. Look at what stands between the brackets where you "
        "make a block.",
        edits={"EncoderBlock(d_model, n_heads, d_ff, dropout)": "EncoderBlock()"},
    ),
    Variant(
        tag="encoder-layers-output-listed",
        description="Returns a list with every layer's output",
        message="You return what every layer said, in a list. The exercise asks for the last word "
        "alone: one tensor of shape (batch, seq, d_model).",
        edits={
            "        for layer": "        said = []\n        for layer",
            "            x = layer(x, key_padding_mask)\n": (
                "            x = layer(x, key_padding_mask)\n            said.append(x)\n"
            ),
            "return x": "return said",
        },
    ),
)
