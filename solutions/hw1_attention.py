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
# ![The sentence The cat meowed because it was hungry, with arcs from the word it to all words. The thickest leads to cat, 80 percent.](pictures/hw1_attention.png)
#
# Read the sentence *"The cat meowed because it was hungry."* To understand **it**, you looked back
# at **cat**. Attention is how a neural network does that. You will build it from matrix products and
# exponentials, and in part 6 the picture above is drawn from *your* numbers.
#
# COLAB_BADGE

# %% setup="imports"
import numpy as np

np.set_printoptions(precision=3, suppress=True)

# %% [markdown]
# The next two cells are folded: a small model, pictures, checks. Run them and go on.

# %% folded="Behind the scenes: a small language model" include="shared/text_model.py"

# %% folded="Behind the scenes: pictures, checks, lending" include="shared/drawing.py, shared/workbench.py, shared/guesses.py, shared/texts.py, backstage/hw1_attention/pictures.py, backstage/hw1_attention/geyser.py, backstage/hw1_attention/model.py, backstage/hw1_attention/keepsake.py, backstage/hw1_attention/lent.py, locked notes"

# %% [markdown]
# ## First, something that works
#
# Here is a language model, small enough to live in this notebook: 166,016 numbers. All it ever read is
# Python's own manual. Write the beginning of a sentence, and the model continues it. (Make it one that you like: it comes
# back at the end, as a picture.) To find each word, the model looks back at what is there, and decides what matters: that
# is **attention**.

# %%
my_words = "Attention is"  # or "The function", "A class", "If the name is", …

show_texts({"a first try": go_on(my_words), "a second": go_on(my_words, seed=1)})

# %% [markdown]
# Nobody told it any grammar, not even that sentences end with a full stop.
#
# It also *reads*, piece by piece; a piece is called a *token*. The bar over each says, in bits, how much it surprised the
# model: 0 if the model was certain of it, 1 if it had given it a share of ½, 2 if ¼, and 9 if it guessed blindly among its
# 512 tokens. More than 9 is worse than blind: the model expected something else. Put a sentence of your own in place of
# the second.

# %%
surprised_by("The value of the attribute is returned by the method of the class.")
surprised_by("To be, or not to be, that is the question.")

# %% [markdown]
# You will write the function in the middle of this model. Then you put it in, and break it. What is graded takes two and a
# half hours; everything takes an hour more.

# %% [markdown]
# <details><summary><b>The plan</b>: what you write, points, and minutes</summary>
#
# | part | you write | points | minutes |
# |---|---|--:|--:|
# | 1 | `softmax` | POINTS_OF_softmax | 30 |
# | 2 | <code>scaled_dot_<wbr>product_attention</code> | POINTS_OF_scaled_dot_product_attention | 40 |
# | 3 | `self_attention` | POINTS_OF_self_attention | 15 |
# | | a short text: what do you see? | POINTS_OF_interpret_attention | 10 |
# | 4 | `worked_example` | POINTS_OF_worked_example | 30 |
# | 5 | a short text: why $\sqrt{d_k}$? | POINTS_OF_why_scale | 25 |
# | 6, 7 | nothing: the picture above and the model, with your attention inside | | 35 |
# | for later | three examples that catch wrong softmaxes, and two puzzles | | 30 |
# | | **in all** | **TOTAL_POINTS** | |
#
# </details>

# %% [markdown]
# <details><summary><b>The rules</b>: what is allowed, AI assistants, packages, handing in, and whom to ask</summary>
#
# | | |
# |:--|:--|
# | **You need** | Python with NumPy and matplotlib; with `ipywidgets` some pictures get sliders |
# | **Allowed** | ALLOWED_TOOLS |
# | **AI assistants** | AI_POLICY |
# | **You may also import** | MORE_PACKAGES |
# | **Hand in** | HAND_IN |
# | **Stuck?** | WHERE_TO_ASK |
#
# </details>

# %% [markdown] include="shared/how_it_works.md"

# %%
BORROW = False  # True: go on with PyTorch's functions (if it's installed) in place of your own

# %% [markdown]
# ## 1. Softmax: from scores to proportions
#
# The model gives each of its 512 tokens a *score*: any number at all, larger where the token fits better. To draw one,
# it needs *proportions*, which are positive and sum to 1. Softmax makes them:
#
# $$\operatorname{softmax}(x)_i = \frac{e^{x_i}}{\sum_j e^{x_j}}.$$
#
# The exponential makes everything positive and keeps the order; the division makes the sum 1. For the scores
# $[1, 2]$ the exponentials are about 2.72 and 7.39, so the proportions are $[0.27, 0.73]$.
#
# In code this looks like one line, and for small scores it is. **Predict first:** which two shares does the line below
# give for the scores 1000 and 0?


# %%
guess_of_the_shares = None  # such as [0.5, 0.5]


# %%
def one_line(scores):
    with np.errstate(over="ignore", invalid="ignore"):  # hush the warnings, keep the result
        return np.exp(scores) / np.exp(scores).sum()


print("1 and 0 get", one_line(np.array([1.0, 0.0])))
compare("1000 and 0 get", one_line(np.array([1000.0, 0.0])), guess_of_the_shares)
if guess_of_the_shares is not None:
    print("float64 ends at 1.8e308,\nand e to the power of 1000 is 2.0e434.")

# %% [markdown]
# Did you get a `nan`, *not a number*? What doesn't fit into a `float64` becomes $\infty$, and $\infty / \infty$ is not a
# number.
#
# The way out: adding the same constant $c$ to every score changes nothing,
#
# $$\frac{e^{x_i + c}}{\sum_j e^{x_j + c}} = \frac{e^c\, e^{x_i}}{e^c \sum_j e^{x_j}}
# = \operatorname{softmax}(x)_i,$$
#
# so you may move the scores to wherever the exponential is harmless. With $c = -990$, the scores 1000 and 999 become 10 and 9:
# the exponentials are 22026 and 8103, and the shares $[0.73, 0.27]$. Other rows need another $c$.
#
# ### Exercise: `softmax`
#
# - **In**: scores `x (..., n)`, `float64`, with any number of axes before the last, or none. **Out**: the same shape.
# - **Each row on its own**: along the **last axis** the shares sum to 1, even if one row holds thousands and the next
#   minus thousands.
# - **$-\infty$ gets exactly 0**, since $e^{-\infty} = 0$. This is how attention is told to ignore something. (Every
#   row has at least one finite score.)
# - **The input stays as it is**, in all exercises: `x -= ...` would change your caller's array.
# - *To think about:* which $c$ makes sure that no exponent is ever above 0, and that the denominator is never 0?
# - `keepdims=True` keeps a reduced axis, with length 1, so that the result still lines up with the array.
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_softmax
#
# </details>


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


