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
# ![A map of words. From the word bat, alone, two arrows lead away: for "the bat flew at night" to hawk, moth and owl, for "she swung the bat" to racket, hammer and stick.](pictures/hw2_encoder.png)
#
# A *bat* flies at night; she swung a *bat*. One word, two meanings: an **encoder** reads the sentence and tells which.
# You'll build one in PyTorch, the left half of figure 1 of *Attention Is All You Need*
# ([Vaswani et al. 2017](https://arxiv.org/abs/1706.03762)). At the end *yours* draws this picture.
#
# COLAB_BADGE

# %% setup="imports"
import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

# %% [markdown]
# The next two cells are folded. Run them and go on.

# %% folded="Behind the scenes: a small encoder, drawing" include="shared/word_senses.py, shared/drawing.py, shared/counting.py, backstage/hw2_encoder/words.py, backstage/hw2_encoder/diagrams.py, backstage/hw2_encoder/pictures.py"

# %% folded="Behind the scenes: pictures, checks, lending" include="shared/workbench.py, shared/guesses.py, shared/apart.py, shared/dropout.py, backstage/hw2_encoder/measures.py, backstage/hw2_encoder/lent.py, locked notes"

# %% [markdown]
# ## A meaning that turns
#
# A small encoder reads longer and longer beginnings of *she swung the bat in the dark cave at night*. After *she swung the
# bat*, the word is more like *racket* to it than like *hawk*. **Predict first:** at which word does that turn, if it does?

# %%
guess_of_the_turn = None  # a word of the sentence, or "never"

# %% folded="The film: where does it turn?"
turns, film = watch("bat", "she swung the bat in the dark cave at night", "hawk", "racket")
could_be = ["in", "the", "dark", "cave", "at", "night", "never"]
if guess_of_the_turn is not None:
    film()
compare("It turns at", " and ".join(turns) or "never", guess_of_the_turn, among=could_be)

# %% [markdown]
# Now a word and sentences of your own. The encoder knows two meanings of *bank, bark, barn, bat, bow, card, chip, crane, date,
# jam, key, letter, match, mouse, nail, palm, pen, plant, ring, rock, spring, star* and *trunk*. Under each sentence stand the
# words that are nearest to yours there, with a cosine: 1 where two vectors point the same way. Can you lead it astray?
# (`read_about("mouse")` shows what it learned from. A word of which it has read nothing is a blank to it.)

# %%
my_word = "spring"
my_sentences = ["in spring the days are long", "the spring of the clock is broken"]
look_up(my_word, my_sentences)

# %% [markdown]
# It has 31,328 numbers, and was trained for three minutes to fill blanks in sentences built from 139 patterns. It knows 443
# words and nothing of the world: a dark cave turns what she swung into an animal. Give it a blank:

# %%
fill_in("the cat chased the ___")

# %% [markdown]
# You will build it part by part, in two evenings of two hours. (If PyTorch is new to you, take three, with breaks after parts
# 2 and 5.)

# %%
draw_parts()

# %% [markdown]
# <details><summary><b>The plan</b>: what you write, points, and minutes</summary>
#
# | part | you write | points | minutes |
# |---|---|--:|--:|
# | 1 Self-attention | `SelfAttention` | POINTS_OF_SelfAttention | 25 |
# | 2 Several heads | `MultiHeadAttention`, in three steps | POINTS_OF_MultiHeadAttention | 45 |
# | 3 Where am I? | `positional_encoding` | POINTS_OF_positional_encoding | 20 |
# | 4 The feed-forward network | `FeedForward` | POINTS_OF_FeedForward | 15 |
# | *the second evening* | | | |
# | 5 The encoder block | `EncoderBlock` | POINTS_OF_EncoderBlock | 35 |
# | 6 The whole encoder | `Encoder`, in two steps | POINTS_OF_Encoder | 30 |
# | 7 Your encoder reads | nothing: it gets weights that have learned | | 15 |
# | | a short text: why the same shape? | POINTS_OF_why_same_shape | 15 |
# | 8 What is each part for? | a short text: what does each part do? | POINTS_OF_what_each_part_does | 20 |
# | | **in all** | **TOTAL_POINTS** | |
#
# </details>

# %% [markdown]
# <details><summary><b>The rules</b>: what is allowed, AI assistants, packages, handing in, and whom to ask</summary>
#
# | | |
# |:--|:--|
# | **You need** | PyTorch and matplotlib; with `ipywidgets` you can type into one picture |
# | **Allowed** | ALLOWED_TOOLS |
# | **AI assistants** | AI_POLICY |
# | **You may also import** | MORE_PACKAGES |
# | **Hand in** | HAND_IN |
# | **Stuck?** | WHERE_TO_ASK |
#
# </details>

# %% [markdown] include="shared/how_it_works.md"

# %%
BORROW = False  # True: see nearly every picture now, with PyTorch's layers in place of yours

# %% [markdown]
# ## 1. Self-attention, now with a batch axis
#
# To learn, attention becomes a **module**: a class that holds layers. In `__init__`, `super().__init__()` comes first,
# and then each layer becomes an attribute; `forward` says what the module computes, and you call the module itself.
# Here is one around a [linear layer](https://docs.pytorch.org/docs/stable/generated/torch.nn.Linear.html), which
# multiplies by a matrix of 6 · 4 numbers and adds 4 more, the bias:


# %%
class Doubled(nn.Module):
    """A linear layer whose result is doubled."""

    def __init__(self, features_in, features_out):
        super().__init__()
        self.linear = nn.Linear(features_in, features_out)

    def forward(self, X):
        return 2 * self.linear(X)


doubled = Doubled(6, 4)
print("(2, 5, 6) becomes", tuple(doubled(torch.randn(2, 5, 6)).shape))

# %% [markdown]
# A batch of sentences is one tensor, such as the one of shape `(2, 5, 6)` that just went in.

# %%
draw_letters()

# %% [markdown]
# Linear layers only care about the **last** axis: each of the 2 × 5 tokens went through on its own. So the three matrices of
# homework 1 become three linear layers, and the formula stays the same (§3.2.1, eq. 1):
#
# $$\mathrm{Attention}({\color{#1F6FC8}{Q}}, {\color{#C4500C}{K}}, {\color{#0B8043}{V}}) = \mathrm{softmax}\!\left(\frac{{\color{#1F6FC8}{Q}}{\color{#C4500C}{K}}^\top}{\sqrt{d_k}}\right){\color{#0B8043}{V}},
# \qquad {\color{#1F6FC8}{Q}} = W_Q(X),\quad {\color{#C4500C}{K}} = W_K(X),\quad {\color{#0B8043}{V}} = W_V(X)$$
#
# <details><summary><b>New to PyTorch?</b> Six things; the first two are enough for part 1.</summary>
#
# - Much is as in NumPy: `X @ Y`, `X.shape`, `X[0]`. What NumPy calls `axis` is `dim` here.
# - `X.transpose(-2, -1)` exchanges two axes (NumPy's `transpose` takes all of them), and `X.unsqueeze(1)` puts in an
#   axis of length 1.
# - `X.unflatten(-1, (2, 3))` cuts the last axis into two, and `X.flatten(-2)` makes one of the last two.
# - `torch.where(mask, X, 0.0)` keeps `X` where the mask is true and puts 0 elsewhere; `X.masked_fill(mask, 0.0)` puts 0
#   where it is true.
# - Axes of length 1 stretch, as in NumPy: a mask `(batch, 1, 1, n_k)` serves every head and every query of scores
#   `(batch, n_heads, n_q, n_k)`.
# - `self.register_buffer("table", tensor)` keeps a tensor that belongs to a module and doesn't learn: `self.table`.
# </details>
#
# ### Exercise: `SelfAttention`
#
# Write the formula as a module:

# %%
draw_attention_and_shapes()

# %% [markdown]
# - `W_Q`, `W_K`, `W_V`: an `nn.Linear(d_model, d_k)` each, bias included. The hidden tests set your weights by these
#   names. Here and in all later modules, the layers that the exercise names are the only ones that learn.
# - `forward(X)` returns the pair `(output, weights)`: output first, as in PyTorch; homework 1 returned the weights first.
# - Matrix products and `torch.softmax` are all it takes, without dropout. (`F.scaled_dot_product_attention` and
#   `nn.MultiheadAttention` are switched off when parts 1 and 2 are graded.)
#
# For example, where all three layers are the identity, the sentence `[[1, 0], [0, 1]]` gets the weights
# `[[0.67, 0.33], [0.33, 0.67]]`, and they are also its output.
#
# *To think about:* which two of the three axes of `K` must swap places? And along which axis does each token's
# attention have to sum to 1?
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_SelfAttention
#
# </details>


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


# %% test="SelfAttention" folded="Visible checks: SelfAttention"
@torch.no_grad()
def ideas():
    torch.manual_seed(0)
    head, X = SelfAttention(d_model=6, d_k=4), torch.randn(2, 5, 6)
    for name in ("W_Q", "W_K", "W_V"):
        layer = getattr(head, name, None)
        sizes = tuple(layer.weight.shape) if isinstance(layer, nn.Linear) else None
        yield (
            f"{name} is a linear layer from 6 to 4 features, with a bias",
            sizes == (4, 6) and layer.bias is not None,
            f"Here d_model, d_k = 6, 4. Yours is {layer if layer is None or sizes else kind_of(layer)}.",
        )
    result = head(X)
    pair = isinstance(result, (tuple, list)) and len(result) == 2
    pair = pair and all(isinstance(part, torch.Tensor) for part in result)
    says = f"It should be the pair (output, weights). Yours: {kind_of(result)}."
    yield "forward returns two tensors", pair, says
    assert pair  # or a batch of two sentences would be taken for one
    output, weights = result
    yield (
        "the output comes first: (batch, seq, d_k)",
        output.shape == (2, 5, 4),
        f"Here that is (2, 5, 4), yours is {tuple(output.shape)}.",
    )
    yield (
        "the weights come second: (batch, seq, seq)",
        weights.shape == (2, 5, 5),
        f"Here that is (2, 5, 5), yours are {tuple(weights.shape)}.",
    )
    assert weights.shape == (2, 5, 5)  # or the others would speak of something else
    same = torch.equal(head(X)[0], output)
    yield (
        "twice the same input, twice the same output",
        same,
        "Two calls differ, so something in your module is random. In equation 1 nothing is.",
    )
    rows, columns = weights.sum(dim=-1), weights.sum(dim=-2)
    if (weights < 0).any():
        says = "Some are below 0, as scores may be, but not what comes out of softmax."
    elif torch.allclose(columns, torch.ones(2, 5)):
        says = "They are the rows of the matrix. Yours sum to 1 down the columns: check the axis of your softmax."
    else:
        says = f"The first row of yours sums to {rows[0, 0]:.3f}. What makes shares of the scores, and what follows?"
    sums_to_1 = torch.allclose(rows, torch.ones(2, 5))
    yield (
        "each token's weights sum to 1",
        sums_to_1,
        says if same else SEE_ABOVE,
    )
    yield (
        "the outputs average the rows of W_V(X), by the rows of the weights",
        torch.allclose(output, weights @ head.W_V(X), atol=1e-5),
        "Yours are others. Which axis of the weights counts the tokens that are looked at?"
        if same
        else SEE_ABOVE,
    )
    alone, weights = head(X[:, :1])
    yield (
        "a lone token gets its own value",
        torch.allclose(alone, head.W_V(X[:, :1]), atol=1e-6),
        "With one token there is nothing to choose: W_V(X) should come back."
        if same
        else SEE_ABOVE,
    )
    # By hand: the first token's query is log [1, 2, 1, 1], and its products with the keys, over √4,
    # are log 1, 2 and 2.
    by_hand = SelfAttention(d_model=2, d_k=4)
    by_hand.W_Q.weight.copy_(torch.tensor([[1.0, 2, 1, 1], [3, 1, 1, 1]]).log().T)
    by_hand.W_K.weight.copy_(torch.tensor([[2.0, 0, 0, 0], [0, 2, 0, 0]]).T)
    by_hand.W_Q.bias.zero_()
    by_hand.W_K.bias.zero_()
    weights = by_hand(torch.tensor([[[1.0, 0], [0, 1], [1, 1]]]))[1]
    yield (
        "queries meet keys, scaled",
        torch.allclose(weights[0, 0], torch.tensor([0.2, 0.4, 0.4]), atol=1e-5),
        f"By hand, the first token's weights are 0.2, 0.4, 0.4 (d_k = 4); yours are "
        f"{[round(weight, 3) for weight in weights[0, 0].tolist()]}. Check which matrix makes the "
        "queries, what the scores are divided by, and whatever else becomes of them."
        if same and sums_to_1
        else SEE_ABOVE,
    )


