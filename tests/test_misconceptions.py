"""Each misconception on file costs marks and is called by its name; a right answer has none.

Every bank of every assignment is tested here: a misconception that is added is tested as it is.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from autograder.diagnosis.banks import banks_of
from autograder.diagnosis.case import Finding
from autograder.report import Outcome
from autograder.sandbox.host.probe import strongest
from autograder.testing.misconceptions import Bank, Candidate, Variant
from tests.answering import ANSWERS, diagnosis, examined, some
from tests.courses import KIT as COURSE
from tests.courses import solved as solved_of
from tests.graders import Graders, hand_in
from tests.mutants.exercises import some_pairs

BANKS = [
    (name, bank) for name in COURSE.assignment_names() for bank in banks_of(COURSE, name).values()
]
MISTAKES = [(name, bank, mistake) for name, bank in BANKS for mistake in bank.singles()]
RIGHT = [
    (name, bank, path)
    for name, bank in BANKS
    for path in sorted((ANSWERS / name / bank.exercise / "right").glob("*.py"))
]

each_bank = pytest.mark.parametrize(
    ("assignment", "bank"), [pytest.param(*case, id=case[1].exercise) for case in BANKS]
)
some_banks = pytest.mark.parametrize(
    ("assignment", "bank"),
    some([pytest.param(*case, id=case[1].exercise) for case in BANKS], 4),
)
some_mistakes = pytest.mark.parametrize(  # of a thousand; `make mutants` tries them all
    ("assignment", "bank", "mistake"),
    [pytest.param(*case, id=case[2].variants[0].tag) for case in MISTAKES[::320]],
)
each_right_answer = pytest.mark.parametrize(
    ("assignment", "bank", "path"),
    [pytest.param(*case, id=f"{case[1].exercise}-{case[2].stem}") for case in RIGHT],
)
# In a notebook, too, warnings stand beside the result.
pytestmark = pytest.mark.filterwarnings("ignore")


def solved(assignment: str) -> dict[str, str]:
    return solved_of(COURSE, assignment)


@cache
def examine(assignment: str, exercise: str, source: str) -> tuple[Finding, ...]:
    """Run the hidden tests of one exercise on an answer, with everything else solved."""
    return examined(assignment, exercise, source)


def failed(assignment: str, exercise: str, source: str) -> list[str]:
    """Name the hidden tests that an answer fails."""
    verdicts = [found.verdict for found in examine(assignment, exercise, source)]
    return [verdict.name for verdict in verdicts if verdict.outcome is not Outcome.PASSED]


def named(assignment: str, exercise: str, source: str) -> tuple[str, ...]:
    """Return the tags of the misconceptions that an answer is taken for."""
    findings = examine(assignment, exercise, source)
    return tuple(found.tag for found in diagnosis(assignment).of(exercise, findings))


def tags(mistake: Candidate) -> tuple[str, ...]:
    return tuple(variant.tag for variant in mistake.variants)


@pytest.mark.slow
@each_bank
def test_the_reference_gets_full_marks(assignment: str, bank: Bank) -> None:
    assert failed(assignment, bank.exercise, bank.reference) == []


@pytest.mark.slow
@some_mistakes
def test_a_mistake_loses_marks_and_is_called_by_its_name(
    assignment: str, bank: Bank, mistake: Candidate
) -> None:
    assert failed(assignment, bank.exercise, mistake.source)
    assert named(assignment, bank.exercise, mistake.source) == tags(mistake)


@pytest.mark.slow
@pytest.mark.exhaustive  # for every mistake and every two are asked, until none is left
@each_right_answer
def test_a_right_answer_is_called_no_name(assignment: str, bank: Bank, path: Path) -> None:
    assert named(assignment, bank.exercise, path.read_text()) == ()


@pytest.mark.slow
@some_banks
def test_an_answer_that_breaks_in_its_own_way_is_called_no_name(
    assignment: str, bank: Bank
) -> None:
    source = f"def {bank.exercise}(*args, **kwargs):\n    raise ValueError('of its own')\n"
    assert named(assignment, bank.exercise, source) == ()


HALVES = """
def positional_encoding(seq_len, d_model):
    position = torch.arange(seq_len).unsqueeze(1)
    angles = position / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    table = torch.cat([angles.sin(), angles.cos()], dim=1)
    {}