# %% test="softmax" folded="Visible checks: softmax"
def ideas():
    scores = np.log(
        [[1.0, 2.0, 5.0], [1.0, 1.0, 2.0]]
    )  # e to the power of these: 1, 2, 5 and 1, 1, 2
    kept = scores.copy()
    answer = softmax(scores)
    yield (
        "a NumPy array comes back",
        isinstance(answer, np.ndarray),
        f"Yours is {type(answer).__name__}.",
    )
    yield "of the same shape", answer.shape == (2, 3), f"(2, 3) became {answer.shape}."
    yield (
        "each row sums to 1",
        np.allclose(answer.sum(axis=1), 1),
        f"Yours sum to {answer.sum(axis=1)}. "
        + (
            "Which numbers do you add up, and along which axis?"
            if np.isfinite(answer).all()
            else "How far did you move the scores before the exponential?"
        ),
    )
    yield (
        "shares are in proportion to e to the power of the score",
        np.allclose(answer, [[1 / 8, 2 / 8, 5 / 8], [1 / 4, 1 / 4, 2 / 4]]),
        f"The rows should be [1, 2, 5] / 8 and [1, 1, 2] / 4, but you return\n{answer}",
    )
    yield (
        "the input stays as it was",
        np.array_equal(scores, kept),
        "Your function changed it. Make a new array instead of writing into `x`.",
    )
    for hard in ([1000.0, 0.0], [0.0, 1000.0], [-1000.0, -1000.0]):
        with np.errstate(all="ignore"):
            answer = softmax(np.array(hard))
        yield (
            f"softmax({hard}) is finite",
            np.isfinite(answer).all(),
            f"You return {answer}. Move the scores before you take the exponential. How large is the "
            "largest one then?",
        )
    with np.errstate(all="ignore"):
        answer = softmax(np.array([[1000.0, 1000.0], [-1000.0, -1000.0]]))
    yield (
        "rows of very different size don't disturb each other",
        np.allclose(answer, 1 / 2),
        f"Both rows should be [0.5, 0.5], yours are\n{answer}\nBy how much is each row moved?"
        if not np.allclose(answer, 1 / 2, atol=1e-3)
        else f"Yours differ from [0.5, 0.5] by {np.abs(answer - 1 / 2).max():.1e}. What do you add?",
    )
    with np.errstate(all="ignore"):
        pairs = [softmax(np.array([score, -np.inf])) for score in (0.0, -2000.0)]
        tiny = max(pair[1] for pair in pairs)
    yield (
        "a score of -inf gets exactly 0, whatever the others are, and they share the rest",
        all(pair[1] == 0 and np.allclose(pair[0], 1) for pair in pairs),
        f"softmax([0, -inf]) is {pairs[0]}, softmax([-2000, -inf]) is {pairs[1]}."
        + (
            f" Beside -inf stands {tiny:.0e}, not 0."
            if 0 < tiny < 1e-3
            else " -2000 makes the difference: what is e to that?"
            if np.allclose(pairs[0], [1, 0])
            else " Both should be [1, 0]."
        ),
    )
    three_axes = np.zeros((2, 3, 4))
    yield (
        "with three axes, softmax works along the last",
        np.allclose(softmax(three_axes), 1 / 4),
        "Where all scores are 0, the four along the last axis should get a quarter each.",
    )


run_checks("softmax", ideas)

# %% [markdown]
# Here your softmax makes shares of the scores 1 to 4, times ¼, 1 and 4.

# %%
with needs("softmax"):
    scores = np.array([1.0, 2.0, 3.0, 4.0])
    charts = {f"{factor} · scores": softmax(factor * scores) for factor in (0.25, 1, 4)}
    show_shares(charts, labels=["1", "2", "3", "4"], below="the scores")

# %% [markdown]
# The *size* of the scores matters: it is the reason for a square root in the next part. It is also what the *temperature*
# of a language model changes. The model divides its scores by it, **your softmax** makes them shares, and one token is
# drawn. When does it have no choice left, and when do its words fall apart?


# %% folded="Play: a slider for the temperature of the model"
def draw_temperature(temperature=0.4):
    with needs("softmax"):
        likeliest, text = written_with(softmax, my_words, temperature, seed=3)
        title = f"{my_words} …   (temperature {temperature:g})"
        charts = {title: list(likeliest.values())}
        show_shares(charts, list(likeliest), below="the next token; · is a space")
        print(wrapped(text))
        if text_model.write_on(my_words, n=25, temperature=temperature, seed=3) == text:
            print("\n(Word for word what the model writes with a softmax of its own.)")


play(draw_temperature, temperature=[0.01, 0.1, 0.2, 0.4, 0.7, 1, 1.5, 2, 3])

# %% [markdown]
# <details><summary><b>After the run:</b> when has it no choice left?</summary>
#
# Divided by 0.01, a small lead of one score becomes a large one: the likeliest token gets nearly everything. Divided by 3,
# leads shrink, the shares even out, and tokens follow each other that hardly ever do.
# </details>

# %% [markdown]
# ## 2. Scaled dot-product attention: a soft look-up
#
# A Python dictionary compares your query with its keys, and returns the value of the one that matches. Attention does the
# same, softly: it compares the query with *all* keys, and returns an average of *all* values, in which well-matching keys
# count more. So something is found even where nothing matches exactly.
#
# Queries, keys and values are the rows of three matrices, and a dot product says how well a query and a key match
# (Vaswani et al. 2017, §3.2.1, equation 1):
#
# $$\operatorname{Attention}({\color{#1F6FC8}{Q}}, {\color{#C4500C}{K}}, {\color{#0B8043}{V}})
# = \underbrace{\operatorname{softmax}\!\left(\frac{{\color{#1F6FC8}{Q}}{\color{#C4500C}{K}}^\top}{\sqrt{d_k}}\right)}_{
# {\color{#8E44C6}{\text{attention weights}}}} {\color{#0B8043}{V}} .$$
#
# Each role keeps its colour in formulas and pictures; the ${\color{#C2257A}{\text{context}}}$ is what comes out.
#
# | | shape | a row is |
# |---|---|---|
# | `Q` | `(n, d_k)` | what one query looks for |
# | `K` | `(m, d_k)` | what one key offers to be found by |
# | `V` | `(m, d_v)` | what one key hands over when it is found |
# | attention weights | `(n, m)` | how one query divides its attention among the keys |
# | context | `(n, d_v)` | what one query takes home |
#
# By hand: the query $[2, 0, 0, 0]$ meets the keys $[1, 0, 0, 0]$ and $[0, 1, 0, 0]$, whose values are $[10]$ and $[20]$.
# The products are 2 and 0; over $\sqrt{4}$ the scores are 1 and 0; softmax makes the weights $[0.73, 0.27]$; the context
# is $0.73 \cdot 10 + 0.27 \cdot 20 = 12.7$.
#
# ### Exercise: `scaled_dot_product_attention`
#
# - `n`, `m`, `d_k` and `d_v` may all differ. Write the shapes below the formula, and you see what to transpose.
# - Return both, the weights first: `return attention_weights, context`. (PyTorch does it the other way round.)
# - Like your softmax, it should survive large scores.
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_scaled_dot_product_attention
#
# </details>


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


