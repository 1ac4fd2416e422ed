"""What a class guessed: read without running anything, counted, escaped, and without names."""

import json
import math

import pytest
from bs4 import BeautifulSoup

from autograder.errors import CourseError
from autograder.statistics.guesses import (
    MAX_LENGTH,
    MAX_VALUES,
    RANGES,
    counted,
    guesses_in,
    write_guesses_page,
)
from tests.commands import autograder
from tests.notebooks import code
from tests.toy_class import SCRIPT, ToyClass
from tests.toys import TOYS


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("guess_of_it = None", None),
        ("guess_of_it = 'skip'", None),
        ("guess_of_it = 3", 3.0),
        ("guess_of_it = -0.5  # a half", -0.5),
        ("guess_of_it = 'cat'", "cat"),
        ("guess_of_it = True", "True"),
        ("guess_of_it = [0.5, 0.5]", "[0.5, 0.5]"),
        ("guess_of_it = 1 / 3", "1 / 3"),
        ("guess_of_it = 10**1000", "10 ** 1000"),
        ("guess_of_it = " + "9" * 4000, math.inf),
        ("guess_of_it = 'a' * 10**9", "'a' * 10 ** 9"),
        ("%time guess_of_it = 2", 2.0),
        ("guess_of_it = 1\nguess_of_it = 2", 2.0),
    ],
)
def test_a_guess_is_read_and_never_computed(source: str, value: object) -> None:
    assert guesses_in(["def broken(:", source]) == {"guess_of_it": value}


def test_what_is_no_guess_or_inside_a_function_is_left_out() -> None:
    assert guesses_in(["x = 3", "def f():\n    guess_of_it = 3", "guess = 4"]) == {}


def test_a_guess_is_cut_and_has_no_control_characters() -> None:
    (long,) = guesses_in([f"guess_of_it = {'x' * 1000!r}"]).values()
    assert long == "x" * MAX_LENGTH
    assert guesses_in(["guess_of_it = '\\x1b[31mred'"]) == {"guess_of_it": "[31mred"}


def test_few_values_are_counted_one_by_one_in_their_order() -> None:
    found = counted("the share", "", [0.9, 0.5, 0.9, 0.25])
    assert found.counts == (("0.25", 1), ("0.5", 1), ("0.9", 2))
    assert (found.middle, found.number, found.most) == ("0.7", 4, 2)


def test_many_numbers_are_put_into_ranges_which_hold_each_once() -> None:
    found = counted("the time", "", [float(n**2) for n in range(100)])
    assert len(found.counts) == RANGES
    assert found.number == 100
    assert {count for _, count in found.counts} <= {12, 13}
    assert (found.counts[0][0], found.counts[-1][0]) == ("0 to 144", "7,569 to 9,801")


def test_words_are_counted_the_most_common_first_and_the_rest_together() -> None:
    values = ["cat", "cat", *(f"word {n}" for n in range(MAX_VALUES + 3))]
    found = counted("the word", "", values)
    assert found.counts[0] == ("cat", 2)
    assert found.counts[-1] == ("others", 4)
    assert (found.middle, found.number) == ("", len(values))


def test_a_word_among_numbers_changes_none_of_them() -> None:
    assert counted("how many", "", [3.0, 3.0, "many"]).counts == (("3", 2), ("many", 1))


@pytest.mark.slow
def test_a_page_shows_what_the_class_guessed_as_text_and_without_names(toys: ToyClass) -> None:
    ask = code("guess_of_the_share = None  # from 0 to 1\nguess_of_nothing = None")
    path = toys.course.release_path(TOYS)
    content = json.loads(path.read_text())
    content["cells"].append(ask)
    path.write_text(json.dumps(content))
    for number, guess in enumerate(("0.9", "0.9", "0.1", "None", repr(SCRIPT))):
        toys.hand_in(f"ada{number}", {}, code(f"guess_of_the_share = {guess}"))
    toys.hand_in_bytes("eve", b"{")
    said: list[str] = []
    page, number = write_guesses_page(toys.course, TOYS, said.append)
    html = page.read_text()
    soup = BeautifulSoup(html, "html.parser")
    share, nothing = (" ".join(card.get_text().split()) for card in soup.select(".card"))
    assert number == 5
    assert share.startswith("the share 4 of 5 guessed from 0 to 1")
    assert "0.9 2" in share
    assert nothing == "nothing 0 of 5 guessed Nobody wrote a guess."
    assert "ada" not in html
    assert not soup.select("script")
    (refused,) = said
    assert refused.startswith("The guesses of eve can't be read: ")
    assert "invalid JSON" in refused
    assert not refused.endswith("..")


@pytest.mark.slow
def test_an_assignment_that_asks_for_no_guess_says_how_to_ask(toys: ToyClass) -> None:
    with pytest.raises(CourseError, match="toys asks for no guesses: a line such as `guess_of_the"):
        write_guesses_page(toys.course, TOYS, print)


@pytest.mark.slow
def test_of_all_assignments_those_that_ask_for_no_guess_are_told_and_left_out(
    toys: ToyClass,
) -> None:
    scripts = toys.course.solutions
    (scripts / "another.py").write_text((scripts / f"{TOYS}.py").read_text())
    assert autograder(toys.course.root, "guesses").returncode == 1
    path = toys.course.release_path(TOYS)
    content = json.loads(path.read_text())
    content["cells"].append(code("guess_of_the_share = None"))
    path.write_text(json.dumps(content))
    toys.hand_in("ada", {}, code("guess_of_the_share = 1"))
    done = autograder(toys.course.root, "guesses")
    assert (done.returncode, done.stdout) == (
        0,
        "toys: reports/toys-guesses.html, of 1 notebook\n",
    )
    assert done.stderr.startswith("note: another")
    assert autograder(toys.course.root, "guesses", TOYS, "another").returncode == 1
