# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # The Transformer encoder in PyTorch
#
# In homework 1 you wrote attention in NumPy, for one sentence at a time. Here you build the whole
# left half of figure 1 of *Attention Is All You Need* ([Vaswani et al.
# 2017](https://arxiv.org/abs/1706.03762)) in PyTorch, for batches of sentences, one small piece
# after another:
#
# | part | you write | it answers |
# |---|---|---|
# | 1 | `SelfAttention` | which tokens should I look at? |
# | 2 | `MultiHeadAttention` | … in several ways at once? |
# | 3 | `positional_encoding` | where in the sentence am I? |
# | 4 | `FeedForward` | what do I make of what I saw? |
# | 5 | `EncoderBlock` | how do these parts fit together? |
# | 6 | `Encoder` | how do token numbers become vectors that know their context? |
#
# Two short written questions follow. Altogether you can earn TOTAL_POINTS points.
#
# **How to work.**
#
# - Replace each `raise NotImplementedError()` by your code, then run the **visible checks** below
#   it. Your grade comes from **hidden tests** on other inputs, each worth points of its own, so a
#   partly right answer earns part of the points.
# - Keep the names of classes, functions and **attributes** as they are given. The tests set the
#   weights of `W_Q`, `linear1`, … by name and compare what comes out.
# - Put imports and functions of your own **inside the solution cell** that needs them. An exercise is
#   graded as its own cell leaves it, with the notebook run from the top: what cells further down do,
#   under the same names or others, neither helps nor hurts it.
# - Where you read **Predict first**, stop and guess before you run the cell. It takes ten seconds,
#   and a wrong guess teaches more than a right one.

# %% [markdown]
# ### The letters used for shapes
#
# | name | meaning |
# |---|---|
# | `batch` | how many sentences at once |
# | `seq` | how many tokens in a sentence (`n_q` queries and `n_k` keys where these can differ) |
# | `d_model` | how many features describe a token |
# | `d_k`, `d_head` | how many features one head uses |
# | `n_heads` | how many heads; `d_head = d_model / n_heads` |
# | `d_ff` | how many hidden features in the feed-forward network |

# %% setup="imports"
import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

# %% [markdown]
# The next cell draws the pictures. There is nothing in it that you need to read, though you may.

# %%
import matplotlib.pyplot as plt


def heat_map(ax, weights, labels, title):
    """Draw a (seq, seq) matrix: each row is a token that looks, each column one looked at."""
    picture = ax.imshow(weights.detach(), cmap="viridis", vmin=0)
    ax.set_xticks(range(len(labels)), labels, rotation=60)
    ax.set_yticks(range(len(labels)), labels)
    ax.set_title(title, fontsize=11)
    return picture


def show_heat_map(weights, labels, title):
    """Show one heat map with its scale of colours."""
    figure, ax = plt.subplots(figsize=(4.6, 4), layout="constrained")
    figure.colorbar(heat_map(ax, weights, labels, title), ax=ax)
    plt.show()


def show_heat_maps(panels, labels):
    """Show heat maps side by side: a dict from titles to (seq, seq) matrices."""
    size = (3.3 * len(panels), 3.6)
    axes = plt.subplots(1, len(panels), figsize=size, layout="constrained")[1]
    for ax, (title, weights) in zip(axes, panels.items(), strict=True):
        heat_map(ax, weights, labels, title)
    plt.show()