# %% test="scaled_dot_product_attention" folded="Visible checks: scaled_dot_product_attention"
def ideas():
    Q = np.array([[4.0, 0, 0, 0], [0, 4, 0, 0]])  # two queries,
    K = np.log([[1.0, 4, 1, 1], [2, 2, 1, 1], [5, 2, 1, 1]])  # three keys, d_k = 4,
    V = np.array([[80.0, 0, 0, 0, 8], [0, 80, 0, 0, 8], [0, 0, 80, 0, 8]])  # d_v = 5
    kept = [part.copy() for part in (Q, K, V)]
    answer = scaled_dot_product_attention(Q, K, V)
    two_arrays = isinstance(answer, (tuple, list)) and [type(part) for part in answer] == 2 * [
        np.ndarray
    ]
    yield (
        "two arrays come back",
        two_arrays,
        f"Return both: `return attention_weights, context`. Yours: {kind_of(answer)}.",
    )
    assert two_arrays  # or the rows of one would be taken for two
    weights, context = answer
    yield (
        "the weights come first, of shape (n, m)",
        weights.shape == (2, 3),
        f"Here n, m = 2, 3; the first thing that you return has the shape {weights.shape}.",
    )
    yield (
        "the context comes second, of shape (n, d_v)",
        context.shape == (2, 5),
        f"Here n, d_v = 2, 5; the second thing that you return has the shape {context.shape}.",
    )
    assert weights.shape == (2, 3)  # or the others would speak of something else
    yield (
        "each query divides its attention among the keys",
        np.allclose(weights.sum(axis=1), 1),
        f"Every row of the weights should sum to 1, yours sum to {weights.sum(axis=1)}.",
    )
    # 4 · log(a) / √4 = log(a²), so the first row goes by 1², 2², 5²: 1, 4 and 25 parts of 30.
    off = np.abs(weights[0] - np.array([1, 4, 25]) / 30).max()
    yield (
        "scores are products of query and key, divided by the right root",
        np.allclose(weights[0], [1 / 30, 4 / 30, 25 / 30]),
        f"The first query's weights should be [1, 4, 25] / 30 = [0.033, 0.133, 0.833], but yours are "
        f"{weights[0]}. "
        + (
            f"They are off by {off:.0e}: where are digits lost?"
            if off < 1e-2
            else "Check the products and the divisor."
            if np.allclose(weights.sum(axis=1), 1)
            else "Check the products, the divisor, and the axis of softmax."
        ),
    )
    yield (
        "each context is the average of the rows of V by these weights",
        np.allclose(context, weights @ V),
        f"With your weights it would be\n{weights @ V}\nbut you return\n{context}",
    )
    yield (
        "the inputs stay as they were",
        all(np.array_equal(*parts) for parts in zip((Q, K, V), kept, strict=True)),
        "Your function changed them. Make new arrays instead of writing into `Q`, `K` or `V`.",
    )
    # With d_k = 9, products of 0 and 3 log(3) are scores of 0 and log(3): one part and three of 4.
    wide = np.ones((1, 9)), np.log([9 * [1.0], 9 * [3.0]]) / 3, np.eye(2)
    weights = scaled_dot_product_attention(*wide)[0]
    yield (
        "another d_k has another root",
        np.allclose(weights, [1 / 4, 3 / 4]),
        f"With d_k = 9 the root is 3, and here the weights are 1/4 and 3/4; yours are {weights[0]}.",
    )
    with np.errstate(all="ignore"):
        weights = scaled_dot_product_attention(1000 * Q, K, V)[0]
    yield (
        "large scores are survived",
        np.isfinite(weights).all(),
        f"With queries 1000 times as large, you return\n{weights}\nIs it your `softmax` that you use, and does it pass its own checks?",
    )


run_checks("scaled_dot_product_attention", ideas)

# %% [markdown]
# Try it at once: the model goes on with your words, and each look back is one call of *your* function. Is it the first text
# again, word for word?

# %%
with needs("scaled_dot_product_attention"):
    show_texts({"with your attention": go_on(my_words, scaled_dot_product_attention)})

# %% [markdown]
# ### How soft is a soft look-up?
#
# Three keys at right angles, each of length 1, and a query that is **exactly the first key**. A dictionary would return
# the first value and nothing else. **Predict first:** what share does the first key get here, where $d_k = 4$? Then turn
# the dials: can you make the look-up as hard as a dictionary's?

# %%
guess_of_the_share = None  # from 0 to 1


# %% folded="Play: dials for the length and the direction of a query"
def draw_lookup(length=1.0, towards_second_key=0.0):
    with needs("scaled_dot_product_attention"):
        keys, values = np.eye(4)[:3], np.array([[9.0, 0, 1], [0, 9, 1], [5, 5, 1]])
        angle = towards_second_key * np.pi / 2
        query = length * (np.cos(angle) * keys[0] + np.sin(angle) * keys[1])
        weights, context = scaled_dot_product_attention(query[None], keys, values)
        asked = (length, towards_second_key) == (1, 0)
        if asked:
            compare("The first key gets", f"{weights[0, 0]:.2f}", guess_of_the_share, among=(0, 1))
        if not asked or guess_of_the_share is not None:
            show_lookup(query, keys, values, weights[0], context[0])


play(draw_lookup, length=(0.0, 20.0, 0.5), towards_second_key=(0.0, 1.0, 0.1))

# %% [markdown]
# <details><summary><b>After the run:</b> why isn't it more?</summary>
#
# A vector of length 1 is short: its products are at most 1, and softmax hardly notices. A network that wants to look
# *hard* has to learn long queries or keys.
# </details>
#
# ### A detour: ask a geyser
#
# Old Faithful doesn't erupt by the clock. Somebody watched 272 eruptions, and wrote down how many minutes each one lasted
# and how many passed until the next. Your function can read these notes: the lengths are the **keys**, the waits the
# **values**, and the eruption that you have just seen is the **query**.
#
# The nearer a length $k$ is to the length $q$ of the query, the better it should match. So we want a score that falls
# with the squared distance:
#
# $$-\tfrac{(q - k)^2}{2} = q k - \tfrac{k^2}{2} - \tfrac{q^2}{2}
# = {\color{#1F6FC8}{[q, 1]}} \cdot {\color{#C4500C}{[k, -\tfrac{k^2}{2}]}} - \tfrac{q^2}{2}.$$
#
# The last term is the same for every key, so softmax doesn't notice it. What remains is a product of query and key.
# The code makes each query 20 times as long, so that it looks hard. First, two rivals guess:

# %%
show_geyser({"the mean": the_mean, "the best straight line": the_line})
print(f"The mean of all waits is off by {errors_of(the_mean).mean():.1f} minutes")
print(f"on average, the best line by {errors_of(the_line).mean():.1f}.")

# %% [markdown]
# **Predict first:** the line was fitted to these points, and attention has learned nothing. By how many minutes is it off
# on average? (Each eruption asks all the others.)

# %%
guess_of_the_error = None  # in minutes


# %%
def look_back(keys, values, query, sharpness=20):
    K = np.stack([keys, -(keys**2) / 2], axis=1)  # (m, 2)
    Q = sharpness * np.array([[query, 1.0]])  # (1, 2)
    weights, context = scaled_dot_product_attention(Q, K, values[:, None])
    return weights[0], context[0, 0]


def ask_the_past(keys, values, query):
    return look_back(keys, values, query)[1]


with needs("scaled_dot_product_attention"):
    error = errors_of(ask_the_past).mean()
    compare("On average it is off by", f"{error:.1f} minutes", guess_of_the_error)


# %% folded="Play: how hard does it look, and where?"
def draw_geyser(sharpness=20, query=3.4):
    def ask(keys, values, query):
        return look_back(keys, values, query, sharpness)[1]

    with needs("scaled_dot_product_attention"):
        is_told = guess_of_the_error is not None
        off = f"off by {errors_of(ask).mean():.1f} minutes on average" if is_told else ""
        weights, _ = look_back(lasted, waited, query, sharpness)
        rivals = {"the best straight line": the_line, "context: what attention says": ask}
        show_geyser(rivals, off, query, weights)


sharpness = [0, 0.3, 1, 3, 20, 100, 1000, 1_000_000]
play(draw_geyser, sharpness=sharpness, query=(1.6, 5.1, 0.1))

# %% [markdown]
# <details><summary><b>After the run:</b> how hard should it look?</summary>
#
# At 0 it answers every query with the mean; at a million it is a dictionary, which repeats what followed the nearest length,
# chance and all. **Anything from 3 to 100 beats the line: it needs no careful tuning.**
# </details>

# %% [markdown]
# ## 3. Self-attention: a sentence looks at itself
#
# So far, keys and values were given. A Transformer **learns** what they should be. In *self*-attention all three come
# from the same tokens, the rows of `X`, and three matrices, learned in training, give each token three roles:
#
# $${\color{#1F6FC8}{Q}} = X W_Q, \qquad {\color{#C4500C}{K}} = X W_K, \qquad {\color{#0B8043}{V}} = X W_V .$$
#
# ### Exercise: `self_attention`
#
# - **In**: `n` tokens of `d_model` features, `X (n, d_model)`; `W_Q` and `W_K`, both `(d_model, d_k)`; `W_V (d_model, d_v)`.
# - **Out**: `(attention_weights, context)` of shapes `(n, n)` and `(n, d_v)`.
# - With your function from part 2, one line is left. If you write it out instead: which of the three sizes belongs under
#   the root?
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_self_attention
#
# </details>


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


