# named: look-up-from-the-front
def look_up(words, word):
    looked = []
    for position, here in enumerate(words):
        looked.append(position)
        if here == word:
            return looked
    raise LookupError(f"no {word}")
