"""What learners get wrong in FeedForward."""  # noqa: N999 - the name of the exercise

from __future__ import annotations

from autograder.exercises.hw2_encoder.everywhere import (
    drawn_anew,
    no_bias,
    nothing_returned,
    other_names,
)
from autograder.misconceptions import Variant

REFERENCE = """\
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = self.linear1(x)
        hidden = F.relu(hidden)
        output = self.linear2(hidden)
        return output
"""

WRONG_NONLINEARITY = (
    Variant(
        tag="feed-forward-no-relu",
        description="No ReLU: two linear layers in a row",
        message="Nothing happens between your two layers. Two linear layers in a row are as good "
        "as a single one, however wide the middle is. What does max(0, …) do in the formula, and "
        "where?",
        edits={"F.relu(hidden)": "hidden"},
    ),
    Variant(
        tag="feed-forward-relu-last",
        description="ReLU after the second layer instead of the first",
        message="Your ReLU comes last, so no feature of the result can be negative, and the two "
        "layers before it amount to one. In the formula, which of the two matrices stands outside "
        "max(0, …)?",
        edits={"F.relu(hidden)": "hidden", "self.linear2(hidden)": "F.relu(self.linear2(hidden))"},
    ),
    Variant(
        tag="feed-forward-relu-twice",
        description="ReLU after each of the two layers",
        message="There is a ReLU after each of your layers. The one in the middle is right; the "
        "one at the end takes every negative number from the result. How often does max(0, …) "
        "occur in the formula?",
        source=REFERENCE.replace("self.linear2(hidden)", "F.relu(self.linear2(hidden))"),
    ),
    Variant(
        tag="feed-forward-relu-first",
        description="ReLU on x, before the first layer",
        message="Your ReLU meets x before the first layer does, so whatever is negative in x is "
        "lost, and nothing stands between the layers. In the formula, what is inside max(0, …)?",
        source=REFERENCE.replace("self.linear1(x)", "self.linear1(F.relu(x))").replace(
            "F.relu(hidden)", "hidden"
        ),
    ),
    Variant(
        tag="feed-forward-gelu",
        description="GELU instead of ReLU",
        message="Between your layers stands GELU, a smooth relative of ReLU that later models "
        "like. Small negative features get through it. What does max(0, …) make of them?",
        edits={"F.relu": "F.gelu"},
    ),
    Variant(
        tag="feed-forward-leaky-relu",
        description="Leaky ReLU instead of ReLU",
        message="Your ReLU leaks: of each negative feature a hundredth gets through. What does "
        "max(0, …) leave of a negative number?",
        edits={"F.relu": "F.leaky_relu"},
    ),
    Variant(
        tag="feed-forward-sigmoid",
        description="Sigmoid instead of ReLU",
        message="Between your layers stands a sigmoid, so every hidden feature ends up between 0 "
        "and 1. max(0, …) lets large features stay large. Which function of torch is that?",
        edits={"F.relu": "torch.sigmoid"},
    ),
    Variant(
        tag="feed-forward-softmax",
        description="Softmax instead of ReLU",
        message="Between your layers stands a softmax, so the hidden features share out a single "
        "1. That is for attention; here each feature is treated by itself. What does the formula "
        "do with one number?",
        edits={"F.relu(hidden)": "torch.softmax(hidden, dim=-1)"},
    ),
    Variant(
        tag="feed-forward-tanh",
        description="tanh instead of ReLU",
        message="Between your layers stands a tanh, so every hidden feature ends up between -1 "
        "and 1. max(0, …) lets large features stay large. Which function of torch is that?",
        source=REFERENCE.replace("F.relu(hidden)", "torch.tanh(hidden)"),
    ),
    Variant(
        tag="feed-forward-silu",
        description="SiLU (swish) instead of ReLU",
        message="Between your layers stands SiLU, also called swish, a smooth relative of ReLU. "
        "Small negative features get through it. What does max(0, …) make of them?",
        source=REFERENCE.replace("F.relu(hidden)", "F.silu(hidden)"),
    ),
    Variant(
        tag="feed-forward-elu",
        description="ELU instead of ReLU",
        message="Between your layers stands ELU: negative features get through it, down to -1. "
        "What does max(0, …) leave of a negative number?",
        source=REFERENCE.replace("F.relu(hidden)", "F.elu(hidden)"),
    ),
    Variant(
        tag="feed-forward-softplus",
        description="Softplus instead of ReLU",
        message="Between your layers stands softplus, a smooth relative of ReLU, which turns even "
        "0 into something. What does max(0, …) make of 0 and of what lies below?",
        source=REFERENCE.replace("F.relu(hidden)", "F.softplus(hidden)"),
    ),
    Variant(
        tag="feed-forward-absolute",
        description="Absolute value instead of ReLU",
        message="Your hidden features lose their sign: -2 becomes 2. max(0, …) treats numbers "
        "below 0 in another way. What does it leave of them?",
        source=REFERENCE.replace("F.relu(hidden)", "hidden.abs()"),
    ),
    Variant(
        tag="feed-forward-gelu-approximate",
        description="GELU in its tanh approximation instead of ReLU",
        message="Between your layers stands GELU, in its approximate form, which later models "
        "like. Small negative features get through it. What does max(0, …) make of them?",
        source=REFERENCE.replace("F.relu(hidden)", 'F.gelu(hidden, approximate="tanh")'),
    ),
    Variant(
        tag="feed-forward-leaky-relu-steep",
        description="Leaky ReLU with slope 0.2 instead of ReLU",
        message="Your ReLU leaks: of each negative feature a fifth gets through. What does max(0, "
        "…) leave of a negative number?",
        source=REFERENCE.replace("F.relu(hidden)", "F.leaky_relu(hidden, 0.2)"),
    ),
    Variant(
        tag="feed-forward-minimum-kept",
        description="min(0, …) instead of max(0, …)",
        message="You keep the negative hidden features and drop the positive ones. The formula "
        "does it the other way round: is it max or min that stands in front of the bracket?",
        source=REFERENCE.replace("F.relu(hidden)", "hidden.clamp(max=0)"),
    ),
    Variant(
        tag="feed-forward-relu-six",
        description="ReLU6 instead of ReLU",
        message="Between your layers stands ReLU6, which cuts hidden features off at 6. max(0, …) "
        "lets large features stay large. Which function of torch does no more than that?",
        source=REFERENCE.replace("F.relu(hidden)", "F.relu6(hidden)"),
    ),
    Variant(
        tag="feed-forward-relu-is-a-layer",
        description="Calls nn.ReLU(hidden): that makes a layer instead of applying one",
        message="`nn.ReLU(hidden)` makes a layer and takes `hidden` for a setting of it; nothing "
        "is computed yet. A layer is made once and then called. Which brackets make it, and which "
        "apply it?",
        source=REFERENCE.replace("F.relu(hidden)", "nn.ReLU(hidden)"),
    ),
)