# %% test="self_attention" folded="Visible checks: self_attention"
def ideas():
    X = np.array([[1, 0], [0, 1], [1, 1]], dtype=float)  # three tokens, d_model = 2
    W_Q = np.log([[1, 2, 1, 1], [3, 1, 1, 1]])  # d_k = 4
    W_K = np.array([[2, 0, 0, 0], [0, 2, 0, 0]], dtype=float)
    W_V = np.array([[5], [10]], dtype=float)  # d_v = 1
    kept = [part.copy() for part in (X, W_Q, W_K, W_V)]
    answer = self_attention(X, W_Q, W_K, W_V)
    two_arrays = isinstance(answer, (tuple, list)) and [type(part) for part in answer] == 2 * [
        np.ndarray
    ]
    yield (
        "two arrays come back",
        two_arrays,
        f"Return both: `return attention_weights, context`. Yours: {kind_of(answer)}.",
    )
    assert two_arrays  # or the rows of one would be taken for two
    weights, context = answer
    yield (
        "the weights come first, of shape (n, n)",
        weights.shape == (3, 3),
        f"Here n = 3; the first thing that you return has the shape {weights.shape}.",
    )
    yield (
        "the context comes second, of shape (n, d_v)",
        context.shape == (3, 1),
        f"Here n, d_v = 3, 1; the second thing that you return has the shape {context.shape}.",
    )
    assert weights.shape == (3, 3)  # or the others would speak of something else
    # The first token's query is log [1, 2, 1, 1]; its products with the keys, over √4: log 1, 2 and 2.
    yield (
        "queries meet keys, scaled",
        np.allclose(weights[0], [1 / 5, 2 / 5, 2 / 5]),
        f"The first token's weights should be [1, 2, 2] / 5, but yours are {weights[0]}. Check which "
        "matrix makes the queries and which the keys, the number under the root, and whatever else "
        "becomes of the scores.",
    )
    yield (
        "the context averages the rows of X @ W_V, by these weights",
        np.allclose(context, weights @ [[5], [10], [15]]),
        f"Here these rows are 5, 10 and 15. With your weights the contexts would be\n"
        f"{weights @ [[5], [10], [15]]}\nbut you return\n{context}",
    )
    yield (
        "every token asks its own question",
        np.allclose(weights[1], [3 / 7, 1 / 7, 3 / 7]),
        f"The second token's weights should be [3, 1, 3] / 7, but yours are {weights[1]}.",
    )
    yield (
        "the inputs stay as they were",
        all(np.array_equal(*parts) for parts in zip((X, W_Q, W_K, W_V), kept, strict=True)),
        "Your function changed them. Make new arrays instead.",
    )
    # With d_k = 9 the first token's products are 3 log(3) and 6 log(3), its scores log(3) and log(9).
    nine = np.ones((1, 9))
    weights = self_attention(np.array([[1.0], [2.0]]), nine, np.log(3) / 3 * nine, nine[:, :1])[0]
    yield (
        "another d_k has another root",
        np.allclose(weights[0], [1 / 4, 3 / 4]),
        f"With d_k = 9 the root is 3, and the first token's weights are 1/4 and 3/4; yours are {weights[0]}.",
    )
    with np.errstate(all="ignore"):
        weights = self_attention(1000 * X, W_Q, W_K, W_V)[0]
    yield (
        "large scores are survived",
        np.isfinite(weights).all(),
        f"With tokens 1000 times as large, the weights are\n{weights}\nIs it your `softmax` that you use, and does it pass its own checks?",
    )


run_checks("self_attention", ideas)

# %% [markdown]
# ### Three words
#
# *The cat meowed.* Each word gets four features: is it an article, a creature, a sound, something past? Here features and
# matrices are written by hand, so that we can read them:
#
# - A query asks up to three questions (`d_k = 3`). An article asks *which thing?*, a creature *did what?*, and both a
#   sound and something past ask *who did it?*
# - A key says how well a word answers each of the three.
# - A value says two things about a word (`d_v = 2`): how much of a creature, and how much of a sound it is.

# %%
words = ["The", "cat", "meowed"]
traits = ["article", "creature", "sound", "past"]
asked = ["which thing?", "who did it?", "did what?"]

X_words = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]])  # a row for each word
W_Q_words = np.array([[2.0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 0]])
W_K_words = np.array([[1.0, 0, 0], [2, 2, 0], [0, 0, 1], [0, 0, 1]])
W_V_words = np.array([[0.0, 0], [2, 0], [0, 2], [0, 0]])

show_written(
    traits,
    {
        "W_Q_words: it asks": ("query", asked, W_Q_words),
        "W_K_words: it answers": ("key", asked, W_K_words),
        "W_V_words: it hands over": ("value", ["creature", "sound"], W_V_words),
    },
)

# %% [markdown]
# **Predict first,** from the rows of `W_Q_words` and `W_K_words`: which word will `meowed` look at most, and which will
# `cat`?

# %%
guess_of_meowed = None  # such as "The"
guess_of_cat = None  # the same

# %%
with needs("self_attention"):
    weights_words, context_words = self_attention(X_words, W_Q_words, W_K_words, W_V_words)
    most = [words[row.argmax()] for row in weights_words]
    compare("meowed looks most at", most[2], guess_of_meowed, among=words)
    compare("cat looks most at", most[1], guess_of_cat, among=words)
    if None not in (guess_of_meowed, guess_of_cat):
        show_weights(weights_words, context_words, words, says=["creature", "sound"])

# %% [markdown]
# Each *row* of weights is one word dividing its attention, so each row sums to 1. Columns need not.
#
# Values have two entries here, so the averaging itself can be drawn; an average never leaves the triangle. The slider
# makes all queries longer: where do the diamonds go when nobody asks anything, and where when everybody insists?


# %% folded="Play: a slider for the length of the queries"
def draw_triangle(length=1.0):
    with needs("self_attention"):
        _, context = self_attention(X_words, length * W_Q_words, W_K_words, W_V_words)
        show_mixing(X_words @ W_V_words, context, words)


play(draw_triangle, length=(0.0, 5.0, 0.25))

# %% [markdown]
# ### The sentence, backwards
#
# Now the words arrive in another order: *meowed cat The*. **Predict first:** for how many of the three words
# does the context change?

# %%
guess_of_changed_words = None  # 0, 1, 2 or 3

# %%
with needs("self_attention"):
    _, forwards = self_attention(X_words, W_Q_words, W_K_words, W_V_words)
    _, backwards = self_attention(X_words[::-1], W_Q_words, W_K_words, W_V_words)
    changed = int((~np.isclose(forwards, backwards[::-1])).any(axis=1).sum())
    compare("Words whose context changes:", changed, guess_of_changed_words, among=(0, 3))
    if guess_of_changed_words is not None:
        show_orders(words, forwards, backwards, says=["creature", "sound"])

# %% [markdown]
# <details><summary><b>After the run:</b> what does attention know of order?</summary>
#
# Nothing: to it *dog bites man* and *man bites dog* are the same. The next assignment gives the words their places.
# </details>
#
# ### Written question: `interpret_attention`
#
# Look at the weights, the contexts and the triangle.
#
# 1. What does the row `meowed` of the weights say, in words?
# 2. What does the context of `meowed` say, and how does it follow from that row and the values?
# 3. `meowed` looks at `cat` more than `cat` looks at `meowed`. How can that be, when a dot product
#    is the same in both directions?
#
# Two sentences for each question are enough.