def show_cells(panels):
    """Show matrices of numbers `10 * token + column`, one colour a token."""
    widths = [cells.shape[1] for cells in panels.values()]
    figure = plt.figure(figsize=(9, 3), layout="constrained")
    axes = figure.subplots(1, len(panels), width_ratios=widths)
    for ax, (title, cells) in zip(axes, panels.items(), strict=True):
        ax.imshow(cells // 10, cmap="Pastel1", vmin=0, vmax=8, aspect="auto")
        for (row, column), number in np.ndenumerate(cells):
            ax.text(column, row, f"{number:02d}", ha="center", va="center")
        ax.set_title(title, fontsize=10)
        ax.set_xticks([])
        ax.set_yticks(range(len(cells)), [f"row {row}" for row in range(len(cells))])
    plt.show()


def draw_encoder_block():
    """Draw the encoder block, from the bottom up as the paper does."""
    arrow = {"arrowstyle": "-|>", "color": "0.3", "linewidth": 1.4}
    ax = plt.subplots(figsize=(5.2, 5.2))[1]
    for height, text, colour in (
        (1.2, "multi-head self-attention", "#ffe0b3"),
        (2.4, "add & norm (norm1)", "#fff6bf"),
        (4.0, "feed-forward: linear1, ReLU, linear2", "#cfe8ff"),
        (5.2, "add & norm (norm2)", "#fff6bf"),
    ):
        box = {"boxstyle": "round,pad=0.6", "facecolor": colour}
        ax.text(0, height, text, ha="center", va="center", bbox=box)
    for start, end in ((-0.3, 0.85), (1.55, 2.05), (2.75, 3.65), (4.35, 4.85), (5.55, 6.4)):
        ax.annotate("", xy=(0, end), xytext=(0, start), arrowprops=arrow)
    for bottom, top in ((0.2, 2.4), (3.2, 5.2)):  # around the sublayer, in three strokes
        ax.plot([0, 2.1, 2.1], [bottom, bottom, top], color="0.3", linewidth=1.4)
        ax.annotate("", xy=(1.05, top), xytext=(2.1, top), arrowprops=arrow)
        ax.text(2.2, (bottom + top) / 2, "residual", rotation=90, va="center")
    for height, text in ((-0.6, "x"), (6.5, "result")):
        ax.text(0, height, f"{text}  (batch, seq, d_model)", ha="center")
    ax.set(xlim=(-2.2, 2.7), ylim=(-0.8, 7))
    ax.axis("off")
    plt.show()


# %% [markdown]
# ## 1. Self-attention, now with a batch axis
#
# A batch of sentences is one tensor of shape `(batch, seq, d_model)`. Layers such as
# [`nn.Linear`](https://docs.pytorch.org/docs/stable/generated/torch.nn.Linear.html) only care about
# the **last** axis.
#
# **Predict first.** A linear layer from 6 to 4 features meets a tensor of shape `(2, 5, 6)`. Which
# shape comes out? And how many numbers does the layer hold?

# %%
layer = nn.Linear(6, 4)
print(layer(torch.randn(2, 5, 6)).shape)
print(sum(parameter.numel() for parameter in layer.parameters()), "numbers")

# %% [markdown]
# Each of the 2 × 5 tokens went through the layer on its own, and the layer holds 6 × 4 weights and
# 4 biases. So the three matrices of homework 1 become three linear layers, and the formula stays
# what it was (§3.2.1, eq. 1):
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)V,
# \qquad Q = W_Q(X),\quad K = W_K(X),\quad V = W_V(X)$$
#
# ### Exercise: `SelfAttention`
#
# ```python
# SelfAttention(d_model, d_k)
# ```
#
# - Attributes `W_Q`, `W_K`, `W_V`: each an `nn.Linear(d_model, d_k)`, bias included.
# - `forward(X)` takes `(batch, seq, d_model)` and returns the pair `(output, weights)` of shapes
#   `(batch, seq, d_k)` and `(batch, seq, seq)`.
#
# Mind the **order**: output first, weights second, as PyTorch's own attention does it. Homework 1
# returned the weights first.
#
# Build it from matrix products and `torch.softmax`. The point is to see the wheels turn, so
# `F.scaled_dot_product_attention` and `nn.MultiheadAttention` are switched off for parts 1 and 2.
#
# *Two things to think about:* which two of the three axes of `K` must change places? And along
# which axis does each token's attention have to sum to 1?


