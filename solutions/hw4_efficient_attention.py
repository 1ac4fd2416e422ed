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
# # Efficient attention: past the quadratic
#
# ![One more token after a text of 4,096, in multiplications, as squares to scale. All read again: 4.83 billion, a large square. Through a window: 8.99 million, a square as small as a letter. With a cache: 1.18 million, a dot. With linear attention: 135,296, a speck.](pictures/hw4_efficient_attention.png)
#
# One model writes one more token. In attention every token looks at every token: that is its strength, and its price.
# Here you write three ways to pay less, and put each into this model. One makes it forget, one blurs what it sees, and one
# changes nothing but the price. Which is which?
#
# COLAB_BADGE

# %% setup="imports"
import math

import torch
from torch.nn import functional as F

# %% [markdown]
# The next two cells are folded: a small language model, pictures, checks. Run them and go on.

# %% folded="Behind the scenes: a small language model" include="shared/text_model.py, shared/torch_text_model.py, shared/english.py"

# %% folded="Behind the scenes: pictures, checks, lending" include="shared/drawing.py, shared/workbench.py, shared/guesses.py, shared/counting.py, shared/texts.py, backstage/hw4_efficient_attention/writers.py, backstage/hw4_efficient_attention/clocks.py, backstage/hw4_efficient_attention/sizes.py, backstage/hw4_efficient_attention/pictures.py, backstage/hw4_efficient_attention/race.py, backstage/hw4_efficient_attention/lending.py, backstage/hw4_efficient_attention/impostor.py, locked notes"

# %% [markdown]
# ## A stopwatch that you will not like
#
# Attention as you know it (Vaswani et al. 2017, §3.2.1, eq. 1); in the mask, `True` means *may attend*:


# %% setup="full_attention"
def full_attention(Q, K, V, mask=None):
    """Let every query attend to every key that `mask` allows; (batch, n, d) in and out."""
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return torch.softmax(scores, dim=-1) @ V


# %% [markdown]
# A small language model uses it. It has read Python's own manual, and nothing else. Give it a beginning of
# your own:

# %%
my_beginning = "The function"

writer = Writer()
print(wrapped(writer.goes_on(my_beginning, n=40)))

# %% [markdown]
# For each token that it writes, it **reads the whole text again**, with a score for each pair. How long does it take for one
# more?

# %%
stopwatch = {n: seconds_for_one_more(n) for n in (256, 1_024)}
for n, seconds in stopwatch.items():
    print(f"{n:>5,} tokens, {n**2:>9,} scores: {in_time(seconds)}")

# %% [markdown]
# **Predict first:** the next text is four times as long as the last one. How many seconds for one more token?

# %%
guess_of_seconds = None  # in seconds

# %%
found = ""
if guess_of_seconds is not None:  # it takes some seconds
    stopwatch[4_096] = seconds_for_one_more(4_096)
    found = f"{stopwatch[4_096]:.3g} s, {stopwatch[4_096] / stopwatch[1_024]:.0f} times as long"
compare("One more token after 4,096:", found, guess_of_seconds)
if guess_of_seconds is not None:
    show_squares(stopwatch)

# %% [markdown]
# Four times as long is sixteen times the scores. Your clock may differ: part of each call takes the same time at any length,
# and scores that outgrow the processor's fast memory take longer. At some length they fit into no memory at all:

# %%
show_memory()

# %% [markdown]
# Before you leave, this model will write hundreds of tokens a second after the same 4,096, with code of yours inside. You
# need a good three hours until then.

# %% [markdown]
# <details><summary><b>The plan</b>: what you write, points, and minutes</summary>
#
# | part | you write | points | minutes |
# |---|---|--:|--:|
# | 1 A sliding window | <code>sliding_<wbr>window_attention</code> | POINTS_OF_sliding_window_attention | 50 |
# | 2 Linear attention | `linear_attention` | POINTS_OF_linear_attention | 50 |
# | 3 Generating with a cache | <code>cached_<wbr>attention_step</code> | POINTS_OF_cached_attention_step | 35 |
# | 4 What does it cost? | a short text: what does each give up? | POINTS_OF_cost_of_attention | 25 |
# | 5 The race | nothing | | 15 |
# | For later | what you like | | – |
# | | **in all** | **TOTAL_POINTS** | |
#
# </details>

# %% [markdown]
# <details><summary><b>The rules</b>: what is allowed, AI assistants, packages, handing in, and whom to ask</summary>
#
# | | |
# |:--|:--|
# | **You need** | Python with PyTorch and matplotlib, and 2 GB of memory. With `ipywidgets` some pictures get sliders |
# | **Allowed** | ALLOWED_TOOLS |
# | **AI assistants** | AI_POLICY |
# | **You may also import** | MORE_PACKAGES |
# | **Hand in** | HAND_IN |
# | **Stuck?** | WHERE_TO_ASK |
#
# </details>

# %% [markdown] include="shared/how_it_works.md"

# %%
BORROW = False  # True: go on with PyTorch's attention in place of yours (right, and slow)

# %% [markdown]
# `Q`, `K` and `V` are `float32` tensors of one shape `(batch, n, d)`: one head, no projections. Functions **do not
# change their inputs**.
#
# One colour stands for one thing: ${\color{#1F6FC8}{\text{queries}}}$, ${\color{#C4500C}{\text{keys}}}$,
# ${\color{#0B8043}{\text{values}}}$, ${\color{#8E44C6}{\text{weights}}}$ and scores, and
# ${\color{#C2257A}{\text{context}}}$, which is what a token takes home.

# %% [markdown]
# ## 1. A sliding window
#
# Most of what a word needs to know is nearby. So let token $i$ attend only to tokens $j$ with $|i - j| \le$ `window`, the
# sliding window of *Longformer* (Beltagy et al. 2020, §3.1). **`window` is the reach to each side**: a token sees up to
# `2 * window + 1` tokens, itself included.
#
# Each cell is a score to compute. Double the text, from 8 tokens to 16: what happens on either side?

# %% folded="Play: a window"
play(show_band, window=(0, 6), n=(8, 16))

# %% [markdown]
# Look at the corners: the first token has no left neighbours, so it shares its attention among *fewer* keys. A key that
# isn't there counts for exactly nothing.
#
# ### Exercise: `sliding_window_attention`
#
# Take `Q`, `K` and `V`, each `(batch, n, d)`, and a number `window`; return `(batch, n, d)`. For example, if all scores
# are equal and `window = 2`, token 5 takes home the plain average of the values 3 to 7, and token 0 that of 0, 1 and 2.
#
# - Scores are divided by $\sqrt d$; the result equals `full_attention(Q, K, V, mask=band)`.
# - `window` is a whole number, 0 or more, and may be larger than `n`.
# - **Compute only the scores inside the window.** No tensor of yours may have $n^2$ entries; one with
#   $n \cdot (2 \cdot \text{window} + 1) \cdot d$ is fine.
#
# <details><summary><b>Two ways to think about it</b></summary>
#
# One query at a time, with the slice of keys that it may see. Or all queries at once, each with its own little stack of
# neighbours: `F.pad` makes room at the ends, two numbers for each axis, **beginning with the last**, and
# [`Tensor.unfold`](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.unfold.html) slides a window along an axis,
# without copying anything.
#
# ```python
# padded = F.pad(torch.tensor([5, 6, 7]), (1, 1))  # [0, 5, 6, 7, 0]
# padded.unfold(-1, 3, 1)  # [[0, 5, 6], [5, 6, 7], [6, 7, 0]]
# ```
#
# Here the one axis is that of tokens; in `K` it is axis 1. The window becomes a new *last* axis: padded keys `(2, 16, 4)`
# become `(2, 12, 4, 5)`, and `@` multiplies queries `(2, 12, 1, 4)` with them. What has to happen to the places that were
# only padded?
# </details>
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_sliding_window_attention
#
# </details>


