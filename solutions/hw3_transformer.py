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
# # A Transformer that learns
#
# In homework 2 you built the left half of figure 1 of *Attention Is All You Need* ([Vaswani et al.
# 2017](https://arxiv.org/abs/1706.03762)): the encoder, which reads. Here comes the right half, the
# decoder, which writes. Then both together learn something before your eyes: to read a string of
# digits and write it **backwards**.
#
# | part | you write | it answers |
# |---|---|---|
# | 1 | `causal_mask` | which words may a writer look at? |
# | 2 | `DecoderBlock` | how does a writer keep an eye on the source? |
# | 3 | `Transformer` | how do encoder and decoder fit together? |
# | 4 | `greedy_decode` | how is a text written, one token after another? |
# | 5 | `train` | how does the model learn to do it? |
#
# At the end your own model learns in your own loop, you look into its heads, and one written
# question asks what you saw. Altogether you can earn TOTAL_POINTS points.
#
# **How to work.**
#
# - Replace each `raise NotImplementedError()` by your code, then run the **visible checks** below
#   it. Your grade comes from **hidden tests** on other inputs, each worth points of its own, so a
#   partly right answer earns part of the points.
# - Keep the names of functions, classes, arguments and **attributes** as they are given.
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
# | `batch` | how many sequences at once |
# | `s` | how many tokens in a source: what is read |
# | `t` | how many tokens in a target: what is written |
# | `d_model`, `n_heads`, `d_ff` | features a token, heads, hidden features, as in homework 2 |

# %% setup="imports"
import math
from collections.abc import Iterable

import torch
from torch import nn
from torch.nn import functional as F

# %% [markdown]
# The next cell draws the pictures. There is nothing in it that you need to read, though you may.

# %%
import time

import matplotlib.pyplot as plt


def heat_map(ax, weights, rows, columns, title, **colours):
    """Draw a matrix: each row is a token that looks, each column one that is looked at."""
    picture = ax.imshow(weights.detach(), cmap="viridis", **({"vmin": 0} | colours))
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.set_title(title, fontsize=11)
    return picture


def show_heat_maps(panels, rows, columns, width=3.3):
    """Show heat maps side by side: a dict from titles to matrices."""
    size = (width * len(panels), 3.4)
    axes = plt.subplots(1, len(panels), figsize=size, layout="constrained", squeeze=False)[1][0]
    for ax, (title, weights) in zip(axes, panels.items(), strict=True):
        heat_map(ax, weights, rows, columns, title)
    plt.show()


def show_tokens(lines):
    """Show lines of tokens in boxes, one below the other: a dict from names to {column: token}."""
    ax = plt.subplots(figsize=(8.6, 0.75 * len(lines)))[1]
    for height, (name, tokens) in enumerate(reversed(lines.items())):
        ax.text(-0.7, height, name, ha="right", va="center")
        for column, token in tokens.items():
            colour = "#ffe0b3" if token in ("BOS", "EOS") else "#cfe8ff"
            box = {"boxstyle": "square,pad=0.5", "facecolor": colour, "edgecolor": "0.6"}
            ax.text(column, height, f"{token:^5}", ha="center", va="center", bbox=box)
    ax.set(xlim=(-4.2, 7), ylim=(-0.6, len(lines) - 0.4))
    ax.axis("off")
    plt.show()


def draw_decoder_block():
    """Draw the decoder block, from the bottom up as the paper does."""
    arrow = {"arrowstyle": "-|>", "color": "0.3", "linewidth": 1.4}
    ax = plt.subplots(figsize=(7.2, 6.4))[1]
    for height, text, colour in (
        (1.2, "masked self-attention (self_attn)", "#ffe0b3"),
        (2.4, "add & norm (norm1)", "#fff6bf"),
        (4.0, "cross-attention (multihead_attn)", "#ffd0c2"),
        (5.2, "add & norm (norm2)", "#fff6bf"),
        (6.8, "feed-forward: linear1, ReLU, linear2", "#cfe8ff"),
        (8.0, "add & norm (norm3)", "#fff6bf"),
    ):
        box = {"facecolor": colour, "edgecolor": "black"}
        ax.add_patch(plt.Rectangle((-2, height - 0.35), 4, 0.7, **box))
        ax.text(0, height, text, ha="center", va="center")
    steps = ((-0.3, 0.85), (1.55, 2.05), (2.75, 3.65), (4.35, 4.85), (5.55, 6.45), (7.15, 7.65))
    for start, end in (*steps, (8.35, 9.1)):
        ax.annotate("", xy=(0, end), xytext=(0, start), arrowprops=arrow)
    ax.text(-0.1, 3.3, "queries", ha="right", va="center", fontsize=9)
    for bottom, top in ((0.2, 2.4), (3.2, 5.2), (6.0, 8.0)):  # around each sublayer
        ax.plot([0, 2.6, 2.6], [bottom, bottom, top], color="0.3", linewidth=1.4)
        ax.annotate("", xy=(2, top), xytext=(2.6, top), arrowprops=arrow)
        ax.text(2.7, (bottom + top) / 2, "residual", rotation=90, va="center")
    ax.annotate("", xy=(-2, 4.0), xytext=(-3.2, 4.0), arrowprops=arrow)
    ax.text(-2.6, 4.15, "keys\nvalues", ha="center", fontsize=9)
    ax.text(-3.3, 4.0, "memory\n(batch, s, d_model)", ha="right", va="center")
    for height, text in ((-0.6, "x"), (9.2, "result")):
        ax.text(0, height, f"{text}  (batch, t, d_model)", ha="center")
    ax.set(xlim=(-5.4, 3.2), ylim=(-0.8, 9.6))
    ax.axis("off")
    plt.show()