# %% solution="SelfAttention"
class SelfAttention(nn.Module):
    """One attention head over a batch of sequences (Vaswani et al. 2017, §3.2.1, eq. 1).

    Shapes:
        X        (batch, seq, d_model)
        output   (batch, seq, d_k)
        weights  (batch, seq, seq); row i says how much token i attends to each token
    """

    def __init__(self, d_model: int, d_k: int):
        """Create W_Q, W_K and W_V: three linear layers from d_model to d_k features."""
        super().__init__()
        ### BEGIN SOLUTION
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        ### END SOLUTION

    def forward(self, X: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (output, weights), in this order."""
        ### BEGIN SOLUTION
        queries, keys, values = self.W_Q(X), self.W_K(X), self.W_V(X)
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores, dim=-1)
        return weights @ values, weights
        ### END SOLUTION


# %% test="SelfAttention"
torch.manual_seed(0)
head = SelfAttention(d_model=6, d_k=4)
X = torch.randn(2, 5, 6)
result = head(X)
assert isinstance(result, (tuple, list)) and len(result) == 2, (
    "forward should return two things: (output, weights)."
)
output, weights = result
assert output.shape == (2, 5, 4), (
    f"The output should be (batch, seq, d_k) = (2, 5, 4), yours is {tuple(output.shape)}."
)
assert weights.shape == (2, 5, 5), (
    f"The weights should be (batch, seq, seq) = (2, 5, 5), yours are {tuple(weights.shape)}."
)
assert torch.allclose(weights.sum(dim=-1), torch.ones(2, 5)), (
    "Each token's weights (a row) should sum to 1."
)

# With one token only there is nothing to choose: all its attention goes to itself.
output, weights = head(X[:, :1])
assert torch.allclose(weights, torch.ones(2, 1, 1)), (
    "A token that is alone gives itself the weight 1."
)
assert torch.allclose(output, head.W_V(X[:, :1]), atol=1e-6), (
    "A token that is alone returns its own value, W_V(X)."
)
print("SelfAttention passes the visible checks.")

# %% [markdown]
# **Predict first.** The word *the* stands twice in our sentence, with the same features both times.
# We let an untrained head look at it. How do the two rows of *the* differ? And the two columns?

# %%
torch.manual_seed(2)
words = ["the", "cat", "sat", "on", "the", "mat"]
word_vectors = torch.randn(5, 8)
sentence = word_vectors[[0, 1, 2, 3, 0, 4]].unsqueeze(0)  # (1, 6, 8); "the" is word 0

output, weights = SelfAttention(d_model=8, d_k=4)(sentence)
show_heat_map(weights[0], words, "weights of one untrained head")

# %% [markdown]
# They don't differ at all: attention sees *which* tokens are there and not *where* they stand. Keep
# this in mind until part 3.

# %% [markdown]
# ## 2. Several heads
#
# One head has one opinion about what belongs together. A sentence needs several: who does it,
# where, when, to whom. So the `d_model` columns are shared out among `n_heads` heads, each of which
# attends on its own; their results are put side by side again and mixed by one last linear layer
# (§3.2.2):
#
# $$\mathrm{MultiHead}(Q, K, V) = W_O\big(\mathrm{Concat}(\mathrm{head}_1, \dots, \mathrm{head}_h)\big)$$
#
# **Head *h* owns the columns `h*d_head` up to (not including) `(h+1)*d_head`** of each projection.
#
# The step that goes wrong most often, in homework and in real code, is the split into heads,
# because a wrong split has the right shape. Let's look at it: 4 tokens, 6 columns, 2 heads; the
# number in a cell says `10 * token + column`.
#
# **Predict first.** Which tokens will you find in `X.view(2, 4, 3)[0]`?

# %%
X = 10 * torch.arange(4).unsqueeze(1) + torch.arange(6)

show_cells(
    {
        "X: 4 tokens, 6 columns": X,
        "head 0 should get\nthe columns 0, 1, 2": X[:, 0:3],
        "X.view(2, 4, 3)[0]\nreads on like a book": X.view(2, 4, 3)[0],
    }
)

# %% [markdown]
# `view` cuts an axis into pieces; it never moves numbers from one axis to another. The same care is
# needed on the way back, when the heads are put side by side again.
#
# ### Masks
#
# Sometimes a token must not look at another one: a filler at the end of a short sentence, or (in
# homework 3) a word that comes later. A mask says so before the softmax.
#
# - **Masks that you write are boolean, and `True` means *may attend*.**
# - `mask` has at least two axes and broadcasts to `(batch, n_heads, n_q, n_k)` by the usual rules:
#   `(n_q, n_k)` is one mask for everybody, `(batch, 1, 1, n_k)` one row of keys per sentence.
# - A hidden key must count for exactly nothing, as if it had never been there. What score gives a
#   weight of 0 after the softmax?
# - Each query may look at one key at least; you need not care for the other case.
#
# ### Exercise: `MultiHeadAttention`
#
# ```python
# MultiHeadAttention(d_model, n_heads)
# ```
#
# - Attributes `W_Q`, `W_K`, `W_V`, `W_O`: each an `nn.Linear(d_model, d_model)`. The first three
#   serve all heads at once: one big product is faster than many small ones.
# - `forward(query, key, value, mask=None)`: `query` is `(batch, n_q, d_model)`, `key` and `value`
#   are `(batch, n_k, d_model)`; returns `(batch, n_q, d_model)`. Here the queries may come from
#   another sentence than the keys, so `n_q` and `n_k` may differ.
# - If `n_heads` does not divide `d_model`, `MultiHeadAttention(d_model, n_heads)` raises a
#   `ValueError`.
#
# *To think about:* the scores are divided by the square root of *what* now?


# %% solution="MultiHeadAttention"
class MultiHeadAttention(nn.Module):
    """Attention with n_heads heads side by side (Vaswani et al. 2017, §3.2.2).

    Shapes:
        query         (batch, n_q, d_model)
        key, value    (batch, n_k, d_model)
        mask          bool, broadcastable to (batch, n_heads, n_q, n_k), True = may attend; or None
        result        (batch, n_q, d_model)

    Raises:
        ValueError: if d_model is not divisible by n_heads.
    """

    def __init__(self, d_model: int, n_heads: int):
        """Create W_Q, W_K, W_V and W_O: four linear layers from d_model to d_model features."""
        super().__init__()
        ### BEGIN SOLUTION
        if d_model % n_heads != 0:
            raise ValueError(f"d_model={d_model} is not divisible by n_heads={n_heads}")
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)
        ### END SOLUTION

    def forward(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return what each query found among the values, all heads combined."""
        ### BEGIN SOLUTION
        Q, K, V = (
            projected.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)  # (batch, heads, n, d_head)
            for projected in (self.W_Q(query), self.W_K(key), self.W_V(value))
        )
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        context = torch.softmax(scores, dim=-1) @ V
        return self.W_O(context.transpose(1, 2).flatten(-2))
        ### END SOLUTION


# %% test="MultiHeadAttention"
torch.manual_seed(0)
attention = MultiHeadAttention(d_model=12, n_heads=3)
query, memory = torch.randn(2, 5, 12), torch.randn(2, 7, 12)
output = attention(query, memory, memory)
assert output.shape == (2, 5, 12), (
    f"The result should be (batch, n_q, d_model) = (2, 5, 12), yours is {tuple(output.shape)}."
)

# PyTorch has such a layer too. With your weights in it, it should say what yours says.
theirs = nn.MultiheadAttention(12, 3, batch_first=True)
with torch.no_grad():
    theirs.in_proj_weight.copy_(
        torch.cat([attention.W_Q.weight, attention.W_K.weight, attention.W_V.weight])
    )
    theirs.in_proj_bias.copy_(
        torch.cat([attention.W_Q.bias, attention.W_K.bias, attention.W_V.bias])
    )
