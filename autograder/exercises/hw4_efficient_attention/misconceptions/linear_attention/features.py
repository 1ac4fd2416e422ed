"""What learners get wrong in linear_attention: features."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample


def other_features(slug: str, features: str, description: str, message: str) -> Variant:
    """Make both features with another function; `features` writes it with {} for its argument."""
    edits = {f"F.elu({name}) + 1": features.format(name) for name in "QK"}
    return Variant(f"linear-{slug}", description, message, edits)


MISCONCEPTIONS = (
    other_features(
        "no-plus-one",
        "F.elu({})",
        "Uses elu without adding 1",
        "Your features are those of `elu` alone, which goes down to −1: similarities become "
        "negative, and the sum below the line may be 0. What is added to lift φ above 0?",
    ),
    other_features(
        "relu",
        "F.relu({})",
        "Uses ReLU as feature map",
        "Your features are those of ReLU: everything negative becomes 0, and a query whose entries "
        "are all negative is similar to no key. The φ of the exercise is positive everywhere. How "
        "does it continue to the left of 0?",
    ),
    other_features(
        "relu-plus-one",
        "F.relu({}) + 1",
        "Uses ReLU plus one as feature map",
        "To the right of 0 your features are right; to the left they stay at 1, however negative "
        "the entry. `relu` and `elu` differ by more than a letter: which one falls towards 0?",
    ),
    other_features(
        "plus-one-inside",
        "F.elu({} + 1)",
        "Adds the 1 inside: elu(x + 1)",
        "You add the 1 to the entry, before `elu`, so features can still be negative. In φ the 1 "
        "is added to what `elu` returns. Where do your brackets close?",
    ),
    other_features(
        "exponential",
        "torch.exp({})",
        "Uses the exponential as feature map",
        "Your features are exponentials everywhere. To the left of 0 that is φ; to the right φ "
        "grows as a straight line. What is φ(2) in the picture?",
    ),
    other_features(
        "softplus",
        "F.softplus({})",
        "Uses softplus as feature map",
        "Your features are those of softplus: positive everywhere, as they should be, but with "
        "other values. φ(0) is 1, that of softplus is ln 2. Which function of PyTorch is the φ of "
        "the exercise made of?",
    ),
    other_features(
        "sigmoid",
        "torch.sigmoid({})",
        "Uses the sigmoid as feature map",
        "Your features are those of the sigmoid: positive everywhere, but never above 1, so large "
        "entries all count alike. φ goes on growing to the right. What is φ(2) in the picture?",
    ),
    other_features(
        "gelu-plus-one",
        "F.gelu({}) + 1",
        "Uses GELU plus one as feature map",
        "Your features are those of GELU plus 1: to the left of 0 they dip and come back to 1, "
        "while φ falls towards 0. Their names differ by a letter. What is φ(−8) in yours?",
    ),
    other_features(
        "leaky-relu-plus-one",
        "F.leaky_relu({}) + 1",
        "Uses leaky ReLU plus one as feature map",
        "Your features are those of a leaky ReLU plus 1: to the left of 0 they are a straight line "
        "that hardly falls. φ falls there as an exponential does. What is φ(−8) in yours?",
    ),
    other_features(
        "selu-plus-one",
        "F.selu({}) + 1",
        "Uses SELU plus one as feature map",
        "Your features are those of SELU plus 1. SELU is ELU stretched by constants of its own, "
        "so the features become negative far to the left. Compare the two names in PyTorch's "
        "documentation: which one has α = 1 and no other constant?",
    ),
    other_features(
        "squares",
        "{} ** 2",
        "Uses the square as feature map",
        "Your features are squares: never negative, but an entry of −3 counts as much as one of 3, "
        "and 0 as nothing. φ grows from left to right. What is φ(0) in the picture?",
    ),
    other_features(
        "epsilon-in-features",
        "F.elu({}) + 1 + 1e-6",
        "Adds 1e-6 to the features",
        "Your features are a little larger than φ. For entries of ordinary size it doesn't show; "
        "φ(−8) is about three ten-thousandths, and there a small constant is no longer small. Is "
        "there anything in φ that has to be kept away from 0?",
    ),
    *(
        other_features(
            f"elu-of-alpha-{name}",
            f"F.elu({{}}, alpha={alpha}) + 1",
            f"Uses elu with α = {alpha}, plus one",
            "To the right of 0 your features are right; to the left they fall, but not down to 0. "
            "`elu` has an α, which says how far, and yours isn't 1. Which α does PyTorch take if "
            "you don't say?",
        )
        for name, alpha in (("a-half", 0.5), ("a-tenth", 0.1))
    ),
    Variant(
        tag="linear-shares-feature-by-feature",
        description="Divides φ(K) by its sum over tokens and φ(Q) by its sum over features",
        message="You divide too early: each feature of the keys by its sum "
        "over the tokens, each query's by their own sum, so every feature hands out the same "
        "share. Equation 4 divides once, at the end. By the sum of what?",
        edits={
            "F.elu(Q) + 1": "(F.elu(Q) + 1) / (F.elu(Q) + 1).sum(dim=-1, keepdim=True)",
            "F.elu(K) + 1": "(F.elu(K) + 1) / (F.elu(K) + 1).sum(dim=1, keepdim=True)",
            "numerator / normaliser": "numerator",
        },
    ),
    Variant(
        tag="linear-two-softmaxes",
        description="Softmax of queries over features, of keys over tokens",
        message="Your queries go through a softmax over their features, your keys through one over "
        "the tokens. That is another kind of efficient attention. Here φ treats each entry by "
        "itself, and there is no softmax anywhere. What is φ(2)?",
        edits={
            "F.elu(Q) + 1": "torch.softmax(Q, dim=-1)",
            "F.elu(K) + 1": "torch.softmax(K, dim=1)",
        },
    ),
    Variant(
        tag="linear-softmax-features",
        description="Uses softmax over the features of each token as feature map",
        message="You make features with a softmax, so the entries of a token compete with each "
        "other. Here φ treats each entry by itself, and there is no softmax anywhere: the division "
        "at the end takes its place.",
        edits={
            "F.elu(Q) + 1": "torch.softmax(Q, dim=-1)",
            "F.elu(K) + 1": "torch.softmax(K, dim=-1)",
        },
    ),
    *(
        Variant(
            tag=f"linear-no-one-added-for-{who}",
            description=f"The features of the {who} are elu(x), without + 1",
            message=f"The features of your {who} are elu(x) as it is, so some are negative, and "
            f"shares with them. Those of the {others} are right. φ is the same for both: to what "
            "does your code add the 1?",
            edits={f"F.elu({one}) + 1": f"F.elu({one})"},
        )
        for who, others, one in (("keys", "queries", "K"), ("queries", "keys", "Q"))
    ),
    Variant(
        tag="linear-keys-without-features",
        description="Only queries go through the feature map, keys do not",
        message="Your queries go through φ, your keys don't, so similarities can be negative. The "
        "similarity is a product of *two* features. Where are those of the keys?",
        edits={"F.elu(K) + 1": "K"},
    ),
    Variant(
        tag="linear-queries-without-features",
        description="Only keys go through the feature map, queries do not",
        message="Your keys go through φ, your queries don't, so similarities can be negative. The "
        "similarity is a product of *two* features.",
        edits={"F.elu(Q) + 1": "Q"},
    ),
    *(
        Variant(
            tag=f"linear-{where}-without-features",
            description=f"Forgets φ in one place: {code}",
            message=f"In one place φ is forgotten: {what} made of the {whose} as they came, not of "
            "their features, while all else is made of features. So what stands above the line and "
            "what stands below it weigh the keys differently, and a query's weights don't sum "
            f"to 1. How often does φ({letter}) stand in equation 4, and how often in your code?",
            edits={f"phi_{code}": code},
            pairs=False,
        )
        for where, code, what, whose, letter in (
            ("sum-of-keys", "K.sum(dim=1)", "the sum below the line is", "keys", "k"),
            ("summary", "K.transpose(1, 2) @ V", "the sum above the line is", "keys", "k"),
            ("queries-above", "Q @ summary", "what stands above the line is", "queries", "q"),
            ("queries-below", "Q @ total", "what stands below the line is", "queries", "q"),
        )
    ),
    Variant(
        tag="linear-values-with-features",
        description="The values go through the feature map as well",
        message="Your values go through φ as well, so what is averaged is no longer what the "
        "tokens have to say. In equation 4, only queries and keys have a φ.",
        edits={"@ V": "@ (F.elu(V) + 1)"},
    ),
    Variant(
        tag="linear-scaled-before-features",
        description="Divides the queries by the root of d before the feature map",
        message="You divide by √d before φ. In softmax attention that tames the exponential; "
        "equation 4 has no exponential, and nothing is scaled. What becomes of the same query in "
        "yours with d = 1, and with d = 4?",
        edits={"(Q) + 1": "(Q / math.sqrt(Q.shape[-1])) + 1"},
    ),
    Variant(
        tag="linear-keys-scaled-before-features",
        description="Divides the keys by the root of d before the feature map",
        message="Your keys are divided by √d before φ. In softmax attention that tames the "
        "exponential; equation 4 has no exponential, and nothing is scaled.",
        edits={"(K) + 1": "(K / math.sqrt(Q.shape[-1])) + 1"},
    ),
    Variant(
        tag="linear-both-divided-before-features",
        description="Divides queries and keys by the root of d before the feature map",
        message="Your queries and keys are both divided by √d before φ. In softmax attention √d "
        "tames the exponential; equation 4 has no exponential, and nothing is scaled.",
        edits={
            "(Q) + 1": "(Q / math.sqrt(Q.shape[-1])) + 1",
            "(K) + 1": "(K / math.sqrt(Q.shape[-1])) + 1",
        },
    ),
    Variant(
        tag="linear-both-scaled-before-features",
        description="Divides queries and keys by the fourth root of d before the feature map",
        message="You divide both queries and keys before φ, so that their product is divided by "
        "√d. In softmax attention that tames the exponential; equation 4 has no exponential. It "
        "divides by the sum of the weights alone.",
        edits={
            "(Q) + 1": "(Q / Q.shape[-1] ** 0.25) + 1",
            "(K) + 1": "(K / Q.shape[-1] ** 0.25) + 1",
        },
    ),
)

EXAMPLES = (
    WorkedExample(
        """
The feature map makes every number positive: x + 1 for what is not negative, and e to the power of
x for what is. Queries and keys go through it, just as they are; values don't.

The queries (1, 0) and (0, 0) become (2, 1) and (1, 1).

The keys (−0.69, 0) and (1, 1) become (0.5, 1) and (2, 2), since e^−0.69 = 0.5 and 1 + 1 = 2.

The first query's similarities are 2 · 0.5 + 1 · 1 = 2 and 2 · 2 + 1 · 2 = 6. They sum to 8, so
the values 0 and 11 get the shares 2/8 = 0.25 and 6/8 = 0.75: 0.75 · 11 = 8.25.

The second query: 1.5 and 4 sum to 5.5, and 4 · 11/5.5 = 8.

Compute your own features of both keys. Are they (0.5, 1) and (2, 2), and does anything else go
through the map?""",
        """\
Q = torch.tensor([[[1.0, 0.0], [0.0, 0.0]]])
K = torch.tensor([[[-0.6931, 0.0], [1.0, 1.0]]])
V = torch.tensor([[[0.0, 0.0], [11.0, 0.0]]])
linear_attention(Q, K, V)[0, :, 0]""",
        [8.25, 8.0],
    ),
)
