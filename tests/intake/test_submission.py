"""A submission is a clean copy of the release with the student's answers in it."""

import ast

import pytest

from autograder.errors import SubmissionError
from autograder.intake.notebook import read_notebook
from autograder.intake.release import Release
from autograder.intake.submission import Submission, assignment_of, normalise
from tests.notebooks import Cell, code, markdown, notebook

TITLE = markdown("# Attention") | {"id": "cell-0"}
IMPORTS = code("import numpy as np", "imports", locked=True)
STUB = code("def f(x):\n    raise NotImplementedError()", "f", solution=True)
CHECK = code("assert f(1) == 2", "f_test", grade=True, locked=True, points=2)
PLOT = code("plot(f)") | {"id": "cell-4"}
OTHER = code("def g(x):\n    raise NotImplementedError()", "g", solution=True)
WHY = markdown("YOUR ANSWER HERE", "why", grade=True, solution=True, points=2)
GIVEN = [TITLE, IMPORTS, STUB, CHECK, PLOT, OTHER, WHY]
ANSWER = "def f(x):\n    return x + 1"


def release(*cells: Cell, name: str = "hw") -> Release:
    return Release(name, read_notebook(notebook(*cells)).cells)


def submit(*cells: Cell) -> Submission:
    return normalise(read_notebook(notebook(*cells)), release(*GIVEN))


def edited(cell: Cell, source: str) -> Cell:
    return cell | {"source": source}


def run_sources(submission: Submission) -> list[str]:
    return [placed.cell.source for placed in submission.sources]


SOLVED = [TITLE, IMPORTS, edited(STUB, ANSWER), CHECK, PLOT, OTHER, WHY]
CLEAN = [IMPORTS["source"], ANSWER, OTHER["source"]]


def test_given_code_and_solutions_are_run_in_order_and_nothing_else() -> None:
    submission = submit(*SOLVED)
    assert run_sources(submission) == CLEAN
    assert submission.warnings == ()


def test_a_students_own_cells_run_where_they_stand() -> None:
    own = code("from math import sqrt")
    assert run_sources(submit(TITLE, IMPORTS, own, *SOLVED[2:])) == [
        CLEAN[0],
        own["source"],
        *CLEAN[1:],
    ]


def test_a_given_demonstration_runs_only_when_it_was_edited() -> None:
    played = edited(PLOT, "helper = 3")
    submission = submit(*[played if cell is PLOT else cell for cell in SOLVED])
    assert run_sources(submission) == [*CLEAN[:2], "helper = 3", CLEAN[2]]


def test_a_folded_cell_of_an_earlier_release_runs_and_is_not_the_students_own() -> None:
    now, before, own = (
        code(f"#@title {text}") for text in ("Checks\nn = 2", "Checks\nn = 1", "Mine\nn = 3")
    )
    given = release(*SOLVED[:3], now | {"id": "cell-4"}, *GIVEN[3:])
    handed_in = notebook(*SOLVED[:3], before | {"id": "cell-4"}, own, *SOLVED[3:])
    submission = normalise(read_notebook(handed_in), given)
    assert [placed.name.split("-")[0] for placed in submission.cells if placed.by_student] == [
        "given",
        "own",
    ]
    assert {before["source"], own["source"]} <= set(run_sources(submission))


@pytest.mark.parametrize(
    "trick",
    [
        "def trick(x):\n    return x",
        "from math import floor as trick",
        "trick, n = abs, 2",
        "trick.of = 2",
    ],
)
def test_a_folded_cell_that_an_answer_uses_is_the_students_own(trick: str) -> None:
    now, before = (code(f"#@title Checks\n{text}") for text in ("n = 2", trick))
    given = release(*SOLVED[:3], now | {"id": "cell-4"}, *GIVEN[3:])
    answer = edited(STUB, "def f():\n    return trick(1)")
    cells = [answer if cell["id"] == STUB["id"] else cell for cell in SOLVED]
    handed_in = notebook(*cells[:3], before | {"id": "cell-4"}, *cells[3:])
    (placed,) = (
        each for each in normalise(read_notebook(handed_in), given).cells if each.by_student
    )
    assert placed.name.startswith("own-")


