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
# # Attention in NumPy
#
# Read the sentence *"The cat meowed because it was hungry."* To understand **it**, you looked back
# at **cat**. Attention is how a neural network does that: every word asks a question, every word
# offers an answer, and each word takes home a mixture of what the others have to say.
#
# In this notebook you build attention out of nothing but matrix products, exponentials and sums, in
# four small functions. Each is at most a handful of lines. By the end you will have computed the
# centre of every large language model by hand.
#
# | part | you write | the idea |
# |---|---|---|
# | 1 | `softmax` | turn scores into proportions |
# | 2 | `scaled_dot_product_attention` | look things up, softly |
# | 3 | `self_attention` | let a sentence look at itself |
# | 4 | `worked_example` | follow one token through every step |
# | 5 | a short text | why do we divide by $\sqrt{d_k}$? |
#
# This assignment is worth **TOTAL_POINTS points**.

# %% [markdown]
# ## How this notebook works
#
# - Work from top to bottom. Where you see `raise NotImplementedError()`, delete that line and write
#   your own code. Where you see *Predict first*, make a guess before you run the cell. A wrong guess
#   teaches more than a right one.
# - Below each exercise stands a cell of **visible checks**. Run it as often as you like. Your grade
#   comes from **hidden tests** that check the same ideas on other inputs, so numbers copied into
#   your code don't help, and a function that is right for some inputs earns part of the points.
# - Put imports and functions of your own **inside the solution cell** that needs them. An exercise is
#   graded as its own cell leaves it, with the notebook run from the top: what cells further down do,
#   under the same names or others, neither helps nor hurts it. All other cells are yours to play with.
# - Before you hand in, restart the kernel and run everything once more.
#
# **Conventions.** They hold everywhere below.
#
# - Inputs and results are NumPy arrays of `float64`. When you write integers yourself, say
#   `dtype=float`: NumPy makes `np.array([6, 1])` an array of integers, and writing fractions into
#   one silently cuts off the decimals.
# - A matrix holds **one token a row**. Softmax works along the **last axis**.
# - Attention functions return two things, **first `attention_weights`, then `context`**. (PyTorch
#   returns them the other way round. You will meet that in the next assignment.)
# - Your functions **do not change their inputs**. Make a new array rather than writing `x -= ...`,
#   which changes the array of whoever called you.

# %% setup="imports"
import matplotlib.pyplot as plt
import numpy as np

np.set_printoptions(precision=3, suppress=True)

# %% [markdown]
# The next cell draws the pictures. There is nothing in it that you need to read, though you may.


# %% setup="pictures"
def draw_cells(axes, matrix, largest, left=0):
    """Draw a matrix as coloured cells with their numbers: white is 0, blue above it, red below."""
    rows, columns = matrix.shape
    extent = (left - 0.5, left + columns - 0.5, rows - 0.5, -0.5)
    axes.imshow(matrix, cmap="RdBu", vmin=-largest, vmax=largest, extent=extent)
    for (row, column), value in np.ndenumerate(matrix):
        ink = "white" if abs(value) > 0.6 * largest else "black"
        axes.text(left + column, row, f"{value:.2f}", ha="center", va="center", color=ink, size=9)


def show_weights(weights, queries, keys):
    """Draw attention weights: one row for each query, one column for each key."""
    axes = plt.subplots(figsize=(1 + 0.8 * len(keys), 1 + 0.8 * len(queries)))[1]
    draw_cells(axes, weights, largest=1)
    axes.set_xticks(range(len(keys)), keys)
    axes.set_yticks(range(len(queries)), queries)
    axes.set(title="Attention weights", xlabel="is looked at (key)", ylabel="looks (query)")
    plt.show()


def show_matrices(**matrices):
    """Draw named matrices side by side, with their shapes."""
    width = sum(matrix.shape[1] + 1 for matrix in matrices.values()) - 1
    height = max(matrix.shape[0] for matrix in matrices.values())
    axes = plt.subplots(figsize=(0.55 * width, 0.55 * height + 0.5))[1]
    left = 0
    for name, matrix in matrices.items():
        draw_cells(axes, matrix, largest=np.abs(matrix).max(), left=left)
        axes.text(left - 0.4, -0.7, f"{name} {matrix.shape}", weight="bold")
        left += matrix.shape[1] + 1
    axes.set(xlim=(-0.5, width - 0.5), ylim=(height - 0.5, -1.2))
    axes.axis("off")
    plt.show()