# %% solution="sliding_window_attention"
def sliding_window_attention(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, window: int
) -> torch.Tensor:
    """Let each query attend to keys at a distance of at most `window` (Beltagy et al. 2020, §3.1).

    Q, K, V: (batch, n, d).  window: reach to each side, 0 or more; it may exceed n.
    Returns (batch, n, d). Scores are divided by √d. Inputs are not changed.
    Time and memory: at most in proportion to n · (2 · window + 1) · d, never to n².
    """
    ### BEGIN SOLUTION
    n, d = Q.shape[-2:]

    def neighbours(x):  # (…, n, d) → (…, n, d, 2·window + 1), with zeros beyond both ends
        return F.pad(x, (0, 0, window, window)).unfold(-2, 2 * window + 1, 1)

    exists = neighbours(torch.ones(n, 1)).squeeze(-2) == 1  # (n, 2·window + 1)
    scores = torch.einsum("bnd,bndw->bnw", Q, neighbours(K)) / math.sqrt(d)
    weights = torch.softmax(scores.masked_fill(~exists, -math.inf), dim=-1)
    return torch.einsum("bnw,bndw->bnd", weights, neighbours(V))
    ### END SOLUTION


# %% test="sliding_window_attention" folded="Visible checks: sliding_window_attention"
def ideas():
    torch.manual_seed(0)
    Q, K, V = torch.randn(3, 2, 12, 4)  # batch 2, n = 12, d = 4
    kept = [part.clone() for part in (Q, K, V)]
    output = sliding_window_attention(Q, K, V, window=2)
    yield (
        "a tensor comes back",
        isinstance(output, torch.Tensor),
        f"Yours: {type(output).__name__}.",
    )
    yield (
        "of the shape (batch, n, d)",
        output.shape == (2, 12, 4),
        f"Here that is (2, 12, 4), yours is {tuple(output.shape)}.",
    )
    # All scores equal: token 5 should take home the plain average of tokens 3, 4, 5, 6 and 7,
    equal = sliding_window_attention(torch.zeros_like(Q), K, V, window=2)
    middle, first, last = (
        torch.allclose(equal[:, place], V[:, seen].mean(dim=1), atol=1e-5)
        for place, seen in ((5, slice(3, 8)), (0, slice(3)), (11, slice(9, 12)))
    )
    times = (equal[:, 5].sum() / V[:, 3:8].mean(dim=1).sum()).item()

    def hears_itself_alone():  # token 5
        deaf = torch.zeros_like(V)
        deaf[:, 5] = V[:, 5]
        alone = sliding_window_attention(torch.zeros_like(Q), K, deaf, window=2)
        return torch.allclose(alone[:, 5], equal[:, 5])

    nan = "Yours is nan. Is an infinity multiplied by 0, or is every score of a row hidden?"
    yield (
        "token 5 averages tokens 3 to 7 if all scores are equal",
        middle,
        nan
        if equal[:, 5].isnan().any()
        else f"Yours is that average times {times:.3g}: what do the shares of one token sum to?"
        if torch.allclose(equal[:, 5], times * V[:, 3:8].mean(dim=1), atol=1e-5)
        else "Yours hears of no other token. Does your window slide along the tokens, or along the features?"
        if not middle and hears_itself_alone()
        else "That is what window = 2 should do. How far does your window reach, to either side?",
    )
    # and token 0 that of tokens 0, 1 and 2, because there are no others.
    yield (
        "token 0 averages tokens 0, 1 and 2, because there are no others",
        first,
        SEE_ABOVE
        if not middle
        else nan
        if equal[:, 0].isnan().any()
        else "Do you count neighbours that don't exist?",
    )
    yield (
        "the last token averages tokens 9, 10 and 11",
        last,
        "With equal scores it should, because there are none beyond the end."
        if middle and first
        else SEE_ABOVE,
    )
    alone = sliding_window_attention(Q, K, V, window=0)
    yield (
        "window = 0 returns each token's own value",
        torch.allclose(alone, V, atol=1e-5),
        "With window = 0, each token sees itself, and no one else.",
    )
    wide = sliding_window_attention(Q, K, V, window=50)
    yield (
        "a window wider than the text is full attention",
        torch.allclose(wide, full_attention(Q, K, V), atol=1e-5),
        "It isn't. With every token in sight, what is left are the scores, their scale, and softmax."
        if middle and first and last
        else SEE_ABOVE,
    )
    band = (torch.arange(12).unsqueeze(1) - torch.arange(12)).abs() <= 2
    yield (
        "the values are those of full attention under the mask drawn above",
        torch.allclose(output, full_attention(Q, K, V, mask=band), atol=1e-5),
        "Yours differ." if middle and first and last else SEE_ABOVE,
    )
    same = all(torch.equal(*parts) for parts in zip((Q, K, V), kept, strict=True))
    yield "the inputs stay as they were", same, "Your function changed them."
    entries = largest_tensor(sliding_window_attention, *torch.randn(3, 1, 2_048, 4), 2)
    yield (
        "no tensor has n² entries",
        entries < 2_048**2,
        f"For n = 2,048 your largest has {entries:,}, and n² is {2_048**2:,}. In the next cell n is 65,536, "
        "and so many numbers take 17 GB: change that first.",
    )


run_checks("sliding_window_attention", ideas)

# %% [markdown]
# The hidden tests of parts 1 and 2 also use **65,536 tokens** with 2 GB of memory, where nothing with $n \times n$ entries
# fits, and **262,144 tokens**, where $n \times n$ scores take too long even a block at a time. (The limit is two and a half
# minutes; a loop over tokens takes less than half a minute.) Try the first:

# %%
with needs("sliding_window_attention"):
    n = 1_000 if sliding_window_attention is LENT["sliding_window_attention"] else 65_536
    Q, K, V = torch.randn(3, 1, n, 4)
    took = in_time(timed(sliding_window_attention, Q, K, V, 2))
    print(f"{n:,} tokens in {took},\nwithout {4 * n**2 / 1e9:,.3g} GB of scores.")

# %% [markdown]
# ### How far can a token see?
#
# Layers are stacked: what a neighbour has heard, it passes on. Here your function is each layer (with equal scores, so
# that only the pattern counts). Can the middle token hear both ends, nine places away? Find how, with three layers; then
# with a window of 2.