@pytest.mark.parametrize(
    ("cells", "warning"),
    [
        (
            [*SOLVED[:3], edited(CHECK, "assert True"), *SOLVED[4:]],
            "`f_test`: a given cell was edited",
        ),
        (SOLVED[:3] + SOLVED[4:], "restored: `f_test`"),
        ([IMPORTS, CHECK, edited(STUB, ANSWER)], "restored: `g`, `why`"),
        (
            [IMPORTS, edited(STUB, ANSWER) | {"cell_type": "markdown"}, *SOLVED[3:]],
            "was a markdown cell",
        ),
        (
            [IMPORTS, code(ANSWER, "f2", solution=True) | {"id": "f"}, *SOLVED[3:]],
            "lost its grade_id",
        ),
        ([IMPORTS, code(ANSWER), *SOLVED[3:]], "lost its grade_id"),
        (
            [IMPORTS, code("%matplotlib inline\n" + ANSWER), *SOLVED[3:]],
            "lost its grade_id",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_damaged_notebook_is_repaired_which_is_told(cells: list[Cell], warning: str) -> None:
    submission = submit(*cells)
    assert [source.removeprefix("%matplotlib inline\n") for source in run_sources(submission)] == (
        CLEAN
    )
    assert any(warning in said for said in submission.warnings), submission.warnings


def test_what_was_written_into_given_code_is_run_before_the_original() -> None:
    mine = edited(IMPORTS, "import numpy as np, math")
    submission = submit(mine, *SOLVED[2:])
    assert run_sources(submission) == [mine["source"], *CLEAN]
    assert "your version was run first, then the original" in submission.warnings[0]
    assert run_sources(submit(mine | {"cell_type": "markdown"}, *SOLVED[2:])) == CLEAN


def test_code_above_everything_runs_first() -> None:
    above = code("import math")
    assert run_sources(submit(above, *SOLVED)) == [above["source"], *CLEAN[:1], ANSWER, *CLEAN[2:]]


@pytest.mark.parametrize("place", [2, 3, 4])
def test_an_answer_next_to_the_stub_is_taken_from_where_it_stands(place: int) -> None:
    """Above the stub, right below it, or below the visible checks."""
    helper, answer = code("def one(): return 1"), code("def f(x):\n    return x + one()")
    cells = [*GIVEN[:place], helper, answer, *GIVEN[place:]]
    submission = submit(*cells)
    assert run_sources(submission) == [CLEAN[0], helper["source"], answer["source"], CLEAN[2]]
    assert submission.answers["f"] == answer["source"]
    assert "added next to it" in submission.warnings[0]


@pytest.mark.parametrize(
    "blank",
    [
        *("", "# below", '"""below"""', "def f(x):\n    pass", "def f(x):\n    '''One more.'''"),
        "class f(Module):\n    def __init__(self):\n        super().__init__()\n        ...",
    ],
)
def test_an_answer_next_to_a_cell_that_does_nothing_is_taken(blank: str) -> None:
    submission = submit(*GIVEN[:2], edited(STUB, blank), code(ANSWER), *GIVEN[3:])
    assert run_sources(submission) == CLEAN
    assert submission.answers["f"] == ANSWER


@pytest.mark.parametrize("own", ["def f(x):\n    return x", "def f(x)\n    pass", "%run f.py"])
def test_a_cell_that_does_something_is_the_answer_whatever_stands_next_to_it(own: str) -> None:
    submission = submit(*GIVEN[:2], edited(STUB, own), code(ANSWER), *GIVEN[3:])
    assert submission.answers["f"] == own


@pytest.mark.parametrize("stub", [[STUB], []])
@pytest.mark.parametrize(
    "checks",
    [
        f"{ANSWER}\n\n{CHECK['source']}",
        f"{CHECK['source']}\n{ANSWER}",
        f"{ANSWER}\nassert f(3) == 4",
    ],
)
def test_an_answer_in_the_cell_of_the_checks_is_taken(stub: list[Cell], checks: str) -> None:
    submission = submit(*GIVEN[:2], *stub, edited(CHECK, checks), *GIVEN[4:])
    assert submission.answers["f"].startswith(ANSWER)
    assert "what it defines was kept as in a cell of your own" in submission.warnings[0]


def test_a_helper_in_the_cell_of_the_checks_is_there_for_what_follows() -> None:
    helper = "def one(): return 1"
    checks = edited(CHECK, f"{helper}\n{CHECK['source']}\nprint(f(2))")
    submission = submit(*SOLVED[:3], checks, *SOLVED[4:])
    assert run_sources(submission) == [*CLEAN[:2], f"{helper}\n\nprint(f(2))", CLEAN[2]]


def test_the_last_of_several_answers_next_to_the_stub_counts() -> None:
    first, last = code("def f(x):\n    return x"), code("f = lambda x: x + 1")
    submission = submit(*GIVEN[:3], first, last, *GIVEN[3:])
    assert run_sources(submission) == [CLEAN[0], first["source"], last["source"], CLEAN[2]]
    assert submission.answers["f"] == last["source"]


def test_a_cell_between_two_stubs_may_answer_both() -> None:
    both = f"{ANSWER}\n\ndef g(x):\n    return f(x)"
    submission = submit(*GIVEN[:5], code(both), *GIVEN[5:])
    assert submission.answers == {"f": both, "g": both}


def test_a_cell_beside_another_exercise_is_no_answer_to_a_stub() -> None:
    submission = submit(*SOLVED[:6], code("def g(x):\n    return f(x)"), code(ANSWER), SOLVED[6])
    assert submission.answers == {"f": ANSWER, "g": "def g(x):\n    return f(x)"}


def test_an_answer_that_was_merged_into_another_is_graded_for_both() -> None:
    merged = f"{ANSWER}\n\ndef g(x):\n    return f(x)"
    submission = submit(IMPORTS, edited(STUB, merged), CHECK, PLOT, WHY)
    assert submission.answers == {"f": merged, "g": merged}
    assert "the cell of `f` defines it" in submission.warnings[0]


def test_a_duplicated_stub_does_not_hide_the_answer() -> None:
    assert run_sources(submit(*SOLVED[:3], STUB, *SOLVED[3:])) == CLEAN


def test_a_split_solution_cell_is_joined() -> None:
    first, second = "def one(): return 1", "def f(x):\n    return x + one()"
    submission = submit(IMPORTS, edited(STUB, first), edited(STUB, second), *SOLVED[3:])
    assert run_sources(submission)[1] == f"{first}\n\n{second}"
    assert "joined" in submission.warnings[0]


def test_reordered_cells_run_in_the_releases_order() -> None:
    assert run_sources(submit(*reversed(SOLVED))) == CLEAN


def test_a_written_answer_is_kept_and_edited_prose_is_not() -> None:
    cells = [edited(TITLE, "# Mine"), *SOLVED[1:6], edited(WHY, "Because.")]
    texts = [p.cell.source for p in submit(*cells).cells if p.cell.cell_type == "markdown"]
    assert texts == ["# Attention", "Because."]


def test_points_and_marks_come_from_the_release() -> None:
    greedy = code("assert True", "f_test", grade=True, locked=False, points=1000)
    marks = {p.name: p.cell.nbgrader for p in submit(*SOLVED[:3], greedy, *SOLVED[4:]).cells}
    assert marks["f_test"].points == 2
    assert marks["f_test"].locked


def test_a_notebook_of_another_course_is_refused() -> None:
    with pytest.raises(SubmissionError, match="none of the exercises"):
        submit(IMPORTS, code("cells = 3", "mitosis", solution=True))


def test_the_assignment_is_found_by_what_the_notebook_shares_with_it() -> None:
    first, second = release(IMPORTS, STUB, CHECK, name="a"), release(IMPORTS, OTHER, name="b")
    found = assignment_of(read_notebook(notebook(IMPORTS, edited(STUB, ANSWER))), [second, first])
    assert found is first


@pytest.mark.parametrize("lost", ["id", "mark"])
def test_the_assignment_is_found_by_marks_or_by_ids_alone(lost: str) -> None:
    first, second = release(IMPORTS, STUB, CHECK, name="a"), release(IMPORTS, OTHER, name="b")
    kept = {name: STUB[name] for name in STUB if name != "id"}
    handed_in = kept if lost == "id" else STUB | {"metadata": {}}
    found = read_notebook(notebook(handed_in | {"source": "x = 1"}))
    assert assignment_of(found, [second, first]) is first


def test_the_assignment_is_found_by_the_names_defined_when_all_marks_are_gone() -> None:
    first, second = release(IMPORTS, STUB, CHECK, name="a"), release(IMPORTS, OTHER, name="b")
    assert assignment_of(read_notebook(notebook(code(ANSWER))), [second, first]) is first


def test_a_notebook_that_shares_nothing_belongs_to_no_assignment() -> None:
    with pytest.raises(SubmissionError, match="no assignment of this course"):
        assignment_of(read_notebook(notebook(IMPORTS, code("x = 1"))), [release(*GIVEN)])


def test_no_more_code_is_taken_than_can_be_parsed() -> None:
    cells = [code("x = 1\n" * 30_000) for _ in range(6)]
    with pytest.raises(SubmissionError, match=r"more than 1,000,000 characters of code"):
        read_notebook(notebook(*SOLVED, *cells))


def test_a_cell_is_parsed_once_even_if_many_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def parse(text: str) -> ast.AST:
        parsed.append(text)
        return compile(text, "<cell>", "exec", ast.PyCF_ONLY_AST)

    monkeypatch.setattr(ast, "parse", parse)
    own = [code(ANSWER), code("y = 3"), code(OTHER["source"] + "  # mine")]
    answers = submit(TITLE, IMPORTS, CHECK, *own, edited(WHY, "Because.")).answers
    assert answers == {"f": ANSWER, "g": OTHER["source"] + "  # mine"}
    assert sorted(parsed) == sorted(cell["source"] for cell in own)


DRAW = code("# Write your answer here.", "draw", grade=True, solution=True, points=2)
DRAWN = "for x in data:\n    plot(x)"


def drawn(*cells: Cell) -> Submission:
    """Hand in where code that a person grades stands between two exercises."""
    given = [*GIVEN[:5], DRAW, *GIVEN[5:]]
    return normalise(read_notebook(notebook(*cells)), release(*given))


def test_code_that_a_person_grades_is_run_in_its_place_and_kept_as_it_is() -> None:
    submission = drawn(*SOLVED[:5], edited(DRAW, DRAWN), *SOLVED[5:])
    assert run_sources(submission) == [*CLEAN[:2], DRAWN, CLEAN[2]]
    assert submission.warnings == ()


def test_an_edited_given_cell_is_no_answer_to_a_blank_question_above_it() -> None:
    tools = code("import math", "tools", locked=True)
    handed_in = notebook(*SOLVED, DRAW, edited(tools, "import json\nimport math"))
    submission = normalise(read_notebook(handed_in), release(*GIVEN, DRAW, tools))
    sources = run_sources(submission)
    assert sources[-2:] == ["import json\nimport math", "import math"]
    assert not any("nothing is in its cell" in said for said in submission.warnings)


@pytest.mark.parametrize("blank", [[DRAW], [], [edited(DRAW, "")]])
def test_code_below_a_blank_cell_or_in_place_of_a_lost_one_is_what_a_person_grades(
    blank: list[Cell],
) -> None:
    other = code("def g(x):\n    return x")
    picture = {"data": {"image/jpeg": "/9j/"}}
    mine = code(DRAWN) | {"outputs": [picture]}
    submission = drawn(*SOLVED[:5], *blank, mine, other, *SOLVED[5:])
    (cell,) = (each.cell for each in submission.cells if each.name == "draw")
    assert (cell.source.strip(), len(cell.pictures)) == (DRAWN, 1)
    assert submission.answers["g"] == other["source"]
    assert "`draw`: nothing is in its cell" in submission.warnings[0]