# %% [markdown] written="interpret_attention" points=3
# 1. The row `meowed` says how this word divides its attention: 83% goes to `cat`, and 8% each to
#    `The` and to itself. Its query asks *who did it?*, and of the three keys only that of `cat`
#    answers.
# 2. Its context is about (1.67, 0.17), the average of the values (0, 0), (2, 0) and (0, 2) with
#    these weights: 0.83 · 2 = 1.67 and 0.08 · 2 = 0.17. So after attention, the vector of `meowed`
#    is mostly *creature*: it has taken in who meowed, although its own value holds only sound. In
#    the triangle it has moved close to the corner of `cat`.
# 3. The weight of `meowed` on `cat` comes from the query of `meowed` and the key of `cat`; the
#    weight of `cat` on `meowed` from the query of `cat` and the key of `meowed`. Since `W_Q` and
#    `W_K` differ, these are two different dot products (4 and 2, before scaling). Each row is also
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
# ## 4. What is passed on
#
# What attention finds doesn't *replace* a token's features, it is **added** to them: a **residual connection** (He et al.
# 2015; Vaswani et al. 2017, §3.1).
#
# Here is all of attention for a single token. Six of its seven steps you have written before; the last is the sum. Tokens
# and matrices are small and whole, so that you can follow each number:

# %% setup="two_tokens"
X_two = np.array([[6, 1, 4, 4], [8, 4, 6, 3]], dtype=float)
W_Q_two = np.array([[1, 4, 3, 1], [1, 1, 3, 2], [3, 4, 4, 3], [1, 2, 2, 2]], dtype=float)
W_K_two = np.array([[2, 1, 2, 1], [4, 1, 4, 2], [3, 4, 4, 1], [3, 4, 1, 2]], dtype=float)
W_V_two = np.array([[4, 2, 4, 4], [3, 4, 1, 2], [2, 2, 4, 1], [4, 3, 1, 4]], dtype=float)

# %%
show_steps(X_two, W_Q_two, W_K_two, W_V_two, token=0)  # a map; your function will fill its places

# %% [markdown]
# <details><summary><b>The same as a table</b></summary>
#
# | step | what |
# |---|---|
# | `query` | the token's features through `W_Q` |
# | `keys` | *every* token's features through `W_K` |
# | `values` | *every* token's features through `W_V` |
# | `scores` | the query times each key, over $\sqrt{d_k}$ |
# | `weights` | softmax of the scores |
# | `context` | the values, averaged by the weights |
# | `output` | the token's own features **plus** the context |
#
# </details>
#
# **Predict first:** with both tokens at 3% of their size, the two scores of token 0 are 2.255 and 3.217. What are its two
# weights, to two decimals?

# %%
guess_of_the_weights = None  # such as [0.4, 0.6]

# %% [markdown]
# ### Exercise: `worked_example`
#
# - **In**: any `X (n, d_model)`, the three matrices, and the index `token` of a row of `X`. For the sum, `W_V` has the
#   shape `(d_model, d_model)` here; `d_k` may still differ.
# - **Out**: a dictionary with exactly the seven names of the map, or of the table. You may use your functions from above,
#   or spell everything out.
#
# In grading, each step is compared with what your own earlier steps make of it, so one slip costs one step. The checks
# below compare with the right numbers: begin with the first ✗.
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_worked_example
#
# </details>


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


# %% test="worked_example" folded="Visible checks: worked_example"
def ideas():
    kept = np.array([[6, 1, 4, 4], [8, 4, 6, 3]], dtype=float)  # whatever became of X_two
    X, others = kept.copy(), (W_Q_two, W_K_two, W_V_two)
    steps = worked_example(X, *others, 0)
    table = {
        "query": [23, 49, 45, 28],
        "keys": [[40, 39, 36, 20], [59, 48, 59, 28]],
        "values": [[51, 36, 45, 46], [68, 53, 63, 58]],
        "scores": [2505.5, 3574.0],
        "weights": [0, 1],
        "context": [68, 53, 63, 58],
        "output": [74, 54, 67, 62],
    }
    changed = not np.array_equal(X, kept)
    yield "a dictionary comes back", isinstance(steps, dict), f"Yours is {type(steps).__name__}."
    yield (
        "with exactly the seven names",
        set(steps) == set(table),
        f"It should have {list(table)}, but yours has {list(steps)}.",
    )
    for name, numbers in table.items():
        same_shape = np.shape(steps[name]) == np.shape(numbers)
        yield (
            f"{name} of token 0",
            same_shape and np.allclose(steps[name], numbers),
            f"It should be\n{np.array(numbers)}\nbut you have\n{steps[name]}",
        )
    weights = worked_example(0.02 * kept, *others, 0)["weights"]
    yield (
        "weights of token 0, where both tokens are small",
        np.allclose(weights, [0.395, 0.605], atol=1e-3),
        f"With both at 2% of their size they should be [0.395 0.605], but you have\n{weights}\n"
        "What are the scores there, and what becomes of them?",
    )
    narrow = worked_example(0.02 * kept, W_Q_two[:, :2], W_K_two[:, :2], W_V_two, 0)["weights"]
    yield (
        "and where queries and keys have two columns",
        np.allclose(narrow, [0.438, 0.562], atol=1e-3),
        f"With d_k = 2 they should be [0.438, 0.562], but you have\n{narrow}\nWhich size is under the root?",
    )
    query = worked_example(kept.copy(), *others, 1)["query"]
    yield (
        "another token has another query",
        np.allclose(query, [33, 66, 66, 40]),
        f"For `token=1` it should be [33, 66, 66, 40], but yours is {query}. Which token is it made from, "
        "and where does your function use `token`?",
    )
    yield (
        "X stays as it was",
        not changed,
        "Your function changed it. Make a new array for the output.",
    )


run_checks("worked_example", ideas)

# %% [markdown]
# Now your numbers fill the map, with both tokens shrunk to 3%. The slider makes them larger. From which size on does
# token 0 keep nothing of its attention for itself?


# %% folded="Play: every number, and a slider for the size of the tokens"
def draw_steps(size=0.03):
    with needs("worked_example"):
        X = size * X_two
        steps = worked_example(X, W_Q_two, W_K_two, W_V_two, token=0)
        weights = steps["weights"].round(2).tolist()
        if size == 0.03:
            compare("The weights are", tuple(weights), guess_of_the_weights)
        if size != 0.03 or guess_of_the_weights is not None:
            show_steps(X, W_Q_two, W_K_two, W_V_two, token=0, steps=steps)
            print(f"Part 1's one line makes {one_line(steps['scores'])}.")


play(draw_steps, size=[0.01, 0.03, 0.05, 0.1, 0.3, 1])

# %% [markdown]
# <details><summary><b>After the run:</b> why so soon?</summary>
#
# A score is a product of two vectors, so it grows with the *square* of the tokens' size: at 0.03 token 0 keeps 28%, at 0.05
# 6%, at 0.1 nothing. The root knows $d_k$, but not how large the tokens are. (In homework 2, a layer norm
# gives all of them one size.)
# </details>
#
# ### Why add?
#
# At size 1, token 0 gives *all* its attention to token 1: without the sum, nothing of it would be left. Does that matter? Six
# tokens go through layers with random matrices, once with the sum (`output`), once without (`context`). How alike two
# tokens are is the cosine of the angle between them: 1 if they point the same way. At the start the
# average is −0.05. **Predict first:** what is it after two layers without the sum?

# %%
guess_of_the_likeness = None  # from -1 to 1

