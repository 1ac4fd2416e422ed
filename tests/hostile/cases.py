"""The catalogue, as data: a file for each class, a table for each hostile submission."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

from autograder.report import Outcome
from autograder.sandbox.limits import Isolation

CATALOGUE = Path(__file__).parents[1] / "submissions" / "hostile"
# One outcome may stand without brackets.
Outcomes = Annotated[
    tuple[Outcome, ...], BeforeValidator(lambda said: [said] if isinstance(said, str) else said)
]
BEFORE, BEHIND, STUDENT, FILE = "before", "behind", "student", "file"


class Case(BaseModel):
    """A hostile submission, and what is to become of it.

    place    where `source` stands: `before` or `behind` all cells, in the cell of that grade_id, or
             as the name of the `student`, or as the whole `file`
    answers  what stands in the other cells; of garbage and blanks nothing may earn points
    loses    the exercises that get no points, each with the outcomes that it may have; all
             exercises that are neither here nor under `at_most` keep theirs
    says     words in what is said of the exercises lost; `warns`, in the report's warnings
    refused  words in which the notebook is refused
    given_up whether the grader may give it up as it were its own fault: nothing is graded then
    never    a pattern that nothing in the report matches
    exposed  why this one is not contained, if it isn't; on the levels `on` alone, if there are any
    nest     what stands `times` times over in the place of $nest
    in_class whether it is handed in, recorded and given back in a class, and not graded alone
    of_sixty how many hand it in, in a class of sixty
    untried  why it isn't shown to a grader without a sandbox
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    name: str
    source: str = ""
    place: str = BEFORE
    cell_type: Literal["code", "markdown"] = "code"
    change: str = ""
    assignment: str = "hw1_attention"
    answers: Literal["solved", "garbage", "blank"] = "solved"
    loses: dict[str, Outcomes] = {}
    at_most: dict[str, float] = {}
    says: str = ""
    warns: str = ""
    refused: str = ""
    given_up: bool = False
    never: str = ""
    exposed: str = ""
    on: tuple[Isolation, ...] = ()
    nest: str = ""
    times: int = 0
    in_class: bool = False
    of_sixty: int = 0
    untried: str = ""
    slow: bool = False

    @property
    def title(self) -> str:
        return f"{self.kind}: {self.name}"

    def is_exposed_on(self, level: Isolation) -> bool:
        return bool(self.exposed) and (not self.on or level in self.on)


@cache
def catalogue(*kinds: str) -> tuple[Case, ...]:
    """Return the cases of some classes, or of all, class by class."""
    paths = sorted(CATALOGUE.glob("*.toml"))
    return tuple(c for path in paths for c in _cases_in(path) if not kinds or c.kind in kinds)


def _cases_in(path: Path) -> list[Case]:
    """Read a file; what stands under `usual` holds for every case that says no other."""
    tables = tomllib.loads(path.read_text("utf-8"))
    usual = {"kind": path.stem} | tables.pop("usual", {})
    return [Case(**{"name": name} | usual | table) for name, table in tables.items()]
