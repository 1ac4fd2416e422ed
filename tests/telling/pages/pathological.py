"""Texts on which a parser may take very long: runs, nests, and what is opened without an end."""

from collections.abc import Iterator

SIZE = 20_000  # characters
_SIGNS = (
    r"`` \\ \" \' ** *_ ***a -- __ ~~ // /* */ /*/ (* {- {# <!-- <! <? <% </ <a> <![CDATA[ ``` "
    r"~~~ a, a= a( a[ a{ a. 1. 1e 0x a: () [] {} <> []( ![ ![]( [a](< [[ ]] ]( $( ${ $$ $a$ {{ }} "
    r"#{ %( %{ f'{ b' r' u' "
    r"lambda: @a \begin{a} & &a &# &#x1 &amp; http:// http://a. "
    r"www. a@a. <http:// <a@ > |- `a \( \[ \a <<' #a"
)
_STARTS = (
    r"/* // # (* {- <!-- ' ` \'\'\' ${ $( f'{ %{ [ { ( < \begin{a} $ $$ | r' @ & %[ [[ --[[ 'a #="
)
_RUNS = (
    *"abA019 _-+*/\\|\"'`()[]{}<>#!$%&=.,:;~^@?\n\té",
    *_SIGNS.split(" "),
    *('""', "''", '"""', "'''", 'f"{'),
    *("a b ", "a\n", " \n", "\n ", "\t\n", "a \n", "[a](b ", "![]( ", "[a]: ", "[a]: b\n"),
    *("if ", "def ", "class ", "> ", "- ", "1. ", "* * ", "| ", "|a|\n", "a\n-", "a\n:", "# "),
    *("$a ", "a\\\n", "    ", "- - ", "> - ", "\n\n", "<<E\n", "a: ", "a:\n ", '"a": ', "'a' "),
)
_OPENINGS = (
    *_STARTS.split(" "),
    *("'", '"', '"""', "'''", 'f"""{', "<<E\n", "<a b='", "---\n", "- ", "=begin\n", "x = '"),
    *("a: |\n", "x <<- E\n", "def "),
)
_FILLINGS = ("a", " ", "\n", "*", "\\", "'", '"', "/", "(", "{", "0", "<", "a ", "a\n", "$", "['")


def pathological(size: int = SIZE) -> Iterator[str]:
    """Yield each text, of `size` characters."""
    for run in _RUNS:
        yield _filled("", run, size)
    for opening, closing in ("()", "[]", "{}", "<>"):
        yield opening * (size // 2) + closing * (size // 2)
    for opening in _OPENINGS:
        for filling in _FILLINGS:
            yield _filled(opening, filling, size)


def _filled(start: str, filling: str, size: int) -> str:
    return (start + filling * size)[:size]
