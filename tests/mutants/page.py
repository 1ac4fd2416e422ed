"""The table of answers on file in docs/results.md: `python -m tests.mutants.page` prints it.

It is made of what lies on file: `figures.toml`, `withheld.toml`, and the answers, counted.
"""

from collections.abc import Iterator

from tests.courses import EXERCISES, KIT, ROOT
from tests.mutants import figures, withheld

PAGE = ROOT / "docs" / "results.md"
_HEAD = (
    "| exercise | right answers | keep all marks | wrong answers | lose marks "
    "| named truly, of those that have a name | falsely, of all | falsely, its name withheld |"
)


def main() -> None:
    """Print the table, to be put into the page."""
    print(table())


def table() -> str:
    return "\n".join([_HEAD, "|---|" + "--:|" * (_HEAD.count("|") - 2), *_rows()])


def _rows() -> Iterator[str]:
    percent, without = figures.on_file(), figures.on_file(withheld.FILE)
    for assignment, exercise in EXERCISES:
        said = percent[assignment][exercise]
        right, wrong = (
            len([*(KIT.answers / assignment / exercise / kind).glob("*.py")])
            for kind in ("right", "wrong")
        )
        withheld_too = without.get(assignment, {}).get(exercise, {})
        cells = [
            f"`{exercise}`",
            f"{right + 1}",  # the solution is one
            f"{said['right']:g}%",
            f"{wrong}",
            f"{said['caught']:g}%",
            f"{said['named']:g}%",
            f"{said['false']:g}%",
            f"{withheld_too['false']:g}%" if withheld_too else "",
        ]
        yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