run_checks("SelfAttention", ideas)

# %% [markdown]
# In *the cat sat on the mat*, the word *the* occurs twice, with the same features both times. We strike the second one out.
# **Predict first:** for how many of the five words that stay does the output change?

# %%
guess_of_changed_outputs = None  # 0 to 5

# %% folded="Strike out the second the"
torch.manual_seed(2)
words = ["the", "cat", "sat", "on", "the", "mat"]
word_vectors = torch.randn(5, 8)
sentence = word_vectors[[0, 1, 2, 3, 0, 4]].unsqueeze(0)  # (1, 6, 8); "the" is word 0

with needs("SelfAttention"):
    head, stay = SelfAttention(d_model=8, d_k=4), [0, 1, 2, 3, 5]
    before, weights = head(sentence)
    after, fewer = head(sentence[:, stay])
    moved = (after[0] - before[0, stay]).norm(dim=-1) / before[0, stay].norm(dim=-1)
    changed = (moved > 1e-4).sum().item()
    compare("Words whose output changes:", changed, guess_of_changed_outputs, among=(0, 5))
    if guess_of_changed_outputs is not None:
        left = torch.full((6, 6), torch.nan)  # what is struck out has no weights
        left[torch.tensor(stay)[:, None], stay] = fewer[0]
        heads = {"your untrained head": weights[0], "without the second the": left}
        show_weights(heads, words, framed=(0, 4))
        says = f"The output of cat moves by {moved[1]:.0%} of its length:"
        print(wrapped(f"{says} what the second the had is divided anew."))

# %% [markdown]
# <details><summary><b>After the run:</b> compare the two rows of <i>the</i>, which are framed, and what <i>cat</i> gives to them.</summary>
#
# A word that says nothing new still counts: each *the* gets a share of its own, at the cost of all others. And the two
# rows are the same: attention sees *which* tokens are there, and how often, but not *where*. Part 3 mends that.
# </details>

# %% [markdown]
# ## 2. Several heads
#
# One head has one opinion about what belongs together. The encoder at the top has four in each of its two blocks. Here your
# `SelfAttention` gets the learned weights of each of the four in the second, and reads what the first has made of *she swung
# the bat*. **Predict first:** in how many of the four does *bat* look most at *swung*?

# %%
guess_of_the_heads = None  # 0 to 4

# %% folded="Four learned heads"
with needs("SelfAttention"):
    text = "she swung the bat"
    found = [learned_head(SelfAttention(d_model=32, d_k=8), number, text) for number in range(4)]
    favourites = [head[3].argmax().item() for head in found]  # in the row of bat
    times = favourites.count(1)  # the place of swung
    compare("Heads where bat looks most at swung:", times, guess_of_the_heads, among=(0, 4))
    if guess_of_the_heads is not None:
        heads = {f"head {h}": head for h, head in enumerate(found)}
        show_weights(heads, text.split(), framed=[3])

# %% [markdown]
# Is there a head in which everybody looks at the verb? Nobody told it to.
#
# One layer can hold them all: its `d_model` columns are divided among `n_heads` heads. Each attends on its own; their results
# are put side by side and mixed by one last linear layer (§3.2.2):
#
# $$\mathrm{MultiHead}({\color{#1F6FC8}{Q}}, {\color{#C4500C}{K}}, {\color{#0B8043}{V}}) = W_O\big({\color{#C2257A}{\mathrm{Concat}(\mathrm{head}_0, \dots, \mathrm{head}_{n-1})}}\big), \qquad \mathrm{head}_h = \mathrm{Attention}({\color{#1F6FC8}{Q_h}}, {\color{#C4500C}{K_h}}, {\color{#0B8043}{V_h}})$$
#
# **Head *h* owns the columns `h*d_head` up to (not including) `(h+1)*d_head`** of each projection, where
# `d_head = d_model / n_heads`: these are its $Q_h$, $K_h$ and $V_h$.
#
# A wrong split can have the right shape. Here are 4 tokens, 6 columns and 2 heads; a cell says `10 * token + column`.
# `X.view(2, 4, 3)` reads the numbers in order, like a book, and fills two pages of 4 rows and 3 columns. **Predict first:**
# which tokens stand on the first page?

# %%
guess_of_the_tokens = None  # for example [0, 1, 2, 3]

# %%
X = 10 * torch.arange(4).unsqueeze(1) + torch.arange(6)
show_first_page(X, X.view(2, 4, 3), guess_of_the_tokens)

# %% [markdown]
# `view` can cut an axis, or join neighbouring ones, but never swap them; mind that on the way back, too.
#
# ### A step on the way: `split_heads`
#
# Give each head its columns: `X (batch, seq, d_model)` becomes `(batch, n_heads, seq, d_head)`. Of the rows
# `[0, 1, 2, 3]` and `[10, 11, 12, 13]`, for example, head 0 of two gets `[0, 1]` and `[10, 11]`. Two operations are enough: one
# splits an axis, one swaps two. (Checked, but not graded and
# without hints; you may call it in `MultiHeadAttention`, or copy its lines there.)


# %%
def split_heads(X, n_heads):
    """Divide the columns of X (batch, seq, d_model) among heads: (batch, n_heads, seq, d_head)."""
    raise NotImplementedError("split_heads: your turn")


# %% folded="Checks of split_heads"
def ideas():
    X = torch.arange(4).unsqueeze(1) * 10 + torch.arange(6)
    heads = split_heads(torch.stack([X, X + 100]), 2)
    yield (
        "the shape is (batch, n_heads, seq, d_head)",
        heads.shape == (2, 2, 4, 3),
        f"Here that is (2, 2, 4, 3), yours is {tuple(heads.shape)}.",
    )
    yield (
        "head 0 has the columns 0, 1, 2 of all four tokens",
        torch.equal(heads[0, 0], X[:, :3]),
        f"Yours has\n{heads[0, 0]}",
    )
    yield (
        "head 1 has the columns 3, 4, 5",
        torch.equal(heads[0, 1], X[:, 3:]),
        f"Yours has\n{heads[0, 1]}",
    )
    yield (
        "the second sentence stays the second",
        torch.equal(heads[1, 0], X[:, :3] + 100),
        f"Its head 0 has\n{heads[1, 0]}",
    )


try_ideas("split_heads", ideas)

# %% [markdown]
# Watch the shades, one for each token: each head should end with all four.

# %%
with needs("split_heads"):
    show_journey(X, split_heads(X.unsqueeze(0), 2)[0])

# %% [markdown]
# ### A step on the way: `masked_softmax`
#
# Sometimes a token must not look at another one: a filler at the end of a short sentence, or (in homework 3) a word
# that comes later. A mask casts a shadow on the scores before the softmax, and what lies in it counts for exactly nothing:
# `[1, 2, 3]` under `[True, True, False]`, for example, become `[0.27, 0.73, 0]`. What score gives a weight of 0? (Checked, but
# not graded; you may call it in `MultiHeadAttention`.)
#
# - **Masks that you write are boolean, and `True` means *may attend*.**
# - `mask` has at least two axes and broadcasts to the scores `(..., n_q, n_k)`: `(n_q, n_k)` is one mask for all,
#   `(batch, 1, 1, n_k)` one row of keys for each sentence. Every query has at least one key to look at.
# - `torch.where(condition, X, number)` takes `X` where the condition is true, else the number.


# %%
def masked_softmax(scores, mask=None):
    """Return the weights of scores (..., n_q, n_k); `mask` broadcasts to them, True = may attend."""
    raise NotImplementedError("masked_softmax: your turn")


# %% folded="Checks of masked_softmax"
def ideas():
    torch.manual_seed(0)
    scores = torch.randn(2, 3, 4, 5)  # (batch, n_heads, n_q, n_k)
    before = scores.clone()
    plain_weights = masked_softmax(scores)
    over_keys = torch.allclose(plain_weights, scores.softmax(dim=-1))
    yield (
        "without a mask it is a softmax over the keys",
        over_keys,
        "The weights of each query, the last axis, should sum to 1.",
    )
    mask = torch.tensor([True, True, False, True, False]).repeat(4, 1)
    weights = masked_softmax(scores, mask)
    yield "the scores are as they were", torch.equal(scores, before), "Yours were changed."
    scores = before.clone()
    hidden = weights[..., ~mask[0]]
    hides, most = bool((hidden == 0).all()), hidden.max()
    says = "False means: may not attend."
    if weights.isnan().any():
        says = "Yours are nan: 0 · ∞ is no number. Choose with `torch.where`, where you multiply."
    elif weights.shape == scores.shape and torch.allclose(weights, plain_weights):
        says = "Your weights are those without a mask: where does what you make of the mask go?"
    elif (weights[..., mask[0]] == 0).all():
        says += " Yours hides the others."
    elif weights.shape == scores.shape and torch.allclose(
        weights, torch.where(mask, scores, 0.0).softmax(dim=-1)
    ):
        says = f"A hidden key still gets up to {most:.2f}: e to the power of 0 is 1."
    elif 0 < most < 0.001:
        says = f"A hidden key still gets up to {most:.1g}. How low is the score that you give it?"
    yield "hidden keys get exactly 0", hides, says if over_keys else SEE_ABOVE
    yield (
        "and the others what they get where there are no hidden ones",
        torch.allclose(weights[..., mask[0]], scores[..., mask[0]].softmax(dim=-1)),
        f"The first query's weights sum to {weights[0, 0, 0].sum():.3f}." if hides else SEE_ABOVE,
    )
    low = masked_softmax(scores - 50_000, mask)
    yield (
        "even where all scores are far below 0",
        torch.allclose(low, weights, atol=1e-2),
        SEE_ABOVE
        if not hides
        else "Yours are nan: e to the power of -50,000 is 0 here, and 0 / 0 is no number. What does "
        "`torch.softmax` take away from the scores first?"
        if low.isnan().any()
        else "A hidden key comes to the fore: how low is the score that you give it?",
    )
    each = torch.ones(2, 1, 1, 5, dtype=torch.bool)
    each[1, ..., 3:] = False
    weights = masked_softmax(scores, each)
    yield (
        "a mask (batch, 1, 1, n_k) hides keys in the second sentence alone",
        (weights[0] > 0).all() and (weights[1, ..., 3:] == 0).all(),
        "Its first sentence should keep all keys, its second lose the last two.",
    )


try_ideas("masked_softmax", ideas)

# %% [markdown]
# Scores of 4 queries (rows) and 5 keys, and what your function makes of them:

# %%
torch.manual_seed(8)
scores = 3 * torch.rand(4, 5)
mask = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 0, 1, 0], [0, 1, 1, 1, 0], [1, 1, 1, 1, 0]]).bool()
with needs("masked_softmax"):
    show_shadow(scores, ~mask, masked_softmax(scores, mask))

# %% [markdown]
# ### Exercise: `MultiHeadAttention`
#
# The picture of part 1, with heads. Queries and keys may come from different sentences now, so `n_q` and `n_k` may differ;
# in self-attention query, key and value are the same tensor.

# %%
draw_heads_and_shapes()

# %% [markdown]
# - `W_Q`, `W_K`, `W_V`, `W_O`: an `nn.Linear(d_model, d_model)` each, for all heads at once.
# - `forward(query, key, value, mask=None)` returns the output alone, without dropout.
# - If `n_heads` doesn't divide `d_model`, `MultiHeadAttention(d_model, n_heads)` raises a `ValueError`.
#
# For example, `MultiHeadAttention(6, 2)` has heads of 3 columns; queries `(1, 4, 6)` that look at keys and values
# `(1, 5, 6)` get `(1, 4, 6)`. *To think about:* the scores are now divided by the square root of *what*?
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_MultiHeadAttention
#
# </details>


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


# %% test="MultiHeadAttention" folded="Visible checks: MultiHeadAttention"
@torch.no_grad()
def ideas():
    torch.manual_seed(0)
    attention = MultiHeadAttention(d_model=12, n_heads=3)
    query, memory = torch.randn(2, 5, 12), torch.randn(2, 7, 12)
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        layer = getattr(attention, name, None)
        sizes = tuple(layer.weight.shape) if isinstance(layer, nn.Linear) else None
        yield (
            f"{name} is a linear layer from 12 to 12 features, with a bias",
            sizes == (12, 12) and layer.bias is not None,
            f"Here d_model = 12. Yours is {layer if layer is None or sizes else kind_of(layer)}.",
        )
    output = attention(query, memory, memory)
    yield (
        "a tensor comes back",
        isinstance(output, torch.Tensor),
        f"Yours: {type(output).__name__}. This time the output comes back alone.",
    )
    yield (
        "the result is (batch, n_q, d_model)",
        output.shape == (2, 5, 12),
        f"Here that is (2, 5, 12), yours is {tuple(output.shape)}.",
    )
    same = torch.equal(attention(query, memory, memory), output)
    yield (
        "twice the same input, twice the same output",
        same,
        "Two calls differ, so something in your module is random. In the formula nothing is.",
    )

    # PyTorch has such a layer too. With your weights, it should return what yours returns.
    values = torch.randn(2, 7, 12)

    def theirs(n_heads):
        layer, mine = nn.MultiheadAttention(12, n_heads, batch_first=True), attention
        inward = (mine.W_Q, mine.W_K, mine.W_V)
        layer.in_proj_weight.copy_(torch.cat([projection.weight for projection in inward]))
        layer.in_proj_bias.copy_(torch.cat([projection.bias for projection in inward]))
        layer.out_proj.load_state_dict(mine.W_O.state_dict())
        return layer(query, memory, values)[0]

    found = attention(query, memory, values)
    right = torch.allclose(found, theirs(3), atol=1e-5)
    yield (
        "the values are those of nn.MultiheadAttention with your weights",
        right,
        (
            "Yours are those of a single head. "
            if torch.allclose(found, theirs(1), atol=1e-5)
            else ""
        )
        + "Go through the steps: the split into heads, the scale, the axis of softmax, the way back, W_O."
        if same
        else SEE_ABOVE,
    )
    mask = torch.tensor([[True, True, True, True, True, False, False]])
    kept = mask.clone()
    masked = attention(query, memory, memory, mask=kept)
    yield (
        "the mask stays as it was",
        torch.equal(kept, mask),
        "Your layer writes into it, and the next layer gets the same mask. Which line does that?",
    )
    without, others = (attention(query, part, part) for part in (memory[:, :5], memory[:, 5:]))
    if torch.allclose(masked, output, atol=1e-5):
        seen = "With this mask and without it, your result is the same."
    elif torch.allclose(masked, others, atol=1e-5):
        seen = "Your queries see these two keys alone. What does `True` say here?"
    elif right:
        seen = (
            "Without these keys, the result is another. Which numbers do the other weights sum to?"
        )
    else:
        seen = SEE_ABOVE
    hides = torch.allclose(masked, without, atol=1e-5)
    yield "two hidden keys (False = may not attend) count for nothing", hides, seen
    sentences, keys = torch.randn(3, 3, 12), torch.randn(3, 7, 12)
    for shape, idea in (
        ((3, 7), "each query may have a mask of its own, (n_q, n_k)"),
        ((3, 3, 7), "and so may each head, (n_heads, n_q, n_k)"),
    ):
        own = torch.rand(shape) < 0.7
        own[..., 0] = True  # every query has a key
        found = attention(sentences, keys, keys, mask=own.clone())
        pairs = zip(sentences.split(1), keys.split(1), strict=True)
        try:
            alone = torch.cat([attention(one, key, key, mask=own.clone()) for one, key in pairs])
        except RuntimeError:  # sizes clash where an axis of the mask is taken for another
            alone = torch.empty(0)
        yield (
            idea,
            hides and found.shape == alone.shape and torch.allclose(found, alone, atol=1e-5),
            "Here are as many sentences as queries and heads. Each of the sentences alone gives another "
            "result, or an error: what does the first axis of the mask stand for in yours?"
            if hides
            else SEE_ABOVE,
        )
    masks = torch.stack([torch.ones_like(mask), mask]).unsqueeze(1)
    expected = torch.stack([output[0], without[1]])
    yield (
        "each sentence may have a mask of its own, (batch, 1, 1, n_k)",
        torch.allclose(attention(query, memory, memory, mask=masks), expected, atol=1e-5),
        "Here the second sentence hides two keys, and the first hides none. How does your mask meet the "
        "scores, (batch, n_heads, n_q, n_k)?"
        if hides
        else SEE_ABOVE,
    )
    attention.W_Q.bias.fill_(20)
    attention.W_K.bias.fill_(-20)  # all scores are far below 0 now
    masked, without = (
        attention(query, memory, memory, mask=mask),
        attention(query, memory[:, :5], memory[:, :5]),
    )
    yield (
        "hidden keys count for nothing where all scores are far below 0, too",
        torch.allclose(masked, without, atol=1e-4),
        SEE_ABOVE
        if not hides
        else "Yours are nan: e to the power of a number far below 0 is 0 here, and 0 / 0 is no number. "
        "What does `torch.softmax` take away from the scores first?"
        if masked.isnan().any()
        else "The hidden keys come to the fore. What score do you give them, and how low may the others be?",
    )
    long = torch.randn(1, 600, 12)
    found = tuple(attention(long, long, long).shape)
    yield "600 tokens are no problem", found == (1, 600, 12), f"Yours is of shape {found}."
    try:
        MultiHeadAttention(d_model=10, n_heads=3)
        refused = "nothing is raised"
    except ValueError:
        refused = "ValueError"
    except Exception as error:
        refused = f"there is {type(error).__name__}"
    yield (
        "10 columns can't be divided among 3 heads: ValueError",
        refused == "ValueError",
        f"With d_model=10 and n_heads=3, {refused}; raise a ValueError in __init__.",
    )


run_checks("MultiHeadAttention", ideas)

# %% [markdown]
# Now your layer gets all four learned heads at once. Try three sentences: does the story of the head that looks at the verb
# hold?


# %% folded="Play: learned heads in your own sentence"
def draw_heads(text="the bat flew at night"):
    with needs("MultiHeadAttention"):
        if words := senses.split(text):
            mention_strange(text)
            found = learned_heads(MultiHeadAttention(32, n_heads=4), text)
            show_weights({f"head {h}": head for h, head in enumerate(found)}, words)
        else:
            print("Write a few words.")


play(draw_heads)

# %% [markdown]
# <details><summary><b>After the run:</b> does it hold, and how do we know where a head looks?</summary>
#
# It holds in part: in head 1, three of the five words of *the bat flew at night* look most at *flew*.
#
# Your layer returns its output alone. But each word's *value* is a name tag here, a 1 in a column of its own: so the output says
# who was looked at, and how much.
# </details>
#
# ## 3. Where am I? Positional encoding
#
# *Dog bites man* and *man bites dog* are the same set of tokens. To tell them apart, we add to each token a vector that
# depends on its position alone (§3.5):
#
# $$PE_{(pos,\,2i)} = \sin\!\left(\frac{pos}{10000^{2i/d_{model}}}\right), \qquad
# PE_{(pos,\,2i+1)} = \cos\!\left(\frac{pos}{10000^{2i/d_{model}}}\right)$$
#
# Positions count from 0. Columns come in pairs, a sine in the even one and a cosine of the **same** angle beside it;
# `2i` is the number of the even column itself. With $d_{model} = 4$, position 1 has the angles $1 / 10000^{0/4} = 1$
# and $1 / 10000^{2/4} = 0.01$, so its row is $[\sin 1, \cos 1, \sin 0.01, \cos 0.01] = [0.84, 0.54, 0.01, 1.00]$.
#
# ### Exercise: `positional_encoding`
#
# Return the whole table, a `float32` tensor of shape `(seq_len, d_model)`, with a row for each position. `d_model` may be
# odd; then the last sine has no cosine beside it.
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_positional_encoding
#
# </details>


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


# %% test="positional_encoding" folded="Visible checks: positional_encoding"
def ideas():
    table = positional_encoding(seq_len=6, d_model=8)
    yield (
        "a torch tensor comes back",
        isinstance(table, torch.Tensor),
        f"Yours: {type(table).__name__}.",
    )
    yield (
        "of shape (seq_len, d_model)",
        table.shape == (6, 8),
        f"Here that is (6, 8), yours is {tuple(table.shape)}.",
    )
    yield "of float32", table.dtype == torch.float32, f"Yours is {table.dtype}."
    yield (
        "at position 0, sines and cosines alternate",
        torch.allclose(table[0], torch.tensor([0.0, 1.0]).repeat(4)),
        f"Every angle is 0 there: 0, 1, 0, 1, … Yours: {table[0]}"
        if table.dim() == 2
        else SEE_ABOVE,
    )
    # With d_model = 8 the angles of position 5 are 5, 0.5, 0.05 and 0.005.
    for column, angle in ((0, 5.0), (2, 0.5), (4, 0.05), (6, 0.005)):
        found = table[5, column].item()
        yield (
            f"column {column} of position 5 is the sine of {angle}",
            abs(found - math.sin(angle)) < 1e-5,
            f"10000 to the power {column}/8 is {5 / angle:g}. Yours is {found:.6f}, where "
            f"sin({angle}) = {math.sin(angle):.6f}.",
        )
        found = table[5, column + 1].item()
        yield (
            f"and column {column + 1} the cosine of the same angle",
            abs(found - math.cos(angle)) < 1e-5,
            f"Yours is {found:.6f}, where cos({angle}) = {math.cos(angle):.6f}.",
        )
    longer = positional_encoding(seq_len=9, d_model=8)
    yield (
        "a longer table begins with the same rows",
        longer.shape == (9, 8) and torch.allclose(longer[:6], table),
        f"Yours is {tuple(longer.shape)}, and its first rows should be those from before.",
    )
    row = positional_encoding(seq_len=2, d_model=4)[1]
    yield (
        "with d_model = 4, position 1 is sin 1, cos 1, sin 0.01, cos 0.01",
        torch.allclose(row, torch.tensor([0.841471, 0.540302, 0.01, 0.99995]), atol=1e-5),
        f"Yours is {row}.",
    )
    odd = positional_encoding(seq_len=5, d_model=7)
    yield (
        "d_model may be odd",
        odd.shape == (5, 7),
        f"With d_model = 7 the table should be (5, 7), yours is {tuple(odd.shape)}.",
    )
    angle = 10_000 ** (-6 / 7)
    yield (
        "then the last column is a sine",
        abs(odd[1, 6].item() - math.sin(angle)) < 1e-5,
        f"At position 1 it should be sin(1 / 10000^(6/7)) = {math.sin(angle):.6f}, yours is {odd[1, 6]:.6f}.",
    )