# %%
with needs("worked_example"):
    stacks = {}
    for step in ("context", "output"):
        rng = np.random.default_rng(seed=0)
        X, stacks[step] = rng.normal(size=(6, 12)), []
        for _ in range(5):
            stacks[step].append(X)
            W_Q, W_K, W_V = rng.normal(size=(3, 12, 12)) / np.sqrt(12)
            X = np.stack([worked_example(X, W_Q, W_K, W_V, token)[step] for token in range(6)])
    alike = f"{likeness_of(stacks['context'][2]):.2f}"
    compare("After two layers without the sum:", alike, guess_of_the_likeness, among=(-1, 1))
    if guess_of_the_likeness is not None:
        both = {"without": stacks["context"], "with the sum": stacks["output"]}
        show_stacks(both, after=range(5))

# %% [markdown]
# <details><summary><b>After the run:</b> where did the tokens go?</summary>
#
# Averages of averages soon become one and the same (Dong et al. 2021 prove how fast). The sum keeps each token's own voice:
# that slows this down, but doesn't stop it (0.99 after 12 layers).
# </details>

# %% [markdown]
# ## 5. Why the square root?
#
# In part 4, softmax gave weight to both tokens only when they were small, although the scores were divided by
# $\sqrt{d_k}$. The root assumes vectors whose entries have mean 0 and variance 1 (their spread, squared), as is roughly
# true inside a network.
#
# Here is an experiment with 500 such queries and keys. For growing $d_k$ it takes their products as they are, over
# $\sqrt{d_k}$, and over $d_k$, and measures
#
# - the **variance of the scores**,
# - the **largest weight**, $p$, when each query chooses among ten keys,
# - the **slope of softmax** there, $p\,(1 - p)$: how strongly $p$ still reacts when its score changes. A network learns from
#   what small changes do (its *gradients*): where this slope is 0, it can't learn.
#
# **Predict first.** With $d_k = 1024$ and no division, what share does the largest of ten keys get on
# average? (Ten equal keys would get 0.1 each.)

# %%
guess_of_the_largest_weight = None  # from 0.1 to 1

# %%
sizes = 4 ** np.arange(6)  # d_k = 1, 4, 16, 64, 256, 1024
scalings = {"as they are": lambda d: 1, "over √d_k": np.sqrt, "over d_k": lambda d: d}
found = {way: {"variance": [], "largest weight": [], "slope": []} for way in scalings}

with needs("softmax"):
    rng = np.random.default_rng(seed=2017)
    for d_k in sizes:
        dot_products = rng.normal(size=(500, d_k)) @ rng.normal(size=(500, d_k)).T
        for way, divisor in scalings.items():
            scores = dot_products / divisor(d_k)
            largest = softmax(scores[:, :10]).max(axis=-1)
            found[way]["variance"].append(scores.var())
            found[way]["largest weight"].append(largest.mean())
            found[way]["slope"].append((largest * (1 - largest)).mean())

    largest = f"{found['as they are']['largest weight'][-1]:.2f}"
    compare("The largest weight is", largest, guess_of_the_largest_weight, among=(0.1, 1))
    if guess_of_the_largest_weight is not None:
        show_experiment(sizes, found)

# %% [markdown]
# ### Written question: `why_scale`
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
# ## 6. What does *it* look at?
#
# Back to the sentence that this notebook began with: your function draws its picture. The words get five features, and
# the matrices are again written by hand. A pronoun asks *who?*, and so does a feeling: somebody must be hungry.

# %% folded="A lexicon, features, and three matrices"
features = ["article", "creature", "deed", "pronoun", "feeling"]
lexicon = {
    "article": ["the", "a"],
    "creature": ["cat", "dog", "mouse", "bird", "girl", "boy"],
    "deed": ["meowed", "barked", "squeaked", "sang", "slept", "ran", "ate"],
    "pronoun": ["it", "she", "he"],
    "feeling": ["hungry", "tired", "happy", "cold", "afraid"],
}
W_Q_it = np.array(
    [  # which thing? who? did what?
        [2, 0, 0],  # an article asks: which thing?
        [0, 0, 2],  # a creature asks: did what?
        [0, 2, 0],  # a deed asks: who?
        [0, 2, 0],  # a pronoun asks: who?
        [0, 2, 0],  # a feeling asks: who?
    ],
    dtype=float,
)
W_K_it = np.array(
    [  # which thing? who? did what?
        [0, 0, 0],
        [3, 3, 0],  # a creature is a thing, and somebody
        [0, 0, 3],  # a deed was done
        [0, 1, 0],  # a pronoun hints at somebody
        [0, 0, 1],  # a feeling is nearly a deed
    ],
    dtype=float,
)
W_V_it = np.eye(5)  # each word hands over its features

questions = ["which thing?", "who?", "did what?"]
show_written(
    features,
    {
        "W_Q_it: it asks": ("query", questions, W_Q_it),
        "W_K_it: it answers": ("key", questions, W_K_it),
        "W_V_it: it hands over": ("value", features, W_V_it),
    },
)


def features_of(word):
    """Return the features of a word, (5,); of a word that isn't in the lexicon, zeros."""
    return [float(word.lower().strip(".,!?") in lexicon[feature]) for feature in features]


def look_from(looking, sentence):
    """Draw what a word of a sentence looks at; return the sentence's weights and contexts."""
    words = sentence.split()
    X = np.array([features_of(word) for word in words])
    weights, context = self_attention(X, W_Q_it, W_K_it, W_V_it)
    show_looks(words, weights, words.index(looking))
    return weights, context


# %%
with needs("self_attention"):
    weights_it, context_it = look_from("it", "The cat meowed because it was hungry")
    found = sorted(zip(context_it[4], features, strict=True), reverse=True)
    print("it takes home:\n", ", ".join(f"{share:.2f} {feature}" for share, feature in found))

# %% [markdown]
# The picture from the top, 80% and all, yet no line names `it` and `cat` together. A question that we wrote (a *pronoun* asks *who?*) met an answer that we wrote (a
# *creature* answers *who?*). Training writes both.
#
# **Predict first:** in *A dog barked because a cat ran and it was afraid*, which one does `it` look at most?

# %%
guess_of_the_creature = None  # "dog", "cat" or "both alike"

# %%
with needs("self_attention"):
    both = "A dog barked because a cat ran and it was afraid"
    X = np.array([features_of(word) for word in both.split()])
    dog, cat = self_attention(X, W_Q_it, W_K_it, W_V_it)[0][8, [1, 5]]
    found = "both alike" if np.isclose(dog, cat) else "dog" if dog > cat else "cat"
    compare("Most looked at:", found, guess_of_the_creature, among=["dog", "cat", "both alike"])
    if guess_of_the_creature is not None:
        look_from("it", both)

# %% [markdown]
# <details><summary><b>After the run:</b> why?</summary>
#
# Both creatures have the same key. A human reader decides by meaning, or by which is nearer. This attention knows
# neither.
# </details>

# %% [markdown]
# Now your own sentence, and the word that looks. (Add words to the lexicon, if you like.)


# %% folded="Play: attention in your own sentence"
def draw_sentence(sentence="The girl sang because she was happy", word="she"):
    with needs("self_attention"):
        words = sentence.split()
        X = np.array([features_of(each) for each in words])
        looking = place_of(word, words)
        if looking is not None:
            weights, _ = self_attention(X, W_Q_it, W_K_it, W_V_it)
            show_looks(words, weights, looking)
            unknown = [each for each, row in zip(words, X, strict=True) if not row.any()]
            mention_unknown(unknown, known={name for names in lexicon.values() for name in names})


play(draw_sentence)

# %% [markdown]
# ## 7. The model, with your attention inside
#
# The model has two layers, and in each, four attentions side by side (homework 2 calls them *heads*) look back at
# the text, with the keys and values of all tokens up to now. (So a model that writes never sees the future: it isn't there
# yet.)


