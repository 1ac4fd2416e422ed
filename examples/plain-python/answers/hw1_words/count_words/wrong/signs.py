# named: count-words-signs
def count_words(text):
    words = text.lower().split()
    return {word: words.count(word) for word in set(words)}
