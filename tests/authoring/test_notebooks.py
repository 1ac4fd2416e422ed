"""The released notebooks: what every reader finds in them, solved or not."""

import ast
import base64
import builtins
import contextlib
import json
import linecache
import math
import re
import symtable
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jupytext
import numpy as np
import pytest

from autograder.authoring.notes import notebook
from autograder.course.solution import sources
from autograder.testing.failures import plain_rules
from tests.courses import EXERCISES, KIT, ROOT

ASSIGNMENTS = KIT.assignment_names()
each_assignment = pytest.mark.parametrize("assignment", ASSIGNMENTS)
MAY_IMPORT = {"numpy", "torch", "matplotlib", "ipywidgets", "IPython"}
# Names in much-read code on Transformers: a given cell below would replace a student's own.
HELPERS = {
    "attention",
    "clones",
    "subsequent_mask",
    "merge_heads",
    "combine_heads",
    "LayerNorm",
} | {
    *("SublayerConnection", "PositionwiseFeedForward", "PositionalEncoding", "Head", "Block"),
    *("MultiHeadedAttention", "generate_square_subsequent_mask", "transpose_qkv", "stable_softmax"),
}
WORKBENCH = "\n".join(
    (ROOT / "solutions/shared" / name).read_text("utf-8") for name in ("workbench.py", "guesses.py")
)


@cache
def cells_of(assignment: str) -> list[dict[str, Any]]:
    cells = json.loads(KIT.release_path(assignment).read_bytes())["cells"]
    return [cell | {"source": "".join(cell["source"])} for cell in cells]


def code_of(assignment: str) -> list[str]:
    return [cell["source"] for cell in cells_of(assignment) if cell["cell_type"] == "code"]


@pytest.mark.slow
@each_assignment
def test_only_a_few_packages_are_imported_and_sliders_only_if_they_are_there(
    assignment: str,
) -> None:
    found = set()
    for source in code_of(assignment):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(str(node.module).partition(".")[0])
    assert found - set(sys.stdlib_module_names) <= MAY_IMPORT
    assert "from ipywidgets import interact\n    except ImportError" in "\n".join(
        code_of(assignment)
    )


@each_assignment
def test_it_opens_with_a_picture_that_words_describe(assignment: str) -> None:
    first = cells_of(assignment)[0]
    alt = re.search(r"!\[([^\]]+)\]\(data:image/png;base64,([^)]+)\)", first["source"])
    assert alt is not None
    assert len(alt[1]) > 40
    assert base64.b64decode(alt[2]).startswith(b"\x89PNG")


@each_assignment
def test_given_cells_bind_no_name_that_many_give_to_a_helper(assignment: str) -> None:
    bound = set()
    for cell in cells_of(assignment):
        if cell["cell_type"] == "code" and not cell["metadata"].get("nbgrader", {}).get("solution"):
            symbols = symtable.symtable(cell["source"], assignment, "exec").get_symbols()
            bound |= {each.get_name() for each in symbols if each.is_assigned()}
    assert not bound & HELPERS


@each_assignment
def test_every_name_that_a_cell_reads_is_bound_by_some_cell(assignment: str) -> None:
    """What runs only after a guess, or for a right answer, is seldom tried."""
    unpacked = (ROOT / "solutions/text_model/packed.py").read_text("utf-8")
    bound, read = {*dir(builtins), "__name__", "display", "get_ipython"}, set[str]()
    for source in (unpacked, *code_of(assignment)):
        whole = symtable.symtable(source, assignment, "exec")
        symbols = whole.get_symbols()
        bound |= {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}
        tables = [whole]
        while tables:
            table = tables.pop()
            tables += table.get_children()
            read |= {each.get_name() for each in table.get_symbols() if each.is_global()}
    assert read <= bound


@each_assignment
def test_every_figure_is_shown_with_words(assignment: str) -> None:
    nodes = [node for source in code_of(assignment) for node in ast.walk(ast.parse(source))]
    calls = [(ast.unparse(n.func), n.args) for n in nodes if isinstance(n, ast.Call)]
    words = [arguments for function, arguments in calls if function == "show"]
    assert words and all(words)
    assert "plt.show" not in {function for function, _ in calls}


@pytest.mark.slow
@each_assignment
def test_whether_something_is_drawn_depends_on_a_guess_and_not_on_what_compare_returns(
    assignment: str,
) -> None:
    """It returns None, as what prints does: a picture that waits for its result never comes."""
    nodes = [node for source in code_of(assignment) for node in ast.walk(ast.parse(source))]
    calls = {n for n in nodes if isinstance(n, ast.Call) and ast.unparse(n.func) == "compare"}
    assert calls and calls <= {n.value for n in nodes if isinstance(n, ast.Expr)}


