"""What learners get wrong in FeedForward: module."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="feed-forward-sizes-exchanged",
        description="linear1 leads from d_ff to d_model",
        message="Your linear1 leads from d_ff features to d_model. x comes with d_model of them, "
        "is made wider first and narrow again afterwards. Look at the order in which `nn.Linear` "
        "takes the two.",
        edits={"d_model, d_ff)\n        self.l": "d_ff, d_model)\n        self.l"},
    ),
    Variant(
        tag="feed-forward-self-missing-at-linear1",
        description="Calls linear1 without self",
        message="Inside a method, `linear1` alone is looked for among the variables of the "
        "notebook. What `__init__` has made hangs on the object itself. The name needs something "
        "in front of it.",
        edits={"self.linear1(x)": "linear1(x)"},
    ),
    Variant(
        tag="feed-forward-self-missing-at-linear2",
        description="Calls linear2 without self",
        message="Inside a method, `linear2` alone is looked for among the variables of the "
        "notebook. What `__init__` has made hangs on the object itself. The name needs something "
        "in front of it.",
        edits={"self.linear2(hidden)": "linear2(hidden)"},
    ),
    Variant(
        tag="feed-forward-self-missing-in-forward",
        description="Defines forward(x) without self",
        message="Your `forward` takes x alone, but a method is handed the object itself first, and "
        "so it gets one argument too many.",
        edits={"forward(self, x)": "forward(x)"},
    ),
    Variant(
        tag="feed-forward-forward-misspelt",
        description="Has no forward: the method has another name",
        message="Your network has no `forward`: when it is called, PyTorch looks for a method of "
        "just that name and finds none. Read yours letter by letter, and check how far it is "
        "indented.",
        edits={"def forward": "def foward"},
    ),
    Variant(
        tag="feed-forward-second-layer-never-made",
        description="Never makes linear2",
        message="Your module has no attribute `linear2`, so its weights can't be set, and nothing "
        "else could be tested. `forward` uses two layers. How many does `__init__` make, and do "
        "they hang on `self`?",
        edits={"        self.linear2 = nn.Linear(d_ff, d_model)\n": ""},
    ),
    Variant(
        tag="feed-forward-no-second-bias",
        description="Makes linear2 without bias",
        message="Your linear2 has no bias, while the exercise asks for `nn.Linear` as it comes, "
        "both times; the formula ends with b₂. Which of its arguments do you set?",
        edits={"nn.Linear(d_ff, d_model)": "nn.Linear(d_ff, d_model, bias=False)"},
    ),
    Variant(
        tag="feed-forward-second-layer-as-wide",
        description="linear2 leads from d_ff to d_ff",
        message="Your linear2 leads from d_ff features to d_ff, so the result is wider than x, and "
        "the weights of the exercise don't fit in. The residual will need as many features as x "
        "has.",
        edits={"nn.Linear(d_ff, d_model)": "nn.Linear(d_ff, d_ff)"},
    ),
    Variant(
        tag="feed-forward-d-ff-ignored",
        description="Makes linear1 4 · d_model wide, whatever d_ff is",
        message="Your hidden layer is four times as wide as x, as in the paper, whatever d_ff is. "
        "The size is the caller's to choose. Which argument have you not used?",
        edits={
            "(d_model, d_ff)\n        self.l": "(d_model, 4 * d_model)\n        self.l",
            "nn.Linear(d_ff, d_model)": "nn.Linear(4 * d_model, d_model)",
        },
    ),
    Variant(
        tag="feed-forward-sizes-of-the-paper",
        description="Makes layers of 512 and 2048 features, whatever is asked for",
        message="Your layers have the sizes of the paper, 512 and 2048, whatever is asked for. The "
        "sizes are the caller's to choose. Which arguments have you not used?",
        edits={
            "(d_model, d_ff)\n        self.l": "(512, 2048)\n        self.l",
            "nn.Linear(d_ff, d_model)": "nn.Linear(2048, 512)",
        },
    ),
    Variant(
        tag="feed-forward-not-wider-inside",
        description="Makes both layers from d_model to d_model",
        message="Both of your layers have d_model features on either side, so the middle is no "
        "wider than the ends. Which argument says how wide it should be, and where have you used "
        "it?",
        edits={
            "(d_model, d_ff)\n        self.l": "(d_model, d_model)\n        self.l",
            "nn.Linear(d_ff, d_model)": "nn.Linear(d_model, d_model)",
        },
    ),
)