def show_bars(charts, labels):
    """Draw a bar chart for each title and its heights in `charts`, all to the same scale."""
    size = (3 * len(charts), 2.6)
    panels = plt.subplots(1, len(charts), figsize=size, sharey=True, layout="constrained")[1]
    for axes, (title, heights) in zip(panels, charts.items(), strict=True):
        bars = axes.bar(labels, heights, color="tab:blue")
        axes.bar_label(bars, fmt="%.2g", size=9)
        axes.set_title(title)
        axes.margins(y=0.15)
    plt.show()


def show_mixing(values, context, words):
    """Draw two-dimensional values as the corners of a shape, and each word's way to its context."""
    axes = plt.subplots(figsize=(5, 4))[1]
    axes.fill(*values.T, color="tab:blue", alpha=0.12)
    axes.scatter(*values.T, s=70, color="tab:blue", label="value")
    axes.scatter(*context.T, s=70, color="tab:orange", marker="D", label="context")
    for word, value, mixture in zip(words, values, context, strict=True):
        arrow = {"arrowstyle": "->", "color": "grey", "shrinkA": 6, "shrinkB": 6}
        axes.annotate("", xy=mixture, xytext=value, arrowprops=arrow)
        axes.annotate(word, value, xytext=(7, 7), textcoords="offset points", weight="bold")
    axes.set(xlabel="creature", ylabel="sound", title="From each word's value to its context")
    axes.margins(0.2)
    axes.legend()
    plt.show()


# %% [markdown]
# ## 1. Softmax: from scores to proportions
#
# Attention begins with *scores*: any numbers at all, larger where two things fit together better.
# To take an average we need *proportions*: numbers that are positive and sum to 1. Softmax turns
# the one into the other,
#
# $$\operatorname{softmax}(x)_i = \frac{e^{x_i}}{\sum_j e^{x_j}}.$$
#
# The exponential makes everything positive and keeps the order; the division makes the sum 1.
#
# That looks like one line of NumPy, and for small scores it is. **Predict first:** what will the
# last line of the next cell print? (A `float64` holds numbers up to about $1.8 \cdot 10^{308}$, and
# $e^{1000} \approx 10^{434}$.)

# %%
for scores in (np.array([1.0, 0.0]), np.array([1000.0, 0.0])):
    with np.errstate(over="ignore", invalid="ignore"):  # hush the warnings, keep the result
        print(scores, "→", np.exp(scores) / np.exp(scores).sum())

# %% [markdown]
# `nan` means *not a number*. It came from $\infty / \infty$, although the answer is perfectly
# ordinary: as good as $[1, 0]$. Scores as large as that do turn up; you will meet some in part 4.
#
# The way out is a property of softmax. Adding the same constant $c$ to every score changes nothing,
#
# $$\frac{e^{x_i + c}}{\sum_j e^{x_j + c}} = \frac{e^c\, e^{x_i}}{e^c \sum_j e^{x_j}}
# = \operatorname{softmax}(x)_i,$$
#
# so you may move the scores to wherever the exponential is harmless. Which $c$ makes sure that no
# exponent is ever above 0, and that the sum below the line is never 0?
#
# Two more things to think of:
#
# - **The last axis.** Given a matrix, softmax treats *each row on its own*, even if one row holds
#   thousands and the next minus thousands. Given an array of more axes, or of one, it works along the
#   last one. `keepdims=True` in NumPy's reductions keeps a reduced axis with length 1, so that the
#   result still lines up with what it came from.
# - **Minus infinity.** A score of $-\infty$ says "never look here": since $e^{-\infty} = 0$, its
#   proportion is exactly 0. This is how attention is told to ignore something. (Every row you get
#   has at least one finite score.)


# %% solution="softmax"
def softmax(x: np.ndarray) -> np.ndarray:
    """Turn scores into proportions along the last axis, without overflow.

    x: scores of shape (..., n), with any number of leading axes or none. An entry may be -inf.
    Returns an array of the same shape, positive and summing to 1 along the last axis; entries
    of -inf become exactly 0. `x` itself is not changed.
    """
    ### BEGIN SOLUTION
    exponentials = np.exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
    ### END SOLUTION