# %% [markdown]
# ## 1. Don't look ahead
#
# A decoder writes from left to right: each new token depends on those before it. In training,
# though, the whole target is known, and it would be a waste to feed it token by token. So all its
# positions go through the decoder **at once**, and a mask sees to it that none of them looks at
# what comes later (§3.2.3). Otherwise, to predict the next word, the model would simply read it.
#
# As in homework 2:
#
# > **In masks that you write, `True` means *may attend*.**
#
# Row *i* of the mask says what token *i* may look at. It may look at itself: that token has been
# written already. What it must predict is the one *after*.
#
# **Predict first.** How many entries of `causal_mask(4)` are `True`?
#
# ### Exercise: `causal_mask`
#
# ```python
# causal_mask(n)
# ```
#
# Return a boolean tensor of shape `(n, n)`.


# %% solution="causal_mask"
def causal_mask(n: int) -> torch.Tensor:
    """Return the mask that keeps each of n tokens from looking ahead (Vaswani et al. 2017, §3.2.3).

    Shapes:
        result  (n, n), bool; entry [i, j] is True where token i may attend token j
    """
    ### BEGIN SOLUTION
    return torch.ones(n, n, dtype=torch.bool).tril()
    ### END SOLUTION


# %% test="causal_mask"
mask = causal_mask(4)
assert isinstance(mask, torch.Tensor), f"Return a torch tensor; yours is a {type(mask).__name__}."
assert mask.shape == (4, 4), f"The mask should be (n, n) = (4, 4), yours is {tuple(mask.shape)}."
assert mask.dtype == torch.bool, f"The mask should be boolean, yours is {mask.dtype}."
assert mask[2, 2], "A token may look at itself."
assert mask[3, 0] and not mask[0, 3], (
    "Row i says what token i may look at: the last token may look at the first, "
    "the first not at the last."
)
assert torch.equal(causal_mask(1), torch.tensor([[True]])), "A token that is alone sees itself."
print("causal_mask passes the visible checks.")

# %% [markdown]
# Here is what it does to attention. `nn.MultiheadAttention` takes such a mask as `attn_mask`, but
# careful, because it reads it the other way round:
#
# > **`attn_mask` of `nn.MultiheadAttention` follows torch's convention, where `True` means *hidden*;
# > so does every mask of the torch layers used here. `~mask` turns one convention into the other.**
#
# **Predict first.** What will the first row of the picture look like?

# %%
torch.manual_seed(1)
words = ["the", "cat", "sat", "on", "mats"]
sentence = torch.randn(1, 5, 8)
attention = nn.MultiheadAttention(embed_dim=8, num_heads=2, batch_first=True)
_, free = attention(sentence, sentence, sentence)
_, masked = attention(sentence, sentence, sentence, attn_mask=~causal_mask(5))

show_heat_maps({"without a mask": free[0], "with causal_mask": masked[0]}, words, words)

# %% [markdown]
# The first token has only itself to look at, so it gives itself the weight 1. All rows still sum
# to 1: the mask works before the softmax, and the others share what the hidden ones would have had.

# %% [markdown]
# ## 2. The decoder block
#
# The decoder's block is the encoder's with one sublayer more (§3.1): between self-attention and the
# feed-forward network it looks at the **memory**, which is what the encoder made of the source.
# This is *cross-attention*: the queries come from the target, keys and values from the memory.

# %%
draw_decoder_block()

# %% [markdown]
# Around each of the three sublayers stand residual, dropout and norm as you know them:
#
# $$x \leftarrow \mathrm{LayerNorm}\big(x + \mathrm{Dropout}(\mathrm{Sublayer}(x))\big)$$
#
# ### Exercise: `DecoderBlock`
#
# ```python
# DecoderBlock(d_model=128, n_heads=8, d_ff=512, dropout=0.1)
# ```
#
# - `self_attn`, `multihead_attn`: an
#   [`nn.MultiheadAttention`](https://docs.pytorch.org/docs/stable/generated/torch.nn.MultiheadAttention.html)
#   each, with `batch_first=True`. The first is causal: no token of the target sees a later one. The
#   second looks at the whole memory.
# - `linear1`, `linear2`: the feed-forward network, ReLU between.
# - `norm1`, `norm2`, `norm3`: an `nn.LayerNorm(d_model)` each, in the order of the picture.
# - Dropout with probability `dropout` on the output of each sublayer, before it is added to the
#   residual; in train mode only.
# - `forward(x, memory, memory_key_padding_mask=None)` takes `x (batch, t, d_model)` and `memory
#   (batch, s, d_model)` and returns `(batch, t, d_model)`. `memory_key_padding_mask (batch, s)` is
#   passed through to torch, so here `True` means *ignore this token of the memory*.
#
# With these names your weights fit into
# [`nn.TransformerDecoderLayer`](https://docs.pytorch.org/docs/stable/generated/torch.nn.TransformerDecoderLayer.html),
# PyTorch's block of the same kind, and the check below compares the two. So please build yours from
# its parts.
#
# *Two things to think about:* `t` and `s` differ, so which of them do the rows of the
# cross-attention count, and which the columns? And why may cross-attention look at everything?


