"""A bank is found in its folder, and makes wrong answers of a right one by checked edits."""

from itertools import combinations
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from autograder.testing.misconceptions import Bank, Variant
from tests.toys import TOYS, course_of

REFERENCE = "def double(x):\n    total = x + x\n    return total\n"


def variant(tag: str, edits: dict[str, str], source: str = "", pairs: bool = True) -> Variant:
    return Variant(tag, "Is wrong", "It is wrong.", edits, source, pairs)


def sources(*variants: Variant) -> list[str]:
    return [mistake.source for mistake in Bank("double", REFERENCE, variants).singles()]


def pairs(*variants: Variant) -> list[tuple[str, ...]]:
    bank = Bank("double", REFERENCE, variants)
    tags = [variant.tag for variant in variants]
    return [two for two in combinations(tags, 2) if bank.together(*two) is not None]


SQUARE = variant("square", {"x + x": "x * x"})
NEGATIVE = variant("negative", {"return total": "return -total"})


def test_edits_are_made_one_after_the_other() -> None:
    both = variant("both", {"total": "result", "return result": "return -result"})
    assert sources(both) == ["def double(x):\n    result = x + x\n    return -result\n"]


def test_a_whole_answer_may_be_edited_instead_of_the_reference() -> None:
    assert sources(variant("whole", {"2": "3"}, "double = 2")) == ["double = 3"]


@pytest.mark.parametrize(
    ("source", "place"), [("", "isn't in REFERENCE"), ("double = 2", "isn't in its source")]
)
def test_an_edit_of_a_text_that_is_not_there_is_refused(source: str, place: str) -> None:
    with pytest.raises(CourseError, match=rf"double: .* slip edits 'y \+ y', which {place}"):
        sources(variant("slip", {"y + y": "y"}, source))


@pytest.mark.parametrize("edits", [{"total": "total"}, {"x": "y", "y": "x"}, {}])
def test_a_mistake_that_leaves_the_reference_as_it_is_is_refused(edits: dict[str, str]) -> None:
    with pytest.raises(CourseError, match="double: the misconception slip leaves REFERENCE as it"):
        sources(variant("slip", edits))


def test_edits_of_different_places_are_made_at_once() -> None:
    assert pairs(SQUARE, NEGATIVE) == [("square", "negative")]


def test_what_one_keeps_of_the_reference_another_may_replace() -> None:
    halved = variant("halved", {"x + x": "(x + x) / 2"})
    made = Bank("double", REFERENCE, (halved, SQUARE)).together("square", "halved")
    assert made and made.source == REFERENCE.replace("x + x", "(x * x) / 2")


@pytest.mark.parametrize(
    ("one", "other"),
    [("2 * x", "x - x"), ("(x + x) * x", "(x + x) + x"), ("x + x)", "x * x")],
    ids=["both replace one place", "their order counts", "no Python"],
)
def test_what_can_not_be_made_in_one_way_is_no_pair(one: str, other: str) -> None:
    assert pairs(*(variant(becomes, {"x + x": becomes}) for becomes in (one, other))) == []


def test_two_that_add_a_parameter_of_one_name_are_no_pair() -> None:
    first, last = variant("first", {"(x": "(y, x"}), variant("last", {"x)": "x, y=0)"})
    assert pairs(first, last, NEGATIVE) == [("first", "negative"), ("last", "negative")]


def test_a_mistake_that_says_so_is_only_made_alone() -> None:
    alone = Variant("alone", "Is wrong", "It is wrong.", {"x + x": "x"}, pairs=False)
    assert pairs(alone, NEGATIVE, SQUARE) == [("negative", "square")]


def test_what_is_done_to_a_result_may_stand_behind_another_mistake() -> None:
    last = Variant("last", "Is wrong", "It is wrong.", behind="double = None\n")
    made = Bank("double", REFERENCE, (last, SQUARE)).together("last", "square")
    assert made and made.source == REFERENCE.replace("x + x", "x * x") + "double = None\n"


def test_a_whole_answer_is_no_half_of_a_pair() -> None:
    whole = variant("whole", {"total = x": "total = x * x"}, f"{REFERENCE}# by steps\n")
    assert pairs(whole, NEGATIVE) == []


IMPORT = "from autograder.testing import Variant\n"