WRONG_WIRING = (
    Variant(
        tag="feed-forward-residual-inside",
        description="Adds x to the result",
        message="You add x to the result. The residual is on its way, but it belongs to the "
        "encoder block, which wraps this network; with both, x would count twice. What does the "
        "formula of this part end with?",
        edits={"return output": "return x + output"},
    ),
    Variant(
        tag="feed-forward-second-layer-unused",
        description="Returns the hidden features: linear2 is never applied",
        message="You return the hidden features: linear2 is made but never called, so d_ff "
        "features come out where d_model should. What does the formula multiply after max(0, …)?",
        source=REFERENCE.replace("self.linear2(hidden)", "hidden"),
    ),
    Variant(
        tag="feed-forward-mixes-positions",
        description="Averages over the positions: every token gets the same",
        message="Every token of yours gets the same answer, made of all tokens together. To look "
        "at each other is the job of attention; this network serves each position by itself. "
        "Which axis do you average over?",
        source=REFERENCE.replace("self.linear1(x)", "self.linear1(x.mean(1, True).expand_as(x))"),
    ),
    Variant(
        tag="feed-forward-dropout",
        description="Drops out in train mode",
        message="In train mode, two runs of your network on the same input differ: there is "
        "dropout in it. The block around it has some, and its rate is set there. What does this "
        "exercise say of dropout?",
        source=REFERENCE.replace("F.relu(hidden)", "F.dropout(F.relu(hidden), 0.1, self.training)"),
    ),
    Variant(
        tag="feed-forward-normalised",
        description="Ends with a layer norm",
        message="Your network ends with a layer norm. The norm will come, but around the network, "
        "in the encoder block, and after the residual. What does the formula of this part alone "
        "contain?",
        edits={"return output": "return F.layer_norm(output, x.shape[-1:])"},
    ),
    Variant(
        tag="feed-forward-changes-its-input",
        description="Applies the ReLU to x in place",
        message="Your ReLU works in place on x, the tensor of whoever called you: it's changed for "
        "them as well, and the block still needs it for the residual. Names that end in an "
        "underscore, and `inplace=True`, change what they are given. What should it act on?",
        source=REFERENCE.replace("self.linear1(x)", "self.linear1(F.relu_(x))").replace(
            "F.relu(hidden)", "hidden"
        ),
    ),
    Variant(
        tag="feed-forward-narrow-meets-wide",
        description="Lets d_model features meet a matrix for d_ff (layers in reverse, W for Wᵀ)",
        message="Tokens with d_model features meet a matrix that expects d_ff of them. Does "
        "linear2 come first in your `forward`, or twice? Or do you multiply with `linear1.weight` "
        "by hand, which PyTorch keeps with one row for each feature that comes *out*?",
        source=REFERENCE.replace("self.linear1(x)", "self.linear2(x)").replace(
            "self.linear2(hidden)", "self.linear1(hidden)"
        ),
    ),
    drawn_anew("feed-forward", REFERENCE.replace("return output", "return F.dropout(output, 0.1)")),
    Variant(
        tag="feed-forward-first-layer-twice",
        description="Applies linear1 twice",
        message="linear1 is called twice, and its second call gets d_ff features where it expects "
        "d_model. Each layer has one turn. Which one leads back to d_model?",
        source=REFERENCE.replace(
            "self.linear2(hidden)", "self.linear2(F.relu(self.linear1(hidden)))"
        ),
    ),
    Variant(
        tag="feed-forward-first-position-alone",
        description="Reads the first position alone",
        message="You take the first token and leave the others out, so one vector comes back for "
        "a whole sentence. The network serves every position. `nn.Linear` needs no help with "
        "that: which index is one too many?",
        source=REFERENCE.replace("self.linear1(x)", "self.linear1(x[:, 0])"),
    ),
    Variant(
        tag="feed-forward-positions-averaged",
        description="Averages the result over the positions",
        message="You average over the positions at the end, so one vector is left for the whole "
        "sentence. The network serves each position by itself and keeps the shape of x. Which "
        "axis went missing?",
        source=REFERENCE.replace("return output", "return output.mean(dim=1)"),
    ),
    Variant(
        tag="feed-forward-positions-flattened",
        description="Flattens batch and positions and doesn't bring them back",
        message="You lay all tokens of the batch below each other, and so they come back: two "
        "axes where there were three. `nn.Linear` only cares about the last axis. Do you need the "
        "reshape at all?",
        source=REFERENCE.replace("self.linear1(x)", "self.linear1(x.flatten(0, 1))"),
    ),
    Variant(
        tag="feed-forward-sentence-flattened",
        description="Flattens each sentence into one long vector: the sizes clash",
        message="You join the tokens of a sentence into one long vector, as one does with "
        "pictures, and linear1 expects d_model features. The network serves each position by "
        "itself. Do you need the reshape at all?",
        source=REFERENCE.replace("self.linear1(x)", "self.linear1(x.flatten(1))"),
    ),
    Variant(
        tag="feed-forward-residual-in-place",
        description="Adds the result to x in place",
        message="You write the result into x, the tensor of whoever called you, and add what "
        "should stay apart: the residual belongs to the encoder block, which wraps this network. "
        "`x += …` changes what you were given; what does the formula end with?",
        source=REFERENCE.replace("return output", "x += output\n        return x"),
    ),
    Variant(
        tag="feed-forward-normalised-first",
        description="Begins with a layer norm",
        message="Your network begins with a layer norm. The norm will come, but around the "
        "network, in the encoder block, and after the residual. What does the formula of this "
        "part alone contain?",
        source=REFERENCE.replace("self.linear1(x)", "self.linear1(F.layer_norm(x, x.shape[-1:]))"),
    ),
    Variant(
        tag="feed-forward-softmax-last",
        description="Ends with a softmax",
        message="Your network ends with a softmax, so the features of each token share out a "
        "single 1. That is for attention, or for the very end of a classifier. What does the "
        "formula of this part end with?",
        source=REFERENCE.replace("return output", "return torch.softmax(output, dim=-1)"),
    ),
    Variant(
        tag="feed-forward-scaled",
        description="Divides the result by the root of d_model",
        message="Your result is smaller than it should be, by the root of d_model. A root like "
        "that belongs to the scores of attention. What does the formula of this part alone "
        "contain?",
        source=REFERENCE.replace("return output", "return output / math.sqrt(x.shape[-1])"),
    ),
    Variant(
        tag="feed-forward-biases-unused",
        description="Multiplies with the weights by hand and leaves the biases out",
        message="You multiply with the weights of the layers by hand and leave their biases out. "
        "The formula adds b₁ and b₂; a layer does all of it when it is called. What do you gain "
        "by taking it apart?",
        source=REFERENCE.replace("self.linear1(x)", "x @ self.linear1.weight.T").replace(
            "self.linear2(hidden)", "hidden @ self.linear2.weight.T"
        ),
    ),
    Variant(
        tag="feed-forward-hidden-returned-too",
        description="Returns (output, hidden) where the output alone is asked for",
        message="You return a pair. The block around this network expects one tensor, of the same "
        "shape as x. Which of your two is that?",
        source=REFERENCE.replace("return output", "return output, hidden"),
    ),
    Variant(
        tag="feed-forward-rounded",
        description="Rounds the result to three decimals",
        message="You round the result. For reading that is nice, but the next layer has lost the "
        "rest of the digits, and nothing can be learnt through a rounding. Who should round, and "
        "when?",
        source=REFERENCE.replace("return output", "return output.round(decimals=3)"),
    ),
)

