"""What learners get wrong in count_words."""

from __future__ import annotations

from autograder.testing import Variant

REFERENCE = """\
def count_words(text):
    counts = {}
    for piece in text.lower().split():
        word = piece.strip(".,;:!?")
        if word:
            counts[word] = counts.get(word, 0) + 1
    return counts
"""

# Whole numbers in a dictionary can't be rounded, and are no list.
NOT_MISTAKES = ("rounded", "rounded-coarsely", "plain-list", "list-of-rows")

MISCONCEPTIONS = (
    Variant(
        tag="count-words-capitals",
        description="Tells capitals apart",
        message="You count `Tea` and `tea` as two words. Where does a sentence write a word in "
        "another way, though it is the same?",
        edits={".lower()": ""},
    ),
    Variant(
        tag="count-words-signs",
        description="Leaves signs at the ends of words",
        message="With you, `tea,` and `tea` are two words. The comma belongs to the sentence. What "
        "could take signs off the ends of a text, and leave one inside where it is?",
        edits={'.strip(".,;:!?")': ""},
    ),
    Variant(
        tag="count-words-signs-alone",
        description="Counts a sign alone as an empty word",
        message="Among your words is one without any letter. It comes from a sign that stands "
        "between blanks. What is left of that, once the signs are gone?",
        edits={"if word:": "if True:"},
    ),
    Variant(
        tag="count-words-once",
        description="Counts each word once",
        message="Every word occurs once with you, however often it stands there. What should "
        "happen when a word comes that was there before?",
        edits={"counts.get(word, 0) + 1": "1"},
    ),
)