theirs.out_proj.load_state_dict(attention.W_O.state_dict())
assert torch.allclose(output, theirs(query, memory, memory)[0], atol=1e-5), (
    "nn.MultiheadAttention with your weights returns other values. "
    "Look at the split into heads, the scale, and W_O."
)

# To hide the last two keys is the same as to leave them out.
mask = torch.tensor([[True, True, True, True, True, False, False]])
assert torch.allclose(
    attention(query, memory, memory, mask=mask),
    attention(query, memory[:, :5], memory[:, :5]),
    atol=1e-5,
), "Two keys are hidden by the mask (False = may not attend), but they still change the result."

try:
    MultiHeadAttention(d_model=10, n_heads=3)
except ValueError:
    pass
else:
    raise AssertionError(
        "10 columns cannot be shared out among 3 heads: raise a ValueError in __init__."
    )
print("MultiHeadAttention passes the visible checks.")

# %% [markdown]
# What do several heads look like? Your layer returns the output only, so we ask PyTorch's layer for
# the weights of each head. **Predict first:** will four untrained heads look alike?

# %%
torch.manual_seed(3)
layer = nn.MultiheadAttention(embed_dim=8, num_heads=4, batch_first=True)
_, weights = layer(sentence, sentence, sentence, average_attn_weights=False)
show_heat_maps({f"head {h}": weights[0, h] for h in range(4)}, words)  # (1, heads, 6, 6)

# %% [markdown]
# Each head has drawn its own weights, so each already has its own view; training makes these views
# useful. And in each of them both *the* still get the same row.

# %% [markdown]
# ## 3. Where am I? Positional encoding
#
# *Dog bites man* and *man bites dog* are the same set of tokens. To tell them apart, we add to each
# token a vector that depends on its position alone (§3.5):
#
# $$PE_{(pos,\,2i)} = \sin\!\left(\frac{pos}{10000^{2i/d_{model}}}\right), \qquad
# PE_{(pos,\,2i+1)} = \cos\!\left(\frac{pos}{10000^{2i/d_{model}}}\right)$$
#
# Read it slowly: positions count from 0; the columns come in pairs, a sine on the even one and a
# cosine of the **same** angle on the odd one beside it; `2i` is the number of the even column
# itself.
#
# **Predict first.** What is the row of position 0, whatever `d_model`?
#
# ### Exercise: `positional_encoding`
#
# ```python
# positional_encoding(seq_len, d_model)
# ```
#
# Return the table as a `float32` tensor of shape `(seq_len, d_model)`. `d_model` may be odd; then
# the last sine has no cosine beside it.


# %% solution="positional_encoding"
def positional_encoding(seq_len: int, d_model: int) -> torch.Tensor:
    """Return the sinusoidal table of positions (Vaswani et al. 2017, §3.5).

    Shapes:
        result  (seq_len, d_model), float32; sine on even columns, cosine on odd ones

    d_model may be odd.
    """
    ### BEGIN SOLUTION
    positions = torch.arange(seq_len, dtype=torch.float32).unsqueeze(1)
    even_columns = torch.arange(0, d_model, 2, dtype=torch.float32)
    angles = positions / 10000 ** (even_columns / d_model)
    table = torch.empty(seq_len, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)[:, : d_model // 2]
    return table
    ### END SOLUTION


# %% test="positional_encoding"
table = positional_encoding(seq_len=5, d_model=6)
assert isinstance(table, torch.Tensor), f"Return a torch tensor; yours is a {type(table).__name__}."
assert table.shape == (5, 6), (
    f"The table should be (seq_len, d_model) = (5, 6), yours is {tuple(table.shape)}."
)
assert table.dtype == torch.float32, f"The table should be float32, yours is {table.dtype}."
assert torch.allclose(table[0], torch.tensor([0.0, 1.0, 0.0, 1.0, 0.0, 1.0])), (
    "At position 0 every angle is 0, so sines and cosines take turns: 0, 1, 0, 1, … "
    f"Yours: {table[0]}"
)
assert torch.allclose(table[:, 0], torch.sin(torch.arange(5.0))), (
    "Column 0 (i = 0) is the sine of the position itself."
)
odd = positional_encoding(seq_len=5, d_model=7)
assert odd.shape == (5, 7), (
    f"With an odd d_model the table should be (5, 7), yours is {tuple(odd.shape)}."
)
print("positional_encoding passes the visible checks.")

# %% [markdown]
# Now look at it: fast waves in the first columns, slow ones in the last, like the hands of a clock.

# %%
table = positional_encoding(60, 64)

figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4))
picture = left.imshow(table, cmap="RdBu", aspect="auto", vmin=-1, vmax=1)
figure.colorbar(picture, ax=left)
left.set(title="positional_encoding(60, 64)", xlabel="column", ylabel="position")
for column, style in ((0, "-"), (1, "--"), (16, "-"), (17, "--"), (32, "-")):
    right.plot(table[:, column], style, label=f"column {column}")
right.set(title="some of its columns", xlabel="position")
right.legend(loc="lower right")
plt.show()

# %% [markdown]
# **Predict first.** We multiply each row with each row, `table @ table.T`: how alike are two
# positions? Where will the picture be bright? And does position 10 resemble 13 as much as 40
# resembles 43?