run_checks("positional_encoding", ideas)

# %% [markdown]
# Walk down your table. A sine and a cosine of one angle are the tip of a **hand of a clock**, so each row is an hour, told by
# sixteen clocks (you see eight). The first hand turns by 1 radian a word; each is slower than the one before.

# %%
with needs("positional_encoding"):
    show_clocks(positional_encoding(40, 32))

# %% [markdown]
# How similar are two positions? Take the dot product of every two rows. **Predict first:** compared with the product of
# rows 10 and 13, is that of rows 40 and 43 smaller, the same or larger?

# %%
guess_of_rows_40_and_43 = None  # "smaller", "the same" or "larger"

# %% folded="The product of every two rows"
with needs("positional_encoding"):
    table = positional_encoding(60, 64)
    likeness = table @ table.T
    more = (likeness[40, 43] - likeness[10, 13]).item()
    found = "the same" if abs(more) < 1e-3 else "smaller" if more < 0 else "larger"
    could_be = ["smaller", "the same", "larger"]
    compare("The product of rows 40 and 43:", found, guess_of_rows_40_and_43, among=could_be)
    if guess_of_rows_40_and_43 is not None:
        print(f"rows 10 and 13: {likeness[10, 13]:.3f}\nrows 40 and 43: {likeness[40, 43]:.3f}")
        show_likeness(likeness, [(10, 13), (40, 43)])

# %% [markdown]
# <details><summary><b>After the run:</b> what do the diagonals say?</summary>
#
# Only the **distance** counts. Three words later, each hand has turned by its own fixed angle, whatever the hour was. So
# one matrix, the same everywhere, turns each position into the one three words later: attention can learn *three words
# back* (§3.5). (The position itself, 0, 1, 2, …, would soon drown the word; the waves stay between −1 and 1.)
# </details>

# %% [markdown]
# ## 4. The feed-forward network
#
# If attention is a meeting, this is the desk to which everybody goes back: each token thinks for itself, through two
# linear layers with a ReLU between them (§3.3, eq. 2),
#
# $$\mathrm{FFN}(x) = \max(0,\; xW_1 + b_1)\,W_2 + b_2$$
#
# The same function serves every position. For example, where the first layer makes $(3, -1)$, the ReLU leaves $(3, 0)$
# for the second.
#
# ### Exercise: `FeedForward`
#
# A breather: `linear1` leads from `d_model` to `d_ff` features, `linear2` back again, both with their bias, and `F.relu(x)` stands
# between them. `forward(x)` takes and returns `(batch, seq, d_model)`, without dropout.
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_FeedForward
#
# </details>


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


# %% test="FeedForward" folded="Visible checks: FeedForward"
@torch.no_grad()
def ideas():
    torch.manual_seed(0)
    network, x = FeedForward(d_model=6, d_ff=20), torch.randn(2, 5, 6)
    for name, sizes in (("linear1", (20, 6)), ("linear2", (6, 20))):
        layer = getattr(network, name, None)
        found = tuple(layer.weight.shape) if isinstance(layer, nn.Linear) else None
        yield (
            f"{name} is a linear layer from {sizes[1]} to {sizes[0]} features, with a bias",
            found == sizes and layer.bias is not None,
            f"Here d_model, d_ff = 6, 20. Yours is {layer if layer is None or found else kind_of(layer)}.",
        )
    output = network(x)
    yield (
        "the shape stays (batch, seq, d_model)",
        output.shape == (2, 5, 6),
        f"Here that is (2, 5, 6), yours is {tuple(output.shape)}.",
    )
    same = torch.equal(network(x), output)
    yield (
        "twice the same input, twice the same output",
        same,
        "Two calls differ, so something in your network is random. In the paper's formula nothing is.",
    )
    yield (
        "a token gets the same answer with and without its neighbours",
        torch.allclose(network(x[:, 2:3]), network(x)[:, 2:3], atol=1e-6),
        "Token 2 gets one answer by itself and another among the others." if same else SEE_ABOVE,
    )
    # Three hidden features, by hand: 8 stays 8, and -9 and -1 become 0.
    small = FeedForward(d_model=2, d_ff=3)
    small.linear1.weight.copy_(torch.tensor([[1.0, 0.0], [-1.0, 1.0], [0.0, 1.0]]))
    small.linear2.weight.copy_(torch.tensor([[-1.0, 5.0, 2.0], [3.0, 5.0, 2.0]]))
    for layer in (small.linear1, small.linear2):
        layer.bias.zero_()
    x = torch.tensor([[[8.0, -1.0]]])
    answer = small(x)
    plus_input = "That is the right answer plus the input. The sum belongs in the block, not here."
    seen = {
        (0.0, 23.0): plus_input,
        (-55.0, -23.0): "That is the result without a ReLU.",
        (-48.0, -16.0): "That is the result with the ReLU before the first layer.",
        (0.0, 24.0): "That is the result with a ReLU after the second layer, too.",
    }
    yield (
        "max(0, x W₁ + b₁) W₂ + b₂, by hand",
        torch.allclose(answer, torch.tensor([[[-8.0, 24.0]]])),
        f"It should be (-8, 24), yours is {answer.flatten()}. "
        + seen.get(
            tuple(answer.flatten().tolist()), "Which steps of yours has the formula, and which not?"
        )
        if same
        else SEE_ABOVE,
    )


run_checks("FeedForward", ideas)

# %% [markdown]
# Attention is the famous part. **Predict first:** with the paper's rule `d_ff = 4 * d_model`, how many numbers does
# the feed-forward network hold for every number in attention: ½, 1, 2 or 4?

# %%
guess_of_the_ratio = None  # 0.5, 1, 2 or 4

# %% folded="Where a model keeps its numbers"
with needs("MultiHeadAttention", "FeedForward"):
    d_model, counts = 128, {}
    for name, part in {
        "multi-head attention": MultiHeadAttention(d_model, n_heads=8),
        "feed-forward network": FeedForward(d_model, d_ff=4 * d_model),
        "one layer norm": nn.LayerNorm(d_model),
    }.items():
        counts[name] = sum(parameter.numel() for parameter in part.parameters())
    times = counts["feed-forward network"] / counts["multi-head attention"]
    compare(
        "Network over attention:",
        f"{times:.0f} ({times:.2f})",
        guess_of_the_ratio,
        among=[0.5, 1, 2, 4],
    )
    if guess_of_the_ratio is not None:
        alone = counts["feed-forward network"] / (sum(counts.values()) + counts["one layer norm"])
        print(f"Of all numbers in a block, {alone:.0%} are\nwhere no token looks at another!")
        show_shares(where_numbers_are())

# %% [markdown]
# ### Who is afraid of whom?
#
# All three of your parts now take their places in the encoder at the top: attention, positions and network. It reads two
# sentences that have the same words. **Predict first:** if your table of positions is left out, do the two blanks get the same
# words, or others?

# %%
guess_of_the_two_blanks = None  # "the same" or "others"

# %%
my_orders = ["the ___ was afraid of the owl", "the owl was afraid of the ___"]

with needs("MultiHeadAttention", "positional_encoding", "FeedForward"):
    show_orders(my_orders, guess_of_the_two_blanks)

# %% [markdown]
# <details><summary><b>After the run:</b> why?</summary>
#
# Attention is an average, and an average knows no order: the same words, the same blank. With your table it knows who stands
# where, and that those who fear an owl aren't those whom an owl fears. Now write two orders of your own into `my_orders`.
# </details>

# %% [markdown]
# **Here ends the first evening**, with all the parts of an encoder. When you come back, run all cells up to here; `progress()`
# says where you stand.

# %% [markdown]
# ## 5. The encoder block
#
# A block is attention and then the feed-forward network, its two *sublayers*. Blocks are made to be stacked, and in
# homework 1 tokens soon became one and the same where nothing was added. So around each sublayer, the paper wraps a **residual
# connection** and a **layer norm** (§3.1 and fig. 1):
#
# $${\color{#7A6A4F}{x}} \leftarrow \mathrm{LayerNorm}\big({\color{#7A6A4F}{x}} + \mathrm{Dropout}(\mathrm{Sublayer}({\color{#7A6A4F}{x}}))\big)$$
#
# The norm comes *after* the sum: post-norm.

# %%
draw_encoder_block()

# %% [markdown]
# Three things in it are new. **Layer norm** ([Ba et al. 2016](https://arxiv.org/abs/1607.06450)) gives each token mean 0 and
# variance 1 over its own features, then scales and shifts them by learned numbers. Only the pattern is left:

# %%
draw_norm()

# %% [markdown]
# **Dropout** keeps a network from leaning on single numbers: in training, `nn.Dropout(p)` sets each entry to 0 with a
# probability `p`, and divides the others by `1 - p`, so that a sum stays the same on average. It is a layer like any other, made
# in `__init__` and called in `forward`. In use, nothing may drop out. So every module has two modes,
# `.train()` and `.eval()`, and starts in the first.
#
# **Padding** fills up the short sentences of a batch, and no token should attend to it. `nn.MultiheadAttention` takes a
# `key_padding_mask (batch, seq)` for this, which we pass on as it is.
#
# > **In `key_padding_mask`, by torch's convention, `True` means *ignore this token*; in every mask that you write
# > yourself, `True` means *may attend*.**

# %%
draw_padding()

# %% [markdown]
# PyTorch's layer is called with queries, keys and values, and returns a pair: the output, and the weights, averaged over its
# heads. Here one that has learned nothing reads random vectors for the second sentence, without and with its mask (what the
# fillers see, nobody reads):

# %%
torch.manual_seed(0)
x = torch.randn(3, 5, 8)
padding = torch.tensor([[0, 0, 0, 0, 0], [0, 0, 0, 1, 1], [0, 0, 0, 0, 1]]).bool()
built_in = nn.MultiheadAttention(embed_dim=8, num_heads=2, batch_first=True)
output, weights = built_in(x, x, x, key_padding_mask=padding)
_, unmasked = built_in(x, x, x)
show_weights(
    {"without a mask": unmasked[1], "with key_padding_mask": weights[1]},
    ["she", "swung", "it", "filler", "filler"],
)

# %% [markdown]
# Two columns are empty now, and the others share what those had.
#
# ### Exercise: `EncoderBlock`
#
# Build the block as it is drawn, from the bottom up. You know what is inside attention, so take PyTorch's layer here: its names
# fit weights that others have trained. In part 7 *your* `MultiHeadAttention` and `FeedForward` take over.
#
# | name | what it is |
# |:--|:--|
# | `self_attn` | an [`nn.MultiheadAttention`](https://docs.pytorch.org/docs/stable/generated/torch.nn.MultiheadAttention.html) with `batch_first=True` |
# | `linear1`, `linear2` | the feed-forward network, with a ReLU between them |
# | `norm1`, `norm2` | an `nn.LayerNorm(d_model)` each, after attention's sum and after the network's |
#
# `forward(x, key_padding_mask=None)` takes and returns `(batch, seq, d_model)`, such as `(32, 10, 128)`. Each number
# that a sublayer returns drops out with probability `dropout`, before it is added to the residual (§5.4), in train mode only. (More dropout
# inside a sublayer, as in PyTorch's, does no harm.) The check compares your block with
# [`nn.TransformerEncoderLayer`](https://docs.pytorch.org/docs/stable/generated/torch.nn.TransformerEncoderLayer.html).
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_EncoderBlock
#
# </details>


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


