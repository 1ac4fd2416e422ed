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
# # How sure is a mean?
#
# Eight penguins weigh 4.2 kg on average. Eight others would weigh a little more, or a little less. How
# far may we trust the first number? There is a formula, and there is a trick that works without one:
# draw from your own data again and again, and look how much the mean moves.
#
# This assignment is worth **TOTAL_POINTS points**.
#
# - Where you see `raise NotImplementedError(…)`, delete that line and write your own code.
# - Below each exercise stands a cell of **visible checks**. Run it as often as you like. Your grade
#   comes from **hidden tests** that check the same ideas on other numbers.
# - Before you hand in, restart the kernel and run everything once more.

# %% setup="imports"
import numpy as np

np.set_printoptions(precision=3, suppress=True)

# %% folded="Behind the scenes: locked notes" include="locked notes"

# %%
penguins = np.array([3.75, 3.8, 3.25, 4.5, 5.7, 3.45, 4.65, 4.5])  # kilograms
print(f"{penguins.mean():.2f} kg on average")

# %% [markdown]
# ## The formula
#
# If single weights spread by $s$ around their mean, means of $n$ weights spread by
#
# $$\frac{s}{\sqrt n}, \qquad s = \sqrt{\frac{1}{n - 1} \sum_i (x_i - \bar x)^2}.$$
#
# This is the *standard error*. The $n - 1$ makes up for measuring from the sample's own mean.
#
# **Predict first:** with four times as many penguins, how much smaller does it become?


# %% solution="standard_error"
def standard_error(X):
    """Return the standard error of the mean of each column of `X`.

    X: numbers of shape (n, d), one observation a row. Returns an array of shape (d,).
    """
    ### BEGIN SOLUTION
    return X.std(axis=0, ddof=1) / np.sqrt(len(X))
    ### END SOLUTION


# %% test="standard_error"
_X = np.array([[1.0, 10.0], [3.0, 30.0], [1.0, 10.0], [3.0, 30.0]])
_errors = standard_error(_X)
assert np.shape(_errors) == (2,), (
    f"Two columns have two errors, but yours have shape {np.shape(_errors)}."
)
assert np.allclose(_errors[1], 10 * _errors[0]), (
    "Numbers ten times as large have ten times the error."
)
print("standard_error passes the visible checks.")

# %% [markdown]
# If your results equal those of a mistake that we know, the next cell says which.

# %%
globals()["locked_notes"].look_closer("standard_error", globals())  # of the folded cell

# %% [markdown]
# ## The trick
#
# Put the eight weights into a bag. Draw one, write it down, and **put it back**; do so eight times, and
# take the mean. That is one *bootstrap mean*. A thousand of them show how much a mean moves, and no
# formula was needed.


# %% solution="bootstrap_means"
def bootstrap_means(x, repeats, rng):
    """Return so many bootstrap means of `x`.

    x: an array of n numbers. rng: draw with this generator, as in `rng.choice(…)`.
    Each mean is one of n numbers, drawn from `x` with replacement. Returns an array of shape (repeats,).
    """
    ### BEGIN SOLUTION
    return rng.choice(x, size=(repeats, len(x))).mean(axis=1)
    ### END SOLUTION


# %% test="bootstrap_means"
_means = bootstrap_means(penguins, 5, np.random.default_rng(0))
assert np.shape(_means) == (5,), (
    f"Five means are asked for, but yours have shape {np.shape(_means)}."
)
assert penguins.min() <= min(_means) and max(_means) <= penguins.max(), (
    "A mean lies among its numbers."
)
print("bootstrap_means passes the visible checks.")

# %% [markdown]
# ## An interval
#
# Sort the means. Leave out as many at either end, until a share such as 0.9 is left in the middle:
# where it begins and ends is an interval for the mean.


# %% solution="interval"
def interval(means, share):
    """Return between which two numbers the middle `share` of `means` lies.

    means: an array of numbers. share: such as 0.9. Returns an array of two numbers, the smaller first.
    """
    ### BEGIN SOLUTION
    outside = (1 - share) / 2
    return np.quantile(means, [outside, 1 - outside])
    ### END SOLUTION


# %% test="interval"
_low, _high = interval(np.arange(101.0), 0.5)
assert _low < 50 < _high, (
    f"The middle of 0, 1, …, 100 is 50, but your interval is {_low} to {_high}."
)
print("interval passes the visible checks.")

# %% [markdown]
# Formula and trick, side by side. Do they agree?

# %%
_means = bootstrap_means(penguins, 10_000, np.random.default_rng(1))
print("formula  ", standard_error(penguins[:, None]))
print("bootstrap", _means.std())
print("interval ", interval(_means, 0.9))
