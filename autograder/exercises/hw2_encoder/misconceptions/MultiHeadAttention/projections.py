"""What learners get wrong in MultiHeadAttention: what each layer projects."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="multi-head-no-output-projection",
        description="Doesn't apply W_O",
        message="You return the heads' results side by side, and W_O is never called. So what one "
        "head has found never meets what another has. Look at what stands in front of Concat(…) in "
        "the formula.",
        edits={"self.W_O(context)": "context"},
    ),
    Variant(
        tag="multi-head-no-output-projection-for-one-head",
        description="Doesn't apply W_O where there is one head",
        message="With a single head you return what it has found, and W_O isn't called; with "
        "several it is. One head is an ordinary case: in the formula, W_O stands in front of "
        "Concat(…) however many there are. What does your code ask of their number?",
        edits={"self.W_O(context)": "self.W_O(context) if self.n_heads > 1 else context"},
    ),
    Variant(
        tag="multi-head-values-not-projected",
        description="Doesn't apply W_V",
        message="Your values go into the heads as they came: W_V is never called. Queries and keys "
        "pass through a layer of their own first, and so should the values.",
        edits={"self.W_V(value)": "value"},
    ),
    Variant(
        tag="multi-head-values-from-key",
        description="Projects key instead of value",
        message="Your values are made from `key`, and `value` is never read. In self-attention the "
        "two are the same tensor, so it goes unnoticed there. Which argument belongs to which "
        "layer?",
        edits={"self.W_V(value)": "self.W_V(key)"},
    ),
    Variant(
        tag="multi-head-everything-from-query",
        description="Makes keys and values from the query",
        message="Your queries look only at where they came from: keys and values are made from "
        "`query`, and two of the arguments are never read. In self-attention that goes unnoticed, "
        "for there all three are the same.",
        edits={"(key)": "(query)", "(value)": "(query)"},
    ),
    Variant(
        tag="multi-head-projections-unused",
        description="Applies none of W_Q, W_K and W_V",
        message="W_Q, W_K and W_V are made but never called, so the heads compare the tokens as "
        "they came, and there is nothing for them to learn. Those layers turn query, key and value "
        "into Q, K and V.",
        edits={"self.W_Q(query), self.W_K(key), self.W_V(value)": "query, key, value"},
    ),
    Variant(
        tag="multi-head-queries-not-projected",
        description="Doesn't apply W_Q",
        message="Your queries go into the heads as they came: W_Q is never called. Keys and values "
        "pass through a layer of their own first, and so should the queries.",
        edits={"self.W_Q(query)": "query"},
    ),
    Variant(
        tag="multi-head-keys-not-projected",
        description="Doesn't apply W_K",
        message="Your keys go into the heads as they came: W_K is never called. Queries and values "
        "pass through a layer of their own first, and so should the keys.",
        edits={"self.W_K(key)": "key"},
    ),
    Variant(
        tag="multi-head-relu-after-projections",
        description="Applies a ReLU to queries, keys and values",
        message="Your queries, keys and values have no negative entries: a ReLU, or something like "
        "it, comes after their layers. That belongs into the feed-forward network; here, each "
        "layer's result is used as it is.",
        edits={
            "self.W_Q(query), self.W_K(key), self.W_V(value)": "self.W_Q(query).relu(), "
            "self.W_K(key).relu(), self.W_V(value).relu()",
        },
    ),
    Variant(
        tag="multi-head-keys-through-w-q",
        description="Makes the keys with W_Q as well",
        message="Your keys go through W_Q, and W_K is never called. To look for something and to "
        "be found by something are two jobs, hence two layers. Read your three projections letter "
        "by letter.",
        edits={"self.W_K(key)": "self.W_Q(key)"},
    ),
    Variant(
        tag="multi-head-queries-through-w-k",
        description="Makes the queries with W_K as well",
        message="Your queries go through W_K, and W_Q is never called. To look for something and "
        "to be found by something are two jobs, hence two layers. Read your three projections "
        "letter by letter.",
        edits={"self.W_Q(query)": "self.W_K(query)"},
    ),
    Variant(
        tag="multi-head-values-through-w-k",
        description="Makes the values with W_K as well",
        message="Your values go through W_K, and W_V is never called. To be found and to have "
        "something to tell are two jobs, hence two layers. Read your three projections letter by "
        "letter.",
        edits={"self.W_V(value)": "self.W_K(value)"},
    ),
    Variant(
        tag="multi-head-values-through-w-q",
        description="Makes the values with W_Q as well",
        message="Your values go through W_Q, and W_V is never called. To ask and to have "
        "something to tell are two jobs, hence two layers. Read your three projections letter by "
        "letter.",
        edits={"self.W_V(value)": "self.W_Q(value)"},
    ),
    Variant(
        tag="multi-head-one-projection-for-all",
        description="Puts queries, keys and values through W_Q",
        message="Queries, keys and values all go through W_Q; W_K and W_V are never called. To "
        "ask, to be found and to answer are three jobs, hence three layers. Which argument "
        "belongs to which?",
        edits={
            "self.W_Q(query), self.W_K(key), self.W_V(value)": (
                "self.W_Q(query), self.W_Q(key), self.W_Q(value)"
            )
        },
    ),
    Variant(
        tag="multi-head-layers-of-keys-and-values-exchanged",
        description="Puts keys through W_V and values through W_K",
        message="Your keys go through W_V and your values through W_K. Fresh layers are all "
        "alike, so nothing looks wrong until weights are set. Read your three projections letter "
        "by letter.",
        edits={
            "self.W_Q(query), self.W_K(key), self.W_V(value)": (
                "self.W_Q(query), self.W_V(key), self.W_K(value)"
            )
        },
    ),
    Variant(
        tag="multi-head-layers-of-queries-and-keys-exchanged",
        description="Puts queries through W_K and keys through W_Q",
        message="Your queries go through W_K and your keys through W_Q. Fresh layers are all "
        "alike, so nothing looks wrong until weights are set. Read your three projections letter "
        "by letter.",
        edits={
            "self.W_Q(query), self.W_K(key), self.W_V(value)": (
                "self.W_K(query), self.W_Q(key), self.W_V(value)"
            )
        },
    ),
    Variant(
        tag="multi-head-keys-and-values-exchanged",
        description="Makes keys of `value` and values of `key`",
        message="Your keys are made of `value` and your values of `key`. In self-attention the "
        "two are the same tensor, so it goes unnoticed there. In which order does `forward` get "
        "its arguments?",
        edits={
            "self.W_Q(query), self.W_K(key), self.W_V(value)": (
                "self.W_Q(query), self.W_K(value), self.W_V(key)"
            )
        },
    ),
    Variant(
        tag="multi-head-keys-from-query",
        description="Makes the keys from the query, or multiplies K Qᵀ: a weight for each query",
        message="A row of your weights has one entry for each *query*, so it doesn't fit the "
        "values. In self-attention the two agree, and it goes unnoticed. Are your keys made from "
        "`key`? And which stands first in the product, queries or keys?",
        edits={"self.W_K(key)": "self.W_K(query)"},
    ),
    Variant(
        tag="multi-head-values-from-query",
        description="Makes the values from the query",
        message="Your values are made from `query`, and `value` is never read. In self-attention "
        "the two are the same tensor, so it goes unnoticed there. Which argument belongs to which "
        "layer?",
        edits={"self.W_V(value)": "self.W_V(query)"},
    ),
    Variant(
        tag="multi-head-keys-from-value",
        description="Makes the keys from the value",
        message="Your keys are made from `value`, and `key` is never read. Mostly the two are the "
        "same tensor, so it goes unnoticed. Which argument belongs to which layer?",
        edits={"self.W_K(key)": "self.W_K(value)"},
    ),
    Variant(
        tag="multi-head-output-projection-twice",
        description="Applies W_O twice",
        message="The result goes through W_O twice. It mixes what the heads have found, and once "
        "is enough. Where else do you call it?",
        edits={"self.W_O(context)": "self.W_O(self.W_O(context))"},
    ),
    Variant(
        tag="multi-head-output-projection-of-the-values",
        description="Applies W_O to the values, before the heads attend",
        message="You apply W_O to the values, before the heads have found anything. It is there to "
        "mix what they bring back. Look at what stands inside the brackets of W_O in the formula.",
        edits={"self.W_V(value)": "self.W_O(self.W_V(value))", "self.W_O(context)": "context"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two heads of one column each, and projections that can be told apart: W_Q multiplies by 2, W_K by
3, W_V by 10, and W_O exchanges the two columns. e^1.1 = 3.

The query (0.5, 0) becomes 2 · 0.5 = 1 in the first column and 0 in the second.

The keys have 0.37 and 0 in the first column, which become 3 · 0.37 = 1.1 and 0.

The values (4, 0) and (0, 8) become (40, 0) and (0, 80).

The first head's weights are 0.75 and 0.25: 0.75 · 40 = 30. The second's are 0.5 and 0.5:
0.5 · 80 = 40.

W_O makes (40, 30) of (30, 40).

(30, 40) would say that W_O is missing, and numbers ten times as small that W_V is. Which layer made
which of yours?""",
        """\
attention, factors = MultiHeadAttention(2, 2), (2.0, 3.0, 10.0)
for layer, factor in zip((attention.W_Q, attention.W_K, attention.W_V), factors):
    layer.weight.data, layer.bias.data = factor * torch.eye(2), torch.zeros(2)
attention.W_O.weight.data, attention.W_O.bias.data = torch.eye(2).flip(0), torch.zeros(2)
key = torch.tensor([[[0.3662, 5.0], [0.0, 9.0]]])
value = torch.tensor([[[4.0, 0.0], [0.0, 8.0]]])
attention(torch.tensor([[[0.5, 0.0]]]), key, value)""",
        [[[40.0, 30.0]]],
    ),
)
