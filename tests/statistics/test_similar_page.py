"""The page of similar answers: pairs side by side, marked, escaped, and worded as a hint."""

import random
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from autograder.course import Course
from autograder.errors import CourseError
from autograder.gradebook.term_archive import write_archive
from autograder.statistics.similar import (
    MAX_LINES,
    MAX_PAIRS,
    SharedPassages,
    SimilarPair,
    marked,
    similar_page,
    write_similar_page,
)
from tests.browser import PROGRAM
from tests.hostile.pages import live_parts
from tests.notebooks import code
from tests.statistics.planted import disguised
from tests.statistics.test_similar import OWN, different
from tests.telling.pages.test_browser import PAYLOADS, title_of
from tests.toy_class import ToyClass
from tests.toys import TOYS

SCRIPT = "<script>alert(1)</script>"


def pair(first: str, second: str, code: str) -> SimilarPair:
    lines = (frozenset({1}), frozenset({2}))
    return SimilarPair((first, second), 0.9, 12, (SharedPassages("f", 0.9, (code, code), lines),))


def test_lines_in_common_are_marked_and_everything_is_text() -> None:
    html = marked(f"a = 1\n{SCRIPT}\n\x1b[0m", {2})
    assert html.count('<mark class="shared">&lt;script&gt;') == 1
    assert "\x1b" not in html
    assert "and 20 more lines" in marked("\n" * (MAX_LINES + 19), set())


def test_the_page_is_a_hint_and_says_why() -> None:
    text = BeautifulSoup(
        similar_page("toys", 60, [pair("ada", "bo", "x")], None), "html.parser"
    ).get_text()
    assert "A hint to look, and no more" in text
    assert "a short exercise has few right answers" in text
    assert "90% in common" in text
    assert "references" not in text
    assert "Nobody shares more than usual" in similar_page("toys", 60, [], [])


def test_many_pairs_are_cut_and_it_says_so() -> None:
    html = similar_page(
        "toys", 60, [pair(f"a{n}", f"b{n}", "x") for n in range(MAX_PAIRS + 7)], None
    )
    assert html.count("<article") == MAX_PAIRS
    assert "7 more pairs share less" in html


def test_no_payload_is_alive_on_it() -> None:
    pairs = [pair(payload, payload, payload) for payload in PAYLOADS]
    soup = BeautifulSoup(similar_page("toys", 60, pairs, pairs), "html.parser").select_one("body")
    assert soup is not None
    assert live_parts(soup) == []


@pytest.mark.slow
@pytest.mark.skipif(not PROGRAM, reason="no chromium here")
def test_no_payload_runs_in_a_browser(tmp_path: Path) -> None:
    path = tmp_path / "similar.html"
    path.write_text(similar_page("toys", 60, [pair(each, each, each) for each in PAYLOADS], None))
    assert title_of(path) == "toys: similar answers"


@pytest.mark.slow
def test_what_was_handed_in_is_compared_with_each_other_and_with_references(
    toys: ToyClass, tmp_path: Path
) -> None:
    for number in range(10):
        toys.hand_in(f"s{number}", {"double": different(number)})
    toys.hand_in("ada", {"double": OWN})
    toys.hand_in("bo", {"double": disguised(OWN, random.Random(0))})
    toys.hand_in_bytes("eve", b"{")
    (tmp_path / "double").mkdir()
    (tmp_path / "double" / "web.py").write_text(different(3))
    said: list[str] = []
    path, number = write_similar_page(toys.course, TOYS, tmp_path, said.append)
    soup = BeautifulSoup(path.read_text(), "html.parser")
    heads = [" ".join(head.get_text().split()) for head in soup.select("h3")]
    assert (heads, number) == (["ada · bo", "s3 · double/web.py"], 2)
    assert len(said) == 1
    assert said[0].startswith("eve can't be compared: The file isn't a notebook")


@pytest.mark.slow
@pytest.mark.parametrize("is_frozen", [True, False])
def test_the_work_of_an_earlier_term_is_compared_too(
    toys: ToyClass, fresh: Course, tmp_path: Path, is_frozen: bool
) -> None:
    last = ToyClass.like(fresh, tmp_path / "last")
    last.hand_in("zoe", {"double": OWN})
    last.hand_in_bytes("eve", b"{")
    earlier = last.course.root
    if is_frozen:
        earlier = tmp_path / "last.zip"
        write_archive(last.course, earlier, print)
    for number in range(11):
        toys.hand_in(f"s{number}", {"double": different(number)})
    toys.hand_in("ada", {"double": disguised(OWN, random.Random(0))})
    said: list[str] = []
    path, number = write_similar_page(toys.course, TOYS, None, said.append, earlier)
    (head,) = BeautifulSoup(path.read_text(), "html.parser").select("h3")
    assert (" ".join(head.get_text().split()), number) == ("ada · zoe, earlier", 1)
    assert [text.partition(":")[0] for text in said] == ["eve, earlier can't be compared"]
    with pytest.raises(CourseError, match="holds no submissions to toys: name the folder"):
        write_similar_page(toys.course, TOYS, None, said.append, tmp_path)


@pytest.mark.slow
def test_a_copy_in_a_cell_of_ones_own_is_found_and_who_wrote_far_too_much_is_told(
    toys: ToyClass,
) -> None:
    for number in range(10):
        toys.hand_in(f"s{number}", {"double": different(number)}, code("print('mine')"))
    copy = disguised(OWN, random.Random(0)).replace("def softmax", "def inner")
    toys.hand_in("ada", {"double": OWN})
    toys.hand_in("bo", {"double": "double = outer"}, code(copy), code("outer = inner"))
    toys.hand_in("eve", {"double": "\n".join(f"x = {n} + 1" for n in range(5000))})
    said: list[str] = []
    path, number = write_similar_page(toys.course, TOYS, None, said.append)
    (head,) = BeautifulSoup(path.read_text(), "html.parser").select("h3")
    assert " ".join(head.get_text().split()) == "ada · bo"
    assert said == [
        "eve wrote so much about double that only its beginning is compared: look at it."
    ]