# %% solution="DecoderBlock"
class DecoderBlock(nn.Module):
    """One post-norm block of the Transformer decoder (Vaswani et al. 2017, §3.1, fig. 1).

    Shapes:
        x                        (batch, t, d_model); token i sees the tokens up to i
        memory                   (batch, s, d_model); what the encoder returned
        memory_key_padding_mask  (batch, s) bool, True = ignore it (torch's convention); or None
        result                   (batch, t, d_model)
    """

    def __init__(self, d_model: int = 128, n_heads: int = 8, d_ff: int = 512, dropout: float = 0.1):
        """Create self_attn, multihead_attn, linear1, linear2, norm1, norm2 and norm3."""
        super().__init__()
        ### BEGIN SOLUTION
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor,
        memory_key_padding_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return x after self-attention, cross-attention and feed-forward network."""
        ### BEGIN SOLUTION
        hidden = ~causal_mask(x.shape[1])
        attended, _ = self.self_attn(x, x, x, attn_mask=hidden, need_weights=False)
        x = self.norm1(x + self.dropout(attended))
        found, _ = self.multihead_attn(
            x, memory, memory, key_padding_mask=memory_key_padding_mask, need_weights=False
        )
        x = self.norm2(x + self.dropout(found))
        transformed = self.linear2(F.relu(self.linear1(x)))
        return self.norm3(x + self.dropout(transformed))
        ### END SOLUTION


# %% test="DecoderBlock"
torch.manual_seed(0)
x, memory = torch.randn(32, 7, 128), torch.randn(32, 10, 128)
block = DecoderBlock().eval()
output = block(x, memory)
print(output.shape)
assert output.shape == (32, 7, 128), (
    f"x is (32, 7, 128), so should the result be; yours is {tuple(output.shape)}."
)

theirs = nn.TransformerDecoderLayer(128, nhead=8, dim_feedforward=512, batch_first=True).eval()
missing = theirs.state_dict().keys() - block.state_dict().keys()
assert not missing, (
    f"These weights are missing from your block: {sorted(missing)}. "
    "Are the attributes named as asked?"
)
theirs.load_state_dict({name: block.state_dict()[name] for name in theirs.state_dict()})

# No peeking: with another last token, all earlier ones get the same result.
changed = x.clone()
changed[:, -1] = torch.randn(32, 128)
with torch.no_grad():
    assert torch.allclose(block(changed, memory)[:, :-1], block(x, memory)[:, :-1], atol=1e-5), (
        "Only the last token of x was changed, and earlier tokens noticed it."
    )
    later = nn.Transformer.generate_square_subsequent_mask(7)  # torch's own causal mask
    assert torch.allclose(block(x, memory), theirs(x, memory, tgt_mask=later), atol=1e-4), (
        "nn.TransformerDecoderLayer with your weights returns other values. "
        "Compare your forward with the picture above."
    )

padding = torch.zeros(32, 10, dtype=torch.bool)
padding[:, 8:] = True  # the last two tokens of each source are filler
with torch.no_grad():
    assert torch.allclose(
        block(x, memory, memory_key_padding_mask=padding), block(x, memory[:, :8]), atol=1e-4
    ), "The last two tokens of the memory are padding, but they are still looked at."

block.train()
assert not torch.equal(block(x, memory), block(x, memory)), (
    "In train mode dropout should make two runs differ."
)
print("DecoderBlock passes the visible checks.")

# %% [markdown]
# Who influences whom? We change one token at a time (a column) and measure how far each output of
# the block (a row) moves. **Predict first:** which parts of the two pictures stay dark?


# %%
def influence(outputs_of, tokens):
    """Return a (t, n) matrix: how far output i moves when token j of (1, n, d) is changed."""
    columns = []
    for j in range(tokens.shape[1]):
        changed = tokens.clone()
        changed[:, j] += torch.randn_like(changed[:, j])
        columns.append((outputs_of(changed) - outputs_of(tokens))[0].detach().norm(dim=-1))
    return torch.stack(columns, dim=1)


torch.manual_seed(2)
x, memory = torch.randn(1, 6, 16), torch.randn(1, 4, 16)
block = DecoderBlock(d_model=16, n_heads=2, d_ff=32).eval()
by_target = influence(lambda changed: block(changed, memory), x)
by_source = influence(lambda changed: block(x, changed), memory)

figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.6), layout="constrained")
for ax, moved, name in ((left, by_target, "target"), (right, by_source, "memory")):
    heat_map(ax, moved, range(6), range(moved.shape[1]), f"when a token of the {name} changes")
    ax.set(xlabel=f"token of the {name} that is changed", ylabel="output that moves")
plt.show()

# %% [markdown]
# On the left a triangle, as the mask will have it, brightest on the diagonal because of the
# residual. On the right nothing is dark: the source is known from its first to its last token
# before the first word is written, so there is nothing to hide.

# %% [markdown]
# ## 3. The Transformer
#
# Now figure 1 as a whole. On the left the **encoder** reads the source; on the right the
# **decoder** reads the part of the target that is already written, looks at what the encoder
# found, and a last linear layer says for every position how likely each token of the target's
# vocabulary is to come **next**.
#
# ### Exercise: `Transformer`
#
# ```python
# Transformer(src_vocab, tgt_vocab, d_model=64, n_heads=4, d_ff=128, n_layers=2, max_len=64,
#             dropout=0.0)
# ```
#
# `forward(src, tgt)` takes two `int64` tensors, `src (batch, s)` and `tgt (batch, t)`, and returns
# **logits** of shape `(batch, t, tgt_vocab)`: the scores *before* a softmax.
#
# How it looks inside is up to you, and no attribute has to have a certain name. Your `DecoderBlock`
# is there, and for the encoder you may take
# [`nn.TransformerEncoderLayer`](https://docs.pytorch.org/docs/stable/generated/torch.nn.TransformerEncoderLayer.html)
# with `batch_first=True`, or your own block from homework 2. What counts is how it behaves:
#
# - **No peeking ahead.** The logits at position *i* depend on the target's tokens up to *i* only:
#   neither on what comes after it nor on how much comes after it.
# - **The source matters**, every token of it, and so does its **order**. No token number of the
#   source is special, 0 included.
# - The **order of the target** matters too. Attention by itself doesn't know any order, so both
#   sides need positions.
# - **Everything learns.** In training a gradient reaches every parameter.
# - **Every argument has its effect.** There are `n_layers` layers on each side, each with weights of
#   its own; `n_heads` and `dropout` do what they do in `DecoderBlock`.
# - Each sequence of a batch is treated as if it were alone. Both vocabularies, the lengths `s` and
#   `t` and the batch may have any size; source and target have up to `max_len` tokens. There is no
#   padding in this homework.
#
# Any reasonable initialisation will do: for most checks the grader sets the parameters to random
# values of its own.
#
# For positions, here is the function of homework 2, if you like to use it.


# %% setup="positional_encoding"
def positional_encoding(seq_len: int, d_model: int) -> torch.Tensor:
    """Return the sinusoidal table of positions, (seq_len, d_model) (Vaswani et al. 2017, §3.5)."""
    positions = torch.arange(seq_len, dtype=torch.float32).unsqueeze(1)
    even_columns = torch.arange(0, d_model, 2, dtype=torch.float32)
    angles = positions / 10000 ** (even_columns / d_model)
    table = torch.empty(seq_len, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)[:, : d_model // 2]
    return table


# %% solution="Transformer"
class Transformer(nn.Module):
    """Encoder and decoder (Vaswani et al. 2017, fig. 1).

    Shapes:
        src     (batch, s) int64, tokens of the source, s at most max_len
        tgt     (batch, t) int64, tokens of the target so far, t at most max_len
        result  (batch, t, tgt_vocab); logits of the token that follows each target position
    """

    def __init__(
        self,
        src_vocab: int,
        tgt_vocab: int,
        d_model: int = 64,
        n_heads: int = 4,
        d_ff: int = 128,
        n_layers: int = 2,
        max_len: int = 64,
        dropout: float = 0.0,
    ):
        """Create what you need: embeddings, positions, layers, and a way to the logits."""
        super().__init__()
        ### BEGIN SOLUTION
        self.src_embedding = nn.Embedding(src_vocab, d_model)
        self.tgt_embedding = nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("positions", positional_encoding(max_len, d_model))
        self.encoder = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
            for _ in range(n_layers)
        )
        self.decoder = nn.ModuleList(
            DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.to_logits = nn.Linear(d_model, tgt_vocab)
        ### END SOLUTION

    def forward(self, src: torch.Tensor, tgt: torch.Tensor) -> torch.Tensor:
        """Return the logits of the token that follows each position of tgt."""
        ### BEGIN SOLUTION
        memory = self.src_embedding(src) + self.positions[: src.shape[1]]
        for layer in self.encoder:
            memory = layer(memory)
        x = self.tgt_embedding(tgt) + self.positions[: tgt.shape[1]]
        for layer in self.decoder:
            x = layer(x, memory)
        return self.to_logits(x)
        ### END SOLUTION


# %% test="Transformer"
torch.manual_seed(0)
model = Transformer(src_vocab=11, tgt_vocab=9).eval()
src, tgt = torch.randint(11, (3, 6)), torch.randint(9, (3, 5))
logits = model(src, tgt)
print(logits.shape)
assert logits.shape == (3, 5, 9), (
    f"The logits should be (batch, t, tgt_vocab) = (3, 5, 9), yours are {tuple(logits.shape)}."
)
assert not torch.allclose(logits.sum(dim=-1), torch.ones(3, 5), atol=1e-3), (
    "Your rows sum to 1: return the logits, before any softmax."
)

with torch.no_grad():
    changed = tgt.clone()
    changed[:, 3] = (tgt[:, 3] + 1) % 9
    difference = (model(src, changed) - logits).abs().amax(dim=(0, 2))  # one number a position
    assert difference[:3].max() < 1e-4, (
        "We changed the target's token 3, and logits before it have noticed: they peek ahead."
    )
    assert difference[3] > 1e-4, "We changed the target's token 3, and its own logits stayed."

    changed = src.clone()
    changed[:, 0] = (src[:, 0] + 1) % 11
    assert (model(changed, tgt) - logits).abs().amax(dim=(0, 2)).min() > 1e-5, (
        "We changed a token of the source, and some logits have not noticed."
    )
    assert not torch.allclose(model(src.flip(1), tgt), logits, atol=1e-4), (
        "We turned the source around, and nothing changed: does it get positions?"
    )
    shallow = Transformer(src_vocab=11, tgt_vocab=9, n_layers=1).eval()
    swapped = tgt[:, [1, 0, 2, 3, 4]]
    assert not torch.allclose(shallow(src, swapped)[:, -1], shallow(src, tgt)[:, -1], atol=1e-4), (
        "Two earlier tokens of the target changed places, and the last one has not noticed."
    )

F.cross_entropy(model(src, tgt).flatten(0, 1), tgt.flatten()).backward()
idle = [
    name for name, value in model.named_parameters() if value.requires_grad and value.grad is None
]
assert not idle, f"No gradient reaches {idle}: made, but not used?"
print("Transformer passes the visible checks.")

# %% [markdown]
# How large is it? GPT-3 has 175 billion parameters. **Predict first:** how many will this one have,
# to turn digits around?

# %%
model = Transformer(src_vocab=12, tgt_vocab=12)
print(f"{sum(parameter.numel() for parameter in model.parameters()):,} parameters")

# %% [markdown]
# ## 4. Writing
#
# A model that says what comes next can write: start with a token that means *begin* (`bos`), ask
# what follows, append it, ask again. Always to take the likeliest token is called **greedy**
# decoding. A second special token, `eos`, means *end*.
#
# In a batch the rows end at different times. A row that has ended is filled up with `eos`, while
# the others go on.
#
# ### Exercise: `greedy_decode`
#
# ```python
# greedy_decode(model, src, bos, eos, max_len)
# ```
#
# - `model(src, tgt)` returns logits `(batch, t, vocab)`, as your `Transformer` does; nothing else is
#   known of it. `src` is `(batch, s)`.
# - Return an `int64` tensor of shape `(batch, width)`. Each row begins with `bos`, goes on with what
#   the model finds likeliest, and after its first `eos` holds nothing but `eos`.
# - `width` is at most `max_len`, and `bos` counts. Stop when every row has its `eos`, or at
#   `max_len`, finished or not. (To go on with `eos` up to `max_len` is right as well.)
# - So the model never has to read more than `max_len - 1` target tokens: the last one is written
#   and not read.
#
# It is good manners to call `model.eval()` first, so that nothing drops out. The decorator
# `@torch.no_grad()` is given: nobody learns while writing, and without gradients it is faster.
#
# *To think about:* the model answers for every position at once. Which of its answers is new?


# %% solution="greedy_decode"
@torch.no_grad()
def greedy_decode(
    model: nn.Module, src: torch.Tensor, bos: int, eos: int, max_len: int
) -> torch.Tensor:
    """Write a target for each source, always the likeliest token.

    Shapes:
        src     (batch, s) int64
        result  (batch, width) int64, width at most max_len; from bos on, after eos only eos

    `model(src, tgt)` returns logits (batch, t, vocab) and reads at most max_len - 1 target tokens.
    """
    ### BEGIN SOLUTION
    model.eval()
    tokens = torch.full((src.shape[0], 1), bos)
    ended = torch.zeros(src.shape[0], dtype=torch.bool)
    while tokens.shape[1] < max_len and not ended.all():
        likeliest = model(src, tokens)[:, -1].argmax(dim=-1)
        likeliest[ended] = eos
        ended |= likeliest == eos
        tokens = torch.cat([tokens, likeliest.unsqueeze(1)], dim=1)
    return tokens
    ### END SOLUTION


# %% test="greedy_decode"
class Countdown(nn.Module):
    """A model that needs no training: counts down from the source's first token, then ends.

    After 3 comes 2, after 0 comes 11 (eos), and after eos it talks nonsense.
    """

    def forward(self, src, tgt):
        following = torch.where(tgt == 10, src[:, :1], tgt - 1)  # after 10 (bos): the source
        following = torch.where(tgt == 0, 11, following)
        return F.one_hot(following, 12).float()


tokens = greedy_decode(Countdown(), torch.tensor([[3], [1]]), bos=10, eos=11, max_len=9)
print(tokens)
assert tokens.dtype == torch.int64, f"Tokens should be int64, yours are {tokens.dtype}."
assert tokens.shape[0] == 2 and 6 <= tokens.shape[1] <= 9, (
    f"Two rows of 6 to 9 tokens should come back here, yours are {tuple(tokens.shape)}."
)
assert (tokens[:, 0] == 10).all(), "Each row should begin with bos."
assert tokens[0, :6].tolist() == [10, 3, 2, 1, 0, 11], (
    f"The first row should be bos, 3, 2, 1, 0, eos. Yours: {tokens[0].tolist()}"
)
assert tokens[1, :4].tolist() == [10, 1, 0, 11], (
    f"The second row should begin with bos, 1, 0, eos. Yours: {tokens[1].tolist()}"
)
assert (tokens[1, 3:] == 11).all(), "After its eos a row should hold nothing but eos."

tokens = greedy_decode(Countdown(), torch.tensor([[8], [0]]), bos=10, eos=11, max_len=4)
assert tokens.tolist() == [[10, 8, 7, 6], [10, 0, 11, 11]], (
    f"With max_len=4 there is room for bos and three more. Yours: {tokens.tolist()}"
)
print("greedy_decode passes the visible checks.")

# %% [markdown]
# And what does your Transformer write before it has learned anything? Here is our language: the
# digits are the tokens 0 to 9, 10 is `BOS` and 11 is `EOS`.

# %% setup="strings"
BOS, EOS, VOCAB = 10, 11, 12  # the digits are the tokens 0 to 9


def digits(numbers: torch.Tensor, length: int = 5) -> torch.Tensor:
    """Write (batch,) whole numbers as strings of digits, (batch, length): 42 → 0 0 0 4 2."""
    return numbers.unsqueeze(1) // 10 ** torch.arange(length - 1, -1, -1) % 10


def backwards(src: torch.Tensor) -> torch.Tensor:
    """Return the targets (batch, length + 2): BOS, the string from its end, EOS."""
    begin, end = src.new_full((len(src), 1), BOS), src.new_full((len(src), 1), EOS)
    return torch.cat([begin, src.flip(1), end], dim=1)


# %%
torch.manual_seed(3)
src = digits(torch.tensor([12345, 90210, 42]))
print("read:   ", src.tolist())
print("should: ", backwards(src).tolist())
print("written:", greedy_decode(Transformer(VOCAB, VOCAB), src, BOS, EOS, max_len=7).tolist())

# %% [markdown]
# Nonsense, as expected. Time to learn.

# %% [markdown]
# ## 5. Learning
#
# **Teacher forcing.** To train, we show the model the right beginning and ask for the next token,
# at every position at once. Even where it would have gone wrong earlier, it is given the *right*
# beginning, as by a patient teacher:

# %%
string = [5, 0, 2, 1, 7]
whole = ["BOS", *reversed(string), "EOS"]
show_tokens(
    {
        "the source": dict(enumerate(string)),
        "the whole target": dict(enumerate(whole)),
        "the decoder reads": dict(enumerate(whole[:-1])),
        "and should say": dict(enumerate(whole[1:])),
    }
)

# %% [markdown]
# Read the two lower lines column by column: after `BOS` should come 7, after 7 should come 1, …
# and after 5 `EOS`, which the model has to learn like any other token. Nobody predicts `BOS`.
#
# The loss is the **cross-entropy** (§5.4 without smoothing): minus the logarithm of the probability
# that the model gave to the right token, on average over all predicted tokens of the batch.
# [`F.cross_entropy`](https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.cross_entropy.html)
# takes **logits**: the softmax is inside it. It wants the classes on axis 1, so flatten batch and
# positions into one axis first.
#
# ### A model to try it on
#
# `TinyModel` has the interface of a Transformer and none of its cleverness: where it looks depends
# on the position alone. But it is so simple that you can compute its loss by hand, and it learns in
# a second. Your `train` is tried on it first, here and in the hidden tests.


# %% setup="TinyModel"
class TinyModel(nn.Module):
    """logits[b, i] = Σ_j look[i, j] · word[src[b, j]]  +  last[tgt[b, i]]  +  place[i].

    Shapes:
        src     (batch, s) int64, s at most max_len
        tgt     (batch, t) int64, t at most max_len
        result  (batch, t, vocab_size)
    """

    def __init__(self, vocab_size: int, max_len: int = 8, dropout: float = 0.0):
        super().__init__()
        self.look = nn.Parameter(torch.randn(max_len, max_len) / max_len)
        self.word = nn.Parameter(torch.randn(vocab_size, vocab_size) / vocab_size)
        self.last = nn.Parameter(torch.zeros(vocab_size, vocab_size))
        self.place = nn.Parameter(torch.zeros(max_len, vocab_size))
        self.dropout = nn.Dropout(dropout)

    def forward(self, src: torch.Tensor, tgt: torch.Tensor) -> torch.Tensor:
        s, t = src.shape[1], tgt.shape[1]
        found = self.look[:t, :s] @ self.dropout(self.word[src])
        return found + self.last[tgt] + self.place[:t]


# %% [markdown]
# ### Exercise: `train`
#
# ```python
# train(model, batches, lr=1e-3)
# ```
#
# - `batches` yields pairs `(src, tgt)`; `tgt` runs from `BOS` to `EOS`, as above. It may be a list
#   or a generator, so go through it once, and take one step of the optimiser a batch.
# - Return a list with one `float` a batch: its loss **before** the step, over all predicted tokens.
# - Take any optimiser of `torch.optim` and give it `lr`. We recommend
#   [`Adam`](https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html): the learning
#   rates below suit it, while plain `SGD` would need far larger ones.
# - Begin with `model.train()`, in case someone left the model in eval mode. To set a seed inside is
#   allowed.
#
# *To think about:* `backward()` **adds** to the gradients that are already there. And how does a
# tensor with one number become a `float`?


# %% solution="train"
def train(
    model: nn.Module, batches: Iterable[tuple[torch.Tensor, torch.Tensor]], lr: float = 1e-3
) -> list[float]:
    """Train the model once through the batches, by teacher forcing with cross-entropy.

    Shapes:
        batches  pairs of src (batch, s) and tgt (batch, t) int64, tgt from bos to eos, no padding
        result   one loss a batch: the mean over its predicted tokens, before the step
    """
    ### BEGIN SOLUTION
    model.train()
    optimiser = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses
    ### END SOLUTION


# %% test="train"
torch.manual_seed(0)
src = digits(torch.tensor([12345, 90210]))
batch = (src, backwards(src))


def silent_model():
    """A TinyModel whose logits are all 0, so that it finds every token equally likely."""
    model = TinyModel(VOCAB)
    for parameter in model.parameters():
        nn.init.zeros_(parameter)
    return model


losses = train(silent_model(), [batch, batch, batch], lr=0.0)
assert isinstance(losses, list) and len(losses) == 3, "Return a list with one loss a batch."
assert all(isinstance(loss, float) for loss in losses), (
    f"Each loss should be a float, yours are: {[type(loss).__name__ for loss in losses]}."
)
assert all(abs(loss - math.log(VOCAB)) < 1e-4 for loss in losses), (
    f"Where all {VOCAB} tokens are equally likely the loss is log({VOCAB}) = {math.log(VOCAB):.4f}, "
    f"and with lr=0 it stays; yours: {losses}"
)

parrot = silent_model()
nn.init.eye_(parrot.last).data.mul_(20)  # sure that each token is followed by itself
loss = train(parrot, [batch], lr=0.0)[0]
assert loss > 10, (
    f"This model repeats the token that it reads and is always wrong, but your loss is {loss:.4f}. "
    "Each position should predict the token *after* the one it reads."
)

model = silent_model()
first, second = train(model, (batch for _ in range(2)), lr=0.1)
assert abs(first - math.log(VOCAB)) < 1e-4, "Measure a batch's loss before the step, not after it."
assert second < first, "After one step the loss of the same batch should be smaller."

torch.manual_seed(0)
model = TinyModel(VOCAB)
losses = []
for _ in range(200):
    src = digits(torch.randint(100_000, (64,)))
    losses += train(model, [(src, backwards(src))] * 2, lr=0.05)
assert losses[-1] < 0.2, f"400 steps are plenty for TinyModel; the last loss is {losses[-1]:.3f}."
print("train passes the visible checks.")

# %% [markdown]
# The model that was just trained has a matrix that says where it looks. **Predict first:** where
# will the rows 0 to 4 look, to write a string of five digits backwards? And row 5, whose only task
# is to say `EOS`?

# %%
rows, columns = [f"writes {i}" for i in range(6)], [f"digit {j}" for j in range(5)]
figure, ax = plt.subplots(figsize=(4.6, 4), layout="constrained")
picture = heat_map(ax, model.look[:6, :5], rows, columns, "TinyModel.look", vmin=None)
figure.colorbar(picture, ax=ax)
plt.show()

# %% [markdown]
# `TinyModel` has learned *the* trick for strings of five. It could never learn more, since it
# can't choose where to look by what it reads. A Transformer can.
#
# ## 6. The real thing
#
# Now your Transformer learns in your loop. Of all 100,000 strings of five digits we keep 500 back;
# the model never sees them in training. **Predict first:** with 1,700 batches of 64 strings, drawn
# at random, how many of the other strings will it have met at least once? A tenth, two thirds, all of them?
#
# **This cell takes about a minute** (35 seconds of one core for our solution). The learning rate
# falls in three stages, one call of `train` each: large steps to get there, small ones to settle.

# %%
torch.manual_seed(0)
torch.set_num_threads(1)  # such small products are faster without company
shuffled = torch.randperm(100_000)
kept_back, for_training = digits(shuffled[:500]), digits(shuffled[500:])


def drawn_batches(count, size=64):
    """Yield `count` batches of strings and their targets."""
    for _ in range(count):
        src = for_training[torch.randint(len(for_training), (size,))]
        yield src, backwards(src)


def share_right(model, src):
    """Return the share of strings that the model writes backwards without any mistake."""
    target = backwards(src)
    written = greedy_decode(model, src, BOS, EOS, max_len=target.shape[1])
    if written.shape != target.shape:  # all rows ended early
        return 0.0
    return (written == target).all(dim=1).float().mean().item()


model, losses, began = Transformer(VOCAB, VOCAB), [], time.perf_counter()
print(f"before training: {share_right(model, kept_back):.1%} of unseen strings right")
for count, lr in ((900, 1.5e-3), (500, 7e-4), (300, 2e-4)):
    losses += train(model, drawn_batches(count), lr=lr)
    print(f"after {len(losses)} batches: {share_right(model, kept_back):.1%}")
print(f"{time.perf_counter() - began:.0f} seconds")

# %% [markdown]
# This is what the last points of `train` are given for. The grader makes a `Transformer(12, 12)` of
# yours, calls your `train` three times as above with batches of its own, and decodes strings that
# were in none of them, with a decoder of its own. So that nobody can know the answers beforehand,
# it renames the digits of the sources: 3 may stand for 8, everywhere, and the model has to learn
# that too, which takes no longer. **Full points from 95% of the strings right; less in
# proportion.** It gives you four minutes, so there is no need to hurry.

# %%
smooth = torch.tensor(losses).unfold(0, 25, 1).mean(dim=1)
figure, ax = plt.subplots(figsize=(8, 3.6), layout="constrained")
ax.plot(losses, color="0.8", label="each batch")
ax.plot(range(24, len(losses)), smooth, label="mean of the last 25")
ax.axhline(math.log(VOCAB), color="tab:red", linestyle=":", label="log 12: no idea at all")
for step in (900, 1400):
    ax.axvline(step, color="0.6", linestyle="--", linewidth=1)
ax.set(xlabel="batch", ylabel="loss", yscale="log", title="the learning rate falls at the dashes")
ax.legend()
plt.show()

# %% [markdown]
# The loss begins where knowing nothing puts it. (Peaks on the way are no mistake of yours: a step
# that is too large throws the model back, and it recovers. That is why the learning rate falls.)
# The model met two thirds of the other strings at least once, and none of those kept back. So it
# has not learned them by heart: it has learned what to *do* with a string.
#
# ## 7. Into the heads
#
# What did it learn? We record where each head of each `multihead_attn` looks while the decoder
# writes the reverse of 50217. A row is a step of writing, labelled by the token that it *reads*; a
# column is a token of the source. (If your decoder has no part of that name, plot the weights of
# your own cross-attention here.)
#
# **Predict first.** Where should the row of `BOS` look, which has to write the first digit?


# %%
@torch.no_grad()
def cross_attention(model, src, tgt):
    """Return the weights of every cross-attention, one (heads, t, s) tensor a layer.

    They are averages over the batch.
    """
    seen = []

    def record(module, args, kwargs):
        kwargs = kwargs | {"need_weights": True, "average_attn_weights": False}
        seen.append(module.forward(*args, **kwargs)[1].mean(dim=0))

    parts = [part for name, part in model.named_modules() if name.endswith("multihead_attn")]
    hooks = [part.register_forward_pre_hook(record, with_kwargs=True) for part in parts]
    model.eval()(src, tgt)
    for hook in hooks:
        hook.remove()
    return seen


def show_heads(src, rows, columns):
    """Show where each head looks while the reverse of src is written, a line of pictures a layer."""
    for number, layer in enumerate(cross_attention(model, src, backwards(src)[:, :-1])):
        panels = {f"layer {number}, head {h}": weights for h, weights in enumerate(layer)}
        show_heat_maps(panels, rows, columns, width=2.9)


show_heads(torch.tensor([string]), whole[:-1], string)

# %% [markdown]
# One string may be chance. So here is the average over the 500 strings that were kept back: where
# does writing step *i* look, whatever the digits are?

# %%
show_heads(kept_back, [f"step {i}" for i in range(6)], range(5))

# %% [markdown]
# And an experiment. In training all strings had five digits. **Predict first:** what share of
# strings of four or six digits will it get right?

# %%
for length in (4, 5, 6):
    src = kept_back if length == 5 else digits(torch.randint(10**length, (500,)), length)
    print(f"{length} digits: {share_right(model, src):.1%} right")
    print("   ", src[0].tolist(), "→", greedy_decode(model, src, BOS, EOS, length + 2)[0].tolist())

# %% [markdown]
# ### Written answer: `read_the_heads`
#
# Look at the pictures of the heads and at the experiment. What has your model learned?
#
# 1. Which pattern does the task call for, and in which heads do you find it? Name the layer and the
#    head.
# 2. What do other heads do, and what does the last row do, which has to say `EOS`?
# 3. Does a head find its place by *which* digit stands there or by *where* it stands? How do you
#    know?
# 4. Use the experiment: what has the model *not* learned?
#
# Six to ten sentences.

# %% [markdown] written="read_the_heads" points=4
# (The heads differ from run to run; this is what ours looked like.)
#
# **Pattern.** To write the reverse, step *i* needs the digit at place 4 − *i*: the row of `BOS`
# should look at the last column, the next row at the one before it, and so on, a stripe from the
# upper right to the lower left. All our heads show it, head 2 of layer 1 most sharply.
#
# **Other heads and the last row.** In layer 0 the stripe is blurred: its heads look at the
# neighbours as well, head 0 at three places in one row. That does no harm: layer 1 looks again, and
# the residual carries on what either has found. The last row, which has to say `EOS`, has no digit
# left to fetch, so it doesn't matter where it looks; ours stays where the row above it was.
#
# **Where, not which.** The average over 500 strings of different digits shows the same stripe. If a
# head went by the digit, its place would change from string to string and the average would be
# flat. So queries and keys compare positions: "I write step *i*" meets "I stand at 4 − *i*".
# What is fetched, the value, is the digit.
#
# **Not learned.** Strings of four or six digits go wrong: of six it writes the first five backwards
# and ends. The model has learned "step *i* fetches place 4 − *i*, and after five digits comes
# `EOS`", not "begin at the end", since no string in training told the two apart.
#
# **Rubric**
#
# - 1 point: describes the stripe (step *i* looks at place 4 − *i*) and names a head that shows it.
# - 1 point: describes a head or a row that differs (another pattern, diffuse, the row of `EOS`) and
#   says why that does no harm.
# - 1 point: by position, since the average over many strings keeps the pattern (or: the same for
#   strings with equal digits).
# - 1 point: other lengths fail; what was learned holds for five places and is no general rule of
#   reversing.

# %% [markdown]
# ## Sources
#
# - A. Vaswani et al., *Attention Is All You Need*, 2017,
#   [arXiv:1706.03762](https://arxiv.org/abs/1706.03762): §3.1 and fig. 1 (decoder), §3.2.3 (masks,
#   cross-attention), §3.4 (embeddings, logits), §3.5 (positions), §5.3 (Adam), §5.4 (dropout).
# - R. J. Williams, D. Zipser, *A Learning Algorithm for Continually Running Fully Recurrent Neural
#   Networks*, 1989, [doi:10.1162/neco.1989.1.2.270](https://doi.org/10.1162/neco.1989.1.2.270):
#   teacher forcing.
# - D. P. Kingma, J. Ba, *Adam: A Method for Stochastic Optimization*, 2015,
#   [arXiv:1412.6980](https://arxiv.org/abs/1412.6980).
# - PyTorch's documentation of
#   [`nn.TransformerDecoderLayer`](https://docs.pytorch.org/docs/stable/generated/torch.nn.TransformerDecoderLayer.html),
#   which serves as an independent reference here, and of
#   [`nn.MultiheadAttention`](https://docs.pytorch.org/docs/stable/generated/torch.nn.MultiheadAttention.html).