"""


@pytest.mark.slow
def test_of_several_mistakes_none_is_named_while_a_failure_is_unexplained() -> None:
    """Sines and cosines lie in halves, and columns are missing where their number is odd."""
    halves = HALVES.format("return table[:, :d_model]")
    narrow = HALVES.format("return table[:, :-2] if d_model % 2 else table")
    assert named("hw2_encoder", "positional_encoding", halves) == ("positions-in-halves",)
    assert named("hw2_encoder", "positional_encoding", narrow) == ()


@pytest.mark.slow
def test_a_mistake_that_fails_where_the_student_passes_is_not_named() -> None:
    """Sines and cosines lie in halves in long tables alone: none of the known mistakes."""
    right = solved("hw2_encoder")["positional_encoding"].replace("def ", "def right_")
    choice = "return table if seq_len > 60 else right_positional_encoding(seq_len, d_model)"
    source = f"{right}\n{HALVES.format(choice)}"
    assert failed("hw2_encoder", "positional_encoding", source)
    assert "positions-in-halves" not in named("hw2_encoder", "positional_encoding", source)


@pytest.mark.parametrize("assignment", sorted({name for name, _ in BANKS}))
def test_no_tag_is_used_twice_in_an_assignment(assignment: str) -> None:
    count = Counter(
        variant.tag for name, bank in BANKS if name == assignment for variant in bank.variants
    )
    assert [tag for tag, times in count.items() if times > 1] == []


@each_bank
def test_every_mistake_has_words_for_the_student_and_for_the_instructor(
    assignment: str, bank: Bank
) -> None:
    complaints = {variant.tag: list(_complaints(variant)) for variant in bank.variants}
    assert {tag: found for tag, found in complaints.items() if found} == {}


def _complaints(variant: Variant) -> Iterator[str]:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", variant.tag):
        yield "the tag is not made of small letters, digits and single hyphens"
    if not 10 < len(variant.description) <= 90:
        yield f"the description has {len(variant.description)} characters, not 11 to 90"
    if not 80 < len(variant.message) <= 400:
        yield f"the message has {len(variant.message)} characters, not 81 to 400"
    if not variant.message.endswith((".", "?")):
        yield "the message is no sentence: it ends with neither a full stop nor a question mark"
    if variant.pairs and re.search(
        r"\bYour `?\w+`? (is|are) (right|fine|correct)\b", variant.message
    ):
        yield "the message calls something else right, which a second mistake may make wrong"


@pytest.mark.slow
@pytest.mark.exhaustive
@each_bank
def test_in_the_sandbox_mistakes_lose_marks_and_are_called_by_their_names(
    graders: Graders, assignment: str, bank: Bank
) -> None:
    taken = {}
    for mistake in bank.singles():
        answers = solved(assignment) | {bank.exercise: mistake.source}
        report = hand_in(graders(assignment, strongest()), answers)
        (found,) = (one for one in report.exercises if one.name == bank.exercise)
        assert found.score < found.max_score, tags(mistake)
        taken[tags(mistake)] = tuple(named.tag for named in found.misconceptions)
    assert taken == {name: name for name in taken}


@pytest.mark.slow
@pytest.mark.exhaustive
def test_in_the_sandbox_two_mistakes_at_once_are_called_by_their_names(graders: Graders) -> None:
    """Both are named, or the one that hides the other, 19 times in 20."""
    pairs = [(name, bank, two) for name, bank in BANKS for two in some_pairs(bank, 5)]
    missed = []
    for assignment, bank, two in pairs:
        answers = solved(assignment) | {bank.exercise: two.source}
        report = hand_in(graders(assignment, strongest()), answers)
        (found,) = (one for one in report.exercises if one.name == bank.exercise)
        named_ = {mistake.tag for mistake in found.misconceptions}
        if not (named_ and named_ <= set(tags(two))):
            missed.append((tags(two), named_))
    assert len(missed) <= len(pairs) / 20, missed