# %% test="softmax"
scores = np.log([[1.0, 2.0, 5.0], [1.0, 1.0, 2.0]])  # e to the power of these: 1, 2, 5 and 1, 1, 2
proportions = softmax(scores)
assert isinstance(proportions, np.ndarray), (
    f"Return a NumPy array, not {type(proportions).__name__}. Does your function end with `return`?"
)
assert proportions.shape == (2, 3), f"The shape must stay (2, 3), but became {proportions.shape}."
assert np.allclose(proportions.sum(axis=1), 1), (
    f"Each row must sum to 1, but yours sum to {proportions.sum(axis=1)}. Along which axis do you add?"
)
assert np.allclose(proportions, [[1 / 8, 2 / 8, 5 / 8], [1 / 4, 1 / 4, 2 / 4]]), (
    f"The rows must be [1, 2, 5] / 8 and [1, 1, 2] / 4, but you return\n{proportions}"
)
assert np.allclose(scores, np.log([[1, 2, 5], [1, 1, 2]])), (
    "Your function changed its input. Make a new array instead of writing into `x`."
)
for hard in ([1000.0, 0.0], [-1000.0, -1000.0]):
    assert np.isfinite(softmax(np.array(hard))).all(), (
        f"softmax({hard}) must be finite, but you return {softmax(np.array(hard))}. "
        "Move the scores before you take the exponential."
    )
assert softmax(np.array([0.0, -np.inf]))[1] == 0, "A score of -inf must get exactly 0."
print("softmax passes the visible checks.")

# %% [markdown]
# Here is your function beside the one-liner from above, for the two scores $[t, 0]$ with growing
# $t$. The one-liner ends abruptly, where its numbers no longer fit into a `float64`.

# %%
t = np.linspace(-5, 1000, 500)
pairs = np.stack([t, np.zeros_like(t)], axis=1)  # one pair a row

with np.errstate(over="ignore", invalid="ignore"):
    naive = np.exp(pairs) / np.exp(pairs).sum(axis=1, keepdims=True)

plt.figure(figsize=(6, 2.6))
plt.plot(t, softmax(pairs)[:, 0], color="tab:orange", linewidth=5, alpha=0.6, label="your softmax")
plt.plot(t, naive[:, 0], color="black", label="one-liner")
plt.axvline(np.log(np.finfo(float).max), color="grey", linestyle=":", label="largest float64")
plt.xlabel("$t$")
plt.ylabel("share of the first score")
plt.legend()
plt.show()

# %% [markdown]
# **Predict first.** Below, the same four scores are multiplied by ¼, 1 and 4. What happens to the
# largest share? What would happen if you multiplied by 1000, and what if by 0?

# %%
scores = np.array([1.0, 2.0, 3.0, 4.0])
show_bars(
    {f"softmax({factor} · scores)": softmax(factor * scores) for factor in (0.25, 1, 4)},
    labels=["1", "2", "3", "4"],
)

# %% [markdown]
# Softmax listens to the *size* of the scores. Small scores are shared out almost equally, large
# ones hand nearly everything to the winner. Keep this picture in mind: it is the reason for a
# mysterious square root in the next part.

# %% [markdown]
# ## 2. Scaled dot-product attention: a soft look-up
#
# A Python dictionary compares your query with its keys and returns the value of the one that
# matches. Attention does the same, softly: it compares the query with *all* keys, and returns an
# average of *all* values, in which well-matching keys count more.
#
# Queries, keys and values are vectors, stacked as the rows of three matrices. The match of a query
# with a key is their dot product, and in the words of Vaswani et al. (2017), §3.2.1, equation 1,
#
# $$\operatorname{Attention}(Q, K, V)
# = \underbrace{\operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right)}_{
# \text{attention weights}} V .$$
#
# | | shape | a row is |
# |---|---|---|
# | `Q` | `(n, d_k)` | what one query looks for |
# | `K` | `(m, d_k)` | what one key offers to be found by |
# | `V` | `(m, d_v)` | what one key hands over when it is found |
# | attention weights | `(n, m)` | how one query divides its attention among the `m` keys |
# | context | `(n, d_v)` | what one query takes home: the weighted average of the values |
#
# None of `n`, `m`, `d_k` and `d_v` need be equal, except where the table repeats them. Writing the
# shapes below a formula is the best way to find out what to transpose.
#
# **Return both, the weights first:** `return attention_weights, context`. Your function should
# survive large scores as your softmax does.