# %% test="EncoderBlock" folded="Visible checks: EncoderBlock"
@torch.no_grad()
def ideas():
    torch.manual_seed(0)
    x, block = torch.randn(32, 10, 128), EncoderBlock().eval()
    theirs = nn.TransformerEncoderLayer(128, nhead=8, dim_feedforward=512, batch_first=True).eval()
    expected, found = theirs.state_dict(), block.state_dict()
    missing = sorted(expected.keys() - found.keys())
    says = f"Your block has no {', '.join(missing)}."
    if not isinstance(getattr(block, "self_attn", None), nn.MultiheadAttention):
        says += " Here `self_attn` is PyTorch's own `nn.MultiheadAttention`."
    yield "all weights are there, by name", not missing, says
    sizes = [name for name in expected if found[name].shape != expected[name].shape]
    yield "each of the right size", not sizes, f"Of another size: {', '.join(sizes)}."
    for name, value in block.named_parameters():
        if "norm" in name:  # fresh ones are all alike
            value.add_(0.3 * torch.randn_like(value))
    before, output = x.clone(), block(x)
    yield (
        "(32, 10, 128) goes in and comes out",
        output.shape == (32, 10, 128),
        f"Yours is {tuple(output.shape)}.",
    )
    yield "all of it finite", output.isfinite().all(), "Yours has entries that are nan or infinite."
    yield (
        "x stays as it was",
        torch.equal(x, before),
        "Your block writes into it, as `+=` and methods whose names end in `_` do. Make a new tensor.",
    )
    assert torch.equal(x, before)  # or two calls would differ for this reason alone
    calm = torch.equal(block(x), block(x))
    yield (
        "in eval mode the answer is always the same",
        calm,
        "Two calls differ, although `.eval()` was called. Does your dropout know the mode?",
    )
    theirs.load_state_dict({name: found[name] for name in expected})
    theirs_first = nn.TransformerEncoderLayer(
        128, nhead=8, dim_feedforward=512, batch_first=True, norm_first=True
    ).eval()
    theirs_first.load_state_dict(theirs.state_dict())
    pre_norm = torch.allclose(block(x), theirs_first(x), atol=1e-4)
    alike = torch.allclose(block(x), theirs(x), atol=1e-4)
    yield (
        "the values are those of nn.TransformerEncoderLayer with your weights",
        alike,
        "Yours are those of a block with its norms *before* the sublayers."
        if pre_norm
        else "It returns other values. Compare your forward with the picture above, arrow by arrow."
        if calm
        else SEE_ABOVE,
    )
    padding = torch.zeros(32, 10, dtype=torch.bool)
    padding[::2, 7:] = True  # the last three tokens of every other sentence are filler
    masked = block(x, key_padding_mask=padding)
    hides = torch.allclose(masked[::2, :7], block(x[::2, :7]), atol=1e-4)
    yield (
        "no token looks at padding",
        hides,
        "The last three tokens are padding, but without them the others get other results."
        if calm
        else SEE_ABOVE,
    )
    yield (
        "and a sentence without padding is read as a whole",
        torch.allclose(masked[1::2], block(x)[1::2], atol=1e-4),
        "Every other sentence has no padding, but beside those that have some it gets other results. "
        "Whose mask does each sentence meet?"
        if hides
        else SEE_ABOVE,
    )
    small = EncoderBlock(d_model=64, n_heads=4, d_ff=200, dropout=0.0)
    shape = tuple(small(torch.randn(32, 10, 64)).shape)
    yield "other sizes work: (32, 10, 64)", shape == (32, 10, 64), f"Yours is {shape}."
    padding = torch.zeros(1, 600, dtype=torch.bool)
    shape = tuple(small(torch.randn(1, 600, 64), key_padding_mask=padding).shape)
    yield "and 600 tokens: (1, 600, 64)", shape == (1, 600, 64), f"Yours is {shape}."
    yield (
        "n_heads and d_ff are used",
        (small.self_attn.num_heads, small.linear1.out_features) == (4, 200),
        f"Asked for 4 heads and d_ff = 200, your block has {small.self_attn.num_heads} and "
        f"{small.linear1.out_features}.",
    )
    block.train()
    yield (
        "in train mode something drops out",
        not torch.equal(block(x), block(x)),
        "Two calls are equal.",
    )
    ends = "self_attn.out_proj.bias", "linear2.bias"
    for made, rate, idea in (
        (
            EncoderBlock(dropout=0.5),
            0.5,
            "half of what each sublayer adds is lost, the rest doubled",
        ),
        (EncoderBlock(), 0.1, "if nothing is said about dropout, a tenth is lost"),
    ):
        fault = fault_of_sublayers(made, rate, ends, x[:4]) if alike else SEE_ABOVE
        yield idea, not fault, fault
    x = torch.randn(2, 5, 64)
    same = torch.allclose(small.train()(x), small.eval()(x), atol=1e-5)
    yield (
        "with dropout=0.0 nothing is",
        same,
        "Train mode and eval mode differ. Does every part get `dropout`, the share that is lost?",
    )


run_checks("EncoderBlock", ideas)

# %% [markdown]
# ### One block, and another
#
# Your block gets the weights of the encoder at the top, and reads 151 sentences, each with a word of two meanings. It has
# understood the word if the nearest other word could stand in its place. Without any block, this encoder is a dictionary,
# one meaning a word, and understands 81 of the words; with two blocks, all of them. **Predict first:** and with one?

# %%
guess_of_one_block = None  # 0 to 151


# %% folded="No block, one block, two blocks"
def first_blocks(n):
    """Return a reader: `n` blocks of yours, with the weights of the encoder at the top."""
    blocks = [EncoderBlock(d_model=32, n_heads=4, d_ff=64).eval() for _ in range(n)]
    for block, learned in zip(blocks, senses.layers, strict=False):
        block.load_state_dict(learned.state_dict(), strict=False)  # yours may hold more

    def read(tokens, key_padding_mask=None):
        x = senses.embed(tokens)
        for block in blocks:
            x = block(x, key_padding_mask=key_padding_mask)
        return x

    return read


with needs("EncoderBlock"):
    amounts = ("no block", "one block", "two blocks")
    readers = {amount: first_blocks(n) for n, amount in enumerate(amounts)}
    understood = {amount: senses.quiz(read)[0] for amount, read in readers.items()}
    compare("With one block it understands", understood["one block"], guess_of_one_block)
    if guess_of_one_block is not None:
        show_bars_of(understood, "Words understood, of 151")
        show_blanks(["the bat ___ at night"], readers)

# %% [markdown]
# <details><summary><b>After the run:</b> where did <i>flew</i> come from?</summary>
#
# At first, a blank is the same in every sentence. The first block brings news from the words around it, and *flew* takes the
# lead, with 3%: training never asked for a word so early. The second block reads what the first has written, and is certain.
# </details>
#
# ### The river
#
# Think of the residual as a river that runs through the block, with two streams that flow in. Here your block reads *the bat
# flew at night*: the longer the vectors, the wider the water. **Predict first:** which stream is wider, attention's or the
# network's?

# %%
guess_of_the_wider_stream = None  # "attention" or "network"

# %% folded="Your block as a river"
tokens, _ = senses.numbers_of(["the bat flew at night"])
with needs("EncoderBlock"):
    block = EncoderBlock(d_model=32, n_heads=4, d_ff=64)
    block.load_state_dict(senses.layers[0].state_dict(), strict=False)  # yours may hold more
    lengths = lengths_in_block(block, senses.embed(tokens))
    streams = ["attention", "network"]
    wider = max(streams, key=lambda name: lengths[f"{name} adds"])
    compare("The wider stream is that of", wider, guess_of_the_wider_stream, among=streams)
    if guess_of_the_wider_stream is not None:
        show_river(lengths)

# %% [markdown]
# <details><summary><b>After the run:</b> what stays of the word?</summary>
#
# Neither stream washes it away: context is added to the word. (Lengths of vectors that point different ways don't simply
# add up.) The network, with half of the block's numbers, adds little here: remember it in part 7. After each sum a norm is
# like the lock of a canal: it sets the level, however much flowed in.
# </details>

# %% [markdown]
# ## 6. The whole encoder
#
# Only the input is missing: token numbers become vectors (§3.4), positions are added (§3.5), and the blocks follow.
# **An embedding** is a table with a row of learned numbers for each token; `nn.Embedding` looks rows up.

# %%
torch.manual_seed(1)
embedding = nn.Embedding(num_embeddings=5, embedding_dim=3)
tokens = torch.tensor([2, 0, 2])
show_lookup(embedding.weight, tokens.tolist(), embedding(tokens))

# %% [markdown]
# ### A step on the way: `embed`
#
# Look up `tokens (batch, seq)` in an `nn.Embedding`, multiply by $\sqrt{d_{model}}$ (part 7 shows why) and add the
# positional encoding: `(batch, seq, d_model)`. With $d_{model} = 4$, for example, a row `[1, 2, 0, 0]` of the table becomes
# `[2, 4, 0, 0]`, and at position 0 (sines 0, cosines 1) `[2, 5, 0, 1]`. (Checked, but not graded; you may call it in `Encoder`.)


# %%
def embed(embedding, tokens):
    """Return embedding · √d_model + positions: tokens (batch, seq) to (batch, seq, d_model)."""
    raise NotImplementedError("embed: your turn")


# %% folded="Checks of embed"
@torch.no_grad()
def ideas():
    tokens, _ = senses.numbers_of(["the bat flew at night", "she swung the big bat"])
    table = senses.weights["embedding.weight"]
    embedding, wanted = nn.Embedding.from_pretrained(table), senses.embed(tokens)
    found = embed(embedding, tokens)
    yield (
        "the shape is (batch, seq, d_model)",
        found.shape == (2, 5, 32),
        f"Here that is (2, 5, 32), yours is {tuple(found.shape)}.",
    )
    bat = (found[0, 1] - found[1, 4]) - (wanted[0, 1] - wanted[1, 4])
    yield (
        "the same word at two places differs by the two positions alone",
        bat.abs().max() < 1e-3,
        "*bat* is word 1 here and word 4 there. Is the position added once, and not scaled?",
    )
    apart = (found[0, 1] - found[1, 1]).norm() / (wanted[0, 1] - wanted[1, 1]).norm()
    yield (
        "two words at the same place differ by √32 times the rows of the table",
        abs(apart - 1) < 1e-3,
        f"Yours differ {apart:.3f} times as much as they should; √32 is {math.sqrt(32):.3f}, 1 / √32 {1 / math.sqrt(32):.3f}.",
    )
    yield (
        "all numbers are those that the encoder at the top starts from",
        torch.allclose(found, wanted, atol=1e-3),
        f"The farthest is {(found - wanted).abs().max():.3f} away.",
    )


try_ideas("embed", ideas)

# %% [markdown]
# ### Exercise: `Encoder`
#
# The last piece: what you have built, in one tower.

# %%
draw_encoder()

