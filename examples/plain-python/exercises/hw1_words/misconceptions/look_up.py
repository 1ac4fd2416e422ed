"""What learners get wrong in look_up."""

from __future__ import annotations

from autograder.testing import Variant

REFERENCE = """\
def look_up(words, word):
    low, high = 0, len(words)
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
    raise LookupError("the word is not there")
"""

# Whole numbers can't be rounded, and a list is what is asked for.
NOT_MISTAKES = ("rounded", "rounded-coarsely", "plain-list", "list-of-rows")

MISCONCEPTIONS = (
    Variant(
        tag="look-up-from-the-front",
        description="Reads from the first word on",
        message="You read from the first word on. That finds it, but of 100,000 words it takes "
        "50,000 looks on average. What does the order of the words tell you after a single one?",
        edits={"(low + high) // 2": "low"},
    ),
    Variant(
        tag="look-up-left-middle",
        description="Takes the left one of two in the middle",
        message="Where two words are in the middle, you look at the left one. The exercise agrees "
        "on the other one, so that all of us look alike. Which rounding gives that?",
        edits={"(low + high) // 2": "(low + high - 1) // 2"},
    ),
    Variant(
        tag="look-up-not-refused",
        description="Returns its looks where the word isn't there",
        message="Where the word isn't there, you return looks that found nothing, as if it were. "
        "How should whoever calls you tell the two apart?",
        edits={'raise LookupError("the word is not there")': "return looked"},
    ),
    Variant(
        tag="look-up-last-alone",
        description="Returns the position alone",
        message="You return where the word stands, and not where you looked before. The list of "
        "all looks is asked for, since it shows how few they were.",
        edits={"            return looked\n": "            return middle\n"},
    ),
)