# %%
figure, ax = plt.subplots(figsize=(4.8, 4))
figure.colorbar(ax.imshow(table @ table.T, cmap="viridis"), ax=ax)
ax.set(title="how alike two positions are", xlabel="position", ylabel="position")
plt.show()

# %% [markdown]
# Bright stripes along the diagonal: only the **distance** of two positions counts. That is why the
# authors chose sines: a step of *k* positions is the same turn of the clock's hands wherever you
# start.

# %% [markdown]
# ## 4. The feed-forward network
#
# After looking around, each token thinks for itself: two linear layers with a ReLU between (§3.3,
# eq. 2),
#
# $$\mathrm{FFN}(x) = \max(0,\; xW_1 + b_1)\,W_2 + b_2$$
#
# The same function serves every position; no token sees another one here.
#
# ### Exercise: `FeedForward`
#
# ```python
# FeedForward(d_model, d_ff)
# ```
#
# - Attributes `linear1` (from `d_model` to `d_ff` features) and `linear2` (back again), bias
#   included.
# - `forward(x)` takes and returns `(batch, seq, d_model)`. There is no dropout in it.


# %% solution="FeedForward"
class FeedForward(nn.Module):
    """The position-wise feed-forward network (Vaswani et al. 2017, §3.3, eq. 2).

    Shapes:
        x       (batch, seq, d_model)
        result  (batch, seq, d_model)
    """

    def __init__(self, d_model: int, d_ff: int):
        """Create linear1 (d_model to d_ff features) and linear2 (d_ff to d_model)."""
        super().__init__()
        ### BEGIN SOLUTION
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        ### END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the network's answer for each position by itself."""
        ### BEGIN SOLUTION
        return self.linear2(F.relu(self.linear1(x)))
        ### END SOLUTION


# %% test="FeedForward"
torch.manual_seed(0)
network = FeedForward(d_model=6, d_ff=20)
x = torch.randn(2, 5, 6)
output = network(x)
assert output.shape == (2, 5, 6), (
    f"The result should be (batch, seq, d_model) = (2, 5, 6), yours is {tuple(output.shape)}."
)
assert torch.allclose(network(x[:, 2:3]), output[:, 2:3], atol=1e-6), (
    "A token should get the same answer with and without its neighbours."
)
assert torch.equal(network(x), output), (
    "Twice the same input should give twice the same output: there is no dropout here."
)

# Three hidden features, by hand: 2 stays 2, -1 becomes 0, and the third is not used.
small = FeedForward(d_model=2, d_ff=3)
small.linear1.load_state_dict(
    {"weight": torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]), "bias": torch.zeros(3)}
)
small.linear2.load_state_dict(
    {"weight": torch.tensor([[-1.0, 5.0, 0.0], [3.0, 5.0, 0.0]]), "bias": torch.zeros(2)}
)
answer = small(torch.tensor([[[2.0, -1.0]]]))
assert torch.allclose(answer, torch.tensor([[[-2.0, 6.0]]])), (
    f"By hand we get (-2, 6), yours is {answer.flatten().tolist()}. "
    "The ReLU belongs between the layers, and only there."
)
print("FeedForward passes the visible checks.")

# %% [markdown]
# **Predict first.** Attention is the famous part. With the paper's rule `d_ff = 4 * d_model`, which
# part of a block holds more numbers to learn?

# %%
d_model = 128
for name, part in {
    "multi-head attention": MultiHeadAttention(d_model, n_heads=8),
    "feed-forward network": FeedForward(d_model, d_ff=4 * d_model),
    "one layer norm": nn.LayerNorm(d_model),
}.items():
    print(f"{name:>21}: {sum(parameter.numel() for parameter in part.parameters()):>8,}")

# %% [markdown]
# ## 5. The encoder block
#
# Now everything is put together. Around each of the two sublayers the paper wraps a **residual
# connection** and a **layer norm** (§3.1 and fig. 1):
#
# $$x \leftarrow \mathrm{LayerNorm}\big(x + \mathrm{Dropout}(\mathrm{Sublayer}(x))\big)$$
#
# The norm comes *after* the sum, which is called post-norm. (Many later models put it before the
# sublayer; then the weights mean something else, so here we stay with the paper.)

# %%
draw_encoder_block()

# %% [markdown]
# A layer norm ([Ba et al. 2016](https://arxiv.org/abs/1607.06450)) gives each token mean 0 and
# variance 1 over its own features, then scales and shifts them by learned numbers. **Predict
# first:** we multiply one token by 1000. What does a fresh layer norm make of it?

# %%
token = torch.tensor([1.0, 2.0, 3.0, 6.0])
norm = nn.LayerNorm(4)
print(norm(token).detach())
print(norm(1000 * token).detach())