# %% [markdown]
# - `embedding`: an `nn.Embedding(vocab_size, d_model)`. `layers`: `n_layers` different `EncoderBlock`s in an
#   `nn.ModuleList([…])`, a list in which PyTorch finds the layers. The positions aren't trained.
# - `forward(tokens, key_padding_mask=None)` turns `int64` tokens `(batch, seq)` into `(batch, seq, d_model)`, such as
#   `(32, 10)` into `(32, 10, 128)`.
# - Each number of the sum drops out with probability `dropout`, in train mode only (§5.4). The padding has to be hidden in **each** block.
# - A sequence longer than `max_len` is refused: `forward` raises a `ValueError`.
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_Encoder
#
# </details>


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
        """Return one vector per token that knows the token's context."""
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


# %% test="Encoder" folded="Visible checks: Encoder"
@torch.no_grad()
def ideas():
    torch.manual_seed(0)
    encoder, tokens = Encoder(vocab_size=50).eval(), torch.randint(50, (32, 10))
    output = encoder(tokens)
    yield (
        "tokens (32, 10) become (32, 10, 128)",
        output.shape == (32, 10, 128),
        f"Yours is {tuple(output.shape)}.",
    )
    layers = getattr(encoder, "layers", None)
    yield (
        "layers is an nn.ModuleList of 2 blocks",
        isinstance(layers, nn.ModuleList) and len(layers) == 2,
        f"With n_layers = 2, yours holds {len(layers)}."
        if isinstance(layers, nn.ModuleList)
        else f"Yours is of type {type(layers).__name__}."
        if isinstance(layers, nn.Module)
        else f"Yours is of type {type(layers).__name__}, and PyTorch sees no blocks in it.",
    )
    assert isinstance(layers, nn.Module)  # or no block would hear of eval mode
    yield (
        "with a block of its own for each",
        layers[0] is not layers[1],
        "Yours are one and the same.",
    )
    assert layers[0] is not layers[1]  # or nobody could tell what each of them gets
    reader, few = Encoder(vocab_size=50).eval(), tokens[:3]
    reader.embedding.weight.zero_()
    places = along(reader.layers, reader, few)[0]
    reader.embedding.weight.copy_(torch.arange(50.0).repeat(128, 1).T)
    starts = along(reader.layers, reader, few)[0]
    whole = places is not None and places.shape == (3, 10, 128)
    alike = whole and torch.allclose(places, positional_encoding(10, 128).expand(3, 10, 128))
    yield (
        "where the embedding is all zeros, the first block gets the positions",
        alike,
        "It gets other numbers. Are the positions added once, as they are, and counted from 0?",
    )
    scale = (starts - places)[few > 0].mean() / few[few > 0].float().mean() if whole else 0
    scaled = whole and torch.allclose(
        starts - places, math.sqrt(128) * few[..., None].expand(3, 10, 128), atol=1e-2
    )
    yield (
        "a row of the table of tokens counts √d_model times",
        scaled,
        f"With d_model = 128 that is {math.sqrt(128):.3f} times; in yours, a row counts {scale:.3f} times on "
        "average."
        if whole
        else SEE_ABOVE,
    )
    alike = alike and scaled
    for name, each in encoder.named_parameters():
        if "norm" in name:  # or one norm too many would change nothing
            each.add_(0.5 * torch.rand(each.shape))
    output = encoder(tokens)
    stages = along(layers, encoder, few)
    follows = all(stage is not None for stage in stages) and all(
        torch.allclose(layer(given), made, atol=1e-4)
        for layer, given, made in zip(layers, stages, stages[1:], strict=False)
    )
    yield (
        "each block reads what the one before it made, and the last makes the result",
        follows,
        "Follow x from block to block: what does each of them get, and what becomes of what it returns?",
    )
    padding = torch.zeros(32, 10, dtype=torch.bool)
    padding[::2, 7:] = True  # in every other sentence
    masked = encoder(tokens, key_padding_mask=padding)
    hides = torch.allclose(masked[::2, :7], encoder(tokens[::2, :7]), atol=1e-4)
    yield (
        "padding changes nothing for the other tokens",
        hides,
        "With three tokens of padding, the others get different results. Does every layer get the mask?",
    )
    yield (
        "nor for the sentences that have none",
        masked.shape == output.shape and torch.allclose(masked[1::2], output[1::2], atol=1e-4),
        "Beside sentences with padding, those without get different results."
        if hides
        else SEE_ABOVE,
    )
    sizes = {"d_model": 16, "n_heads": 2, "d_ff": 24, "n_layers": 3, "max_len": 6, "dropout": 0.0}
    small = Encoder(vocab_size=50, **sizes)
    block = small.layers[0]
    found = {
        "n_layers": len(small.layers),
        "n_heads": block.self_attn.num_heads,
        "d_ff": block.linear1.out_features,
        "d_model": small.embedding.embedding_dim,
    }
    for name, number in found.items():
        yield (
            f"{name} is passed on",
            number == sizes[name],
            f"It should be {sizes[name]}, yours is {number}.",
        )
    same = torch.equal(small.train()(tokens[:, :5]), small(tokens[:, :5]))
    yield (
        "dropout is passed on to every part",
        same,
        "With dropout=0.0, two calls in train mode differ.",
    )
    noisy = Encoder(vocab_size=50, d_model=16, n_heads=2, d_ff=24, dropout=0.5)
    some = tokens[:16]
    same = torch.equal(noisy(some), noisy(some))
    yield "dropout=0.5 drops out in train mode", not same, "Two calls are equal."
    seen = along(noisy.layers, noisy, some)[0]
    sums = along(noisy.layers, noisy.eval(), some)[0]
    whole = seen is not None and sums is not None and seen.shape == sums.shape
    # where a sum is 0, nothing can be lost
    fault = fault_of_dropout(torch.where(sums == 0, 2, seen / sums), 0.5) if whole else ""
    yield (
        "half of the sum of embedding and position is lost, the rest doubled",
        alike and not fault,
        f"Of the sum, {fault}" if alike else SEE_ABOVE,
    )
    for length, wanted in ((6, "(32, 6, 16)"), (7, "ValueError")):
        try:
            outcome = str(tuple(small.eval()(tokens[:, :length]).shape))
        except ValueError:
            outcome = "ValueError"
        except Exception as error:
            outcome = type(error).__name__
        idea = (
            "exactly max_len tokens are allowed" if length == 6 else "one more raises a ValueError"
        )
        yield (
            idea,
            outcome == wanted,
            f"max_len is 6. {length} tokens gave {outcome}, not {wanted}.",
        )


run_checks("Encoder", ideas)

# %% [markdown]
# ## 7. Your encoder reads
#
# The encoder at the top has the sizes of an `Encoder(vocab_size, d_model=32, n_heads=4, d_ff=64)`, and its weights have
# the names that you gave to yours. So they fit. Yours fills two blanks: as it was born, with random numbers, and with those
# that have learned.


# %%
def my_encoder():
    """Return your encoder with the weights of the encoder at the top."""
    encoder = Encoder(len(senses.words), d_model=32, n_heads=4, d_ff=64)
    encoder.load_state_dict(senses.weights, strict=False)  # yours may hold more
    return encoder.eval()


my_blanks = ["the cat chased the ___", "she swung the ___"]

with needs("Encoder"):
    newborn = Encoder(len(senses.words), d_model=32, n_heads=4, d_ff=64).eval()
    show_blanks(my_blanks, {"newborn": newborn, "with learned numbers": my_encoder()})

# %% [markdown]
# The code is the same both times: all that it knows is in its numbers. And how does a vector become a word? A word's score is
# its row of the table of words times the vector, plus a number of its own:

# %%
with needs("Encoder"), torch.no_grad():
    tokens, _ = senses.numbers_of(["she swung the ___"])
    at_the_blank = my_encoder()(tokens)[0, -1]
    scores = senses.weights["embedding.weight"] @ at_the_blank + senses.bias
    shares = scores.softmax(dim=0)
    for word in shares.argsort(descending=True)[:3]:
        print(f"{senses.words[word]} {shares[word]:.0%}")

# %% [markdown]
# Until here, PyTorch's layers have stood in for yours. Now yours take their places, and not one number may change:

# %%
with needs("Encoder", "FeedForward", own="MultiHeadAttention"):
    show_takeover(take_over(my_encoder()))


# %% folded="Checks of your encoder at work: are its numbers those of the encoder at the top?"
@torch.no_grad()
def ideas():
    not_borrowed("EncoderBlock", "Encoder")
    encoder = Encoder(len(senses.words), d_model=32, n_heads=4, d_ff=64, n_layers=2).eval()
    lost = encoder.load_state_dict(senses.weights, strict=False)
    learned = {name for name, value in encoder.named_parameters() if value.requires_grad}
    missing = sorted(learned & set(lost.missing_keys)) + sorted(lost.unexpected_keys)
    yield "all weights find their places", not missing, f"Without a place: {', '.join(missing)}."
    tokens, padding = senses.numbers_of(["the bat flew at night", "she swung the bat"])
    wanted = along(senses.layers, senses.read, tokens, padding)
    seen = along(encoder.layers, encoder, tokens, padding)
    right = True
    for name, where, yours, theirs in zip(
        ("what goes into the first block", "what goes into the second", "what comes out"),
        (
            "It is the embedding times √d_model, plus the positions.",
            "What does the block make of it, and of the mask?",
            "So it is the second block.",
        ),
        seen,
        wanted,
        strict=True,
    ):
        far = (yours - theirs)[~padding].abs().max().item()
        says = f"The farthest number is {far:.3f} away, where 0.001 is allowed. {where}"
        yield (
            f"{name} is the same, number by number",
            far < 1e-3,
            says if right else SEE_ABOVE,
        )
        right = right and far < 1e-3
    not_borrowed("MultiHeadAttention")
    for layer in encoder.layers:
        put_attention(layer, MultiHeadAttention(32, n_heads=4))
    far = (encoder(tokens, padding) - seen[-1])[~padding].abs().max().item()
    yield (
        "they stay the same with your MultiHeadAttention in the place of PyTorch's",
        far < 1e-3,
        f"The farthest number is {far:.3f} away. Does your `MultiHeadAttention` pass its visible checks?",
    )
    beside, alone = seen[-1][1, :4], encoder(*senses.numbers_of(["she swung the bat"]))[0]
    far = (beside - alone).abs().max().item()
    yield (
        "a short sentence is read as if there were no padding beside it",
        far < 1e-3,
        "The other sentence is longer by a word. What does each block hear of the padding?",
    )
    not_borrowed("FeedForward")
    for layer in encoder.layers:
        put_network(layer, FeedForward(32, 64))
    far = (encoder(tokens, padding) - seen[-1])[~padding].abs().max().item()
    yield (
        "and with your FeedForward in the place of linear1 and linear2",
        far < 1e-3,
        f"The farthest number is {far:.3f} away. Does your `FeedForward` pass its visible checks?",
    )


try_ideas("Your encoder", ideas)

# %%
with needs("Encoder", "MultiHeadAttention", "FeedForward"):
    reader = all_yours(my_encoder())
    look_up("bat", ["the bat flew at night", "she swung the bat"], reader=reader)

# %% [markdown]
# There it is, the picture from the top. This time you drew it: each arrow went through your queries, your keys, and your
# norms.
#
# Now **break it**. Your encoder loses one thing at a time: the `mask` on the padding, the `positions`, the `root` of
# $d_{model}$, or from each block `attention`, the `network`, the `norms` or the `residuals`. Then it reads the 151 sentences of
# part 5, and fills blanks. (A blank costs bits: 0 where the hidden word gets a probability of 1, 1 bit where it gets ½, 2 where
# it gets ¼, and so on.) **Predict first:** without which of the seven does it understand the fewest words? And which can go
# without costing a single one?

