import math
import re
import textwrap

LINE = 40  # characters beside each other on a phone, which cuts longer lines within a word
SEVERAL = (list, tuple, set, dict)  # in which more than one thing may be guessed


def compare(what, found, guess, among=None):
    """Put a guess beside what was found; without a guess, or "skip" in its place, keep it back.

    `among` says what could be guessed, as names, or as the pair of the least and the largest number.
    """
    found, guess = as_plain_numbers(found), as_plain_numbers(guess)
    guess, shown = meant(guess, found, among), with_commas(found)
    if guess is None:
        print(f'{what} …\n(Write your guess into the cell above,\nor "skip", and run both again.)')
    elif isinstance(guess, str) and guess == "skip":
        print(wrapped(f"{what} {shown}."))
    elif among is None or is_among(guess, among):
        guessed = f"(you guessed {with_commas(guess)}{how_far(guess, found)})."
        if is_found(guess, found):
            guessed = "(✓ as you guessed)."
        elif is_near(guess, found):
            guessed = f"(✓ close: you guessed {with_commas(guess)})."
        fits = len(f"{what} {shown} {guessed}") <= LINE
        print(wrapped(f"{what} {shown}"), guessed, sep=" " if fits else "\n")
    else:
        *others, last = map(str, among)
        a_number = isinstance(among, tuple)
        could = (
            f"a number from {others[0]} to {last}" if a_number else f"{', '.join(others)} or {last}"
        )
        print(wrapped(f"{what} {shown}"))
        print(f"(you guessed {with_commas(guess)}, where it could only be {could}).")


def wrapped(text):
    """Return a text in lines that a phone shows whole."""
    return textwrap.fill(text, LINE)


def meant(guess, found, among):
    """Return a guess as it is meant: of names, the only one that shares all its words or the guess's."""
    if guess is None or (isinstance(guess, str) and guess == "skip"):
        return guess
    if isinstance(guess, str) and isinstance(found, SEVERAL) and "," in guess:
        guess = guess.split(",")
    if isinstance(guess, SEVERAL):
        return [meant(each, None, among) for each in guess]
    if among is None or isinstance(among, tuple) or plain(guess) in plain(list(among)):
        return guess
    said, names = words_of(guess), {name: words_of(name) for name in among}
    near = [name for name, words in names.items() if said <= words or words <= said]
    return near[0] if len(near) == 1 else guess


def as_plain_numbers(thing):
    """Return an array or tensor as a tuple, or as a number; anything else as it is."""
    numbers = thing.tolist() if hasattr(thing, "tolist") else thing
    return tuple(numbers) if numbers is not thing and isinstance(numbers, list) else numbers


def words_of(thing):
    """Return the words of a text in small letters, without articles where it has others."""
    words = {*re.findall(r"\w+", str(thing).casefold())}
    return words - {"a", "an", "the"} or words


def with_commas(thing):
    """Write a number as in 1,048,576, and several things with commas between them."""
    if isinstance(thing, SEVERAL):
        return ", ".join(map(with_commas, thing))
    return f"{thing:,}" if isinstance(thing, (int, float)) else str(thing)


def is_found(guess, found):
    """Tell whether a guess is what was found: of a text that begins with a number, that number.

    Of several things, the order counts where they were found as a tuple.
    """
    if isinstance(guess, SEVERAL) or isinstance(found, SEVERAL):
        sides = (each if isinstance(each, SEVERAL) else [each] for each in (guess, found))
        one, other = (list(map(str, plain(side))) for side in sides)
        return one == other if isinstance(found, tuple) else sorted(one) == sorted(other)
    return plain(guess) in (plain(beginning(found)), plain(found))


def is_near(guess, found):
    """Tell whether a guess is a number that is at most a twentieth of what was found away from it."""
    guess, found = as_numbers(guess, found)
    return abs(guess - found) <= abs(found) / 20


def how_far(guess, found):
    """Say how much too high or too low a number is, in two digits; "" if one of the two is none."""
    guess, found = as_numbers(guess, found)
    off = abs(guess - found)
    if not math.isfinite(off):
        return ""
    return f", {off:{',.0f' if off >= 10 else '.2g'}} too {'high' if guess > found else 'low'}"


def as_numbers(guess, found):
    """Return a guess and what was found as numbers, nan for what is none, such as a text of digits."""
    is_a_row_of_digits = isinstance(found, str) and found.isdigit()
    numbers = plain(guess), None if is_a_row_of_digits else plain(beginning(found))
    return [each if isinstance(each, float) else math.nan for each in numbers]


def beginning(found):
    """Return the number that a text begins with, or else what stands before a bracket in it."""
    number = re.match(r"-?[\d,.]*\d", str(found))
    return number[0] if number else str(found).partition(" (")[0]


def is_among(guess, among):
    """Tell whether a guess, or each of several, is one of the names, or a number within the pair."""
    guesses = plain(guess if isinstance(guess, SEVERAL) else [guess])
    if not isinstance(among, tuple):
        return all(each in plain(among) for each in guesses)
    least, most = among
    return all(isinstance(each, float) and least <= each <= most for each in guesses)


def plain(thing):
    """Return a guess as a number, or a text in small letters; several of them as a list."""
    if isinstance(thing, SEVERAL):
        return [plain(each) for each in thing]
    text = str(thing).strip(" '\"%").casefold().replace("½", "0.5")
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return text
