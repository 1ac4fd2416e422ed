# a Counter is a dictionary as well
from collections import Counter


def count_words(text):
    words = (piece.strip(".,;:!?") for piece in text.split())
    return Counter(word.lower() for word in words if word)