WRONG_MODULE = (
    nothing_returned("feed-forward", REFERENCE.replace("return output", "output")),
    other_names("feed-forward", "linear1", REFERENCE.replace("linear", "fc")),
    no_bias("feed-forward", "linear1", REFERENCE.replace("d_ff)\n", "d_ff, bias=False)\n", 2)),
    Variant(
        tag="feed-forward-sizes-exchanged",
        description="linear1 leads from d_ff to d_model",
        message="Your linear1 leads from d_ff features to d_model. x comes with d_model of them, "
        "is made wider first and narrow again afterwards. In `nn.Linear(a, b)`, which of the two "
        "goes in?",
        source=REFERENCE.replace(
            "d_model, d_ff)\n        self.l", "d_ff, d_model)\n        self.l"
        ),
    ),
    Variant(
        tag="feed-forward-self-missing-at-linear1",
        description="Calls linear1 without self",
        message="Inside a method, `linear1` alone is looked for among the variables of the "
        "notebook. What `__init__` has made hangs on the object itself. What must stand in front "
        "of the name?",
        source=REFERENCE.replace("self.linear1(x)", "linear1(x)"),
    ),
    Variant(
        tag="feed-forward-self-missing-at-linear2",
        description="Calls linear2 without self",
        message="Inside a method, `linear2` alone is looked for among the variables of the "
        "notebook. What `__init__` has made hangs on the object itself. What must stand in front "
        "of the name?",
        source=REFERENCE.replace("self.linear2(hidden)", "linear2(hidden)"),
    ),
    Variant(
        tag="feed-forward-self-missing-in-forward",
        description="Defines forward(x) without self",
        message="Your `forward` takes x alone, but a method is handed the object itself first, "
        "and so it gets one argument too many. What is the first one called, by custom?",
        source=REFERENCE.replace("forward(self, x)", "forward(x)"),
    ),
    Variant(
        tag="feed-forward-forward-misspelt",
        description="Has no forward: the method has another name",
        message="Your network has no `forward`: when it is called, PyTorch looks for a method of "
        "just that name and finds none. Read yours letter by letter, and check how far it is "
        "indented.",
        source=REFERENCE.replace("def forward", "def foward"),
    ),
    Variant(
        tag="feed-forward-super-missing",
        description="Doesn't call super().__init__()",
        message="Your `__init__` doesn't call the one of nn.Module, which prepares the place "
        "where layers are kept, so the first layer finds none. Which line of the given stub has "
        "gone?",
        source=REFERENCE.replace("        super().__init__()\n", ""),
    ),
    Variant(
        tag="feed-forward-second-layer-never-made",
        description="Never makes linear2",
        message="Your module has no attribute `linear2`, so its weights can't be set, and nothing "
        "else could be tested. `forward` uses two layers. How many does `__init__` make, and do "
        "they hang on `self`?",
        source=REFERENCE.replace("        self.linear2 = nn.Linear(d_ff, d_model)\n", ""),
    ),
    Variant(
        tag="feed-forward-no-second-bias",
        description="Makes linear2 without bias",
        message="Your linear2 has no bias, while the exercise asks for `nn.Linear` as it comes, "
        "and so nothing else could be tested. Which of its arguments do you set?",
        source=REFERENCE.replace(
            "nn.Linear(d_ff, d_model)", "nn.Linear(d_ff, d_model, bias=False)"
        ),
    ),
    Variant(
        tag="feed-forward-second-layer-as-wide",
        description="linear2 leads from d_ff to d_ff",
        message="Your linear2 leads from d_ff features to d_ff, so the result is wider than x, "
        "and the weights of the exercise don't fit in. How many features should come out at the "
        "end, so that a residual can be added?",
        source=REFERENCE.replace("nn.Linear(d_ff, d_model)", "nn.Linear(d_ff, d_ff)"),
    ),
    Variant(
        tag="feed-forward-d-ff-ignored",
        description="Makes linear1 4 · d_model wide, whatever d_ff is",
        message="Your hidden layer is four times as wide as x, as in the paper, whatever d_ff is. "
        "Whoever makes the module wants to choose. Which argument have you not used?",
        source=REFERENCE.replace(
            "(d_model, d_ff)\n        self.l", "(d_model, 4 * d_model)\n        self.l"
        ).replace("nn.Linear(d_ff, d_model)", "nn.Linear(4 * d_model, d_model)"),
    ),
    Variant(
        tag="feed-forward-sizes-of-the-paper",
        description="Makes layers of 512 and 2048 features, whatever is asked for",
        message="Your layers have the sizes of the paper, 512 and 2048, whatever is asked for. "
        "Whoever makes the module wants to choose. Which arguments have you not used?",
        source=REFERENCE.replace(
            "(d_model, d_ff)\n        self.l", "(512, 2048)\n        self.l"
        ).replace("nn.Linear(d_ff, d_model)", "nn.Linear(2048, 512)"),
    ),
    Variant(
        tag="feed-forward-not-wider-inside",
        description="Makes both layers from d_model to d_model",
        message="Both of your layers have d_model features on either side, so the middle is no "
        "wider than the ends. Which argument says how wide it should be, and where have you used "
        "it?",
        source=REFERENCE.replace(
            "(d_model, d_ff)\n        self.l", "(d_model, d_model)\n        self.l"
        ).replace("nn.Linear(d_ff, d_model)", "nn.Linear(d_model, d_model)"),
    ),
)

MISCONCEPTIONS = (*WRONG_NONLINEARITY, *WRONG_WIRING, *WRONG_MODULE)
