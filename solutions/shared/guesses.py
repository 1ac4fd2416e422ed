PERCENT = range(101)


def compare_among(choices, what, found, guess):
    """Compare, and say what could be guessed if a guess isn't that: a range of numbers, or names."""
    compare(what, found, guess)
    if guess is None or (isinstance(guess, str) and guess == "skip"):
        return
    guesses = guess if isinstance(guess, (list, tuple)) else [guess]
    if isinstance(choices, range):
        least, most = choices[0], choices[-1]
        fits = all(isinstance(each, (int, float)) and least <= each <= most for each in guesses)
        said = f"a number from {least} to {most}"
    else:
        fits = all(each in list(choices) for each in guesses)
        said = " or ".join(map(str, choices))
    if not fits:
        print(f"  (It can be {said}.)")