@each_assignment
def test_checks_and_helpers_are_folded_and_answers_are_not(assignment: str) -> None:
    for cell in cells_of(assignment):
        mark = cell["metadata"].get("nbgrader", {})
        folded = cell["metadata"].get("jupyter", {}).get("source_hidden", False)
        if cell["cell_type"] == "code" and mark.get("grade"):
            assert folded
        if mark.get("solution"):
            assert not folded
        assert folded == cell["source"].startswith("#@title ")


@each_assignment
def test_nothing_is_borrowed_unless_the_student_says_so_and_never_by_the_grader(
    assignment: str,
) -> None:
    assert sum("BORROW = False" in source for source in code_of(assignment)) == 1
    given = "\n".join(sources(KIT, assignment).values())
    assert "LENT" not in given and "borrowed" not in given


@pytest.fixture
def workbench() -> dict[str, Any]:
    """The notebook's names after its workbench has run, with one exercise unsolved."""
    names: dict[str, Any] = {
        "display": lambda data, **_: print(data["text/plain"]),
        "locked_notes": SimpleNamespace(names_in=notebook.names_in),  # and no note
    }
    exec(WORKBENCH, names)
    exec('def half(x):\n    raise NotImplementedError("half: your turn")', names)
    return names


def run(names: dict[str, Any], source: str) -> None:
    exec(source, names)


BEGIN_THERE = "(it uses half: the checks there didn't all hold when they ran last, so begin there)"
STUB = 'raise NotImplementedError("half: your turn")'
LEND = 'BORROW, LENT = True, {"half": lambda x: x / 2}\n'
PRINT = 'with needs("half"):\n    print(half(4))'
OWN = PRINT.replace('"half"', 'own="half"')


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (PRINT, "○ This cell waits for your `half`.\n"),
        (
            'quarter = lambda x: half(half(x))\nwith needs("quarter"):\n    quarter(4)',
            "○ This cell waits for your `half`.\n",
        ),
        (LEND + PRINT, "(borrowed: half)\n2.0\n"),
        (f'def half(x):\n    return "own"\n{LEND}{PRINT}', "own\n"),
        (OWN, "○ This cell waits for your `half`.\n"),
        (LEND + OWN, "○ This cell needs your own `half`: nothing borrowed will do here.\n"),
        (f'def half(x):\n    return "own"\n{LEND}{OWN}', "own\n"),
    ],
    ids=[
        "unsolved",
        "unsolved further up",
        "borrowed",
        "written",
        "one's own, unsolved",
        "one's own, nothing borrowed",
        "one's own, written",
    ],
)
def test_a_cell_waits_for_an_exercise_or_borrows_it_and_gives_it_back(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str], source: str, said: str
) -> None:
    stub = workbench["half"]
    run(workbench, source)
    assert capsys.readouterr().out == said
    assert workbench["half"] is stub or said == "own\n"