# %%
guess_of_what_is_missed_most = None  # one of the seven, such as "positions"
guess_of_what_is_not_missed = None

# %% folded="Break it in seven ways"
with needs("Encoder"), torch.no_grad():
    readers = broken(my_encoder)
    right = {name: senses.quiz(reader)[0] for name, reader in readers.items()}
    could_be = [name.removeprefix("no ") for name in readers if name.startswith("no ")]
    missed = sorted(could_be, key=lambda part: right[f"no {part}"])
    compare("Missed most:", missed[0], guess_of_what_is_missed_most, among=could_be)
    compare("Not missed:", missed[-1], guess_of_what_is_not_missed, among=could_be)
    guesses = [guess_of_what_is_missed_most, guess_of_what_is_not_missed]
    if None not in guesses:
        bits = {name: bits_of_blanks(reader) for name, reader in readers.items()}
        show_broken(readers, right, bits, guesses)

# %% [markdown]
# <details><summary><b>After the run:</b> some of these bars are a surprise.</summary>
#
# - **Residuals**: not one word is left, though every learned number is in its place. A blank costs more than a blind guess, as
#   without attention: it is sure, and wrong.
# - **The network** is half of a block's numbers, and the quiz doesn't miss it. The bits do.
# - **Attention**: no word hears of the others, so each has one meaning again. Norms and networks still help: 96 are more than 81.
# - **The root**: a word's row of the table is about 1.3 long, a position always 4. Without the factor √32, words drown
#   in their places, and no more are understood than without both blocks.
# - **Positions** say less about a meaning, and much about who chases whom.
# - **The norms**: *rabbit* gets more than before, and yet a blank costs four times as many bits. What no norm keeps at its level
#   makes it surer, right or wrong.
# - **The mask** matters where a sentence is shorter than its neighbours: its words hear the padding, and three are lost.
#
# (Nothing was trained again: an encoder that learns without a part may find another way.)
# </details>

# %% [markdown]
# ### Why the same shape?
#
# Your code works. Do you know why? A residual goes around three sublayers that return
# 64, 2 or 1 features where 128 came in. **Predict first:** which of the three sums stop with an error?

# %%
guess_of_the_errors = None  # some of 64, 2, 1

# %% folded="Three sums"
torch.manual_seed(0)
x, sums = torch.randn(32, 10, 128), {}
for width in (64, 2, 1):
    try:
        sums[width] = x + nn.Linear(128, width)(x)
    except RuntimeError as error:
        sums[width] = error
stopped = [width for width, result in sums.items() if isinstance(result, RuntimeError)]
compare("An error stops the widths", stopped, guess_of_the_errors)
if guess_of_the_errors is not None:
    show_sums(x, sums)

# %% [markdown]
# A wrong shape that is silent is worse than one that shouts.
#
# ### Written answer: `why_same_shape`
#
# `(32, 10, 128)` goes into the block and `(32, 10, 128)` comes out. Follow the shape through the
# block: why does each part keep it (multi-head attention, feed-forward network, residual, layer
# norm)? And what would no longer work if one of them did not? Four or five sentences.

# %% [markdown] written="why_same_shape" points=4
# **Multi-head attention** makes one output vector for each query, and in self-attention there is
# one query per token, so `batch` and `seq` stay. Each of the `n_heads` heads returns `d_model /
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
# - 1 point: attention keeps `(batch, seq)` (one output per query), and the heads' `d_head` columns
#   add up to `d_model`.
# - 1 point: the feed-forward network goes to `d_ff` and back on the last axis; layer norm works
#   within a token.
# - 1 point: the residual sum requires equal shapes.
# - 1 point: equal shapes in and out let blocks be stacked (or: each row stays the vector of its
#   token).

# %% [markdown]
# ## 8. What is each part for?
#
# Here are four untrained parts: attention, the feed-forward network, a layer norm and a whole block. We change one token at a
# time (a column) and measure how far each output (a row) moves. **Predict first:** in which of the four is each output moved
# most by its own token, so that the diagonal is the boldest of every row?

# %%
# some of "attention", "feed-forward", "layer norm", "whole block"
guess_of_the_parts = None


# %% folded="Who moves whom?"
def influence(part, x):
    """Return a (seq, seq) matrix: how far output i moves when token j is changed; 1 is farthest."""
    moved = torch.zeros(x.shape[1], x.shape[1])
    for j in range(x.shape[1]):
        changed = x.clone()
        changed[:, j] += torch.randn_like(changed[:, j])
        moved[:, j] = (part(changed) - part(x))[0].detach().norm(dim=-1)
    return moved / moved.max()


torch.manual_seed(6)
x = torch.randn(1, 6, 16)
with needs("MultiHeadAttention", "FeedForward", "EncoderBlock"):
    mine, network = MultiHeadAttention(16, 4), FeedForward(16, 64)
    parts = {
        "attention": lambda x: mine(x, x, x),
        "feed-forward": network,
        "layer norm": nn.LayerNorm(16),
        "whole block": EncoderBlock(16, 4, 64).eval(),
    }
    moved = {name: influence(part, x) for name, part in parts.items()}
    reading = "A row: whose output moves. A column: which token was changed."
    own = [name for name, far in moved.items() if far.argmax(dim=1).equal(torch.arange(6))]
    compare("The diagonal is boldest in", own, guess_of_the_parts, among=list(moved))
    if guess_of_the_parts is not None:
        show_weights(moved, range(6), says="moves most with", reading=reading, colour=TEAL)

# %% [markdown]
# *To think about:* which part brings in the block's faint colours off the diagonal? And which keeps its diagonal bold?
#
# ### Written answer: `what_each_part_does`
#
# For each of the four parts (several heads, feed-forward network, residual connections, layer
# norm), say in one or two sentences what it does for the block and what would be lost without it.
# Use the pictures where they help, and what happened in part 7 when a part was taken away.

# %% [markdown] written="what_each_part_does" points=4
# **Heads.** Attention is the only part through which tokens influence each other (colour off the
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
# blocks directly. In the last picture it is why the diagonal stays bold. Without it deep stacks
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
# ## Show it to somebody
#
# A film: *the bank of the river is out of money*. All that reads now is yours, from the queries to the last norm. After each
# word, *bank* is more like *beach* or more like *office*. **Predict first:** how often does your encoder change its mind?

# %%
guess_of_the_changes = None  # 0, 1, 2, …

# %% folded="The film of the bank"
with needs("Encoder", "MultiHeadAttention", "FeedForward"):
    sentence, reader = "the bank of the river is out of money", all_yours(my_encoder())
    turns, film = watch("bank", sentence, "beach", "office", reader=reader)
    if guess_of_the_changes is not None:
        film()
    compare("Changes of mind:", len(turns), guess_of_the_changes)
    if guess_of_the_changes is not None and turns:
        print(f"(at {' and '.join(turns)})")

# %% [markdown]
# <details><summary><b>After the run:</b> why does it turn at <i>out</i>, before there is any money?</summary>
#
# It has met *the bank is out of money* many times, and no beach is ever out of anything: so *is out* is enough.
# </details>
#
# And a film of your own. In this one, *spring* turns to *summer* and back to *wheel* (a lead under 0.02 doesn't count). A puzzle:
# with another word in the place of *clock*, it becomes *summer* again, and only *broken* ends it. One word in twenty can do
# that. Then write a film from scratch, with up to 16 words.

# %%
my_film = "the spring in the garden of the clock is broken"

with needs("Encoder", "MultiHeadAttention", "FeedForward"):
    show_film("spring", my_film, "summer", "wheel", reader=all_yours(my_encoder()))

# %% [markdown]
# ## Where you are now
#
# A vector for each word goes in, a vector for each word in its context comes out, and each of the 31,328 numbers in between has
# its place in code that you wrote. BERT (2018) is nearly this tower, and learned from blanks as this one did: twelve blocks,
# 768 features, 110 million numbers. In homework 3 you build the decoder, put both together, and train them yourself.
#
# **Before you hand in**: restart the kernel, run all cells, and see that every visible check passes. (Set `BORROW` back
# to `False` first.)
#
# ## For later
#
# Five extras that give no points: a bug of your own to find (20 minutes), a puzzle (5), positions that turn (25), a
# race (15), and a sum on a napkin (30).

# %% [markdown]
# ### Find the bug
#
# Below is the attention of homework 1 with a mistake that people really make; which one depends on your id. **Find
# an input on which it shows**:
#
# 1. Write down the shape of what each line makes.
# 2. At the first line that isn't what the formula $\mathrm{softmax}(QK^\top / \sqrt{d_k})\,V$ says, ask: for which inputs
#    does that change nothing? (A missing division by $\sqrt{d_k}$ changes nothing where $d_k$ is 1.)
# 3. Choose a small input that is none of these, and work it out by hand.

# %% setup="bugs" folded="Behind the scenes: everybody's bug" include="bugs of find_the_bug"

# %%
my_bug("")  # your id between the quotes: the one that you hand in with

# %% [markdown]
# - **In**: nothing. **Out**: your id, an input `(Q, K, V)` on which your bug shows, and a sentence that says what is
#   wrong (not graded).
# - The arrays are NumPy's, with sizes up to 12 and entries from -1000 to 1000. The results must differ by a thousandth or
#   more; `nan`, where a right attention returns numbers, counts.
#
# IDEAS_OF_find_the_bug


# %% solution="find_the_bug"
def find_the_bug() -> tuple[str, tuple[np.ndarray, np.ndarray, np.ndarray], str]:
    """Return (student_id, (Q, K, V), sentence): on Q, K and V, the bug of this student shows.

    Q: queries (n, d_k).  K: keys (m, d_k).  V: values (m, d_v). Sizes up to 12, entries up to 1000
    in size. The sentence says in your words what is wrong.
    """
    ### BEGIN SOLUTION
    Q = np.array([[2.0, 0.0], [1000.0, 0.0]])
    K = np.array([[0.5, 0.0], [1.0, 1.0], [3.0, 0.0]])
    V = np.array([[1.0], [0.0], [2.0]])
    return (
        "instructor",
        (Q, K, V),
        "What it is depends on the id; on this input, each of them shows.",
    )
    ### END SOLUTION


# %% test="find_the_bug" folded="Visible checks: find_the_bug"
def ideas():
    found = find_the_bug()
    yield (
        "three things come back",
        isinstance(found, (tuple, list)) and len(found) == 3,
        "They should be your id, the arrays (Q, K, V), and a sentence.",
    )
    student_id, arrays, sentence = found
    yield (
        "your id is a text",
        isinstance(student_id, str) and bool(student_id.strip()),
        f"Yours is {student_id!r}. It should be the one that you gave to `my_bug`.",
    )
    yield (
        "there is a sentence",
        isinstance(sentence, str) and bool(sentence.strip()),
        "Say in your own words what is wrong.",
    )
    three = isinstance(arrays, (tuple, list)) and len(arrays) == 3
    yield "the input is (Q, K, V)", three, "Return three arrays, in this order, as one tuple."
    if not three:
        return
    Q, K, V = arrays
    are_arrays = all(isinstance(each, np.ndarray) and each.ndim == 2 for each in arrays)
    yield (
        "Q, K and V are NumPy arrays with two axes",
        are_arrays,
        f"Yours: {', '.join(f'{type(each).__name__} {np.shape(each)}' for each in arrays)}.",
    )
    if not are_arrays:
        return
    fit = Q.shape[1] == K.shape[1] and len(K) == len(V)
    fit = fit and all(1 <= size <= 12 for each in arrays for size in each.shape)
    yield (
        "their shapes are (n, d_k), (m, d_k) and (m, d_v), with sizes from 1 to 12",
        fit,
        f"Yours are {Q.shape}, {K.shape} and {V.shape}.",
    )
    small = all(np.isfinite(each).all() and (abs(each) <= 1000).all() for each in arrays)
    yield "all entries are numbers from -1000 to 1000", small, "Even the largest need no more."
    if not (fit and small):
        return
    off = how_far_off(bug_of(student_id), Q, K, V)
    yield (
        "on this input, your bug and a right attention differ",
        off >= 1e-3,
        f"They differ by {off:.2g}: not yet. For which inputs does the wrong line change nothing?",
    )


