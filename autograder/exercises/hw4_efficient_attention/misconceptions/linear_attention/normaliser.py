"""What learners get wrong in linear_attention: normaliser."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="linear-no-normaliser",
        description="Returns the numerator: nothing is divided",
        message="Your result grows with the number of keys: it is the numerator alone, and nothing "
        "divides it. Weights should sum to 1 for each query. Compare with the denominator of "
        "equation 4.",
        edits={"numerator / normaliser": "numerator"},
    ),
    Variant(
        tag="linear-divided-by-n",
        description="Divides by the number of tokens instead of the sum of similarities",
        message="You divide by the number of tokens, as if all similarities were 1. A query's "
        "weights have to be divided by *their* sum, and each query has its own. Which axis is "
        "that sum taken over?",
        edits={"/ normaliser": "/ Q.shape[1]"},
    ),
    Variant(
        tag="linear-normaliser-of-mean-keys",
        description="The normaliser takes the mean of the keys' features instead of the sum",
        message="Your result is n times too large: the numerator adds up over all keys, the "
        "denominator takes their mean. The two have to match.",
        edits={"phi_K.sum(dim=1)": "phi_K.mean(dim=1)"},
    ),
    Variant(
        tag="linear-normaliser-without-query",
        description="Divides by the sum of the keys' features, feature by feature: no query in it",
        message="Your denominator is the sum of the keys' features, and the query isn't in it. So "
        "columns of the result are divided by what belongs to other columns. Which sum makes the "
        "*weights* of a query add up to 1?",
        edits={"phi_Q @ total": "total.transpose(1, 2)"},
    ),
    Variant(
        tag="linear-keys-normalised",
        description="Divides each feature of the keys by its sum over the text, and nothing else",
        message="You divide each feature of the keys by its sum over the text, and nothing divides "
        "what belongs to a query. So each *feature* sums to 1 over the keys, but the weights of a "
        "query don't: they are sums over features, each times the query's own. What do the weights "
        "of one query add up to in yours?",
        edits={
            "phi_K = F.elu(K) + 1": (
                "phi_K = F.elu(K) + 1\n    phi_K = phi_K / phi_K.sum(dim=1, keepdim=True)"
            ),
            "numerator / normaliser": "numerator",
        },
    ),
    Variant(
        tag="linear-normaliser-over-features",
        description="Divides by the sum over the features of each token's own key",
        message="You add up over the *features* of one key, so each row is divided by something "
        "that belongs to its own key. Equation 4 adds up over all *keys*, j. Which axis is that?",
        edits={"phi_Q @ total": "phi_K.sum(dim=-1, keepdim=True)"},
    ),
    Variant(
        tag="linear-normaliser-of-sums-over-features",
        description="Divides by the query's sum over features times that of the token's own key",
        message="Your denominator multiplies the sum of a query's features by the sum of those of "
        "the key in the same place. Equation 4 multiplies feature by feature, and adds up over all "
        "*keys*, j. Which axis is that?",
        edits={
            "phi_Q @ total": "phi_Q.sum(dim=-1, keepdim=True) * phi_K.sum(dim=-1, keepdim=True)"
        },
    ),
    Variant(
        tag="linear-normaliser-of-own-key",
        description="Divides by the similarity of each query with its own key alone",
        message="Your denominator is the similarity of a token's query with its *own* key, one "
        "term of the sum. Equation 4 adds up over all keys, j.",
        edits={"phi_Q @ total": "(phi_Q * phi_K).sum(dim=-1, keepdim=True)"},
    ),
    Variant(
        tag="linear-normaliser-of-all-queries",
        description="Divides by the sum of all similarities of all queries",
        message="Your denominator is one number for all queries of a sentence: the sum over all "
        "pairs. So it is all weights of a sentence that sum to 1, not those of a query. Over which "
        "of i and j does equation 4 add?",
        edits={"phi_Q @ total": "(phi_Q @ total).sum(dim=1, keepdim=True)"},
    ),
    Variant(
        tag="linear-normaliser-mean-of-all-queries",
        description="Divides by the mean over all queries of their sums of similarities",
        message="Your denominator is one number for all queries of a sentence: the mean of their "
        "sums. A query with many similar keys then gets weights that sum to more than 1, and "
        "another to less. Equation 4 has a sum of its own for each query.",
        edits={"phi_Q @ total": "(phi_Q @ total).mean(dim=1, keepdim=True)"},
    ),
    Variant(
        tag="linear-normaliser-over-batch",
        description="Sums the keys' features over the batch instead of the tokens",
        message="Your denominator adds up the keys at the same place in the sentences of a batch. "
        "Sentences of a batch have nothing to do with each other; equation 4 adds up over the "
        "tokens of one. In (batch, n, d), which axis is that?",
        edits={
            "phi_Q @ total": "(phi_Q * phi_K.sum(dim=0, keepdim=True)).sum(dim=-1, keepdim=True)"
        },
    ),
    Variant(
        tag="linear-normaliser-over-batch-and-tokens",
        description="Sums the keys' features over the batch and the tokens",
        message="Your denominator adds up the keys of *all* sentences of the batch, so what a "
        "sentence gets depends on its neighbours in the batch. A query meets only the keys of its "
        "own sentence.",
        edits={"phi_K.sum(dim=1)": "phi_K.sum(dim=(0, 1), keepdim=True)[0]"},
    ),
    Variant(
        tag="linear-normaliser-over-queries",
        description="Adds up the similarities over queries instead of keys",
        message="Your denominator adds up over queries: how much a *key* is looked at by all. But "
        "a query divides its attention among keys. Over which of i and j does equation 4 add?",
        edits={
            "phi_K.sum(dim=1).unsqueeze(-1)": "phi_Q.sum(dim=1).unsqueeze(-1)",
            "phi_Q @ total": "phi_K @ total",
        },
    ),
    Variant(
        tag="linear-normalised-over-result",
        description="Divides each row of the result by its own sum",
        message="You make each row of the *result* sum to 1. It is the weights of a query that "
        "have to sum to 1, and those never appear as such. Equation 4 has their sum in its "
        "denominator.",
        edits={"/ normaliser": "/ numerator.sum(dim=-1, keepdim=True)"},
    ),
    Variant(
        tag="linear-scaled-above-the-line",
        description="Divides the numerator alone by the root of d",
        message="Your result is smaller than an average of the values would be: the numerator is "
        "divided by √d, and the denominator isn't. Equation 4 scales nothing.",
        edits={"phi_Q @ summary": "phi_Q @ summary / math.sqrt(Q.shape[-1])"},
    ),
    *(
        Variant(
            tag=f"linear-epsilon-{epsilon}",
            description=f"Adds {epsilon} to the normaliser",
            message="Where features are tiny, your result is smaller than the average it should "
            "be, as if a small constant were added below the line. φ is positive, so none is "
            "needed; and where the sum itself is no larger than such a constant, it takes a good "
            "part of the result away.",
            edits={"/ normaliser": f"/ (normaliser + {epsilon})"},
        )
        for epsilon in ("1e-1", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9")
    ),
    Variant(
        tag="linear-epsilon-beside-each-key-sum",
        description="Adds 1e-6 to the sum of the keys' features, before the query meets it",
        message="Where features are tiny, your result is a little smaller than the average it "
        "should be: a small constant is added to the sum of the keys' features. φ is positive, so "
        "none is needed. How large is that sum where all entries are −8?",
        edits={"phi_K.sum(dim=1)": "(phi_K.sum(dim=1) + 1e-6)"},
    ),
    *(
        Variant(
            tag=f"linear-normaliser-at-least-{bound}",
            description=f"Keeps the normaliser above {bound}",
            message="You don't let the sum below the line fall under a small constant. φ is "
            "positive, so nothing has to be guarded; and where features are tiny, the true sum is "
            "smaller than your bound.",
            edits={"phi_Q @ total": f"(phi_Q @ total).clamp(min={bound})"},
        )
        for bound in ("1e-3", "1e-4", "1e-5", "1e-6")
    ),
    Variant(
        tag="linear-normaliser-of-all-features",
        description="Divides by the sum of all features of all keys: no query in it",
        message="Your denominator is one number for a sentence, the sum of all its keys' features, "
        "and the query isn't in it. Two queries share out different similarities. Which sum makes "
        "the weights of *each* query add up to 1?",
        edits={"phi_Q @ total": "phi_K.sum(dim=(1, 2), keepdim=True)"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two queries meet two keys. After the feature map the queries are (2, 1) and (1, 1), and the keys
are (0.5, 1) and (2, 2). The values are 0 and 11.

What a query gives to a key is a product of features. The first query gives 2 · 0.5 + 1 · 1 = 2
and 2 · 2 + 1 · 2 = 6. That is 2 + 6 = 8 in all, and its result is divided by
it: 6 · 11/8 = 8.25.

The same without going through the keys one by one: they sum to (2.5, 3), and
2 · 2.5 + 1 · 3 = 8.

The second query has a number of its own: 1 · 2.5 + 1 · 3 = 5.5, and 4 · 11/5.5 = 8.

You should divide by 8 for the first query and by 5.5 for the second. What is it in yours?""",
        """\
Q = torch.tensor([[[1.0, 0.0], [0.0, 0.0]]])
K = torch.tensor([[[-0.6931, 0.0], [1.0, 1.0]]])
V = torch.tensor([[[0.0, 0.0], [11.0, 0.0]]])
linear_attention(Q, K, V)[0, :, 0]""",
        [8.25, 8.0],
    ),
)
