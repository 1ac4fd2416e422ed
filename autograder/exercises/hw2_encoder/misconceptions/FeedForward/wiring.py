"""What learners get wrong in FeedForward: wiring."""

from __future__ import annotations

from autograder.testing import Variant

from .nonlinearity import HIDDEN, SIGNED

MISCONCEPTIONS = (
    Variant(
        tag="feed-forward-residual-inside",
        description="Adds x to the result",
        message="You add x to the result. The residual is on its way, but it belongs to the "
        "encoder block, which wraps this network; with both, x would count twice. The formula of "
        "this part adds nothing but biases.",
        edits={"return output": "return x + output"},
    ),
    Variant(
        tag="feed-forward-residual-where-as-wide",
        description="Adds x where d_ff = d_model",
        message="Where d_ff = d_model you add x; with other sizes you don't. The residual belongs "
        "to the encoder block, which wraps this network. The formula of this part adds nothing but "
        "biases, whatever the sizes. What does your code decide by looking at them?",
        edits={
            "return output": "return x + output if hidden.shape == x.shape else output",
        },
    ),
    Variant(
        tag="feed-forward-first-bias-after-relu",
        description="Adds the first bias after the ReLU",
        message="You add the first bias after max(0, …), so a hidden feature that should be 0 is "
        "the bias instead, and may be negative. Look at what stands inside the brackets of max in "
        "the formula. `linear1(x)` adds it there by itself.",
        edits={
            "self.linear1(x)": "F.linear(x, self.linear1.weight)",
            "F.relu(hidden)": "F.relu(hidden) + self.linear1.bias",
        },
    ),
    Variant(
        tag="feed-forward-weights-turned-where-square",
        description="Multiplies with the weights as they are where d_ff = d_model",
        message="Where d_ff = d_model you multiply with the weights as they are, since the sizes "
        "fit without a transpose. PyTorch keeps a row for each feature that comes out, at any "
        "size. What does your code ask of the shapes? `linear1(x)` would ask nothing.",
        edits={
            "self.linear1(x)": (
                "(\n            x @ self.linear1.weight + self.linear1.bias\n"
                "            if self.linear1.in_features == self.linear1.out_features\n"
                "            else self.linear1(x)\n        )"
            ),
            "self.linear2(hidden)": (
                "(\n            hidden @ self.linear2.weight + self.linear2.bias\n"
                "            if self.linear2.in_features == self.linear2.out_features\n"
                "            else self.linear2(hidden)\n        )"
            ),
        },
    ),
    Variant(
        tag="feed-forward-second-layer-unused",
        description="Returns the hidden features: linear2 is never applied",
        message="You return the hidden features: linear2 is made but never called, so d_ff "
        "features come out where d_model should. What does the formula multiply after max(0, …)?",
        edits={"self.linear2(hidden)": "hidden"},
    ),
    Variant(
        tag="feed-forward-mixes-positions",
        description="Averages over the positions: every token gets the same",
        message="Every token of yours gets the same answer, made of all tokens together. To look "
        "at each other is the job of attention; this network serves each position by itself. "
        "Which axis do you average over?",
        edits={"self.linear1(x)": "self.linear1(x.mean(1, True).expand_as(x))"},
    ),
    Variant(
        tag="feed-forward-dropout",
        description="Drops out in train mode, or draws something else anew in each call",
        message="In train mode, two runs of your network on the same input differ: something in it "
        "is drawn anew each time, as in dropout. The block around it has dropout of its own, and "
        "its rate is set there. This exercise asks for none.",
        edits={"F.relu(hidden)": "F.dropout(F.relu(hidden), 0.1, self.training)"},
    ),
    Variant(
        tag="feed-forward-dropout-always",
        description="Drops out a tenth of the hidden features, in eval mode as well",
        message="Two runs of your network on the same input differ, in eval mode too: some hidden "
        "features are set to 0 at random, and the others enlarged. A function that drops out "
        "doesn't know the mode unless it is told. But this exercise asks for no dropout at all.",
        edits={"F.relu(hidden)": "F.dropout(F.relu(hidden), 0.1)"},
        same_draws=True,
    ),
    Variant(
        tag="feed-forward-normalised",
        description="Ends with a layer norm",
        message="Your network ends with a layer norm. The norm will come, but around the network, "
        "in the encoder block, and after the residual. The formula of this part contains none.",
        edits={"return output": "return F.layer_norm(output, x.shape[-1:])"},
    ),
    Variant(
        tag="feed-forward-normalised-by-a-layer",
        description="Ends with a layer norm of its own",
        message="Your network ends with a layer norm. The norm will come, but around the network, "
        "in the encoder block, and after the residual. The formula of this part contains none.",
        edits={
            "        self.linear2 = nn.Linear(d_ff, d_model)\n": (
                "        self.linear2 = nn.Linear(d_ff, d_model)\n"
                "        self.norm = nn.LayerNorm(d_model)\n"
            ),
            "return output": "return self.norm(output)",
        },
    ),
    Variant(
        tag="feed-forward-residual-and-norm-inside",
        description="Adds x and ends with a layer norm of its own",
        message="You add x and normalise. Both are on their way, but they belong to the encoder "
        "block, which wraps this network. The formula of this part ends before them.",
        edits={
            "        self.linear2 = nn.Linear(d_ff, d_model)\n": (
                "        self.linear2 = nn.Linear(d_ff, d_model)\n"
                "        self.norm = nn.LayerNorm(d_model)\n"
            ),
            "return output": "return self.norm(x + output)",
        },
    ),
    Variant(
        tag="feed-forward-third-layer",
        description="Has a third linear layer between the two, with a ReLU of its own",
        message="Between your two layers stands a third one. The formula has two matrices, W₁ and "
        "W₂, and one max(0, …). Which line is too many?",
        edits={
            "        self.linear2 = nn.Linear(d_ff, d_model)\n": (
                "        self.linear2 = nn.Linear(d_ff, d_model)\n"
                "        self.hidden = nn.Linear(d_ff, d_ff)\n"
            ),
            "hidden = F.relu(hidden)": "hidden = F.relu(self.hidden(F.relu(hidden)))",
        },
    ),
    Variant(
        tag="feed-forward-changes-its-input",
        description="Changes x in place, by a ReLU for example",
        message="After a call, x isn't what it was: something in your code works in place on the "
        "tensor of its caller, and the block still needs it for the residual. Names that end in an "
        "underscore, `+=` and `inplace=True` change what they are given: which is it?",
        edits={"self.linear1(x)": "self.linear1(F.relu_(x))", "F.relu(hidden)": "hidden"},
    ),
    Variant(
        tag="feed-forward-narrow-meets-wide",
        description="Lets d_model features meet a matrix for d_ff (layers in reverse, W for Wᵀ)",
        message="Tokens with d_model features meet a matrix that expects d_ff of them. Does "
        "linear2 come first in your `forward`, or twice? Or do you multiply with `linear1.weight` "
        "by hand, which PyTorch keeps with one row for each feature that comes *out*?",
        edits={
            "self.linear1(x)": "self.linear2(x)",
            "self.linear2(hidden)": "self.linear1(hidden)",
        },
    ),
    Variant(
        tag="feed-forward-first-layer-twice",
        description="Applies linear1 twice",
        message="linear1 is called twice, and its second call gets d_ff features where it expects "
        "d_model. Each layer has one turn. Which one leads back to d_model?",
        edits={"self.linear2(hidden)": "self.linear2(F.relu(self.linear1(hidden)))"},
    ),
    Variant(
        tag="feed-forward-first-position-alone",
        description="Reads the first position alone",
        message="You take the first token and leave the others out, so one vector comes back for "
        "a whole sentence. The network serves every position. `nn.Linear` needs no help with "
        "that: which index is one too many?",
        edits={"self.linear1(x)": "self.linear1(x[:, 0])"},
    ),
    Variant(
        tag="feed-forward-positions-averaged",
        description="Averages the result over the positions",
        message="You average over the positions at the end, so one vector is left for the whole "
        "sentence. The network serves each position by itself and keeps the shape of x. Which "
        "axis went missing?",
        edits={"return output": "return output.mean(dim=1)"},
    ),
    Variant(
        tag="feed-forward-positions-flattened",
        description="Flattens batch and positions and doesn't bring them back",
        message="You lay all tokens of the batch below each other, and so they come back: two axes "
        "where there were three. `nn.Linear` only cares about the last axis. It needs no reshape.",
        edits={"self.linear1(x)": "self.linear1(x.flatten(0, 1))"},
    ),
    Variant(
        tag="feed-forward-sentence-flattened",
        description="Flattens each sentence into one long vector: the sizes clash",
        message="You join the tokens of a sentence into one long vector, as one does with "
        "pictures, and linear1 expects d_model features. The network serves each position by "
        "itself. A linear layer needs no reshape for that.",
        edits={"self.linear1(x)": "self.linear1(x.flatten(1))"},
    ),
    Variant(
        tag="feed-forward-residual-in-place",
        description="Adds the result to x in place",
        message="You write the result into x, the tensor of your caller, and add what should stay "
        "apart: the residual belongs to the encoder block, which wraps this network. `+=`, or a "
        "name that ends in an underscore, changes what it is given.",
        edits={"return output": "x += output\n        return x"},
    ),
    Variant(
        tag="feed-forward-normalised-first",
        description="Begins with a layer norm",
        message="Your network begins with a layer norm. The norm will come, but around the "
        "network, in the encoder block, and after the residual. The formula of this part contains "
        "none.",
        edits={"self.linear1(x)": "self.linear1(F.layer_norm(x, x.shape[-1:]))"},
    ),
    Variant(
        tag="feed-forward-softmax-last",
        description="Ends with a softmax",
        message="Your network ends with a softmax, so the features of each token share out a "
        "single 1. That is for attention, or for the very end of a classifier. The formula of this "
        "part ends with b₂.",
        edits={"return output": "return torch.softmax(output, dim=-1)"},
    ),
    Variant(
        tag="feed-forward-scaled",
        description="Divides the result by the root of d_model",
        message="Your result is smaller than it should be, by the root of d_model. A root like "
        "that belongs to the scores of attention. The formula of this part contains none.",
        edits={"return output": "return output / math.sqrt(x.shape[-1])"},
    ),
    Variant(
        tag="feed-forward-first-bias-unused",
        description="Multiplies with linear1's weights and leaves its bias out",
        message="You multiply with the weights of linear1 by hand and leave its bias out. The "
        "formula adds b₁; a layer does all of it when it is called. Nothing is gained by taking it "
        "apart.",
        edits={"self.linear1(x)": "x @ self.linear1.weight.T"},
    ),
    Variant(
        tag="feed-forward-second-bias-unused",
        description="Multiplies with linear2's weights and leaves its bias out",
        message="You multiply with the weights of linear2 by hand and leave its bias out. The "
        "formula adds b₂; a layer does all of it when it is called. Nothing is gained by taking it "
        "apart.",
        edits={"self.linear2(hidden)": "hidden @ self.linear2.weight.T"},
    ),
    Variant(
        tag="feed-forward-first-weights-turned-round",
        description="The second layer multiplies with linear1's weights, transposed",
        message="You multiply with the weights of linear1 twice, there and, turned round, back; "
        "those of linear2 are never used. In the formula W₁ and W₂ are two matrices, and each "
        "learns its own numbers.",
        edits={
            "self.linear2(hidden)": "F.linear(hidden, self.linear1.weight.T, self.linear2.bias)"
        },
    ),
    Variant(
        tag="feed-forward-hidden-returned-too",
        description="Returns (output, hidden) where the output alone is asked for",
        message="You return a pair. The block around this network expects one tensor, of the same "
        "shape as x.",
        edits={"return output": "return output, hidden"},
    ),
    Variant(
        tag="feed-forward-centred-over-the-positions",
        description="Subtracts the mean over the positions from the hidden features",
        message="You subtract the mean over all positions, so a token's answer depends on the "
        "tokens around it. To look around is what attention is for; here each position is served "
        "by itself. Which line adds up along the axis of positions?",
        edits={
            "hidden = F.relu": (
                "hidden = hidden - hidden.mean(dim=1, keepdim=True)\n        hidden = F.relu"
            )
        },
    ),
    Variant(
        tag="feed-forward-centred-over-the-batch",
        description="Subtracts the mean over the batch from the hidden features",
        message="You subtract the mean over the sentences of the batch, so what a token gets "
        "depends on what else happens to be in the batch. Here each position is served by itself. "
        "Which line adds up along the first axis?",
        edits={
            "hidden = F.relu": (
                "hidden = hidden - hidden.mean(dim=0, keepdim=True)\n        hidden = F.relu"
            )
        },
    ),
)

EXAMPLES = (HIDDEN, SIGNED)