# %% [markdown]
# **Padding.** Sentences in a batch differ in length, so the short ones are filled up with a padding
# token, and nobody should attend to it. `nn.MultiheadAttention` has an argument for this,
# `key_padding_mask` of shape `(batch, seq)`, which we pass on as it is. Careful, because it is the
# other way round:
#
# > **`key_padding_mask` follows torch's convention, where `True` means *ignore this token*; every
# > mask that you write yourself follows ours, where `True` means *may attend*.**
#
# ### Exercise: `EncoderBlock`
#
# ```python
# EncoderBlock(d_model=128, n_heads=8, d_ff=512, dropout=0.1)
# ```
#
# - `self_attn`: an
#   [`nn.MultiheadAttention`](https://docs.pytorch.org/docs/stable/generated/torch.nn.MultiheadAttention.html)
#   with `batch_first=True` (now that you know what is inside, you may use theirs).
# - `linear1`, `linear2`: the feed-forward network, ReLU between. They are attributes of the block
#   itself.
# - `norm1`, `norm2`: an `nn.LayerNorm(d_model)` each, the first around attention, the second around
#   the feed-forward network.
# - Dropout with probability `dropout` on the output of each sublayer, before it is added to the
#   residual (§5.4). It works in train mode only; after `.eval()` the block always gives the same
#   answer.
# - `forward(x, key_padding_mask=None)` takes and returns `(batch, seq, d_model)`.
#
# With these names your weights fit into
# [`nn.TransformerEncoderLayer`](https://docs.pytorch.org/docs/stable/generated/torch.nn.TransformerEncoderLayer.html),
# PyTorch's block of the same kind, and the check below compares the two. So please build yours from
# its parts.


