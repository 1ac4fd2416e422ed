"""Comments and docstrings are told from code, also in what can't be read to its end."""

import pytest

from autograder.intake.code import code_tokens, is_cut_off, python_of, without_comments

SAID = '''\
%%time
# by Ada
def f(x):  # mine
    """Return x.

    By Ada.
    """
    text = "# no comment"

    "by Ada"; y = 1
    return (x +  # by Ada
        # by Ada
        "part")
'''


def test_comments_and_docstrings_go_and_everything_else_stays() -> None:
    assert without_comments(SAID) == (
        'def f(x):\n    text = "# no comment"\n\n    "by Ada"; y = 1\n    return (x +\n'
        '        "part")'
    )


def test_a_text_that_is_used_is_no_docstring() -> None:
    assert without_comments("x = (\n'a'\n'b')") == "x = (\n'a'\n'b')"


@pytest.mark.parametrize(
    "unfinished",
    ["def f(:\n    x = (1,\n    # by Ada", "def f():\n    x = 1\n  y = 2  # by Ada\n# by Ada"],
)
def test_comments_go_from_what_cannot_be_read(unfinished: str) -> None:
    assert "Ada" not in without_comments(unfinished)
    assert "x = " in without_comments(unfinished)


def test_tokens_are_of_what_does_something() -> None:
    texts = [token.string for token in code_tokens("def f(x):\n    'doc'\n    return x  # so")]
    assert texts == ["def", "f", "(", "x", ")", ":", "return", "x"]


def test_tokens_are_read_up_to_where_that_is_possible() -> None:
    assert [token.string for token in code_tokens("x = 1\ny = (2,")][:3] == ["x", "=", "1"]


@pytest.mark.parametrize("source", ["", "\n", "%%bash\nls", "\x00", "'''", "(" * 300, "é = ½"])
def test_anything_can_be_read(source: str) -> None:
    code_tokens(source)
    without_comments(source)


@pytest.mark.parametrize("block", ["if x:", "if x:\n        pass\n    else:", "for i in x:"])
def test_code_below_a_raise_in_any_block_is_cut_off(block: str) -> None:
    source = f"def f(x):\n    {block}\n        raise NotImplementedError\n"
    line = source.count("\n")
    assert is_cut_off(source + "        return x\n", line)
    assert not is_cut_off(source + "    return x\n", line)


@pytest.mark.parametrize("asked", ["np.exp?", "    softmax??  ", "*.find?", "?np.exp"])
def test_a_question_to_the_notebook_leaves_the_code_around_it_python(asked: str) -> None:
    indent = asked[: len(asked) - len(asked.lstrip())]
    assert python_of(f"if x:\n    y = 1\n{asked}\n") == f"if x:\n    y = 1\n{indent}pass\n"


def test_a_line_of_prose_that_ends_in_a_question_mark_stays_in_python() -> None:
    source = 'def f():\n    """Which one?\n\n    really?\n    """\n'
    assert python_of(source) == source