# %% folded="Check: the model speaks as before"
def ideas():
    not_borrowed("scaled_dot_product_attention")
    for words in dict.fromkeys(("Attention is", my_words)):
        before = text_model.write_on(words)
        now = text_model.write_on(words, scaled_dot_product_attention)
        same = next(
            (i for i, pair in enumerate(zip(before, now, strict=False)) if len(set(pair)) > 1), None
        )
        yield (
            f"after {words!r} it writes the same text as with its own attention",
            before == now,
            f"They part after {before[:same]!r}: {now[same:]!r} in place of {before[same:]!r}.",
        )
    before, now = bits_of(None), bits_of(scaled_dot_product_attention)
    yield (
        f"it is surprised as much as before: {before:.3f} bits a token",
        abs(before - now) < 1e-6,
        f"With yours it takes {now:.3f}.",
    )


try_ideas("The model with your attention", ideas)

# %% [markdown]
# ### What training wrote
#
# In part 6 we wrote the questions and the answers. In the model, training did.
#
# At the top, *ed* had hardly a bar: the model knew that it follows *The value of the attribute is return*. How?
# **Predict first:** once *return* has been read, which token do most of the eight heads look at?

# %%
guess_of_the_look = None  # one of the seven pieces, such as "value"

# %%
with needs("scaled_dot_product_attention"):
    tokens, looks, shares = looks_after(
        "The value of the attribute is return", scaled_dot_product_attention
    )
    votes = [tokens[row.argmax()] for row in looks]
    most = max(tokens, key=votes.count)
    found = f"{most} ({votes.count(most)} of {len(votes)})"
    compare("Most heads look at:", found, guess_of_the_look, among=tokens)
    if guess_of_the_look is not None:
        show_heads_after(tokens, looks, shares)

# %% [markdown]
# The next picture has *can* in place of *is*: what changes? Now change the beginning, until the model is likely to
# write *returns*.


# %% folded="Play: what the heads look at in a beginning of yours"
def draw_heads_after(beginning="The value of the attribute can return"):
    with needs("scaled_dot_product_attention"):
        show_heads_after(*looks_after(beginning, scaled_dot_product_attention))


play(draw_heads_after)

# %% [markdown]
# <details><summary><b>After the run:</b> has it learned grammar?</summary>
#
# A little: *is* or *are* asks for *returned*, *can* for an article, and *The method return* goes on with *s*. Not every
# head can be read, though.
# </details>

# %% [markdown]
# ### Looking isn't needing
#
# Most heads look at *is*. Do they need it? Two experiments on the same beginning, where *ed* gets 97%. First, one of the
# eight heads is **silenced**: it takes home zeros. Then one word is **hidden** from all heads, but only when the last token
# looks back. **Predict first:** to what share does *ed* fall, at worst, in each?

# %%
guess_of_a_silent_head = None  # in %
guess_of_a_hidden_word = None  # in %


# %% folded="Without a head, and without a word"
with needs("scaled_dot_product_attention"):
    looking = scaled_dot_product_attention
    amounts = {"the worst head": 1, "the worst two": 2, "all eight heads": 8}
    without_heads = {name: worst_without(looking, heads) for name, heads in amounts.items()}
    without_word = {piece: share_of_ed(looking, hidden=j) for j, piece in enumerate(PIECES[:-1])}
    for what, left, guess in (
        ("head", without_heads["the worst head"], guess_of_a_silent_head),
        ("word", min(without_word.values()), guess_of_a_hidden_word),
    ):
        compare(f"The worst {what} to lose leaves", f"{left}%", guess, among=(0, 100))
    if None not in (guess_of_a_silent_head, guess_of_a_hidden_word):
        whole = {"nothing": share_of_ed(looking)}
        title = "The share of ed, without …"
        show_bars_of(whole | without_heads, title, unit="%", left=120, full=100)
        title = "The share of ed, if the last look can't see …"
        show_bars_of(whole | without_word, title, unit="%", left=120, full=100)

# %% [markdown]
# <details><summary><b>After the run:</b> what does the model need?</summary>
#
# The word matters, and no single head is indispensable, since others look at *is* as well. Even head 1 of layer 0, which
# gives *is* 92%, can go: 94% is left. And *attribute*, to which head 1 of layer 1 gives 91%? Hidden, it *raises* *ed* from
# 97% to 99%. So a heat map of one head says little about what the model needs.
#
# Without any head, 31% is left, since *ed* often follows *return*. Without *is* it is less, although
# only the last look misses it.
# </details>

# %% [markdown]
# ### Break it
#
# The model learned with attention as it should be. Now it gets yours with one thing wrong:
#
# - **no root**: the scores aren't divided at all;
# - **d_k**: they are divided by $d_k = 16$, not by its root;
# - **all alike**: every token gets the same weight;
# - **only the best**: the largest score gets everything;
# - **only itself**: each token looks at itself alone.
#
# **Predict first:** which one costs most bits a token? (Add one of your own to `BROKEN`: it gets a bar.)

# %%
guess_of_the_worst = None  # one of them, such as "no root"


# %%
BROKEN = {
    "no root": lambda Q, K, V: scaled_dot_product_attention(np.sqrt(K.shape[-1]) * Q, K, V),
    "d_k": lambda Q, K, V: scaled_dot_product_attention(Q / np.sqrt(K.shape[-1]), K, V),
    "all alike": lambda Q, K, V: scaled_dot_product_attention(0 * Q, K, V),
    "only the best": lambda Q, K, V: scaled_dot_product_attention(1e6 * Q, K, V),
    "only itself": lambda Q, K, V: scaled_dot_product_attention(Q, K[-1:], V[-1:]),
}

# %% folded="What each costs"
with needs("scaled_dot_product_attention"):
    right = bits_of(scaled_dot_product_attention)
    extra = {way: bits_of(attention) - right for way, attention in BROKEN.items()}
    worst, *others = sorted(extra, key=extra.get, reverse=True)
    compare("Most costly:", worst, guess_of_the_worst, among=list(BROKEN))
    if guess_of_the_worst is not None:
        title = f"Extra bits a token, in four texts ({right:.1f} with right attention)"
        ordered = {way: extra[way] for way in (worst, *others)}
        show_bars_of(ordered, title, unit=" bits", first=TEAL)
        sentence = "The value of the attribute is returned by the method of the class."
        surprised_by(sentence, scaled_dot_product_attention, broken=BROKEN[worst])
        ways = {"with yours": scaled_dot_product_attention, f"with “{worst}”": BROKEN[worst]}
        show_texts({way: go_on(my_words, look) for way, look in ways.items()})

# %% [markdown]
# <details><summary><b>After the run:</b> what do the bars say?</summary>
#
# A model learns *with* its attention, so both too little and too much scaling hurt. Not looking back hurts most: *return*
# can't see *is* any more, and *ed* comes as a surprise. Yet not every token needs the look: *the* after the first *of*
# costs as much without it.
# </details>

# %% [markdown]
# ### Yours to keep
#
# Clockwise from the top: the words that you wrote first, and what the model wrote after them. Each thread is a look back
# by **your** attention (the heads' average, from 3% on), and each word's strongest is bold. The larger a word, the more
# the later ones looked at it. A right click saves the picture.

# %%
my_name = ""  # it signs the picture

with needs(own="scaled_dot_product_attention"):
    show_keepsake(my_words, scaled_dot_product_attention, my_name)