# %% solution="EncoderBlock"
class EncoderBlock(nn.Module):
    """One post-norm block of the Transformer encoder (Vaswani et al. 2017, §3.1, fig. 1).

    Shapes:
        x                 (batch, seq, d_model)
        key_padding_mask  (batch, seq) bool, True = ignore this token (torch's convention); or None
        result            (batch, seq, d_model)
    """

    def __init__(self, d_model: int = 128, n_heads: int = 8, d_ff: int = 512, dropout: float = 0.1):
        """Create self_attn, linear1, linear2, norm1 and norm2."""
        super().__init__()
        ### BEGIN SOLUTION
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(
        self, x: torch.Tensor, key_padding_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return x after attention and feed-forward network, each with residual and norm."""
        ### BEGIN SOLUTION
        attended, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask, need_weights=False)
        x = self.norm1(x + self.dropout(attended))
        transformed = self.linear2(F.relu(self.linear1(x)))
        return self.norm2(x + self.dropout(transformed))
        ### END SOLUTION


# %% test="EncoderBlock"
torch.manual_seed(0)
x = torch.randn(32, 10, 128)
block = EncoderBlock().eval()
output = block(x)
print(output.shape)
assert output.shape == torch.Size([32, 10, 128]), (
    f"(32, 10, 128) goes in and should come out, yours is {tuple(output.shape)}."
)

small = EncoderBlock(d_model=64, n_heads=4, d_ff=256).eval()
output = small(torch.randn(32, 10, 64))
print(output.shape)
assert output.shape == (32, 10, 64), (
    f"(32, 10, 64) goes in and should come out, yours is {tuple(output.shape)}."
)

theirs = nn.TransformerEncoderLayer(128, nhead=8, dim_feedforward=512, batch_first=True).eval()
missing = theirs.state_dict().keys() - block.state_dict().keys()
assert not missing, (
    f"These weights are missing from your block: {sorted(missing)}. "
    "Are the attributes named as asked?"
)
theirs.load_state_dict({name: block.state_dict()[name] for name in theirs.state_dict()})
with torch.no_grad():
    assert torch.allclose(block(x), theirs(x), atol=1e-4), (
        "nn.TransformerEncoderLayer with your weights returns other values. "
        "Compare your forward with the picture above."
    )

padding = torch.zeros(32, 10, dtype=torch.bool)
padding[:, 7:] = True  # the last three tokens of each sentence are filler
with torch.no_grad():
    assert torch.allclose(block(x, key_padding_mask=padding)[:, :7], block(x[:, :7]), atol=1e-4), (
        "The last three tokens are padding, but the others still look at them."
    )

block.train()
assert not torch.equal(block(x), block(x)), "In train mode dropout should make two runs differ."
print("EncoderBlock passes the visible checks.")

# %% [markdown]
# Here is padding at work in the attention of a block. **Predict first:** which columns will be
# dark, and is anything left in the *rows* of the padding?

# %%
torch.manual_seed(4)
block = EncoderBlock(d_model=8, n_heads=2, d_ff=16).eval()
padded_words = ["a", "short", "one", "(pad)", "(pad)"]
x = torch.randn(1, 5, 8)
padding = torch.tensor([[False, False, False, True, True]])
_, weights = block.self_attn(x, x, x, key_padding_mask=padding)

show_heat_map(weights[0], padded_words, "the last two are padding")

# %% [markdown]
# Nobody looks *at* the padding. The padding itself does look around, which costs nothing: its rows
# of the result are never used.

# %% [markdown]
# ## 6. The whole encoder
#
# Only the way in is missing: token numbers become vectors (§3.4), positions are added (§3.5), then
# come the blocks, each with weights of its own.
#
# ### Exercise: `Encoder`
#
# ```python
# Encoder(vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1)
# ```
#
# - `embedding`: an `nn.Embedding(vocab_size, d_model)`; `layers`: an `nn.ModuleList` of `n_layers`
#   different `EncoderBlock`s.
# - `forward(tokens, key_padding_mask=None)`: `tokens` is an `int64` tensor `(batch, seq)`, the
#   result is `(batch, seq, d_model)`. Step by step:
#   1. `embedding(tokens)` times $\sqrt{d_{model}}$, plus the positional encoding;
#   2. dropout with probability `dropout` (train mode only, §5.4);
#   3. the blocks, one after the other. The padding has to be hidden in **each** of them.
# - `max_len` is the longest sequence allowed; for a longer one `forward` raises a `ValueError`.
#
# `EncoderBlock` and `positional_encoding` are there already: use them.


# %% solution="Encoder"
class Encoder(nn.Module):
    """The Transformer encoder (Vaswani et al. 2017, §3.1, §3.4, §3.5, fig. 1).

    Shapes:
        tokens            (batch, seq) int64, seq at most max_len
        key_padding_mask  (batch, seq) bool, True = ignore this token (torch's convention); or None
        result            (batch, seq, d_model)

    Raises:
        ValueError: in forward, if the sequence is longer than max_len.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int = 128,
        n_heads: int = 8,
        d_ff: int = 512,
        n_layers: int = 2,
        max_len: int = 512,
        dropout: float = 0.1,
    ):
        """Create embedding and layers, and what else you need."""
        super().__init__()
        ### BEGIN SOLUTION
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("positions", positional_encoding(max_len, d_model), persistent=False)
        ### END SOLUTION

    def forward(
        self, tokens: torch.Tensor, key_padding_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return one vector a token that knows the token's context."""
        ### BEGIN SOLUTION
        seq_len, max_len = tokens.shape[1], self.positions.shape[0]
        if seq_len > max_len:
            raise ValueError(f"{seq_len} tokens are more than max_len={max_len}")
        scale = math.sqrt(self.embedding.embedding_dim)
        x = self.dropout(self.embedding(tokens) * scale + self.positions[:seq_len])
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
        ### END SOLUTION


# %% test="Encoder"
torch.manual_seed(0)
encoder = Encoder(vocab_size=50).eval()
tokens = torch.randint(50, (32, 10))
output = encoder(tokens)
print(output.shape)
assert output.shape == torch.Size([32, 10, 128]), (
    f"The result should be (32, 10, 128), yours is {tuple(output.shape)}."
)

assert isinstance(encoder.layers, nn.ModuleList) and len(encoder.layers) == 2, (
    "layers should be an nn.ModuleList of 2 blocks."
)
assert encoder.layers[0] is not encoder.layers[1], (
    "Each layer needs a block of its own; yours are one and the same block."
)

swapped = tokens.clone()
swapped[:, [0, 1]] = tokens[:, [1, 0]]
assert not torch.allclose(encoder(swapped)[:, 2:], output[:, 2:], atol=1e-4), (
    "Two tokens changed places and nothing happened to the others: do the positions get in?"
)

padding = torch.zeros(32, 10, dtype=torch.bool)
padding[:, 7:] = True
assert torch.allclose(
    encoder(tokens, key_padding_mask=padding)[:, :7], encoder(tokens[:, :7]), atol=1e-4
), "Padding should change nothing for the other tokens. Does every layer get the mask?"

short = Encoder(vocab_size=50, d_model=16, n_heads=2, d_ff=32, max_len=6)
assert short(tokens[:, :6]).shape == (32, 6, 16), "A sequence of exactly max_len tokens is allowed."
try:
    short(tokens[:, :7])
except ValueError:
    pass
else:
    raise AssertionError("7 tokens are more than max_len=6: raise a ValueError in forward.")
print("Encoder passes the visible checks.")

# %% [markdown]
# Back to the dog and the man of part 3. In both sentences below, *bites* stands in the middle, with
# the same two neighbours. **Predict first:** how far apart are its two vectors, before and after
# the encoder?

# %%
torch.manual_seed(5)
dog, bites, man = 0, 1, 2
sentences = torch.tensor([[dog, bites, man], [man, bites, dog]])
encoder = Encoder(vocab_size=3, d_model=32, n_heads=4, d_ff=64).eval()

for name, vectors in {
    "embeddings alone": encoder.embedding(sentences),
    "after the encoder": encoder(sentences),
}.items():
    print(f"{name:>17}: {torch.dist(vectors[0, 1], vectors[1, 1]):.3f}")

# %% [markdown]
# Even before any training, *bites* has noticed who bites whom. That is what an encoder does: one
# vector a word goes in, one vector a word **in its context** comes out.

# %% [markdown]
# ## 7. Two questions to think about
#
# The first one is about shapes. Run this before you answer: it stacks six blocks, then tries a
# sublayer that returns half as many features. Read what the error says.

# %%
x = torch.randn(32, 10, 128)
deep = nn.Sequential(*(EncoderBlock() for _ in range(6)))
print("through six blocks:", deep(x).shape)

narrow_sublayer = nn.Linear(128, 64)
try:
    x + narrow_sublayer(x)
except RuntimeError as error:
    print("a residual around a narrow sublayer:", error)

# %% [markdown]
# ### Written answer: `why_same_shape`
#
# `(32, 10, 128)` goes into the block and `(32, 10, 128)` comes out. Follow the shape through the
# block: why does each part keep it (multi-head attention, feed-forward network, residual, layer
# norm)? And what would no longer work if one of them did not? Five to eight sentences.

# %% [markdown] written="why_same_shape" points=4
# **Multi-head attention** makes one output vector for each query, and in self-attention there is
# one query a token, so `batch` and `seq` stay. Each of the `n_heads` heads returns `d_model /
# n_heads` features; side by side they are `d_model` again, and `W_O` maps `d_model` to `d_model`.
# The inner shape `(batch, heads, seq, seq)` of the weights is gone after the product with the
# values. The **feed-forward network** acts on the last axis alone, out to `d_ff` and back to
# `d_model`. The **residual** adds two tensors element by element, so the shape of `x + Sublayer(x)`
# is that of `x` provided both are the same. **Layer norm** rescales the features of each token and
# neither adds nor removes any.
#
# It must be so for two reasons. First, the residual needs equal shapes: with another last axis the
# sum fails, or worse, broadcasts. Second, blocks that keep the shape can be stacked as often as we
# like, since the output of one is a valid input of the next; each token keeps its place, so row *i*
# of the result still speaks of token *i*.
#
# **Rubric**
#
# - 1 point: attention keeps `(batch, seq)` (one output a query), and the heads' `d_head` columns
#   add up to `d_model`.
# - 1 point: the feed-forward network goes to `d_ff` and back on the last axis; layer norm works
#   within a token.
# - 1 point: the residual sum requires equal shapes.
# - 1 point: equal shapes in and out let blocks be stacked (or: each row stays the vector of its
#   token).

# %% [markdown]
# The second question is about what each part is *for*. This experiment changes one token at a time
# (a column) and measures how far each output (a row) moves. **Predict first:** which of the four
# pictures have light off the diagonal?


# %%
def influence(part, x):
    """Return a (seq, seq) matrix: how far output i moves when token j is changed."""
    moved = torch.zeros(x.shape[1], x.shape[1])
    for j in range(x.shape[1]):
        changed = x.clone()
        changed[:, j] += torch.randn_like(changed[:, j])
        moved[:, j] = (part(changed) - part(x))[0].detach().norm(dim=-1)
    return moved


torch.manual_seed(6)
x = torch.randn(1, 6, 16)
attention, network = MultiHeadAttention(16, 4), FeedForward(16, 64)
parts = {
    "attention": lambda x: attention(x, x, x),
    "feed-forward": network,
    "layer norm": nn.LayerNorm(16),
    "whole block": EncoderBlock(16, 4, 64).eval(),
}
show_heat_maps({name: influence(part, x) for name, part in parts.items()}, range(6))

# %% [markdown]
# ### Written answer: `what_each_part_does`
#
# For each of the four parts (several heads, feed-forward network, residual connections, layer
# norm), say in one or two sentences what it does for the block and what would be lost without it.
# Use the pictures where they help.

# %% [markdown] written="what_each_part_does" points=4
# **Heads.** Attention is the only part through which tokens influence each other (light off the
# diagonal). Each head has its own projections, hence its own weights, so a token can look at
# several places for several reasons at once; a single head would have to average these views into
# one.
#
# **Feed-forward network.** It works on each token by itself (diagonal picture) and is the block's
# non-linear step on the features: it turns what attention gathered into new features. Without it a
# token's result would be weighted averages of linear maps of the tokens, apart from softmax and
# norm.
#
# **Residual.** It carries the input past each sublayer, so that a sublayer only has to learn what
# to *add*, the token's own information is not lost in the averages, and gradients reach the lower
# blocks directly. In the last picture it is why the diagonal stays bright. Without it deep stacks
# are hard to train.
#
# **Layer norm.** It brings each token's features back to mean 0 and variance 1 (then learned scale
# and shift), so that sums do not grow from block to block and every block meets inputs of the same
# size. Without it training is unstable and depends on careful learning rates and initial values.
#
# **Rubric**
#
# - 1 point: heads exchange information between tokens, each in its own way (several patterns at
#   once).
# - 1 point: the feed-forward network transforms each position by itself, with a non-linearity.
# - 1 point: the residual keeps the input and/or lets gradients flow; the sublayer learns a
#   correction.
# - 1 point: layer norm keeps each token's features on one scale, which stabilises training.

# %% [markdown]
# ## Sources
#
# - A. Vaswani et al., *Attention Is All You Need*, 2017,
#   [arXiv:1706.03762](https://arxiv.org/abs/1706.03762): §3.1 and fig. 1 (block), §3.2 (attention,
#   heads), §3.3 eq. 2 (feed-forward), §3.4 (embeddings), §3.5 (positions), §5.4 (dropout).
# - J. L. Ba, J. R. Kiros, G. E. Hinton, *Layer Normalization*, 2016,
#   [arXiv:1607.06450](https://arxiv.org/abs/1607.06450).
# - PyTorch's documentation of
#   [`nn.MultiheadAttention`](https://docs.pytorch.org/docs/stable/generated/torch.nn.MultiheadAttention.html)
#   and
#   [`nn.TransformerEncoderLayer`](https://docs.pytorch.org/docs/stable/generated/torch.nn.TransformerEncoderLayer.html),
#   which serve as independent references here.