run_checks("find_the_bug", ideas, graded=False)

# %% [markdown]
# ### Who is the impostor?
#
# Three layers under one mask. Two are right, whatever their weights are. One has a mistake that runs without an error.
# **Predict first:** which? (Another `round_number` draws another one.)

# %%
round_number = 2
show_impostors(round_number)

# %%
guess_of_the_impostor = None  # "A", "B" or "C"

# %%
unmask(round_number, guess_of_the_impostor)

# %% [markdown]
# ### Positions that turn (RoPE)
#
# Most of today's models add nothing: they *turn* queries and keys ([Su et al. 2021](https://arxiv.org/abs/2104.09864),
# §3.2.2). Columns $2i$ and $2i+1$ of the vector at position $pos$ are a point in the plane, which is turned by the
# angle $pos / 10000^{2i/d}$:
#
# $$(x, y) \mapsto (x \cos\alpha - y \sin\alpha,\; x \sin\alpha + y \cos\alpha)$$
#
# Then the product of a query and a key depends on their distance alone.


# %%
def rotate(x):
    """Turn the pairs of columns of x (seq, d), d even, each row by its position's angles."""
    raise NotImplementedError("rotate: your turn")


# %% folded="Checks of rotate"
def ideas():
    torch.manual_seed(0)
    query, key = torch.randn(2, 8)
    turned = rotate(query.repeat(20, 1))
    yield "the shape stays", turned.shape == (20, 8), f"(20, 8) became {tuple(turned.shape)}."
    yield "position 0 is not turned", torch.allclose(turned[0], query), "All its angles are 0."
    yield (
        "a turn changes no length",
        torch.allclose(turned.norm(dim=1), query.norm().repeat(20), atol=1e-4),
        "Each row should be as long as before.",
    )
    by_hand = rotate(torch.tensor([[1.0, 0.0]]).repeat(2, 1))[1]
    yield (
        "position 1 turns its first pair by 1",
        torch.allclose(by_hand, torch.tensor([math.cos(1), math.sin(1)]), atol=1e-5),
        f"(1, 0) should become (cos 1, sin 1) = (0.54, 0.84), yours is {by_hand.tolist()}.",
    )
    two = rotate(torch.tensor([[1.0, 0.0, 1.0, 0.0]]).repeat(2, 1))[1]
    yield (
        "with d = 4, its second pair, columns 2 and 3, by 0.01",
        torch.allclose(two[2:], torch.tensor([math.cos(0.01), math.sin(0.01)]), atol=1e-5),
        f"10000 to the power 2/4 is 100. Yours is {two[2:].tolist()}.",
    )
    products = turned @ rotate(key.repeat(20, 1)).T
    by_distance = [products.diagonal(distance) for distance in range(20)]
    yield (
        "only the distance of query and key counts",
        all(torch.allclose(line, line[:1], atol=1e-3) for line in by_distance),
        "The same query and key, equally far apart, have several products.",
    )
    yield "and it does count", products[0].std() > 1e-3, "All distances give the same product."


try_ideas("rotate", ideas)

# %% [markdown]
# Here the hands of a query and a key that stand three places apart, at the beginning of a text and farther on:

# %%
with needs("rotate"):
    queries, keys = (
        rotate(torch.tensor([hand]).repeat(20, 1)) for hand in ([1.0, 0.2], [0.4, 0.8])
    )
    show_hands({(place, place + 3): (queries[place], keys[place + 3]) for place in (0, 4, 15)})

# %% [markdown]
# ### A race
#
# GPT-2 and its successors put the norm *before* the sublayer, $x \leftarrow x +
# \mathrm{Sublayer}(\mathrm{LayerNorm}(x))$, so that the river runs with no lock in its way ([Xiong et al.
# 2020](https://arxiv.org/abs/2002.04745)). Twelve blocks of each kind learn to say which token stood one place to the
# left: yours against PyTorch's with `norm_first=True`. **Predict first:** who learns faster?

# %%
guess_of_the_winner = None  # "pre-norm", "post-norm" or "both alike"


# %% folded="The race: twelve blocks of each kind"
def race(block, steps=150, depth=12, lr=3e-3):
    """Let a stack of blocks learn to say which token stood one place to the left; return its losses."""
    torch.set_num_threads(1)  # such small products are faster on one core
    torch.manual_seed(0)
    layers = [block(d_model=32, n_heads=4, d_ff=64, dropout=0.0) for _ in range(depth)]
    model = nn.Sequential(nn.Embedding(10, 32), *layers, nn.Linear(32, 10))
    places = 0.5 * torch.randn(8, 32)
    optimiser, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        tokens = torch.randint(10, (16, 8))
        x = model[0](tokens) + places
        loss = F.cross_entropy(model[1:](x).flatten(0, 1), tokens.roll(1, dims=1).flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses


with needs("EncoderBlock"):
    yours = race(EncoderBlock)
    losses = {"pre-norm": race(BorrowedPreNormBlock), "post-norm": yours}
    winner = min(losses, key=lambda name: losses[name][-1])
    could_be = [*losses, "both alike"]
    compare("Lower loss at the end:", winner, guess_of_the_winner, among=could_be)
    if guess_of_the_winner is not None:
        show_race(losses)

# %% [markdown]
# <details><summary><b>After the run:</b> why is that?</summary>
#
# In a post-norm stack every gradient passes 24 norms on its way back. Is post-norm worse, then? Look at its curve with six
# blocks, `show_race({"post-norm": race(EncoderBlock, depth=6)})`, or with more patience (`lr=1e-3, steps=400`).
# </details>

# %% [markdown]
# **A runner of your own.** Write the pre-norm block yourself, with the same attributes. Then let it run in a cell of your own:
# `show_race(losses | {"pre-norm": race(PreNormBlock)})`.


# %%
class PreNormBlock(nn.Module):
    """An encoder block with its norms before the sublayers; arguments and names as EncoderBlock."""

    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        raise NotImplementedError("PreNormBlock: your turn")

    def forward(self, x, key_padding_mask=None):
        raise NotImplementedError("PreNormBlock: your turn")


# %% folded="Checks of PreNormBlock"
@torch.no_grad()
def ideas():
    torch.manual_seed(0)
    block, x = PreNormBlock(d_model=12, n_heads=3, d_ff=20).eval(), torch.randn(2, 5, 12)
    theirs = nn.TransformerEncoderLayer(12, 3, 20, batch_first=True, norm_first=True).eval()
    missing = sorted(theirs.state_dict().keys() - block.state_dict().keys())
    yield "all weights are there, by name", not missing, f"Your block has no {', '.join(missing)}."
    theirs.load_state_dict({name: block.state_dict()[name] for name in theirs.state_dict()})
    yield (
        "the values are those of PyTorch's layer with norm_first=True",
        torch.allclose(block(x), theirs(x), atol=1e-4),
        "It returns other values with your weights.",
    )


try_ideas("PreNormBlock", ideas)

# %% [markdown]
# ### What does it cost?
#
# People who build models do this sum on a napkin: how many numbers are to be learned, how many multiplications does
# reading take, and how many bytes must fit into memory? Only matrix products count: one of `(a, b)` and `(b, c)` is
# `a·b·c` multiplications. For example, one linear layer from 3 to 2 features, bias included, has 8 numbers, and costs 6
# multiplications a token. Your formula is checked against what PyTorch counts in *your* encoder.


# %%
def account(vocab_size, d_model, d_ff, n_layers, seq):
    """Return (parameters, multiplications, bytes) of an Encoder that reads one sentence of seq tokens.

    The bytes are those of its parameters in float32, four each. Don't forget biases and norms.
    """
    raise NotImplementedError("account: your turn")


# %% folded="Checks of account"
def ideas():
    for sizes, n_heads, seq in (
        ({"vocab_size": 10, "d_model": 8, "d_ff": 20, "n_layers": 1}, 2, 5),
        ({"vocab_size": len(senses.words), "d_model": 32, "d_ff": 64, "n_layers": 2}, 4, 16),
        ({"vocab_size": 100, "d_model": 64, "d_ff": 256, "n_layers": 3}, 8, 128),
    ):
        found = account(**sizes, seq=seq)
        wanted = counted(Encoder(**sizes, n_heads=n_heads, dropout=0.0), seq)
        told = ", ".join(f"{name} = {number}" for name, number in sizes.items())
        for name, yours, theirs in zip(
            ("parameters", "multiplications", "bytes"), found, wanted, strict=True
        ):
            yield (
                f"{name} with {told}, seq = {seq}",
                yours == theirs,
                f"Yours are {yours:,}, {abs(yours - theirs):,} too {'many' if yours > theirs else 'few'}.",
            )


try_ideas("account", ideas)

# %% [markdown]
# Now scale it up. Attention is known for its *n × n*. **Predict first:** when GPT-2 small reads its full 1,024 tokens, what
# share of the multiplications in its blocks, in %, do the two products with an *n × n* matrix take?

# %%
guess_of_the_share_of_n_times_n = None  # in %

# %% folded="The napkin, for GPT-2 and longer texts"
with needs("account"):
    gpt2 = {"vocab_size": 50_257, "d_model": 768, "d_ff": 3_072, "n_layers": 12}
    parameters, _, size = account(**gpt2, seq=1)
    print(f"GPT-2 small by your formula:\n{parameters:,} parameters, {size / 1e6:,.0f} MB;")
    more = 1024 * 768 + 2 * 768
    print(f"{parameters + more:,} with 1,024 learned\npositions and one more norm.")
    costs = {seq: account(**gpt2, seq=seq)[1] for seq in (1024, 4608, 131_072)}
    shares = {seq: 1 - seq * account(**gpt2, seq=1)[1] / cost for seq, cost in costs.items()}
    compare("At 1,024 tokens it is", f"{shares[1024]:.0%}", guess_of_the_share_of_n_times_n)
    if guess_of_the_share_of_n_times_n is not None:
        percent = {f"{seq:,} tokens": 100 * share for seq, share in shares.items()}
        title = "What n × n takes of all multiplications"
        show_bars_of(percent, title, say="{:.0f}".format, unit="%", full=100, first=TEAL)

# %% [markdown]
# Below `6 * d_model` = 4,608 tokens, the matrices that every model has cost more than attention's famous square.

# %% [markdown]
# ## Sources
#
# What is linked above; A. Vaswani et al., *Attention Is All You Need*, 2017,
# [arXiv:1706.03762](https://arxiv.org/abs/1706.03762): §3.1 and fig. 1 (block), §3.2 (attention, heads), §3.3 eq. 2
# (feed-forward), §3.4 (embeddings), §3.5 (positions), §5.4 (dropout); J. Devlin et al., *BERT*, 2018,
# [arXiv:1810.04805](https://arxiv.org/abs/1810.04805), §3.1: learning by filling blanks. GPT-2's sizes (part 4) are in its
# [configuration](https://huggingface.co/openai-community/gpt2/blob/main/config.json), Llama's in table 3 of
# [Grattafiori et al. 2024](https://arxiv.org/abs/2407.21783).