# %% [markdown]
# ## Where you are now
#
# You have written the attention of the Transformer. What it still lacks comes in the next assignment, in PyTorch:
# several heads at once, a sense of word order, and the rest of a layer.
#
# **Before you hand in**: set `BORROW` back to `False`, restart the kernel, and run all cells: every visible check should
# pass.
#
# ## For later
#
# ### Examples that catch: `softmax_examples`
#
# The grader has ten softmaxes that are wrong, though somebody believed in each. How many can **three examples** of yours
# catch? An example is a pair: scores, and a function (by `lambda` or `def`) that says whether a result may be right.
#
# This one catches a softmax that forgets to divide, but not one that divides the scores by their sum, without any
# exponential: equal scores hide a lot.
#
# ```python
# (np.array([5.0, 5.0]), lambda result: np.allclose(result, [0.5, 0.5]))
# ```
#
# - **In**: nothing. **Out**: a list of three such pairs, `[(scores, holds), …]`.
# - `scores`: up to 1000 numbers with any number of axes; some may be `-np.inf`.
# - `holds(result)` returns `True` or `False`. Right softmaxes must pass, and they may differ in the last digits: compare by
#   `np.allclose`.


# %% solution="softmax_examples"
def softmax_examples():
    """Return three examples for a softmax: a list of pairs (scores, holds).

    scores: an array (..., n) of up to 1000 numbers, some of which may be -inf.
    holds: a function that takes what a softmax returns for these scores, an array (..., n), and
    returns True if that may be right and False if it can't be.
    """
    ### BEGIN SOLUTION
    by_hand = np.array([[1, 2, 5], [1, 1, 2]]) / np.array([[8], [4]])
    on_two_levels = np.array([[1000.0, 1000.0, 0.0], [-1000.0, -1000.0, -np.inf]])
    return [
        (np.log([[1, 2, 5], [1, 1, 2]]), lambda result: np.allclose(result, by_hand)),
        (on_two_levels, lambda result: np.allclose(result, [0.5, 0.5, 0])),
        (np.zeros((2, 3, 4)), lambda result: np.allclose(result, 1 / 4)),
    ]
    ### END SOLUTION


# %% [markdown]
# Three of the ten are tried at once, and so is your own softmax. The others stay hidden.


# %% test="softmax_examples" folded="Visible checks: softmax_examples"
def ideas():
    wrong = {
        "divides the scores by their sum": lambda x: np.apply_along_axis(
            lambda row: row / row.sum(), -1, x
        ),
        "gives all to the largest": lambda x: np.apply_along_axis(
            lambda row: (row == row.max()) / np.sum(row == row.max()), -1, x
        ),
        "divides by the sum of all in the array": lambda x: np.exp(x) / np.exp(x).sum(),
    }
    examples = softmax_examples()
    are_pairs = isinstance(examples, (list, tuple)) and all(
        isinstance(each, (list, tuple)) and len(each) == 2 for each in examples
    )
    yield (
        "three pairs come back",
        are_pairs and len(examples) == 3,
        "Return a list of three pairs, [(scores, holds), …]: you return "
        f"{type(examples).__name__}{f' of {len(examples)}' if are_pairs else ''}.",
    )
    if not are_pairs:
        return
    for number, (scores, holds) in enumerate(examples, 1):
        is_array = isinstance(scores, np.ndarray) and scores.dtype.kind in "iuf" and scores.ndim > 0
        is_array = is_array and scores.size <= 1000 and np.isfinite(scores).any(axis=-1).all()
        yield (
            f"example {number}: scores and a function",
            is_array and callable(holds),
            "The first part should be an array of up to 1000 numbers with a finite one in each row, the "
            "second a function, such as `lambda result: …`. Yours are "
            f"{type(scores).__name__} and {type(holds).__name__}.",
        )
        if not (is_array and callable(holds)):
            return
        try:
            answer = holds(np.full(scores.shape, 0.5))
        except AssertionError:  # another way to say no
            answer = False
        yield (
            f"example {number}: the function says True or False",
            isinstance(answer, (bool, np.bool_)),
            f"For a result of shape {scores.shape} it returns {answer!r}. Is there a `return`? And of several "
            "entries, `np.allclose(…)` or `(…).all()` say whether all of them hold.",
        )
        if not isinstance(answer, (bool, np.bool_)):
            return

    def passes(softmax, scores, holds):
        try:
            with np.errstate(all="ignore"):
                return holds(softmax(scores.astype(float)))
        except Exception:
            return False

    for words, softmax_of_somebody in wrong.items():
        catching = [n for n, e in enumerate(examples, 1) if not passes(softmax_of_somebody, *e)]
        yield (
            f"a softmax that {words} is caught" + (f" by {catching}" if catching else ""),
            bool(catching),
            "All your examples let it pass. For which scores can you say by hand what should come out?",
        )
    if "softmax" in globals() and not is_unsolved("softmax"):
        failing = [n for n, e in enumerate(examples, 1) if not passes(softmax, *e)]
        yield (
            "your own softmax passes your examples",
            not failing,
            f"It doesn't pass {failing}. One of the two is wrong, your example or your softmax: which?",
        )


run_checks("softmax_examples", ideas, graded=False)

# %% [markdown]
# ### An impostor
#
# Not graded. Below are the weights of three functions, rounded, each for two queries and three keys. Two are yours, one
# belongs to somebody who made a mistake. **Which one, and how do you know?** (Another `puzzle` gives another case.)

# %%
guess_of_the_impostor = None  # "A", "B" or "C"
puzzle = 6

# %%
with needs("scaled_dot_product_attention"):
    impostor, why = show_impostors(puzzle, scaled_dot_product_attention)
    if guess_of_the_impostor is None:
        print("Write your guess into the cell above, and run both again.")
    else:
        compare("The impostor is", impostor, guess_of_the_impostor, among=["A", "B", "C"])
        print(wrapped(why))

# %% [markdown]
# ### Teach `was` to look at `hungry`
#
# Add a feature, `link`, for *was* and *because*; a question, *how does it feel?*; and what each matrix needs, so that
# **`was` looks at `hungry` most, while `it` still looks at `cat`**. Start from the empty matrices here.

# %%
more_features = [*features, "link"]
more_lexicon = lexicon | {"link": []}  # which words?
W_Q_more = np.zeros((6, 4))  # which thing? who? did what? how does it feel?
W_K_more = np.zeros((6, 4))


# %% folded="Checks of the ungraded task"
def looks_of_the_task():
    words = ["the", "cat", "meowed", "because", "it", "was", "hungry"]
    X = np.array([[float(word in more_lexicon[name]) for name in more_features] for word in words])
    return words, self_attention(X, W_Q_more, W_K_more, np.eye(6))[0]


def ideas():
    if not W_Q_more.any():
        raise NotImplementedError("W_Q_more: your turn")
    words, weights = looks_of_the_task()
    for looking, wanted in (("was", "hungry"), ("it", "cat")):
        row = weights[words.index(looking)]
        others = [share for word, share in zip(words, row, strict=True) if word != wanted]
        yield (
            f"{looking} looks at {wanted} most",
            row[words.index(wanted)] > max(others) + 0.1,
            f"It gives {wanted} {row[words.index(wanted)]:.0%}, and another word {max(others):.0%}.",
        )


try_ideas("W_Q_more", ideas)
if CHECKED.get("W_Q_more") and not not_right(["W_Q_more"]):
    with needs("self_attention"):
        asked, found = looks_of_the_task()
        show_looks(asked, found, asked.index("was"))

# %% [markdown]
# **Sources**
#
# - Vaswani et al. 2017, [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762): §3.1 (residual connections), §3.2.1
#   (equation 1 and footnote 4), §3.2.3 (self-attention).
# - He et al. 2015, *Deep Residual Learning for Image Recognition*.
# - Dong et al. 2021, [*Attention Is Not All You Need*](https://arxiv.org/abs/2103.03404): tokens without residual connections.
# - Nadaraya 1964, *On Estimating Regression*; Watson 1964, *Smooth Regression Analysis*: the geyser's average. Eruptions: R's
#   data `faithful`, from Härdle 1991, *Smoothing Techniques*; Azzalini and Bowman 1990, *A Look at Some Data on the Old
#   Faithful Geyser*, have more of them.