# %% folded="Play: how far can a token hear?"
with needs("sliding_window_attention"):
    n = 19
    silence, unit = torch.zeros(1, n, n), torch.eye(n).unsqueeze(0)
    hears = {w: sliding_window_attention(silence, silence, unit, w)[0] for w in range(1, 5)}

    def draw_reach(window=2, layers=3):
        show_reach(hears[window], layers, token=len(hears[window]) // 2)

    play(draw_reach, window=(1, 4), layers=(1, 5))

# %% [markdown]
# $L$ layers carry a word over $L \cdot w$ places. What is given up is the *direct* line between distant tokens, and news
# gets fainter on the way.
#
# ### Your window, inside the model
#
# A writer may not look ahead, but your window looks to both sides. A trick: put token 6's query at place 4. There a window
# of 2 sees places 2 to 6, and nothing later. What it finds goes to token 6.

# %% folded="A window that never looks ahead"
with needs("sliding_window_attention"):
    silence, unit = torch.zeros(1, 8, 8), torch.eye(8).unsqueeze(0)
    show_panels(
        {
            "your window": sliding_window_attention(silence, silence, unit, 2)[0],
            "queries moved by 2": look_back(silence, silence, unit, 4)[0],
        },
        "Who looks where: a band to both sides, and one that never looks ahead.",
        "looks (query)",
        "is looked at (key)",
        outlined=6,
    )

# %% [markdown]
# For a reach of 32, the model uses a window of 16, moved by 16. Through its two layers, next to nothing older than 64 tokens
# is heard, so it reads the last 64 alone. (That has a second effect: part 5.) It saves on attention, and it saves on reading.
# **Predict first:** after 4,096 tokens, which of the two speeds up the next token more?

# %%
guess_of_the_larger_factor = None  # "attention" or "reading"

# %% folded="Two savings, measured apart"
with needs("sliding_window_attention"):
    all_read, less_read = Windowed(writer, whole=True), Windowed(writer)
    times = {
        "full, all read": stopwatch,
        "your window, all read": {n: seconds_for_one_more(n, all_read) for n in stopwatch},
        "your window, 64 read": {n: seconds_for_one_more(n, less_read) for n in stopwatch},
    }
    full, windowed, short_sighted = (each[max(stopwatch)] for each in times.values())
    by_window, by_reading = full / windowed, windowed / short_sighted
    larger = "attention" if by_window > by_reading else "reading"
    choices = ["attention", "reading"]
    compare("The larger factor is that of", larger, guess_of_the_larger_factor, among=choices)
    if guess_of_the_larger_factor is not None:
        paces = {name: [1 / each[n] for n in stopwatch] for name, each in times.items()}
        show_rates([*stopwatch], paces)
        print(
            f"Your window makes it {by_window:.0f} times as fast,\n"
            f"and reading less another {by_reading:.0f}."
        )
        if sliding_window_attention is LENT["sliding_window_attention"]:
            print("(The borrowed window computes all scores:\n it is slow on purpose.)")
    show_new({"your window": writer.goes_on(my_beginning, n=40, way=less_read)})

# %% [markdown]
# Only reading less makes the cost the same after any length, and only the window *allows* it: if tokens look at
# everything, nothing old can be left out.
#
# How much can it forget before it talks nonsense? Bits tell how much a token surprises the model. With a reach of 32, a
# token of Python's manual costs about 2.4 bits; a blind guess among 512 tokens, 9. **Predict first:** and with a reach of 2?

# %%
guess_of_bits = None  # in bits

# %%
with needs("sliding_window_attention"):
    compare("With a reach of 2:", f"{bits_through(2):.1f} bits", guess_of_bits)
    if guess_of_bits is not None:
        samples = {}
        for reach in (32, 8, 2):
            text = writer.goes_on(my_beginning, n=30, way=Windowed(writer, reach))
            samples[f"reach {reach}: {bits_through(reach):.1f} bits a token"] = text
        show_new(samples, n=30)
        print("Most of what a word needs is nearby.")

# %% [markdown]
# ## 2. Linear attention
#
# Can a token look at *everything*, and still not pay for each pair? Leave the softmax out for a moment.
# Then attention is a product of three matrices, and you may choose which two to multiply first:
#
# $$({\color{#1F6FC8}{Q}}\,{\color{#C4500C}{K}}^\top)\,{\color{#0B8043}{V}} = {\color{#1F6FC8}{Q}}\,({\color{#C4500C}{K}}^\top {\color{#0B8043}{V}}).$$
#
# **Predict first:** say $n = 10\,000$ and $d = 64$. The left side holds $n^2$, a hundred million numbers in between. How
# many does the right side hold?

# %%
guess_of_numbers = None  # a number

# %% folded="Two ways to bracket"
n, d = 10_000, 64
compare("Numbers in between, on the right:", f"{d * d:,}", guess_of_numbers)
if guess_of_numbers is not None:
    show_brackets(n, d)

# %% [markdown]
# The matrix on the right is a **summary** of the whole text. Every query reads from it, and its size doesn't depend on
# the length.
#
# But the softmax is in the way: it wants to see each score. So Katharopoulos et al. (2020, §3.2) take another similarity
# in place of $\exp(q \cdot k / \sqrt d)$, one that is itself a dot product, of *features* $\phi(q)$ and $\phi(k)$ (eq. 4).
# They must be **positive**, or similarities could cancel out. The paper takes (eq. 7), for each entry by itself,
#
# $$\phi(x) = \operatorname{elu}(x) + 1 = \begin{cases} x + 1 & x > 0 \\ e^x & x \le 0 \end{cases}$$

# %%
show_features({"φ(x) = elu(x) + 1": lambda x: F.elu(x) + 1, "ReLU": F.relu, "elu alone": F.elu})

# %% [markdown]
# With ReLU, a query whose entries are all negative would have no features at all, and its weights would be 0 / 0.
#
# Must every query go through all keys? Take two keys, **by hand**, for $d = 2$: the query
# ${\color{#1F6FC8}{(0, 2)}}$ has the features ${\color{#1F6FC8}{(1, 3)}}$, the keys ${\color{#C4500C}{(2, 0)}}$ and
# ${\color{#C4500C}{(0, 2)}}$ have ${\color{#C4500C}{(3, 1)}}$ and ${\color{#C4500C}{(1, 3)}}$. One road asks each key. The
# other asks one sum. Follow each number of both:

# %%
show_two_roads(
    query=torch.tensor([0.0, 2.0]),
    keys=torch.tensor([[2.0, 0.0], [0.0, 2.0]]),
    values=torch.tensor([[8.0, 0.0], [0.0, 8.0]]),
)

# %% [markdown]
# They arrive at the same place. In letters: the query's features don't depend on $j$, so they can be taken out of the sums
# (eq. 5):
#
# $${\color{#C2257A}{V'_i}} = \frac{\sum_j \big(\phi({\color{#1F6FC8}{Q_i}})^\top \phi({\color{#C4500C}{K_j}})\big)\, {\color{#0B8043}{V_j}}}{\sum_j \phi({\color{#1F6FC8}{Q_i}})^\top \phi({\color{#C4500C}{K_j}})}
# = \frac{\phi({\color{#1F6FC8}{Q_i}})^\top \sum_j \phi({\color{#C4500C}{K_j}})\, {\color{#0B8043}{V_j}}^\top}{\phi({\color{#1F6FC8}{Q_i}})^\top \sum_j \phi({\color{#C4500C}{K_j}})}.$$
#
# The two sums on the right are the summary. They are made once, and every query reads from them: the next one,
# ${\color{#1F6FC8}{(2, 0)}}$, takes ${\color{#C2257A}{(5, 3)}}$ home from the same sums. For all queries at once, the
# numerator is the pair of brackets again (eq. 6).
#
# ### Exercise: `linear_attention`
#
# Take `Q`, `K` and `V`, each `(batch, n, d)`; return `(batch, n, d)`. For example, `Q = [[0, 2], [2, 0]]`,
# `K = [[2, 0], [0, 2]]` and `V = [[8, 0], [0, 8]]` give `[[3, 5], [5, 3]]`, as above.
#
# - Features of queries and of keys by $\phi$. You may use `F.elu`.
# - Every query attends to every key, including later ones.
# - Equation 4 as it stands: nothing is divided by $\sqrt d$, and **no small constant is added to
#   the denominator**. The entries of `Q` and `K` lie between −8 and 8, so each sum there is positive. But at −8, $\phi$ is
#   0.0003, and its square 0.0000001: beside that, a tiny constant is no longer tiny.
# - Time and memory in proportion to $n$: no tensor of $n^2$ entries here either.
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_linear_attention
#
# </details>


# %% solution="linear_attention"
def linear_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """Attend with the similarity φ(q)·φ(k), φ(x) = elu(x) + 1 (Katharopoulos et al. 2020, eq. 4–7).

    Q, K, V: (batch, n, d); the entries of Q and K lie between -8 and 8.
    Returns (batch, n, d). Nothing is masked or scaled. Inputs are not changed.
    Time and memory: in proportion to n, never to n².
    """
    ### BEGIN SOLUTION
    queries, keys = F.elu(Q) + 1, F.elu(K) + 1
    summary = keys.transpose(-2, -1) @ V  # (batch, d, d)
    total = keys.sum(dim=-2).unsqueeze(-1)  # (batch, d, 1)
    return (queries @ summary) / (queries @ total)
    ### END SOLUTION


# %% test="linear_attention" folded="Visible checks: linear_attention"
def ideas():
    torch.manual_seed(0)
    given = torch.randn(3, 2, 7, 5)  # batch 2, n = 7, d = 5
    Q, K, V = given.clone()
    output = linear_attention(Q, K, V)
    yield (
        "a tensor comes back",
        isinstance(output, torch.Tensor),
        f"Yours: {type(output).__name__}.",
    )
    yield (
        "of the shape (batch, n, d)",
        output.shape == (2, 7, 5),
        f"Here that is (2, 7, 5), yours is {tuple(output.shape)}.",
    )
    same = torch.equal(torch.stack([Q, K, V]), given)
    yield "the inputs stay as they were", same, "Your function changed them."
    Q, K, V = given
    apart = torch.allclose(linear_attention(*given[:, :1].clone()), output[:1], atol=1e-5)
    yield (
        "a sentence gets the same alone and beside another",
        apart,
        "The first one doesn't. Which of your sums runs over the batch?",
    )
    alike = linear_attention(Q.clone(), K[:, :1].repeat(1, 7, 1), V)  # seven times the same key
    average = torch.allclose(alike, V.mean(dim=1, keepdim=True).expand_as(V), atol=1e-5)
    yield (
        "seven equal keys give the plain average of the values",
        average,
        "What do you divide by, and does every query see all keys?" if apart else SEE_ABOVE,
    )
    # By hand, with one feature: φ(0) = 1 and φ(2) = 3, so the weights are ¼ and ¾.
    two_keys, two_values = torch.tensor([[[0.0], [2.0]]]), torch.tensor([[[4.0], [8.0]]])
    by_hand = linear_attention(torch.ones(1, 2, 1), two_keys, two_values)
    yield (
        "keys count by their features, by hand",
        torch.allclose(by_hand, torch.full((1, 2, 1), 7.0), atol=1e-5),
        f"The keys 0 and 2 have the features 1 and 3, so ¼ · 4 + ¾ · 8 = 7 should come back for both "
        f"queries, but yours are {by_hand.flatten()}.",
    )
    low = torch.full((1, 2, 1), -8.0)
    tiny = linear_attention(low, low, two_values)
    yield (
        "two equal keys give the average, even where the features are tiny",
        torch.allclose(tiny, torch.full((1, 2, 1), 6.0), atol=1e-4),
        f"Both should be 6, yours are {tiny.flatten()}. "
        + ("Check φ, and that nothing is added to the denominator." if average else SEE_ABOVE),
    )
    wrong = []
    for i in range(7):  # equation 4, one query at a time
        similarities = ((F.elu(Q[:, i : i + 1]) + 1) * (F.elu(K) + 1)).sum(dim=-1, keepdim=True)
        expected = (similarities * V).sum(dim=1) / similarities.sum(dim=1)
        wrong += [] if torch.allclose(output[:, i], expected, atol=1e-5) else [i]
    yield (
        "each query gets what equation 4 says",
        not wrong,
        f"Queries {wrong} don't. "
        + ("Are φ(Q) and φ(K) used?" if apart and average else SEE_ABOVE),
    )
    entries = largest_tensor(linear_attention, *torch.randn(3, 1, 2_048, 4))
    yield (
        "no tensor has n² entries",
        entries < 2_048**2,
        f"For n = 2,048 your largest has {entries:,}, and n² is {2_048**2:,}. In the next cell n is 65,536, "
        "and so many numbers take 17 GB: change that first.",
    )


run_checks("linear_attention", ideas)

# %%
with needs("linear_attention"):
    n = 1_000 if linear_attention is LENT["linear_attention"] else 65_536  # as in the hidden tests
    Q, K, V = torch.randn(3, 1, n, 4)
    took = in_time(timed(linear_attention, Q, K, V))
    print(f"{n:,} tokens in {took},\nwithout {4 * n**2 / 1e9:,.3g} GB of scores.")

# %% [markdown]
# ### What is given up
#
# With the rows of a unit matrix as values, what comes back *is* the matrix of weights. Each of eight tokens looks for a
# key exactly like itself. **Predict first:** softmax gives 77% of its weight to the right key. How much does linear
# attention give?

# %%
guess_of_weight = None  # in %
strength = 3  # of the keys; afterwards try 8, the most that is allowed

# %% folded="Each token looks for itself"
keys, unit = strength * torch.eye(8).unsqueeze(0), torch.eye(8).unsqueeze(0)
with needs("linear_attention"):
    blurred = linear_attention(keys, keys, unit)[0]
    share = f"{100 * blurred[0, 0]:.0f}"
    compare("Weight on the right key, in %:", share, guess_of_weight, among=(0, 100))
    if guess_of_weight is not None:
        sharp = full_attention(keys, keys, unit)[0]
        show_panels(
            {
                f"softmax: {sharp[0, 0]:.0%} on the right key": sharp,
                f"linear: {blurred[0, 0]:.0%} on the right key": blurred,
            },
            "Attention weights where each token looks for itself: a sharp diagonal, and a blurred one.",
            "looks (query)",
            "is looked at (key)",
        )

# %% [markdown]
# <details><summary><b>After the run:</b> do stronger keys help? Set <code>strength</code> to 8 and see.</summary>
#
# Hardly. Softmax then gives all its weight to the right key, and linear attention 34%; among 64 tokens it would be 3%. The
# exponential of one score outgrows a sum of others. A product of features does not.
# </details>
#
# ### Your linear attention, inside the model
#
# What happens to the writer if it uses your `linear_attention`? (Here it runs once for every prefix of the text,
# which saves nothing yet. In part 5 it pays.) None of the writer's 166,016 numbers changes. With its
# softmax, a token of the manual costs 2.35 bits; if all tokens got the same weight, 5.22. **Predict first:** and with
# yours?

# %%
guess_of_linear_bits = None  # in bits

# %%
with needs("linear_attention"):
    looks = {"softmax": look_at_past(63), "yours": look_linearly, "all alike": look_alike}
    bits = {name: bits_looking(writer, look) for name, look in looks.items()}
    compare("With your linear attention:", f"{bits['yours']:.2f} bits", guess_of_linear_bits)
    if guess_of_linear_bits is not None:
        show_new({"yours": writer.goes_on(my_beginning, n=40, way=Linear(writer))})

# %% [markdown]
# Where its text still sounds fine, it knows which piece tends to follow which. But its queries and keys were made
# for an exponential, and $\phi$ hardly tells them apart.
#
# Can they learn? We give **the queries and keys alone**, a tenth of all numbers, some lessons in another part of
# the manual. **Predict first:** how many bits after 300 lessons?

# %%
guess_of_bits_after_lessons = None  # in bits
lessons = 300  # some seconds; 3_000 take ten times as long

# %% folded="The lessons: some seconds"
with needs("linear_attention"):
    pupil = taught_to_look_linearly(lessons)
    bits["yours, taught"] = bits_looking(pupil, look_linearly)
    names = {"softmax": "softmax", "yours": "yours, untaught"}
    names |= {"yours, taught": f"after {lessons:,} lessons", "all alike": "all alike"}
    back = (bits["yours"] - bits["yours, taught"]) / (bits["yours"] - bits["softmax"])
    compare(
        "After the lessons, in bits:", f"{bits['yours, taught']:.2f}", guess_of_bits_after_lessons
    )
    if guess_of_bits_after_lessons is not None:
        print(f"Of what was lost, {back:.0%} came back.")
        show_bars_of({says: bits[name] for name, says in names.items()}, "Bits a token")
        _, head = glance(writer, looks["softmax"])
        readers = [(name, writer, look) for name, look in looks.items()]
        readers.insert(2, ("taught", pupil, look_linearly))
        glances = {name: glance(each, look, head=head)[0] for name, each, look in readers}
        usual = {name: largest_weight(each, look) for name, each, look in readers}
        show_glances(glances, [text_model.shown(number) for number in manual(63)], usual)
        show_new({"taught": pupil.goes_on(my_beginning, n=40, way=Linear(pupil))})

# %% [markdown]
# <details><summary><b>After the run:</b> is it only a matter of lessons?</summary>
#
# Partly: try 3,000 (a minute), and let this pupil race again in part 5. But a head here has 16 features, and all that it has read must fit into
# $16 \cdot 16 + 16 = 272$ numbers, after ten tokens and after ten thousand. That is why it is cheap, and that is its price.
# </details>

# %% [markdown]
# ## 3. Generating with a cache
#
# A decoder writes one token at a time, and for each it needs the keys and
# values of all the tokens before it. It computed them a moment ago. Why again?
#
# Each row below is one step. Bold cells are computed in that step, faint ones were kept.

# %% folded="Keys computed, step by step"
n = 8
steps = torch.ones(n, n).tril()
show_panels(
    {
        f"no cache: {steps.sum():.0f} keys computed": steps,
        f"with a cache: {n} keys computed": torch.eye(n) + 0.25 * steps.tril(-1),
    },
    "Which keys are computed in which step: a triangle without a cache, the diagonal with one.",
    "step",
    "token",
    role="key",
    numbers=False,
)

# %% [markdown]
# Only keys and values are kept. Old *queries* are never asked for again: token 3 has looked around already. And since the
# new token comes last, it may attend to all that is kept: no mask is needed.
#
# ### Exercise: `cached_attention_step`
#
# - `q`, `k`, `v` are those of **one** new token: `(batch, 1, d)`.
# - `cache` is `None` at the very first step, and after that the pair `(keys, values)` of the `t` tokens
#   before, each `(batch, t, d)`, oldest first.
# - Return **two** things: the `output` `(batch, 1, d)` of the new token, which attends to all that came
#   before **and to itself** (scores divided by $\sqrt d$), and the `new_cache`: a pair
#   `(keys, values)`, each `(batch, t + 1, d)`, oldest first.
# - The cache that was passed in is not changed: somebody may try two continuations of the same text.
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_cached_attention_step
#
# </details>


# %% solution="cached_attention_step"
def cached_attention_step(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    cache: tuple[torch.Tensor, torch.Tensor] | None,
) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
    """Attend from one new token to itself and all before it (Vaswani et al. 2017, §3.2.1, eq. 1).

    q, k, v: (batch, 1, d), of the new token.
    cache: (keys, values) of the t tokens before, each (batch, t, d), oldest first; None if t = 0.
    Returns (output, new_cache): output (batch, 1, d), scores divided by √d; new_cache = (keys,
    values), each (batch, t + 1, d), oldest first. `cache` itself is not changed.
    """
    ### BEGIN SOLUTION
    keys, values = k, v
    if cache is not None:
        keys, values = torch.cat([cache[0], k], dim=1), torch.cat([cache[1], v], dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, dim=-1) @ values, (keys, values)
    ### END SOLUTION


# %% test="cached_attention_step" folded="Visible checks: cached_attention_step"
def ideas():
    torch.manual_seed(0)
    Q, K, V = torch.randn(3, 2, 6, 5)  # batch 2, n = 6, d = 5
    result = cached_attention_step(Q[:, :1], K[:, :1], V[:, :1], None)
    pair = isinstance(result, (tuple, list)) and len(result) == 2
    yield (
        "two things come back",
        pair,
        f"Return both: `return output, (keys, values)`. Yours: {kind_of(result)}.",
    )
    assert pair  # or a batch of two would be taken for output and cache
    output, cache = result
    pair = isinstance(cache, (tuple, list)) and len(cache) == 2
    yield (
        "the second is the new cache, a pair (keys, values)",
        pair,
        f"Yours: {kind_of(cache)}.",
    )
    assert pair  # or a batch of two would be taken for keys and values
    kinds = ", ".join(type(part).__name__ for part in cache)
    yield (
        "both are tensors",
        all(isinstance(part, torch.Tensor) for part in cache),
        f"Yours: {kinds}. Which operation joins two tensors along an axis?",
    )
    yield (
        "the first token takes home its own value",
        output.shape == (2, 1, 5) and torch.allclose(output, V[:, :1], atol=1e-5),
        f"It has only itself to look at. Your output is of shape {tuple(output.shape)}; it should be (2, 1, 5)."
        if output.shape != (2, 1, 5)
        else f"It has only itself to look at. In the first sentence its value is\n{V[0, 0]}\nand your output\n{output[0, 0]}",
    )
    outputs, kept = [output], True
    for t in range(1, 6):
        before, new = [part.clone() for part in cache], slice(t, t + 1)
        output, new_cache = cached_attention_step(Q[:, new], K[:, new], V[:, new], cache)
        kept = kept and all(torch.equal(*parts) for parts in zip(cache, before, strict=True))
        outputs.append(output)
        cache = new_cache
        shapes = [tuple(part.shape) for part in cache]
        if t == 1:
            yield (
                "after two steps it holds two tokens",
                shapes == [(2, 2, 5)] * 2,
                f"Yours: {shapes}.",
            )
    yield "after six steps it holds six", shapes == [(2, 6, 5)] * 2, f"Yours: {shapes}."
    held = [torch.equal(*parts) for parts in zip(cache, (K, V), strict=True)]
    for name, holds in zip(("keys", "values"), held, strict=True):
        yield f"its {name} are all {name} so far, oldest first", holds, "Yours differ."
    yield "the cache that was passed in stays as it was", kept, "It has changed. Make a new one."
    causal = torch.ones(6, 6, dtype=torch.bool).tril()
    expected = full_attention(Q, K, V, mask=causal)
    stepwise = torch.allclose(torch.cat(outputs, dim=1), expected, atol=1e-5)
    yield (
        "step by step, that is causal attention over the whole text",
        stepwise,
        "Your outputs differ. "
        + (
            "Which tokens does the new one see, what are its scores divided by, and along which axis do "
            "its shares sum to 1?"
            if all(held)
            else SEE_ABOVE
        ),
    )
    _, start = cached_attention_step(Q[:, :1], K[:, :1], V[:, :1], None)
    for t in (1, 2):  # each is read right after token 0
        new, seen = slice(t, t + 1), [0, t]
        output, _ = cached_attention_step(Q[:, new], K[:, new], V[:, new], start)
    yield (
        "if a text is continued in two ways, the second knows nothing of the first",
        torch.allclose(output, full_attention(Q[:, new], K[:, seen], V[:, seen]), atol=1e-5),
        "The same cache was given twice, with other tokens. Where do you keep what was read?"
        if stepwise
        else SEE_ABOVE,
    )


run_checks("cached_attention_step", ideas)

# %% [markdown]
# ### Your cache, inside the model
#
# This is all that it takes to write with it. `heads_of` makes the queries, keys and values of a block, its four heads
# where a batch would stand: `(4, 1, 16)` each. `rest_of` does the rest of the block: $W_O$, two residuals, two norms, the
# feed-forward network.


# %%
class ReadsOnce:
    """The model, which reads each token once: it looks by `step`, and each block has a memory."""

    def __init__(self, writer, step, says="your cache"):
        self.writer, self.step, self.says = writer, step, says
        self.n_read, self.memories = 0, [None] * len(writer.layers)

    @torch.no_grad()
    def __call__(self, numbers):
        """Return the scores of the token after these; only those that are new are read."""
        for place in range(self.n_read, len(numbers)):
            x = self.writer.at_places(torch.tensor(numbers[place : place + 1]), place)
            for number, block in enumerate(self.writer.layers):
                q, k, v = heads_of(block, x)
                context, self.memories[number] = self.step(q, k, v, self.memories[number])
                x = rest_of(block, x, context)
        self.n_read = len(numbers)
        return self.writer.head(x)[-1]

    def kept(self):
        """Return how many numbers it remembers."""
        return sum(part.numel() for memory in self.memories for part in memory)


with needs("cached_attention_step"):
    once = ReadsOnce(writer, cached_attention_step)
    cached, again = (writer.goes_on(my_beginning, n=40, way=way) for way in (once, None))
    show_new({"your cache": cached})
    if cached != again:
        print("✗ not as without it")
    read_again = sum(range(once.n_read + 1)[-40:])
    read = {"without a cache": read_again, "with yours": once.n_read}
    show_bars_of(read, "Tokens read, to write 40")

# %% [markdown]
# And this is what one of its eight heads remembers, while it writes:

# %% folded="A cache that grows"
with needs("cached_attention_step"):
    tokens = text_model.encode(writer.goes_on(my_beginning, n=8))[:8]
    once, caches = ReadsOnce(writer, cached_attention_step), []
    for t in range(len(tokens)):
        once(tokens[: t + 1])
        keys, values = once.memories[0]
        caches.append((keys[0], values[0]))
    show_cache([text_model.shown(token) for token in tokens], caches)

# %% [markdown]
# Now somebody shuffles your cache like a deck of cards, **after every token** (each key stays beside its value).
# **Predict first:** what changes in the text above?

# %%
guess_of_shuffle = None  # "everything", "a little" or "nothing"


# %%
def shuffled_step(q, k, v, cache):
    output, (keys, values) = cached_attention_step(q, k, v, cache)
    order = torch.randperm(keys.shape[1])
    return output, (keys[:, order], values[:, order])


with needs("cached_attention_step"):
    way, usual = ReadsOnce(writer, shuffled_step), ReadsOnce(writer, cached_attention_step)
    shuffled, as_before = (writer.goes_on(my_beginning, n=40, way=each) for each in (way, usual))
    changes = "nothing" if shuffled == as_before else "a little"
    choices = ["everything", "a little", "nothing"]
    compare("What changes:", changes, guess_of_shuffle, among=choices)
    if guess_of_shuffle is not None:
        show_new({f"shuffled {way.n_read} times": shuffled})

# %% [markdown]
# <details><summary><b>After the run:</b> why is that so?</summary>
#
# A sum over the past knows no order. Only the key itself can tell where its token stood: keep that in mind for part 5.
# </details>
#
# ### The bill: count before you buy
#
# Before you rent a computer for a model, you count. For each token, this model keeps keys and values (2), each 64 wide (all
# heads together), in 2 blocks, at 4 bytes a number: $2 \cdot 64 \cdot 2 \cdot 4 = 1\,024$ bytes. Does your cache agree?

# %%
with needs("cached_attention_step"):
    once = ReadsOnce(writer, cached_attention_step)
    once(manual(1_024))
    held = 4 * once.kept()
    print(f"1,024 tokens: {held:,} bytes,\n{held / 1_024:,g} a token")
    model = sum(part.nbytes for part in writer.parameters())
    megabytes = {"the model": model / 1e6, "its cache": held / 1e6}
    show_bars_of(megabytes, "After 1,024 tokens", unit=" MB")

# %% [markdown]
# Now the bill of models that people use, at 2 bytes a number. Llama 3.1 8B has 32 blocks (Grattafiori et al. 2024, table 3).
# Each keeps 8 heads of keys and values, 128 wide, which four heads of queries share (*grouped-query attention*, Ainslie et
# al. 2023). **Predict first:** after how many tokens does the cache of *one* chat weigh as much as the model itself, 16 GB?

# %%
guess_of_tokens = None  # a number

# %% folded="The bill of three models"
models = {  # parameters, blocks, width of keys, longest text
    "GPT-2": (124e6, 12, 768, 1_024),
    "Llama 3.1 8B": (8.03e9, 32, 8 * 128, 131_072),
    "Llama without sharing": (8.03e9, 32, 32 * 128, 131_072),
}
equal = 2 * 8.03e9 / (2 * 32 * 8 * 128 * 2)
compare("Cache and model weigh the same after", f"{equal:,.0f} tokens", guess_of_tokens)
if guess_of_tokens is not None:
    gigabytes = {  # of keys and values, 2 bytes a number
        f"{name}, {longest:,}": longest * 2 * blocks * kept * 2 / 1e9
        for name, (_, blocks, kept, longest) in models.items()
    }
    title = "The cache of the longest text (in tokens) that each can read"
    show_bars_of(gigabytes, title, unit=" GB", say=lambda n: f"{n:.2g}", first=TEAL)


# %% folded="Play: a chat's memory"
def draw_chat(thousand_tokens=32, chats=8):
    parameters, blocks, kept, _ = models["Llama 3.1 8B"]
    cache = 1_000 * thousand_tokens * 2 * blocks * kept * 2
    caches = {"one chat": cache} | ({f"{chats} chats": chats * cache} if chats > 1 else {})
    title = f"Llama 3.1 8B, chats of {1_000 * thousand_tokens:,} tokens"
    show_chat(title, int(2 * parameters), caches)


play(draw_chat, thousand_tokens=(1, 128), chats=(1, 32))

# %% [markdown]
# A computer that answers many people holds one copy of the model, and a cache for **each** chat. So the cache decides
# how many it can serve. (Shazeer 2019 went down to one head of keys and values.)

# %% [markdown]
# ## 4. What does it cost?
#
# You have built three ways. Put them on one scale. On logarithmic axes a cost of $c \cdot n^p$ is a straight line, and its
# slope, fitted here to the last three doublings, is the power $p$. We time full attention (128 queries at a time, so that
# the clock measures its scores, not its memory), your window (`window = 8`) and your linear attention over $n$ tokens, and
# **one** cached step after $n - 1$: about ten seconds.
#
# **Predict first:** in your window each query has 17 scores, in full attention all $n$. From which of the lengths 128, 256,
# 512, 1,024, 2,048 and 4,096 on, if any, is your window really faster?

# %%
guess_of_the_crossing = None  # one of these lengths, or "none of these"


# %% folded="Time all four"
candidates = {  # what to time, up to which length, and what it needs
    "full attention": (full_in_blocks, 2**12, ""),
    "sliding window": (
        lambda Q, K, V: sliding_window_attention(Q, K, V, 8),
        2**15,
        "sliding_window_attention",
    ),
    "linear attention": (lambda Q, K, V: linear_attention(Q, K, V), 2**16, "linear_attention"),
    "one cached step": (last_step, 2**16, "cached_attention_step"),
}
attentions = {}
for name, (way, longest, needed) in candidates.items():
    if needed and is_unsolved(needed):
        print(wrapped(f"○ The curve of {name} waits for your `{needed}`."))
    else:
        attentions[name] = way, [2**power for power in range(7, 17) if 2**power <= longest]
times = shortest_times(attentions)
slopes = {name: slope_at_end(*each) for name, each in times.items()}
if "sliding window" in times:
    found = crossing(times["sliding window"], times["full attention"])
    compare("The window is faster from length", found, guess_of_the_crossing)
if guess_of_the_crossing is not None:
    show_times(times, slopes)

# %% [markdown]
# ### Written answer: `cost_of_attention`
#
# The grey guides grow exactly as $n$ and as $n^2$. Your slopes will not be whole
# numbers: a clock measures more than a count does.
#
# 1. For each of the four, by what power of $n$ does the number of multiplications grow, and why? Do your slopes agree?
# 2. Why are the curves flatter at the left?
# 3. *One* cached step is in the plot. What power of $n$ does it cost to generate $n$ tokens with a cache, and
#    what without (running causal attention over the whole text so far for each new token)?
# 4. Neither a window nor linear attention is free. What does each give up?
#
# Eight short sentences are enough.

# %% [markdown] written="cost_of_attention" points=5
# 1. **Full attention**, power 2: each of $n$ queries meets each of $n$ keys, so there are $n^2$ scores
#    of $d$ multiplications each, and doubling $n$ quadruples the work. **The sliding window**, power 1: each
#    query meets at most $2w + 1 = 17$ keys however long the text is, $n (2w + 1)$ scores in all.
#    **Linear attention**, power 1: the summary $\phi(K)^\top V$ takes $d^2$ multiplications for each
#    token and reading from it another $d^2$; no score of a pair is ever computed. **One cached step**,
#    power 1: a single query meets $n$ keys (and copying the cache, with `torch.cat`, takes $n d$, too). Its curve
#    is flatter where the fixed cost of a call outweighs that, and steeper where the cache no longer fits into the
#    processor's fast memory.
# 2. Every call has a fixed cost (Python, starting each operation) that doesn't depend on $n$. For small
#    $n$ it outweighs the work itself, and a constant has slope 0.
# 3. With a cache, step $t$ costs $t$, and $1 + 2 + \dots + n \approx n^2 / 2$: generating $n$ tokens has
#    power 2. Without, step $t$ costs $t^2$, and the sum is about $n^3 / 3$: power 3.
# 4. In a window, distant tokens don't see each other directly; news travels at most $w$ places per
#    layer. Linear attention sees everything, yet through a summary of fixed size $d \times d$ and
#    without the exponential, so its weights are blurred and it can hardly single out one key among
#    many.
#
# **Rubric**
#
# - 1 point: full attention grows by power 2, since there is a score for each pair of tokens ($n^2$).
# - 1 point: window and linear attention grow by power 1, each with its reason: at most $2w + 1$ keys
#   per query; a summary of $d \times d$ that all queries share. One reason for both earns no point.
# - 1 point: explains the flat left part by costs that don't depend on $n$.
# - 1 point: one cached step is linear in $n$; generating $n$ tokens is quadratic with a cache and cubic
#   without.
# - 1 point: says what each gives up: direct sight of distant tokens; sharpness (or the softmax, or all the
#   detail that $d^2$ numbers can't hold).

# %% [markdown]
# ## 5. The race
#
# Back to the stopwatch, now with **your** code inside the model. Four writers go on with the same text:
#
# | writer | reads, for one more token | keeps |
# |:--|:--|:--|
# | full, recomputed | the whole text again | nothing |
# | your window | the last 64 tokens again | nothing |
# | your cache | the new token alone | keys and values of all |
# | taught, running sums | the new token alone | two sums |
#
# The fourth is the pupil of part 2. It sees only the past, so each new token simply adds its share to the numerator's sum
# and to the denominator's. (You may write this step at the end.)
#
# **Predict first:** the model has 2 layers of 4 heads with 16 features each. After 4,096 tokens your cache holds 1,048,576
# numbers (not bytes). How many do the running sums hold?

# %%
guess_of_numbers_kept = None  # a number

# %% [markdown]
# Below the times is the picture from the top again, from what runs here: PyTorch counts the multiplications.

# %% folded="The stopwatch, and the picture from the top"
lengths = (256, 1_024, 4_096)
with needs("sliding_window_attention", "cached_attention_step"):
    ways = [ReadsOnce(writer, cached_attention_step), Windowed(writer), Recomputing(writer)]
    if "pupil" in globals():  # if it has had its lessons
        ways += [ReadsOnce(pupil, running_sums, "taught, running sums")]
    rates = {way.says: tokens_a_second(way, lengths) for way in ways}
    show_rates(lengths, rates)
    if "pupil" in globals():
        compare("The running sums hold, in numbers:", f"{ways[-1].kept():,}", guess_of_numbers_kept)
    else:
        print("○ The fourth writer waits for your\n  `linear_attention`, and its lessons.")
    gain = rates["your cache"][-1] / rates["full, recomputed"][-1]
    print(f"Your cache is {gain:,.0f} times as fast there\nas reading all again.")
    ways = {
        "all read again": Recomputing(writer),
        "through your window": Windowed(writer),
        "with your cache": ReadsOnce(writer, cached_attention_step),
        "with linear attention": ReadsOnce(writer, running_sums),
    }
    for way in ways.values():
        if isinstance(way, ReadsOnce):
            way(manual(4_095))
    prices = {name: multiplications(way, manual(4_096)) for name, way in ways.items()}
    show_prices(4_096, prices)
    fewer = prices["through your window"] / prices["with your cache"]
    faster = rates["your cache"][-1] / rates["your window"][-1]
    found = f"Your window multiplies {fewer:.1f} times as much as your cache, and"
    if faster < 1:
        found += f" is still {1 / faster:.1f} times as fast."
    else:
        only = "only " if faster < fewer else ""
        found += f" your cache is {only}{faster:.1f} times as fast."
    print(wrapped(found))

# %% [markdown]
# A count of multiplications is no clock. Starting a small operation takes time, however little it multiplies, and so does
# copying the cache. (The speeds are medians; the race below counts every pause.)

# %% [markdown]
# Now watch them write: 100 tokens, after 4,096 of Python's manual or of a text of yours. **Predict first:** the window has
# forgotten all but the last 64 tokens, the cache nothing. Which of them writes better English?

# %%
guess_of_english = None  # "window" or "cache"
my_text = None  # or open("a_text_of_yours.txt").read()

# %% folded="Now watch them write"
with needs("sliding_window_attention", "cached_attention_step"):
    ways = [ReadsOnce(writer, cached_attention_step), Windowed(writer), Recomputing(writer)]
    if "pupil" in globals():
        ways.insert(2, ReadsOnce(pupil, running_sums, "taught, running sums"))
    written = race(ways, n=4_096, text=my_text)
    costs = {name: bits_of_written(numbers) for name, (numbers, _) in written.items() if numbers}
    better = "window" if costs["your window"] < costs["your cache"] else "cache"
    choices = ["window", "cache"]
    if guess_of_english is not None:
        show_race(written, n=4_096)
    compare("The better English comes from the", better, guess_of_english, among=choices)
    if guess_of_english is not None:
        costs.pop("full, recomputed", None)  # too few tokens to judge by
        show_bars_of(costs, "Bits a token, judged by the model, 64 at a time", first=TEAL)
        if better == "window":
            print("From your cache comes fast nonsense, and\nit passed every check. Why then?")

# %% [markdown]
# Let your cache write 120 tokens from the very beginning, beside the model that recomputes. **Predict first:** from
# which place on (counted from 0), if any, does it get worse?

# %%
guess_of_place = None  # a place, or "none"

# %% folded="Where does it get worse?"
with needs("cached_attention_step"):
    once = ReadsOnce(writer, cached_attention_step)
    slow, fast = (writer.tokens_on(my_beginning, n=120, way=way) for way in (None, once))
    places, whole, cut = bits_by_place()
    usual = sum(whole[2:16]) / 14
    costly = [place for place, bits in zip(places, whole, strict=True) if bits > 1.5 * usual]
    # The first tokens cost more anyway.
    lost = next((place for place in costly if place >= 8), None)
    after = lost and lost - places[1]  # where things were still as before
    found = "64, where training ended" if after == 64 else after
    compare("If it gets worse, then just after place", found, guess_of_place)
    if guess_of_place is not None:
        show_bits(places, whole, cut)
        print("Recomputed and cached are", "the same." if slow == fast else "not the same.")
        show_texts({"0 to 63": text_model.decode(fast[:64]), "64 on": text_model.decode(fast[64:])})

# %% [markdown]
# As in hw2, each token is told its **place**, by numbers added at the input. In training no text was longer than 64 tokens,
# so the model has never seen place 64. The window gets away with it: what is forgotten needs no number, so its tokens are
# numbered 0 to 63 again and again. A cache can't do that. **Its keys were made with their old places inside.**
#
# Can you mend it without training? Two dials: how many old keys are kept, and after how many places the numbers begin at 0
# again. Get below 3 bits:


# %% folded="Play: mend it"
def draw_mended(old_keys=192, places=192):
    def forgetful_step(q, k, v, cache):
        output, new_cache = step_to_mend(q, k, v, cache)
        return output, tuple(part[:, -old_keys:] for part in new_cache)

    way = ReadsOnce(CountsAnew(places), forgetful_step)
    costs = {
        "as it was": bits_of_mended(192, 192),
        "with your dials": bits_of_mended(old_keys, places),
    }
    show_bars_of(costs, "Bits a token, places 100 to 191", full=8)
    tokens = way.writer.tokens_on(my_beginning, n=120, way=way)
    show_texts({"64 on": text_model.decode(tokens[64:])})


with needs("cached_attention_step"):
    if guess_of_place is None:
        print("○ These dials wait for your guess above.")
    else:
        step_to_mend = cached_attention_step  # still there when a borrowed one is given back
        sizes = [4, 8, 16, 32, 64, 192]
        play(draw_mended, old_keys=sizes, places=sizes[2:])

# %% [markdown]
# <details><summary><b>If you want more:</b> what do large models do?</summary>
#
# Llama and most of its relatives use *rotary* positions (Su et al. 2021; an extra in hw2): queries and keys are turned by
# an angle for their place, so a score depends on the *distance* alone. And a cache that drops old keys keeps the very first
# ones, where models leave weight that they don't need elsewhere (*attention sinks*, Xiao et al. 2023).
# </details>

# %% folded="From the first number to the last"
with needs("sliding_window_attention", "cached_attention_step"):
    if 4_096 in stopwatch and "written" in globals():
        tokens, taken = written["your cache"]
        show_pages(stopwatch[4_096], rate=len(tokens) / sum(taken))
    else:
        print("○ This picture waits for the stopwatch\n  at the top, and for the race.")

# %% [markdown]
# ## Where you are now
#
# You began with a softmax in NumPy. Now a language model writes with your code inside, and your race says how much faster.
# One more idea: `F.scaled_dot_product_attention` can compute *full* attention block by
# block, without ever holding $n^2$ scores (*FlashAttention*, Dao et al. 2022). It saves the memory, not the
# multiplications.
#
# Once more, the last token looks back. One way forgets, one blurs, and one changes nothing but the price. Say first which is
# which.

# %% folded="Three ways to look back"
with needs("sliding_window_attention", "linear_attention", "cached_attention_step"):
    text_of_63, head = manual(238)[175:], 5  # where a head looks far back
    readers = {
        "cache": (writer, look_by_steps),
        "window": (writer, Windowed(writer).look),
        "linear": (globals().get("pupil", writer), look_linearly),
    }
    glances = {
        name: last_look(*reader, text_of_63)[head].tolist() for name, reader in readers.items()
    }
    show_glances(glances, [text_model.shown(number) for number in text_of_63])

# %% [markdown]
# <details><summary><b>Which was which?</b></summary>
#
# The window **forgets** what is older. Linear attention **blurs**: it keeps one summary, and no key stands out. The cache
# gives up **nothing** but memory (its keys keep their old places, though: part 5).
# </details>

# %% [markdown]
# **Before you hand in**: set `BORROW` back to `False`, restart the kernel, and run all cells: every visible check should
# pass.

# %% [markdown]
# ## For later
#
# Two extras that give no points: a step of your own (20 minutes), and a puzzle (10).
#
# ### A memory that doesn't grow
#
# A cache grows with the text, and the running sums of part 5 don't. (*Transformers are RNNs*, says the title of
# Katharopoulos et al. 2020; §3.4.) Write one step of them. `q`, `k`, `v` are those of one new token, `(batch, 1, d)`. `memory` is
# `None` at first, later the pair `(summary, total)` of shapes `(batch, d, d)` and `(batch, d)`. Return the output
# `(batch, 1, d)`, in which the new token attends to itself and all before it, and the new memory.


# %%
def causal_linear_step(q, k, v, memory):
    """Attend with φ from one new token to itself and all before it; return output and new memory."""
    raise NotImplementedError("causal_linear_step: your turn")


# %% folded="Checks of causal_linear_step"
def ideas():
    torch.manual_seed(0)
    Q, K, V = torch.randn(3, 2, 9, 4)
    outputs, sizes, kept, memory = [], [], True, None
    for t in range(9):
        new = slice(t, t + 1)
        before = None if memory is None else [part.clone() for part in memory]
        output, after = causal_linear_step(Q[:, new], K[:, new], V[:, new], memory)
        if before is not None:
            kept = kept and all(torch.equal(*pair) for pair in zip(before, memory, strict=True))
        memory = after
        outputs.append(output)
        sizes.append([tuple(part.shape) for part in memory])
    yield (
        "the first token takes home its own value",
        outputs[0].shape == (2, 1, 4) and torch.allclose(outputs[0], V[:, :1], atol=1e-5),
        "It has only itself to look at.",
    )
    yield (
        "the memory is (batch, d, d) and (batch, d)",
        sizes[0] == [(2, 4, 4), (2, 4)],
        f"Here that is (2, 4, 4) and (2, 4), yours is {sizes[0]}.",
    )
    yield "it doesn't grow in nine steps", sizes[0] == sizes[8], f"After nine it is {sizes[8]}."
    yield "the memory that was passed in stays as it was", kept, "It has changed. Make a new one."
    last = linear_attention(Q, K, V)[:, -1:]
    yield (
        "the last token gets what your linear_attention gives it",
        torch.allclose(outputs[8], last, atol=1e-5),
        "The last token sees the whole text, so both should agree.",
    )
    fifth = linear_attention(Q[:, :5], K[:, :5], V[:, :5])[:, -1:]
    yield (
        "the fifth gets what it gives to a text of five",
        torch.allclose(outputs[4], fifth, atol=1e-5),
        "The fifth token sees five tokens.",
    )


try_ideas("causal_linear_step", ideas)

# %%
with needs("causal_linear_step"):
    once = ReadsOnce(globals().get("pupil", writer), causal_linear_step)
    show_texts({"your sums": once.writer.goes_on(my_beginning, n=60, way=once)})
    print(f"They hold {once.kept():,} numbers, {once.kept() // 8} for each of 8 heads.")
    show_growth(100, d=16)

# %% [markdown]
# ### An impostor
#
# `A`, `B` and `C` all claim to be linear attention; one of them isn't. For random numbers all three
# look alike. Change `my_input` until one gives itself away, and say how you know. (Entries lie between −8 and 8.)


# %%
def my_input():
    """Return Q, K and V that tell the impostor from the others."""
    torch.manual_seed(0)
    Q, K = torch.randn(2, 1, 4, 3)
    V = torch.arange(12.0).view(1, 4, 3)
    return Q, K, V


# %%
guess_of_impostor = None  # "A", "B" or "C"

# %%
interrogate(guess_of_impostor, my_input())

# %% [markdown]
# <details><summary><b>A hint</b></summary>
#
# Entries may lie between −8 and 8, but where do nearly all the numbers of `torch.randn` lie? A key whose features
# are larger should always weigh more.
# </details>

# %% [markdown]
# **Sources**
#
# - Vaswani et al. 2017, [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762): §3.2.1, eq. 1.
# - Beltagy, Peters, Cohan 2020, [*Longformer*](https://arxiv.org/abs/2004.05150): §3.1.
# - Katharopoulos et al. 2020, [*Transformers are RNNs*](https://arxiv.org/abs/2006.16236): §3.2, eq. 4–7.
# - Dao et al. 2022, [*FlashAttention*](https://arxiv.org/abs/2205.14135).
# - Su et al. 2021, [*RoFormer*](https://arxiv.org/abs/2104.09864) (rotary positions).
# - Xiao et al. 2023, [*Efficient Streaming Language Models with Attention Sinks*](https://arxiv.org/abs/2309.17453).
# - Radford et al. 2019, *Language Models are Unsupervised Multitask Learners*: table 2 (GPT-2).
# - Ainslie et al. 2023, *GQA*; Shazeer 2019, [*One Write-Head is All You Need*](https://arxiv.org/abs/1911.02150).
# - Grattafiori et al. 2024, [*The Llama 3 Herd of Models*](https://arxiv.org/abs/2407.21783): table 3.