def listing(tag: str, becomes: str = "0") -> str:
    """Write a module with one misconception."""
    variant = f'Variant("{tag}", "Is wrong", "It is wrong.", {{"x + x": "{becomes}"}})'
    return f"{IMPORT}MISCONCEPTIONS = ({variant},)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder of banks in a course: one package, and one module."""
    files = {
        "single.py": f"{listing('y')}REFERENCE = 'single = x + x'\n",
        "double/__init__.py": "",
        "double/reference.py": f"REFERENCE = {REFERENCE!r}\nNOT_MISTAKES = ('rounded',)\n",
        "double/sums.py": listing("x"),
    }
    folder = course_of(tmp_path).exercises / TOYS / "misconceptions"
    for name, text in files.items():
        write(folder / name, text)
    return folder


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def banks(folder: Path) -> dict[str, Bank]:
    return banks_of(Course.load(folder.parents[2]), TOYS)


def own_tags(folder: Path, exercise: str) -> list[str]:
    """Return the tags of a bank without those of the common mistakes."""
    tags = [variant.tag for variant in banks(folder)[exercise].variants]
    return [tag for tag in tags if not tag.startswith(f"{exercise}-")]


def test_a_bank_is_a_module_or_a_package_of_files_in_order_of_name(folder: Path) -> None:
    assert own_tags(folder, "single") == ["y"]
    write(folder / "double" / "products.py", listing("z"))
    assert own_tags(folder, "double") == ["z", "x"]


@pytest.mark.parametrize(
    "text", ["WRONG = ()", "MISCONCEPTIONS = ['z']", listing("z").replace(",)", ")"), ""]
)
def test_a_file_in_a_bank_without_misconceptions_is_refused(folder: Path, text: str) -> None:
    write(folder / "double" / "helper.py", text)
    with pytest.raises(CourseError, match=r"helper.py in the bank of double has no MISCONCEPTIONS"):
        banks(folder)


def test_a_bank_without_a_right_answer_is_refused(folder: Path) -> None:
    write(folder / "double" / "reference.py", "RIGHT = ''")
    with pytest.raises(CourseError, match=r"no REFERENCE: write it in reference.py"):
        banks(folder)
    (folder / "double" / "reference.py").unlink()
    with pytest.raises(CourseError, match=r"bank of double has no right answer .* reference.py"):
        banks(folder)


def test_two_mistakes_with_one_tag_are_refused_since_one_would_replace_the_other(
    folder: Path,
) -> None:
    write(folder / "double" / "products.py", listing("x", "1"))
    with pytest.raises(
        CourseError, match=r"bank of double have the tag 'x', and one would replace"
    ):
        banks(folder)


def test_a_bank_has_the_common_mistakes_under_its_prefix_save_those_it_leaves_out(
    folder: Path,
) -> None:
    def tags() -> list[str]:
        found = [variant.tag for variant in banks(folder)["double"].variants]
        return [tag for tag in found if "-rounded" in tag]

    assert tags() == ["double-rounded-coarsely"]
    write(folder / "double" / "reference.py", f"REFERENCE = {REFERENCE!r}\nPREFIX = 'twice'\n")
    assert tags() == ["twice-rounded", "twice-rounded-coarsely"]


def test_a_banks_own_mistake_replaces_the_common_one_with_its_tag(folder: Path) -> None:
    write(folder / "double" / "lists.py", listing("double-plain-list", "[x, x]"))
    found = [v for v in banks(folder)["double"].variants if "plain" in v.tag]
    assert [variant.edits for variant in found] == [{"x + x": "[x, x]"}]


def test_a_table_says_which_idea_a_slip_belongs_to(folder: Path) -> None:
    write(folder / "ideas.toml", "[double]\nx = 2\n")
    assert banks(folder)["double"].ideas == {"x": 2}
    assert banks(folder)["single"].ideas == {}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[triple]\nx = 2\n", "there is no bank of triple"),
        ("[double]\ny = 2\n", "double has no misconception y"),
        ("[double]\nx = 0\n", "x needs the number of an idea"),
        ("[double]\nx = 'scale'\n", "x needs the number of an idea"),
        ("double = 2\n", r"double is no table: write `\[exercise\]`, and below it `tag = 1`"),
        ("x = ", "is not valid TOML"),
    ],
)
def test_a_slip_of_nothing_or_in_nothing_is_refused(folder: Path, text: str, says: str) -> None:
    write(folder / "ideas.toml", text)
    with pytest.raises(CourseError, match=says):
        banks(folder)
