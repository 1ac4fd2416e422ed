"""A written answer is found by the released cells around it, and never put where it may not be."""

import pytest

from autograder.intake.notebook import CellRole, read_notebook
from autograder.intake.prose import UNSURE
from autograder.intake.release import Release
from autograder.intake.submission import Submission, normalise
from tests.notebooks import Cell, code, markdown, notebook

STUB = "*Write your answer here.*"
TITLE = markdown("# Attention\n\nAn introduction of two lines.")
PLOT = code("plot(f)")
F = code("def f(x):\n    raise NotImplementedError()", "f", solution=True)
ASK_A = markdown("## Why scale?\n\nUse what the experiment showed, please.")
A = markdown(STUB, "a", grade=True, solution=True, points=2)
NEXT = markdown("## What comes next\n\nNothing much happens here.")
ASK_B = markdown("## Why heads?\n\nName two things that heads can do.")
B = markdown(STUB, "b", grade=True, solution=True, points=2)
END = markdown("That was all of it.")
GIVEN = [TITLE, PLOT, F, ASK_A, A, NEXT, ASK_B, B, END]
SOLVED = code("def f(x):\n    return x")
TEXT = "The variance grows.\n\n$$\nv = d_k\n$$"


def cell(source: str, kind: str = "markdown") -> Cell:
    """A cell without any name."""
    return {"cell_type": kind, "metadata": {}, "source": source}


def bare(*cells: Cell) -> list[Cell]:
    """The cells as another tool saves them: neither names nor metadata are left."""
    return [cell(each["source"], each["cell_type"]) for each in cells]


BEFORE, BETWEEN = bare(TITLE, PLOT, SOLVED), bare(NEXT, ASK_B)


def submit(*cells: Cell) -> Submission:
    given = [each | {"id": f"cell-{n}"} if not each["id"] else each for n, each in enumerate(GIVEN)]
    return normalise(
        read_notebook(notebook(*cells)), Release("hw", read_notebook(notebook(*given)).cells)
    )


def written(submission: Submission) -> dict[str, str]:
    cells = submission.cells
    return {each.name: each.cell.source for each in cells if each.role is CellRole.WRITTEN}


def own(submission: Submission) -> list[str]:
    return [each.cell.source for each in submission.cells if each.by_student]


COMMENT = "\n".join(f"# {line}" for line in TEXT.split("\n"))
ask = ASK_A["source"]


@pytest.mark.parametrize(
    "theirs",
    [
        [*bare(ASK_A), cell(TEXT)],
        [*bare(ASK_A), cell(f"{STUB}\n\n{TEXT}")],
        [*bare(ASK_A, A), cell(TEXT)],
        [*bare(ASK_A), cell(TEXT), *bare(A)],
        [*bare(ASK_A), *(cell(part) for part in TEXT.split("\n\n"))],
        [*bare(ASK_A), cell("The variance grows."), *bare(A), cell(TEXT.split("\n\n")[1])],
        [cell(f"{ask}\n\n{TEXT}")],
        [cell(f"{ask}\n\n{TEXT}"), *bare(A)],
        [cell(f"{ask}\n\n{TEXT}\n\n{NEXT['source']}")],
        [cell(f"## Why scale?\n\n{TEXT}")],
        [cell(f"## Why scale?\nUse what the experiment showed, please.\n{TEXT}")],
        [*bare(ASK_A), cell(TEXT, "raw")],
        [*bare(ASK_A), cell(COMMENT, "code")],
        [*bare(ASK_A), cell(f'"""{TEXT}"""', "code")],
        [*bare(ASK_A), cell(TEXT, "code")],
        [cell(TEXT)],
        [ASK_A | {"id": "cell-3", "source": f"{ask}\n{TEXT}"}, A],
        [ASK_A | {"id": "cell-3", "source": TEXT}, A],
    ],
    ids=[
        *("stripped", "placeholder above", "below the placeholder", "above the placeholder"),
        *("split", "around the placeholder", "in the question", "in the question of a placeholder"),
        *("merged with both", "under the heading", "question on other lines", "raw", "comments"),
        *("a string", "prose as code", "the question gone", "question edited", "question replaced"),
    ],
)
def test_an_answer_is_placed_by_its_neighbours_once(theirs: list[Cell]) -> None:
    submission = submit(*BEFORE, *theirs, *BETWEEN, cell("B."), *bare(END))
    assert written(submission) == {"a": TEXT, "b": "B."}
    assert own(submission) == []
    assert any(said.startswith("`a`: its cell ") for said in submission.warnings)


def test_an_answer_that_was_merged_with_the_next_question_ends_there() -> None:
    both = A | {"source": f"{TEXT}\n\n{ASK_B['source']}\n\nTwo things."}
    assert written(submit(*BEFORE, ASK_A, both, END)) == {"a": TEXT, "b": "Two things."}


def test_what_could_be_the_answer_to_two_questions_is_shown_beside_both_and_is_neither() -> None:
    submission = submit(*BEFORE, *bare(ASK_A), cell(TEXT), cell("Two things."), *bare(END))
    shown = f"{UNSURE}\n\n> The variance grows.\n>\n> $$\n> v = d_k\n> $$\n>\n> Two things."
    assert written(submission) == {"a": shown, "b": shown}
    assert own(submission) == [TEXT, "Two things."]  # where the student wrote them
    assert any("may belong to another question" in said for said in submission.warnings)


def test_prose_far_from_a_missing_answer_is_shown_beside_it() -> None:
    submission = submit(cell("My notes."), *BEFORE, *bare(ASK_A, NEXT, ASK_B), cell("B."))
    assert written(submission) == {"a": f"{UNSURE}\n\n> My notes.", "b": "B."}


def test_who_leaves_an_answer_blank_has_none() -> None:
    notes, stubs = cell("My notes."), {"a": STUB, "b": STUB}
    for cells in (GIVEN, bare(*GIVEN)):
        submission = submit(*cells[:2], notes, *BEFORE[2:], *cells[3:])
        assert written(submission) == stubs
        assert own(submission) == ["My notes."]


def test_code_beside_a_blank_answer_is_none() -> None:
    tried = [cell(text, "code") for text in ("x = 1", "%%bash\nls", "def g(:\n    oops")]
    submission = submit(*BEFORE, ASK_A, A, *tried, NEXT, ASK_B, B, END)
    assert written(submission) == {"a": STUB, "b": STUB}
    assert own(submission) == [each["source"] for each in tried]


def test_what_is_added_to_given_prose_stays_in_the_notebook() -> None:
    submission = submit(TITLE | {"source": f"{TITLE['source']}\n\nAda was here."}, *GIVEN[1:])
    assert own(submission) == ["Ada was here."]


def test_an_answer_in_its_own_cell_is_left_as_it_is() -> None:
    text = f"{STUB}\n\n{ask}\n\nBecause."
    notes = cell("Notes.")
    submission = submit(*GIVEN[:4], A | {"source": text}, notes, *GIVEN[5:])
    assert written(submission)["a"] == text
    assert own(submission) == ["Notes."]
