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
# # Words, counted and found
#
# How often does a word occur in a book, and on which page of a dictionary does it stand? You write both,
# with nothing but Python itself.
#
# This assignment is worth **TOTAL_POINTS points**.
#
# - Where you see `raise NotImplementedError(…)`, delete that line and write your own code.
# - Below each exercise stands a cell of **visible checks**. Run it as often as you like. Your grade
#   comes from **hidden tests** that check the same ideas on other words.
# - Before you hand in, restart the kernel and run everything once more.

# %% folded="Behind the scenes: locked notes" include="locked notes"

# %% [markdown]
# ## Count them
#
# A word is what stands between blanks, without the signs `. , ; : ! ?` at its ends. `Tea` and `tea` are the
# same word. **Predict first:** how many different words has *"Tea, and tea. And milk?"*


# %% solution="count_words"
def count_words(text):
    """Return how often each word of `text` occurs: a dictionary with the words in small letters."""
    ### BEGIN SOLUTION
    counts = {}
    for piece in text.lower().split():
        word = piece.strip(".,;:!?")
        if word:
            counts[word] = counts.get(word, 0) + 1
    return counts
    ### END SOLUTION


# %% test="count_words"
_counts = count_words("To be, or not to be!")
assert _counts == {"to": 2, "be": 2, "or": 1, "not": 1}, f"You count {_counts}."
print("count_words passes the visible checks.")

# %% [markdown]
# ## Find one
#
# Nobody reads a dictionary from its first page. You open it in the middle, see on which side the word must
# be, and never look at the other side again. Of 100,000 words, that takes 17 looks.


# %% solution="look_up"
def look_up(words, word):
    """Return the positions at which you look for `word`, in order; the last is where it stands.

    words: a sorted list, each word once. Look in the middle of what is left; where two are in the middle,
    take the right one. Raise a LookupError if `word` isn't there.
    """
    ### BEGIN SOLUTION
    low, high = 0, len(words)  # it stands before `high`, and not before `low`
    looked = []
    while low < high:
        middle = (low + high) // 2
        looked.append(middle)
        if words[middle] == word:
            return looked
        if words[middle] < word:
            low = middle + 1
        else:
            high = middle
    raise LookupError(word)
    ### END SOLUTION


# %% test="look_up"
_looked = look_up(["apple", "fig", "kiwi", "lime", "pear"], "lime")
assert _looked[-1] == 3, f"`lime` stands at 3, but your last look is at {_looked[-1]}."
assert _looked[0] == 2, "The first look is in the middle of all five."
print("look_up passes the visible checks.")

# %% [markdown]
# If your results equal those of a mistake that we know, the next cell says which.

# %%
globals()["locked_notes"].look_closer("look_up", globals())  # of the folded cell

# %% [markdown]
# ### Written question: twice as many words
#
# A dictionary becomes twice as long. How many more looks does it take, and why? Two sentences are enough.

# %% [markdown] written="twice_as_many" points=1
# One more: after the first look, what is left is as long as the old dictionary was.
#
# **Rubric**
#
# - 1 point: one more look, since each look halves what is left.