def test_without_pytorch_borrowing_says_what_to_do(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    run(workbench, 'BORROW, LENT = True, {"half": lambda x: __import__("torch")}\n' + PRINT)
    assert capsys.readouterr().out == (
        "(borrowed: half)\n○ BORROW takes its functions from PyTorch: `pip install torch`, or set "
        "it to False.\n"
    )
    assert is_stub(workbench["half"])
    ideas = "def ideas():\n    yield 'it quarters', quarter(4) == 1, ''\n"
    quarter = "quarter = lambda x: half(half(x))\n"
    run(workbench, f"{quarter}{ideas}try_ideas('quarter', ideas)")
    assert capsys.readouterr().out.startswith("○ BORROW takes its functions from PyTorch")


def test_an_own_encoder_finds_a_borrowed_block_where_its_weights_look_for_one() -> None:
    torch = pytest.importorskip("torch")
    nn = torch.nn
    lent = {"nn": nn}
    run(lent, (ROOT / "solutions/backstage/hw2_encoder/lent.py").read_text("utf-8"))
    encoder = nn.ModuleList([lent["BorrowedBlock"](8, 2, 16)])
    learned = nn.ModuleList([nn.TransformerEncoderLayer(8, 2, 16)]).state_dict()
    encoder.load_state_dict(learned)
    assert all(map(torch.equal, encoder.state_dict().values(), learned.values()))


@pytest.fixture(scope="module")
def hw3() -> dict[str, Any]:
    """What the first cells of hw3 define: nothing of a student's."""
    pytest.importorskip("torch")
    names: dict[str, Any] = {}
    for code in code_of("hw3_transformer")[:3]:
        run(names, code)
    return names


def test_decoder_blocks_with_the_text_models_weights_write_its_words(hw3: dict[str, Any]) -> None:
    hw3, answers = {**hw3}, sources(KIT, "hw3_transformer")
    for code in (answers["causal_mask"], answers["DecoderBlock"]):
        run(hw3, code)
    for block in (hw3["DecoderBlock"], hw3["BorrowedDecoderBlock"]):
        for words in ("When a class", "Once upon a time"):
            written = hw3["write_on"](hw3["through"](block), words, n=60)
            assert written == hw3["text_model"].write_on(words, n=60)


@pytest.mark.exhaustive  # it trains two models
def test_two_decoder_blocks_learn_to_copy_and_one_alone_does_not(hw3: dict[str, Any]) -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    song, shares = hw3["as_song"]("triangles"), []
    for n_blocks, most in ((1, 150), (2, 300)):
        copier = hw3["Copier"](hw3["BorrowedDecoderBlock"], n_blocks)
        shares.append(hw3["learn_to_copy"](copier, song, steps=most)[-1][1])
    assert shares[0] < 0.3 < 0.9 < shares[1]
    *_, second = hw3["weights_of"](copier, "self_attn", song)
    looks = second[0, 9:].argmax(dim=1)  # of the letters when they are sung again
    assert (looks == torch.arange(1, 10)).float().mean() > 0.7  # at what followed them


@pytest.mark.parametrize("word", ["CAT", "PENGUIN", "UNCOPYRIGHTABLE", ""])
def test_a_song_has_six_to_twelve_different_letters(hw3: dict[str, Any], word: str) -> None:
    assert hw3["letters"](hw3["as_song"]("Triangles")) == [*"TRIANGLES"] * 2
    with pytest.raises(AssertionError, match="6 to 12 different letters from A to Z"):
        hw3["as_song"](word)


def test_a_phrase_that_returns_is_marked_at_whole_words_alone(hw3: dict[str, Any]) -> None:
    said = hw3["marked"]("in the end of it in the end of items")
    assert said == "«in the end of» it «in the end of» items"
    assert hw3["marked"]("no phrase of it returns here") == "no phrase of it returns here"


def test_at_temperature_0_the_likeliest_is_drawn(hw3: dict[str, Any]) -> None:
    one, other = (hw3["write_on"](hw3["ready"], "A", 9, 0, seed) for seed in (0, 1))
    assert one == other


def test_what_is_no_exercise_may_have_checks_that_fail(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    run(workbench, "def ideas():\n    yield 'it speaks', False, 'It is silent.'\n")
    run(workbench, "try_ideas('The model with your attention', ideas)")
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "○ The model with your attention isn't right yet. That costs nothing."


def is_stub(function: Any) -> bool:
    with pytest.raises(NotImplementedError, match="half: your turn"):
        function(4)
    return True


def test_ungraded_checks_of_a_stub_wait_in_the_same_place_as_all_they_say(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    run(workbench, IDEAS.format("") + "try_ideas('half', ideas)")
    said = capsys.readouterr()
    assert (said.out, said.err) == ("○ These checks wait for your `half`.\n", "")


def test_another_error_is_not_taken_for_a_stub(workbench: dict[str, Any]) -> None:
    with pytest.raises(NotImplementedError, match="forward"):
        run(workbench, 'with needs("half"):\n    raise NotImplementedError("forward is missing")')


IDEAS = "def ideas():\n    {}\n    yield 'it halves', half(4) == 2, f'half(4) is {{half(4)}}'\n"
CHECK = "run_checks('half', ideas)"


def test_checks_of_a_stub_wait_and_cost_it_its_points_under_stock_nbgrader(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    run(workbench, IDEAS.format("model = 1") + CHECK)
    assert capsys.readouterr().err == "○ These checks wait for your `half`.\n"
    assert "model" not in workbench


@pytest.mark.parametrize("error", ["", "\n    1 / 0"])
def test_each_idea_gets_its_mark_and_a_wrong_one_ends_the_cell_whatever_follows(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str], error: str
) -> None:
    first = "yield 'it returns something', half(4) is not None, 'Nothing comes back.'"
    second = f"{first}\n    yield 'it halves', half(4) == 2, f'half(4) is {{half(4)}}'{error}"
    with pytest.raises(AssertionError, match="half: begin with the first ✗"):
        run(workbench, f"half = lambda x: x\ndef ideas():\n    {second}\n{CHECK}")
    assert capsys.readouterr().out.startswith(
        "✓ it returns something\n✗ it halves\n    half(4) is 4\n"
    )


def asked(names: dict[str, Any], capsys: pytest.CaptureFixture[str], source: str) -> str:
    """Return what is printed, by a check that may fail as well."""
    with contextlib.suppress(AssertionError):
        run(names, source)
    return capsys.readouterr().out


TWO_IDEAS = """half = {}
def ideas():
    yield 'it halves 4', half(4) == 2, 'No.'
    yield 'it halves 6', half(6) == 3, 'No.'
run_checks('half', ideas)"""


def test_progress_has_a_line_for_each_exercise_right_wrong_stopped_or_not_tried(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    workbench["EXERCISES"] = ["half", "third"]
    for answer, line in (
        ("lambda x: 2", "✗ half: 1 right, 1 wrong ✓✗\n  Begin with this check: it halves 6."),
        (
            "{4: 2}.__getitem__",
            "✗ half: 1 right ✓○\n  Begin where the checks stop.",
        ),
        ("lambda x: x / 2", "✓ half: all 2 right ✓✓"),
    ):
        asked(workbench, capsys, TWO_IDEAS.format(answer))
        assert asked(workbench, capsys, "progress()") == f"{line}\n○ third: not tried yet\n"


def test_what_was_wrong_and_is_right_now_is_said_once(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "found it" not in asked(workbench, capsys, TWO_IDEAS.format("lambda x: 2"))
    said = asked(workbench, capsys, TWO_IDEAS.format("lambda x: x / 2"))
    passes = "✓ half passes its 2 visible checks.\n"
    assert said == f"✓ it halves 6 (✗ before: you found it)\n{passes}"
    assert asked(workbench, capsys, TWO_IDEAS.format("lambda x: x / 2")) == passes


def test_checks_that_all_hold_are_one_line_that_unfolds(workbench: dict[str, Any]) -> None:
    shown: list[dict[str, str]] = []
    workbench["display"] = lambda data, **_: shown.append(data)
    run(workbench, TWO_IDEAS.format("lambda x: x / 2"))
    (data,) = shown
    assert data["text/html"] == (
        "<details><summary>✓ half passes its 2 visible checks.</summary>"
        '<pre style="font-family:monospace;word-break:normal;overflow-wrap:anywhere">'
        "✓ it halves 4\n✓ it halves 6</pre></details>"
    )


def test_a_hint_without_notes_says_where_to_begin(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    workbench["EXERCISES"] = ["half"]
    assert asked(workbench, capsys, "hint('half')").startswith("○ Your `half` isn't written yet")
    names = '○ Name one of these, as in hint("half"):\n  half\n'
    for unknown in ("hint('haf')", "hint()"):
        assert asked(workbench, capsys, unknown) == names
    workbench["half"] = lambda x: 2
    assert asked(workbench, capsys, "hint('half')").startswith("○ Run its visible checks first")
    asked(workbench, capsys, TWO_IDEAS.format("lambda x: 2"))
    assert asked(workbench, capsys, "hint('half')") == "○ Begin with this check: it halves 6.\n"


def test_a_hint_for_an_ungraded_step_says_where_to_begin(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    workbench["EXERCISES"] = ["whole"]
    asked(workbench, capsys, TWO_IDEAS.format("lambda x: 2"))
    assert asked(workbench, capsys, "hint('half')") == "○ Begin with this check: it halves 6.\n"


def test_a_cell_that_uses_an_answer_says_when_its_checks_do_not_all_hold(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    uses = "with needs('half'):\n    print(half(6))"
    asked(workbench, capsys, TWO_IDEAS.format("lambda x: 2"))
    assert asked(workbench, capsys, uses) == (
        "(not right yet: half; so this may differ from the text)\n2\n"
    )
    asked(workbench, capsys, TWO_IDEAS.format("lambda x: x / 2"))
    assert asked(workbench, capsys, uses) == "3.0\n"


def test_an_error_that_a_wrong_exercise_may_have_led_to_is_told_in_two_lines(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    uses = "with needs('half'):\n    print(int(half(6)))"
    asked(workbench, capsys, TWO_IDEAS.format("lambda x: float('nan')"))
    assert asked(workbench, capsys, uses).endswith(
        "○ This ended in ValueError: cannot convert float NaN to integer\n"
        "  Begin with your half, then run this cell again.\n"
    )
    asked(workbench, capsys, TWO_IDEAS.format("lambda x: x / 2"))
    with pytest.raises(ZeroDivisionError):
        run(workbench, "with needs('half'):\n    1 / 0")


def test_checks_say_which_earlier_exercise_is_not_right_yet(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    workbench |= {"EXERCISES": ["half", "quarter"]}
    asked(workbench, capsys, TWO_IDEAS.format("lambda x: 2"))
    ideas = "def ideas():\n    yield 'it quarters 6', quarter(6) == 1.5, 'No.'\n"
    check = f"{ideas}run_checks('quarter', ideas)"
    wrong = "✗ it quarters 6\n    No.\n"
    for answer in (
        "quarter = lambda x: half(half(x))",
        "quarter = lambda x: [half(each / 2) for each in [x]][0]",
        "quarter = lambda x: (lambda: half(x))()",
        "by_halves = lambda x: half(x) / 2\nquarter = lambda x: by_halves(x)",
    ):
        assert asked(workbench, capsys, f"{answer}\n{check}") == (f"{wrong}{BEGIN_THERE}\n")
        assert asked(workbench, capsys, "hint('quarter')") == (
            "○ Begin with your half, which it uses. "
            "If you have mended that, run its checks again.\n"
        )
    alone = "quarter = lambda x: x / 2"
    assert asked(workbench, capsys, f"{alone}\n{check}") == wrong
    right = "quarter = lambda x: half(x) - 0.5"
    assert "didn't all hold when they ran last)" in asked(workbench, capsys, f"{right}\n{check}")
    uses = "with needs('quarter'):\n    print(quarter(6))"
    assert asked(workbench, capsys, uses).startswith("(not right yet: half; so this may differ")


def test_checks_and_hints_say_that_the_last_run_of_an_answer_stopped(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    says = "○ Your last run of `half` stopped with an error: what is looked at is the version "
    workbench |= {"EXERCISES": ["half"], "half": lambda x: 2}
    right, other = "%%time\ndef half(x):\n    return 2", "def halves(x):\n    return x /"
    for wrong in ("def half(x):\n    return x /", "def half(x):\n    2\nreturn 2"):
        workbench["In"] = ["", right, wrong, "run_checks('half', ideas)"]
        said = asked(workbench, capsys, TWO_IDEAS.format("lambda x: 2"))
        assert said.startswith(f"{says}before.\n✓ it halves 4\n✗ it halves 6\n")
        assert asked(workbench, capsys, "hint('half')").startswith(says)
        workbench["In"] += [right, other]
        assert "last run" not in asked(workbench, capsys, TWO_IDEAS.format("lambda x: 2"))


def test_an_exercise_whose_checks_stop_is_not_right_yet_either(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    workbench |= {"EXERCISES": ["half", "quarter"], "display": lambda *_, **__: None}
    assert "✗" in asked(workbench, capsys, TWO_IDEAS.format("lambda x: x.missing"))
    assert "not right yet: half; " in asked(workbench, capsys, "with needs('half'):\n    pass")
    ideas = "def ideas():\n    yield 'it quarters 6', quarter(6) == 1.5, 'No.'\n"
    check = f"quarter = lambda x: half(half(x))\n{ideas}run_checks('quarter', ideas)"
    assert BEGIN_THERE in asked(workbench, capsys, check)


def test_an_error_in_a_given_cell_is_not_taken_for_the_students(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    workbench["display"] = lambda *_, **__: None
    given = "def spelt(text):\n    return text.strip()"
    linecache.cache["<given>"] = (len(given), None, given.splitlines(keepends=True), "<given>")
    exec(compile(given, "<given>", "exec"), workbench)
    check = "half = lambda x: 7\ndef ideas():\n    yield 'a text', spelt(half(4)) == '', ''\n"
    said = asked(workbench, capsys, check + CHECK)
    assert said.startswith("✗ The checks can't use what comes back\n    AttributeError: ")


def test_what_a_check_misses_from_a_cell_above_is_asked_for(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    check = "half = lambda x: 7\ndef ideas():\n    yield 'a half', half(TinyNumber) == 3, ''\n"
    assert asked(workbench, capsys, check + CHECK) == (
        "✗ There is no `TinyNumber` here: run the cells above once, folded ones, too.\n"
    )


def test_ideas_that_may_fail_for_a_reason_above_come_last_and_it_is_said_once(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    ideas = "".join(
        f"    yield '{idea}', {holds}, {says}\n"
        for idea, holds, says in (
            ("one", False, "SEE_ABOVE"),
            ("two", True, "''"),
            ("three", False, "SEE_ABOVE"),
            ("four", False, "'Why?'"),
        )
    )
    assert asked(workbench, capsys, f"def ideas():\n{ideas}{CHECK}") == (
        "✓ two\n✗ four\n    Why?\n✗ one\n✗ three\n    See above first.\n"
    )


def test_an_answer_whose_cell_was_not_run_is_asked_for(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    workbench["EXERCISES"] = ["half"]
    del workbench["half"]
    says = "There is no `half` here: run the cell of your answer first."
    with pytest.raises(AssertionError, match=f"✗ {says}"):
        run(workbench, IDEAS.format("pass") + CHECK)
    assert asked(workbench, capsys, "hint('half')") == f"○ {says}\n"
    assert asked(workbench, capsys, PRINT) == f"○ {says}\n"
    calls = 'quarter = lambda x: half(half(x))\nwith needs("quarter"):\n    quarter(4)'
    assert asked(workbench, capsys, calls) == f"○ {says}\n"
    with pytest.raises(NameError, match="other"):
        run(workbench, 'with needs("half"):\n    other(4)')


@pytest.mark.parametrize(
    ("lines", "is_told"),
    [
        ([STUB, "return x / 2"], True),
        (["x = x / 2", STUB], True),
        (["return x / 2", STUB], False),
        (['"""Halve it."""', STUB], False),
    ],
)
def test_a_stub_that_is_left_and_reached_is_what_a_hint_speaks_of(
    workbench: dict[str, Any],
    capsys: pytest.CaptureFixture[str],
    lines: list[str],
    is_told: bool,
) -> None:
    workbench["EXERCISES"] = ["half"]
    source = "\n    ".join(["def half(x):", *lines])
    linecache.cache["<left>"] = (len(source), None, source.splitlines(keepends=True), "<left>")
    exec(compile(source, "<left>", "exec"), workbench)
    said = "○ In `half`, the line `raise NotImplementedError(…)` is still there\n"
    assert (asked(workbench, capsys, "hint('half')") == said) == is_told


def test_beside_an_error_stands_the_line_of_the_checks_that_led_to_it(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    check = f"def ideas():\n    odd = half('7')\n    yield 'it halves', odd == 3.5, ''\n{CHECK}"
    for name, source in (("<mine>", "def half(x):\n    return x / 2"), ("<checks>", check)):
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    exec(compile("def half(x):\n    return x / 2", "<mine>", "exec"), workbench)
    with pytest.raises(AssertionError):
        exec(compile(check, "<checks>", "exec"), workbench)
    assert "\n    The checks had come to: odd = half('7')\n" in capsys.readouterr().out


@each_assignment
def test_the_workbench_knows_the_exercises_of_its_notebook(assignment: str) -> None:
    (line,) = re.findall(r"^EXERCISES = (.*)$", "\n".join(code_of(assignment)), re.MULTILINE)
    assert ast.literal_eval(line) == [
        cell["metadata"]["nbgrader"]["grade_id"]
        for cell in cells_of(assignment)
        if cell["cell_type"] == "code" and is_exercise(cell)
    ]


def is_exercise(cell: Mapping[str, Any]) -> bool:
    mark = cell["metadata"].get("nbgrader", {})
    return bool(mark.get("solution") and not mark["grade"])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "    whole = x + 1\n    return whole / 0",
            "✗ Your code stops in line 3 of its cell: return whole / 0\n"
            "    ZeroDivisionError: division by zero\n",
        ),
        (
            "    return y / 2",
            "✗ Your code stops in line 2 of its cell: return y / 2\n"
            "    NameError: name 'y' is not defined\n",
        ),
        (
            "    x / 2",
            "✗ `None` comes back\n    Does your function end with `return`?\n",
        ),
        ("    return []", "✗ The checks can't use what comes back\n    AttributeError: "),
        (
            '    raise NotImplementedError("half: your turn")\n    return x / 2',
            "✗ In `half`, the line `raise NotImplementedError(…)` is still there\n",
        ),
        (
            "    while True: x = x / 2",
            "✗ Your code stops in line 2 of its cell: while True: x = x / 2\n"
            "    TimeoutError: It was still running after 0.2 seconds. Can each loop end?\n",
        ),
    ],
    ids=["error", "no such name", "nothing", "another type", "stub left", "endless loop"],
)
def test_an_error_is_told_in_lines_of_the_students_own_and_without_a_traceback(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str], body: str, said: str
) -> None:
    source = f"def half(x):\n{body}"
    linecache.cache["<cell>"] = (len(source), None, source.splitlines(keepends=True), "<cell>")
    exec(compile(source, "<cell>", "exec"), workbench)
    folded: list[dict[str, str]] = []
    workbench |= {"MAX_SECONDS": 0.2, "display": lambda data, **_: folded.append(data)}
    check = "def ideas():\n    yield 'it halves', half(4).is_integer(), ''\n" + CHECK
    with pytest.raises(AssertionError, match="half: begin with the first ✗"):
        run(workbench, check)
    assert capsys.readouterr().out.startswith(said)
    assert bool(folded) == ("raise" not in body)
    assert all("Traceback" in data["text/html"] for data in folded)


def test_what_a_common_exception_means_stands_below_it(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook, "EXCEPTIONS", notebook.packed(plain_rules()))
    workbench["locked_notes"] = notebook
    source = "def half(x):\n    return [x][2]"
    linecache.cache["<cell>"] = (len(source), None, source.splitlines(keepends=True), "<cell>")
    exec(compile(source, "<cell>", "exec"), workbench)
    with pytest.raises(AssertionError):
        run(workbench, "def ideas():\n    yield 'it halves', half(4) == 2, ''\n" + CHECK)
    said = capsys.readouterr().out
    assert "\n    IndexError: list index out of range\n    Your code asks for an entry" in said
    assert "How long is it just before\n    line 2?\n" in said


def test_no_time_limit_of_a_check_leaves_half_of_a_package_behind(
    workbench: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_for_a_check.py").write_text("import time\ntime.sleep(0.3)\nnumber = 2\n")
    monkeypatch.syspath_prepend(tmp_path)
    workbench["MAX_SECONDS"] = 0.1
    source = "def half(x):\n    import slow_for_a_check\n    return x / slow_for_a_check.number\n"
    run(workbench, f"{source}def ideas():\n    yield 'it halves', half(4) == 2, ''\n{CHECK}")


def test_an_error_in_a_check_is_not_taken_for_the_students_even_behind_a_decorator(
    workbench: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    decorated = (
        "import functools\ndef calmly(ideas):\n    @functools.wraps(ideas)\n    def run():\n"
        "        yield from ideas()\n    return run\n"
    )
    exec(decorated, workbench)  # elsewhere, as torch's decorators are
    ideas = "@calmly\ndef ideas():\n    yield 'it is', False, 'It is not.'\n    half(4).shape\n"
    source = f"half = lambda x: x / 2\n{ideas}{CHECK}"
    linecache.cache["<check>"] = (len(source), None, source.splitlines(keepends=True), "<check>")
    with pytest.raises(AssertionError, match="half: begin with the first ✗"):
        exec(compile(source, "<check>", "exec"), workbench)
    assert "Your code stops" not in capsys.readouterr().out


@pytest.mark.parametrize(("assignment", "exercise"), EXERCISES)
def test_each_stub_says_whose_turn_it_is(assignment: str, exercise: str) -> None:
    (stub,) = (cell["source"] for cell in cells_of(assignment) if cell.get("id") == exercise)
    assert f'raise NotImplementedError("{exercise}: your turn")' in stub


@each_assignment
def test_each_ungraded_task_has_checks(assignment: str) -> None:
    script = jupytext.read(KIT.solutions / f"{assignment}.py", fmt="py:percent")
    text = "\n".join(cell.source for cell in script.cells)
    for name in re.findall(r'raise NotImplementedError\("(\w+): your turn"\)', text):
        assert f'try_ideas("{name}", ideas)' in text


@pytest.mark.parametrize(
    ("guess", "among", "said"),
    [
        (0.4, "(0, 1)", "It is 0.5\n(you guessed 0.4, 0.1 too low)."),
        (45, "(0, 1)", "(you guessed 45, where it could only be a number from 0 to 1)."),
        ("half", "(0, 1)", "(you guessed half, where it could only be a number from 0 to 1)."),
        ("cat", "['cat', 'dog', 'both']", "It is 0.5 (you guessed cat)."),
        (["cat", "dog"], "{'cat': 1, 'dog': 2}", "(you guessed cat, dog)."),
        (
            "none of these two",
            "['none of these two']",
            "It is 0.5\n(you guessed none of these two).",
        ),
        (["cat", ["dog"]], "{'cat': 1, 'dog': 2}", "where it could only be cat or dog)."),
        ("Cat", "['cat', 'dog', 'both']", "It is 0.5 (you guessed Cat)."),
        ("0.25", "(0, 1)", "It is 0.5\n(you guessed 0.25, 0.25 too low)."),
        ("cats", "['cat', 'dog', 'both']", "where it could only be cat, dog or both)."),
        ("the cat", "['cat', 'dog', 'both']", "(you guessed cat)."),
        ("same", "['the same', 'the other']", "(you guessed the same)."),
        ("no residuals", "['residuals', 'norms']", "(you guessed residuals)."),
        ("feed forward", "['feed-forward', 'norms']", "(you guessed feed-forward)."),
        ("D", "['A', 'B', 'C']", "(you guessed D, where it could only be A, B or C)."),
        ("text C", "['A', 'B', 'C']", "(you guessed C)."),
        ("", "['A', 'B']", "where it could only be A or B)."),
        ("cat or dog", "['cat', 'dog']", "where it could only be cat or dog)."),
        ("the", "['the same', 'the other']", "where it could only be the same or the other)."),
        ("90%", "(0, 100)", "(you guessed 90%, 90 too high)."),
        ("½", "(0, 1)", "(✓ as you guessed)."),
        (0.5, "(0, 1)", "It is 0.5 (✓ as you guessed)."),
        ("skip", "(0, 1)", "It is 0.5."),
        (None, "(0, 1)", "It is …\n(Write your guess"),
        (None, "['one', 'none of these']", "It is …\n(Write your guess"),
    ],
)
def test_a_guess_that_could_not_be_is_told_what_could(
    workbench: dict[str, Any],
    capsys: pytest.CaptureFixture[str],
    guess: object,
    among: str,
    said: str,
) -> None:
    run(workbench, f"compare('It is', 0.5, {guess!r}, among={among})")
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("found", "guess", "said"),
    [
        (1_048_576, 1_048_576, "It is 1,048,576 (✓ as you guessed)."),
        ("1,048,576 numbers", 1_048_576.0, "(✓ as you guessed)."),
        ("1,048,576 bytes", 1_000_000, "It is 1,048,576 bytes (✓ close: you guessed 1,000,000)."),
        ("1,048,576", 900_000, "(you guessed 900,000, 148,576 too low)."),
        (0, 0.01, "It is 0 (you guessed 0.01, 0.01 too high)."),
        ("11525", "1525", "It is 11525 (you guessed 1525)."),
        ("31%", 31, "It is 31% (✓ as you guessed)."),
        ("-0.05", -0.05, "It is -0.05 (✓ as you guessed)."),
        ("none of these", 128, "It is none of these (you guessed 128)."),
        ("'is' (6 of 8 do)", "is", "It is 'is' (6 of 8 do) (✓ as you guessed)."),
        ("both alike", "both", "It is both alike (you guessed both)."),
        ([0.28, 0.72], [0.28, 0.72], "It is 0.28, 0.72 (✓ as you guessed)."),
        ([2, 64], (64, 2), "It is 2, 64 (✓ as you guessed)."),
        (["a layer", "a block"], {"a block", "A layer"}, "(✓ as you guessed)."),
        (["a layer"], "a layer", "(✓ as you guessed)."),
        (["a layer", "a block"], "a block, a layer", "(✓ as you guessed)."),
        ((0.28, 0.72), [0.72, 0.28], "It is 0.28, 0.72 (you guessed 0.72, 0.28)."),
        ((math.nan, 0.0), [math.nan, 0], "It is nan, 0.0 (✓ as you guessed)."),
        (np.array([0.28, 0.72]), np.array([0.28, 0.72]), "It is 0.28, 0.72 (✓ as you guessed)."),
        (np.float64(0.5), np.array(0.5), "It is 0.5 (✓ as you guessed)."),
        ("18%", "18 %", "It is 18% (✓ as you guessed)."),
        (["a layer"], ["a layer", "a block"], "(you guessed a layer, a block)."),
        ("the same", "The same ", "(✓ as you guessed)."),
        (5, "5", "It is 5 (✓ as you guessed)."),
        ("2 (1.99)", 2, "It is 2 (1.99) (✓ as you guessed)."),
    ],
)
def test_a_guess_that_is_right_is_told_so_and_numbers_have_commas(
    workbench: dict[str, Any],
    capsys: pytest.CaptureFixture[str],
    found: object,
    guess: object,
    said: str,
) -> None:
    workbench |= {"found": found, "guess": guess}
    run(workbench, "compare('It is', found, guess)")
    assert said in capsys.readouterr().out.replace("\n", " ")