# %% solution="scaled_dot_product_attention"
def scaled_dot_product_attention(
    Q: np.ndarray, K: np.ndarray, V: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Average the values, weighted by how well each key matches each query.

    Q: queries (n, d_k).  K: keys (m, d_k).  V: values (m, d_v).
    Returns (attention_weights, context) of shapes (n, m) and (n, d_v). Inputs are not changed.
    Source: Vaswani et al. 2017, §3.2.1, eq. 1.
    """
    ### BEGIN SOLUTION
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    attention_weights = softmax(scores)
    return attention_weights, attention_weights @ V
    ### END SOLUTION


# %% test="scaled_dot_product_attention"
Q_check = np.array([[4.0, 0, 0, 0], [0, 4, 0, 0]])  # two queries,
K_check = np.log([[1.0, 4, 1, 1], [2, 2, 1, 1], [5, 2, 1, 1]])  # three keys, d_k = 4,
V_check = np.array([[80.0, 0, 0, 0, 8], [0, 80, 0, 0, 8], [0, 0, 80, 0, 8]])  # d_v = 5
answer = scaled_dot_product_attention(Q_check, K_check, V_check)
assert isinstance(answer, (tuple, list)) and [type(part) for part in answer] == 2 * [np.ndarray], (
    "Return two arrays: `return attention_weights, context`."
)
weights_check, context_check = answer
assert weights_check.shape == (2, 3), (
    f"attention_weights, returned first, must have shape (n, m) = (2, 3), not {weights_check.shape}."
)
assert context_check.shape == (2, 5), (
    f"context, returned second, must have shape (n, d_v) = (2, 5), not {context_check.shape}."
)
assert np.allclose(weights_check.sum(axis=1), 1), (
    "Each query divides its attention among the keys: every row of the weights must sum to 1."
)
# 4 · log(a) / √4 = log(a²), so the first row goes by 1², 2², 5²: 1, 4 and 25 parts of 30.
assert np.allclose(weights_check[0], [1 / 30, 4 / 30, 25 / 30]), (
    f"The first query's weights must be [1, 4, 25] / 30 = [0.033 0.133 0.833], but yours are "
    f"{weights_check[0]}. What do you divide the scores by?"
)
assert np.allclose(context_check, weights_check @ V_check), (
    "Each context is the average of the rows of V, weighted by that query's attention weights."
)
print("scaled_dot_product_attention passes the visible checks.")

# %% [markdown]
# Let it run on four random tokens with eight features each, so all of `Q`, `K` and `V` are of shape
# `(4, 8)`. **Predict first:** what are the shapes of the two results, and what does each row of
# the first sum to?

# %%
rng = np.random.default_rng(seed=2017)
queries, keys, values = rng.normal(size=(3, 4, 8))

attention_weights, context = scaled_dot_product_attention(queries, keys, values)
print("attention weights", attention_weights.shape)
print(attention_weights)
print("\nsum of each row:", attention_weights.sum(axis=-1))
print("\ncontext", context.shape)
print(context)

# %% [markdown]
# Now with four different sizes, as a picture (white is 0, blue above, red below): `n = 2` queries,
# `m = 4` keys, `d_k = 3`, `d_v = 5`. The first query is 0 everywhere; it asks for nothing in particular.
# The second points the same way as the third key, and is 20 times as long.
#
# **Predict first:** what will the two rows of the attention weights look like, and which row of `V`
# will you find again in the context?

# %%
queries = np.array([[0, 0, 0], [0, 20, 0]], dtype=float)
keys = np.array([[1, 0, 0], [0, 0, 1], [0, 1, 0], [0.8, 0, -0.6]])
values = rng.normal(size=(4, 5))

attention_weights, context = scaled_dot_product_attention(queries, keys, values)
show_matrices(Q=queries, K=keys, V=values, weights=attention_weights, context=context)

# %% [markdown]
# ## 3. Self-attention: a sentence looks at itself
#
# Where do queries, keys and values come from? In *self*-attention, all three come from the same
# tokens. Each token is a row of `X`, and three matrices, learned in training, give it three roles:
#
# $$Q = X W_Q, \qquad K = X W_K, \qquad V = X W_V .$$
#
# The query is *what am I looking for?*, the key is *what can I be found by?*, and the value is
# *what do I hand over?* With `n` tokens of `d_model` features, `W_Q` and `W_K` have shape
# `(d_model, d_k)` and `W_V` has shape `(d_model, d_v)`.
#
# You have written the hard part already, and may call it. Mind which of the three sizes belongs
# under the square root, and the order of the two results: **first the weights, then the context**.


# %% solution="self_attention"
def self_attention(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Let every token attend to every token of the same sequence.

    X: tokens (n, d_model).  W_Q, W_K: (d_model, d_k).  W_V: (d_model, d_v).
    Returns (attention_weights, context) of shapes (n, n) and (n, d_v). Inputs are not changed.
    Source: Vaswani et al. 2017, §3.2.1 and §3.2.3.
    """
    ### BEGIN SOLUTION
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    ### END SOLUTION


# %% test="self_attention"
X_check = np.array([[1, 0], [0, 1], [1, 1]], dtype=float)  # three tokens, d_model = 2
W_Q_check = np.log([[1, 2, 1, 1], [3, 1, 1, 1]])  # d_k = 4
W_K_check = np.array([[2, 0, 0, 0], [0, 2, 0, 0]], dtype=float)
W_V_check = np.array([[5], [10]], dtype=float)  # d_v = 1
answer = self_attention(X_check, W_Q_check, W_K_check, W_V_check)
assert isinstance(answer, (tuple, list)) and [type(part) for part in answer] == 2 * [np.ndarray], (
    "Return two arrays: `return attention_weights, context`."
)
weights_check, context_check = answer
assert weights_check.shape == (3, 3), (
    f"attention_weights, returned first, must have shape (n, n) = (3, 3), not {weights_check.shape}."
)
assert context_check.shape == (3, 1), (
    f"context, returned second, must have shape (n, d_v) = (3, 1), not {context_check.shape}."
)
# The first token's query is log [1, 2, 1, 1]; its products with the keys, over √4: log 1, 2 and 2.
assert np.allclose(weights_check[0], [1 / 5, 2 / 5, 2 / 5]), (
    f"The first token's weights must be [1, 2, 2] / 5, but yours are {weights_check[0]}. Check which "
    "matrix makes the queries and which the keys, and the number under the root."
)
assert np.allclose(context_check[0], 11), (
    f"The first token's context must be (1 · 5 + 2 · 10 + 2 · 15) / 5 = 11, but yours is "
    f"{context_check[0, 0]:g}. The context averages the rows of X @ W_V."
)
print("self_attention passes the visible checks.")

# %% [markdown]
# ### Three words
#
# *The cat meowed.* Each word gets four features, written by hand so that we can read them: is it an
# article, a creature, a sound, something past? The three matrices are written by hand too. (In a
# real model nobody writes them. They are learned, and their columns rarely have such neat names.)
#
# - A query asks up to three questions (`d_k = 3`): *which thing? who did it? did what?*
# - A key says how well a word answers each of the three.
# - A value says two things about a word (`d_v = 2`): *how much of a creature* and *how much of a
#   sound* it is.
#
# **Predict first.** Read the comments. Which word will `meowed` look at most? And which word will
# `cat` look at?

# %%
words = ["The", "cat", "meowed"]

X_words = np.array(
    [  # article, creature, sound, past
        [1, 0, 0, 0],  # The
        [0, 1, 0, 0],  # cat
        [0, 0, 1, 1],  # meowed
    ],
    dtype=float,
)
W_Q_words = np.array(
    [  # which thing? who did it? did what?
        [2, 0, 0],  # an article asks: which thing?
        [0, 0, 1],  # a creature asks: did what?
        [0, 1, 0],  # a sound asks: who did it?
        [0, 1, 0],  # so does something past
    ],
    dtype=float,
)
W_K_words = np.array(
    [  # which thing? who did it? did what?
        [1, 0, 0],  # an article hints at a thing
        [2, 2, 0],  # a creature is a thing, and may have done it
        [0, 0, 1],  # a sound is something that was done
        [0, 0, 1],  # so is something past
    ],
    dtype=float,
)
W_V_words = np.array(
    [  # creature, sound
        [0, 0],
        [2, 0],
        [0, 2],
        [0, 0],
    ],
    dtype=float,
)

weights_words, context_words = self_attention(X_words, W_Q_words, W_K_words, W_V_words)
for word, row in zip(words, context_words, strict=True):
    print(f"context of {word:>6}: {row}")
show_weights(weights_words, words, words)

# %% [markdown]
# Read the heat map one *row* at a time: a row is one word dividing its attention, so each row sums
# to 1. Columns need not.
#
# Since values have two entries here, we can draw the averaging itself. Blue corners are what the
# words hand over, orange diamonds what they take home. An average with positive weights can't leave
# the triangle.

# %%
show_mixing(X_words @ W_V_words, context_words, words)

# %% [markdown]
# ### Written question: read the picture
#
# Look at the heat map, the printed context and the triangle.
#
# 1. What does the row `meowed` of the heat map say, in words?
# 2. What does the context of `meowed` say, and how does it follow from that row and the values?
# 3. `meowed` looks at `cat` more than `cat` looks at `meowed`. How can that be, when a dot product
#    is the same in both directions?
#
# Three or four sentences are enough.

# %% [markdown] written="interpret_attention" points=3
# 1. The row `meowed` says how this word divides its attention: 83% goes to `cat`, and 8% each to
#    `The` and to itself. Its query asks *who did it?*, and of the three keys only that of `cat`
#    answers.
# 2. Its context is about (1.67, 0.17), the average of the values (0, 0), (2, 0) and (0, 2) with
#    these weights: 0.83 · 2 = 1.67 and 0.08 · 2 = 0.17. So after attention, the vector of `meowed`
#    tells mainly of a creature: it has taken in who meowed, although its own value holds only sound.
#    In the triangle it has moved close to the corner of `cat`.
# 3. The weight of `meowed` on `cat` comes from the query of `meowed` and the key of `cat`; the weight
#    of `cat` on `meowed` from the query of `cat` and the key of `meowed`. Since `W_Q` and `W_K`
#    differ, these are two different dot products (4 and 2, before scaling). Each row is moreover
#    normalised on its own.
#
# **Rubric**
#
# - 1 point: reads the row as how one word (the query) divides its attention, and names `cat` as
#   getting by far the most. Not earned if rows and columns are mixed up.
# - 1 point: explains the context as the weighted average of the values and says what it means: it
#   is mostly "creature", taken over from `cat`.
# - 1 point: explains the asymmetry by different projections for query and key. "Softmax normalises
#   each row" alone earns no point: the scores differ before softmax.

# %% [markdown]
# ## 4. One token, every step
#
# Now slow down and follow a single token from its features to the output of the layer. Two tokens
# with four features, and integers everywhere, so that you can check every step with a pencil:

# %% setup="two_tokens"
X_two = np.array([[6, 1, 4, 4], [8, 4, 6, 3]], dtype=float)
W_Q_two = np.array([[1, 4, 3, 1], [1, 1, 3, 2], [3, 4, 4, 3], [1, 2, 2, 2]], dtype=float)
W_K_two = np.array([[2, 1, 2, 1], [4, 1, 4, 2], [3, 4, 4, 1], [3, 4, 1, 2]], dtype=float)
W_V_two = np.array([[4, 2, 4, 4], [3, 4, 1, 2], [2, 2, 4, 1], [4, 3, 1, 4]], dtype=float)

# %% [markdown]
# For token 0, in seven steps:
#
# | step | what | for token 0 of the example |
# |---|---|---|
# | `query` | the token's features through `W_Q` | `[23, 49, 45, 28]` |
# | `keys` | *every* token's features through `W_K` | `[40, 39, 36, 20]` and `[59, 48, 59, 28]` |
# | `values` | *every* token's features through `W_V` | `[51, 36, 45, 46]` and `[68, 53, 63, 58]` |
# | `scores` | the query times each key, over $\sqrt{d_k}$ | `[2505.5, 3574.0]` |
# | `weights` | softmax of the scores | `[0, 1]` |
# | `context` | the values, averaged by the weights | `[68, 53, 63, 58]` |
# | `output` | the token's own features **plus** the context | `[74, 54, 67, 62]` |
#
# Try the first number yourself: $6 \cdot 1 + 1 \cdot 1 + 4 \cdot 3 + 4 \cdot 1 = 23$.
#
# The last step is new. It is a **residual connection** (He et al. 2015; Vaswani et al. 2017, §3.1):
# the layer doesn't replace a token's features, it adds to them, so nothing is lost when
# attention has nothing useful to say. For the addition to work, `values` must have as many columns
# as `X`, so here `W_V` has shape `(d_model, d_model)`. `d_k` may still differ from `d_model`.
#
# Write this for any `X`, any matrices and any `token`, and return a dictionary with exactly the
# seven names of the table. You may use your functions from above, or spell everything out.


# %% solution="worked_example"
def worked_example(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, token: int
) -> dict[str, np.ndarray]:
    """Follow one token through self-attention and the residual connection.

    X: tokens (n, d_model).  W_Q, W_K: (d_model, d_k).  W_V: (d_model, d_model).
    token: which row of X, 0 ≤ token < n.
    Returns the steps by name: query (d_k,), keys (n, d_k), values (n, d_model), scores (n,)
    (already divided by √d_k), weights (n,), context (d_model,), output (d_model,).
    Inputs are not changed.
    Source: Vaswani et al. 2017, §3.2.1 and, for the residual, §3.1.
    """
    ### BEGIN SOLUTION
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query / np.sqrt(len(query))
    weights = softmax(scores)
    context = weights @ values
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
    ### END SOLUTION


# %% test="worked_example"
steps = worked_example(X_two, W_Q_two, W_K_two, W_V_two, 0)
table = {
    "query": [23, 49, 45, 28],
    "keys": [[40, 39, 36, 20], [59, 48, 59, 28]],
    "values": [[51, 36, 45, 46], [68, 53, 63, 58]],
    "scores": [2505.5, 3574.0],
    "weights": [0, 1],
    "context": [68, 53, 63, 58],
    "output": [74, 54, 67, 62],
}
assert isinstance(steps, dict), f"Return a dictionary, not {type(steps).__name__}."
assert set(steps) == set(table), (
    f"The dictionary must have exactly the names {list(table)}, but yours has {list(steps)}."
)
for name, numbers in table.items():
    assert np.shape(steps[name]) == np.shape(numbers), (
        f"{name!r} must be of shape {np.shape(numbers)}, but yours is of {np.shape(steps[name])}."
    )
    assert np.allclose(steps[name], numbers), (
        f"{name!r} is the first step that differs. The table says\n{numbers}\nbut you have\n{steps[name]}"
    )
last = worked_example(X_two, W_Q_two, W_K_two, W_V_two, 1)
assert np.allclose(last["query"], [33, 66, 66, 40]), (
    f"For `token=1`, the query must be [33, 66, 66, 40], but yours is {last['query']}. Which token is it "
    "made of, and how does your function know which one is asked for?"
)
assert np.array_equal(X_two, [[6, 1, 4, 4], [8, 4, 6, 3]]), (
    "Your function changed X. Make a new array for the output, then run the cell of X_two again."
)
print("worked_example passes the visible checks.")

# %%
for name, numbers in worked_example(X_two, W_Q_two, W_K_two, W_V_two, token=0).items():
    print(f"{name:>8}:", str(numbers).replace("\n", "\n" + " " * 10))

# %% [markdown]
# Had your softmax been the one-liner of part 1, the weights would have been `nan`: try
# `np.exp(2505.5)`.
#
# And look at what the residual does: token 0 gives *all* its attention to token 1, and still its own
# features are part of what goes on.

# %%
steps = worked_example(X_two, W_Q_two, W_K_two, W_V_two, token=0)
show_bars(
    {"own features": X_two[0], "+ context": steps["context"], "= output": steps["output"]},
    labels=["0", "1", "2", "3"],
)

# %% [markdown]
# ## 5. Why the square root?
#
# A weight of exactly 1, and nothing for the other token: with scores in the thousands, softmax has
# stopped sharing. Dividing by $\sqrt{d_k}$ was meant to prevent that, but it only
# does so for numbers that it was made for: vectors whose entries have mean 0 and variance 1, as those
# inside a network roughly have.
#
# Here is an experiment with such vectors. For growing $d_k$ it draws 500 queries and 500 keys and
# looks at three things, each for dot products as they are, divided by $\sqrt{d_k}$, and divided by
# $d_k$:
#
# - the **variance of the scores**,
# - the **largest weight** when each query chooses among ten keys,
# - the **slope of softmax** there: how much the largest weight $p$ still reacts when its score
#   changes, which is $\partial p / \partial \text{score} = p\,(1 - p)$. Training needs that reaction,
#   for gradients flow through it.
#
# **Predict first.** Which way keeps the variance the same for every $d_k$? Which ends up with one key
# taking everything, and which with all ten keys alike?

# %%
sizes = 4 ** np.arange(6)  # d_k = 1, 4, 16, 64, 256, 1024
scalings = {"as they are": lambda d: 1, "over √d_k": np.sqrt, "over d_k": lambda d: d}
found = {way: {"variance": [], "largest weight": [], "slope": []} for way in scalings}

rng = np.random.default_rng(seed=2017)
for d_k in sizes:
    dot_products = rng.normal(size=(500, d_k)) @ rng.normal(size=(500, d_k)).T
    for way, divisor in scalings.items():
        scores = dot_products / divisor(d_k)
        largest = softmax(scores[:, :10]).max(axis=-1)
        found[way]["variance"].append(scores.var())
        found[way]["largest weight"].append(largest.mean())
        found[way]["slope"].append((largest * (1 - largest)).mean())

panels = plt.subplots(1, 3, figsize=(11, 3.2), layout="constrained")[1]
for axes, quantity in zip(panels, found["over √d_k"], strict=True):
    for way, quantities in found.items():
        axes.plot(sizes, quantities[quantity], marker="o", label=way)
    axes.set_xscale("log", base=4)
    axes.set_xticks(sizes, sizes)
    axes.set(title=quantity, xlabel="$d_k$")
panels[0].set_yscale("log")
panels[0].legend()
panels[1].axhline(1 / 10, color="grey", linestyle=":")
panels[1].text(1, 0.03, "dotted: all ten keys alike", color="grey")
panels[1].set_ylim(0, 1.05)
panels[2].set_ylim(0, 0.25)
plt.show()

# %% [markdown]
# ### Written question: why $\sqrt{d_k}$?
#
# Use what the experiment showed. (Vaswani et al. 2017 give their own account in §3.2.1, footnote 4.)
#
# 1. Why does the variance of the unscaled scores grow with $d_k$, and how fast?
# 2. What would that do to the attention weights, and why is it bad for training?
# 3. Why then divide by $\sqrt{d_k}$ rather than by $d_k$?

# %% [markdown] written="why_scale" points=3
# 1. A dot product is a sum of $d_k$ products $q_i k_i$. If entries are independent with mean 0 and
#    variance 1, each product has mean 0 and variance 1, and variances of independent terms add up:
#    the score has variance $d_k$, a spread (standard deviation) of $\sqrt{d_k}$. In the first panel
#    the unscaled curve follows $d_k$ itself.
# 2. Softmax of widely spread scores gives nearly everything to the largest: the largest weight
#    approaches 1. There softmax is flat: $p(1 - p)$ goes to 0, so hardly any gradient reaches the queries and
#    keys, and the model can't learn to attend elsewhere.
# 3. Dividing scores by $c$ divides their variance by $c^2$. With $c = \sqrt{d_k}$ the variance becomes
#    $d_k / d_k = 1$, whatever $d_k$ is. With $c = d_k$ it becomes $1 / d_k$: the scores shrink to
#    almost nothing, the weights become almost equal, and attention no longer chooses.
#
# **Rubric**
#
# - 1 point: the score is a sum of $d_k$ terms, so its variance grows in proportion to $d_k$ (or: its
#   standard deviation like $\sqrt{d_k}$).
# - 1 point: large scores saturate softmax (nearly one-hot) **and** the gradients there vanish. Only one
#   of the two earns no point.
# - 1 point: $\sqrt{d_k}$ brings the variance back to 1, while dividing by $d_k$ makes it shrink (weights
#   nearly equal).

# %% [markdown]
# ## Where you are now
#
# You have written the attention of the Transformer. What it still lacks comes in the next assignment:
# several heads at once, a sense of word order, and layers stacked on layers, this time in PyTorch.
#
# Before you hand in: restart the kernel, run all cells, and see that every visible check passes.
#
# **Sources**
#
# - A. Vaswani et al., *Attention Is All You Need*, 2017: §3.1 (residual connections), §3.2.1
#   (scaled dot-product attention, equation 1 and footnote 4), §3.2.3 (self-attention).
# - K. He et al., *Deep Residual Learning for Image Recognition*, 2015 (residual connections).
