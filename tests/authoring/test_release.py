"""A release holds all that a student needs, and nothing that only the instructor may see."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring.generate import generate
from autograder.authoring.release import release, solved_notebook
from autograder.course import Course
from autograder.errors import ReleaseError
from tests.courses import KIT, ROOT, copy_of_kit
from tests.toys import SCRIPT, course_of


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course with one small assignment."""
    return course_of(tmp_path)


def cells_of(course: Course) -> dict[str, dict[str, Any]]:
    cells = json.loads(course.release_path("toys").read_bytes())["cells"]
    return {cell["id"]: cell | {"source": "".join(cell["source"])} for cell in cells}


def test_a_release_shows_no_solution_and_no_rubric(fresh: Course) -> None:
    text = fresh.release_path("toys").read_text()
    for hidden in ("secret_factor", "hidden_count", "model answer", "Rubric", "SOLUTION"):
        assert hidden not in text


def test_each_region_becomes_one_stub_in_its_place(fresh: Course) -> None:
    cells = cells_of(fresh)
    assert cells["double"]["source"] == (
        'def double(x):\n    """Return twice `x`."""\n'
        '    raise NotImplementedError("double: your turn")'
    )
    stub = '        raise NotImplementedError("Counter: your turn")'
    assert cells["Counter"]["source"].count(stub) == 2
    assert "super().__init__()" in cells["Counter"]["source"]
    assert cells["why"]["source"] == "*Write your answer here.*"


def test_cells_are_marked_as_nbgrader_expects(fresh: Course) -> None:
    roles = {
        name: {
            key: cell["metadata"]["nbgrader"].get(key) for key in ("grade", "solution", "locked")
        }
        | {"points": cell["metadata"]["nbgrader"].get("points")}
        for name, cell in cells_of(fresh).items()
        if "nbgrader" in cell["metadata"]
    }
    assert roles == {
        "imports": {"grade": False, "solution": False, "locked": True, "points": None},
        "double": {"grade": False, "solution": True, "locked": False, "points": None},
        "double_test": {"grade": True, "solution": False, "locked": True, "points": 5},
        "Counter": {"grade": False, "solution": True, "locked": False, "points": None},
        "Counter_test": {"grade": True, "solution": False, "locked": True, "points": 4},
        "why": {"grade": True, "solution": True, "locked": False, "points": 2},
    }


def test_what_is_not_to_be_edited_is_locked_in_jupyter_too(fresh: Course) -> None:
    locked = {
        name for name, cell in cells_of(fresh).items() if cell["metadata"].get("editable") is False
    }
    assert locked == {"imports", "double_test", "Counter_test"}


def test_the_prose_says_what_the_assignment_is_worth(fresh: Course) -> None:
    assert cells_of(fresh)["cell-00"]["source"] == "# Toys, 11 points"


@pytest.mark.slow
def test_a_release_is_the_same_bytes_again_on_another_day(course: Course) -> None:
    release(course, ["toys"])
    first = course.release_path("toys").read_bytes()
    program = (
        "import time; time.time = lambda: 2_000_000_000.0\n"
        "from pathlib import Path; from autograder.course import Course\n"
        "from autograder.authoring.release import release\n"
        "release(Course.load(Path.cwd()), ['toys'])"
    )
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": "7",
        "TZ": "Pacific/Auckland",
    }
    subprocess.run([sys.executable, "-c", program], cwd=course.root, env=environment, check=True)
    assert course.release_path("toys").read_bytes() == first


def test_nothing_but_the_release_and_its_source_is_left_behind(course: Course) -> None:
    before = set(course.root.rglob("*.*"))
    release(course, ["toys"])
    new = {path for path in set(course.root.rglob("*.*")) - before if path.is_file()}
    # Python may keep the hidden tests compiled
    assert {path.relative_to(course.root).as_posix() for path in new if path.suffix != ".pyc"} == {
        "assignments/toys/toys.ipynb",
        ".course/source/toys/toys.ipynb",
        ".course/proven.json",
    }


def test_the_solved_notebook_keeps_solutions_and_rubric(course: Course) -> None:
    source = "\n".join(cell.source for cell in solved_notebook(course, "toys").cells)
    assert "secret_factor" in source
    assert "**Rubric**" in source


def test_a_script_with_a_mistake_leaves_the_last_release_in_place(course: Course) -> None:
    release(course, ["toys"])
    before = course.release_path("toys").read_bytes()
    (course.solutions / "toys.py").write_text(SCRIPT.replace("### END SOLUTION", "", 1))
    with pytest.raises(ReleaseError):
        release(course, ["toys"])
    assert course.release_path("toys").read_bytes() == before


MISTAKES = {
    "the same exercise twice": (
        (
            "# %% [markdown]\n# Predict",
            '# %% test="double"\nassert True\n\n# %% [markdown]\n# Predict',
        ),
        "2 cells are named 'double_test'",
    ),
    "a solution without checks": (('# %% test="double"', "# %%"), "'double' has no visible checks"),
    "checks without a solution": (
        ('# %% solution="Counter"', '# %% setup="Counter"'),
        "'Counter' have no solution",
    ),
    "a key that means nothing": (
        ('setup="imports"', 'set_up="imports"'),
        'set_up="imports"` has the unexpected option set_up',
    ),
    "two parts at once": (
        ('setup="imports"', 'setup="imports" solution="imports"'),
        "has the unexpected option solution",
    ),
    "points beside code": (
        ('test="double"', 'test="double" points=3'),
        "has the unexpected option points",
    ),
    "a written answer without points": ((" points=2", ""), "needs points"),
    "points that are not whole": (("points=2", "points=1.5"), "needs points"),
    "a written answer worth too much": (("points=2", "points=3"), "more than a fifth"),
    "a written answer in code": (
        ('# %% [markdown] written="why" points=2', '# %% written="why" points=2'),
        "must be a markdown cell",
    ),
    "a solution in prose": (
        ('# %% solution="double"', '# %% [markdown] solution="double"'),
        "must be a code cell",
    ),
    "a name that is no name": (('setup="imports"', 'setup="my imports"'), "needs a name"),
    "a region that never ends": (("    ### END SOLUTION\n", ""), "don't alternate in 'double'"),
    "a region in a region": (
        ("    secret_factor = 2", "    ### BEGIN SOLUTION"),
        "don't alternate in 'double'",
    ),
    "a marker that nbgrader would not see": (
        ("### BEGIN SOLUTION", "### Begin solution"),
        "don't alternate in 'double'",
    ),
    "a solution without a region": (
        ("    ### BEGIN SOLUTION\n", "", "    ### END SOLUTION\n", ""),
        "'double' has no line `### BEGIN SOLUTION`",
    ),
    "a region outside solutions": (
        ("import math", "### BEGIN SOLUTION\nimport math\n### END SOLUTION"),
        "in solution cells only",
    ),
}


@pytest.mark.parametrize(("changes", "says"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_in_a_script_is_named_in_one_sentence(
    changes: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    script = SCRIPT
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in script
        script = script.replace(old, new, 1)
    with pytest.raises(ReleaseError, match=re.escape(says)) as caught:
        release(course_of(tmp_path, script), ["toys"])
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("toys.py: ")


def test_an_exercise_without_hidden_tests_is_named(course: Course) -> None:
    (course.exercises / "toys" / "hidden_tests" / "test_Counter.py").unlink()
    with pytest.raises(
        ReleaseError,
        match=r"'Counter' has no hidden tests: write test_Counter\.py in hidden_tests/",
    ):
        release(course, ["toys"])


def test_hidden_tests_without_an_exercise_are_named(course: Course) -> None:
    folder = course.exercises / "toys" / "hidden_tests"
    (folder / "test_triple.py").write_text((folder / "test_double.py").read_text())
    says = r"test_triple\.py tests an exercise that has no cell solution='triple'"
    with pytest.raises(ReleaseError, match=says):
        release(course, ["toys"])


@pytest.fixture(scope="module")
def made_again(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """This repository's own releases, made anew; that the solutions pass is tested elsewhere."""
    kit = copy_of_kit(tmp_path_factory.mktemp("again"))
    shutil.rmtree(kit.assignments)
    solved = {name: solved_notebook(kit, name) for name in kit.assignment_names()}
    return generate(kit, solved, keep=False)


ASSIGNMENTS = KIT.assignment_names()


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_committed_releases_are_those_of_the_scripts(
    assignment: str, made_again: dict[str, str]
) -> None:
    assert KIT.release_path(assignment).read_bytes() == made_again[assignment].encode()


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_no_line_of_a_solution_or_of_a_hidden_test_is_released(
    assignment: str, made_again: dict[str, str]
) -> None:
    script = (ROOT / "solutions" / f"{assignment}.py").read_text()
    regions = re.findall(r"BEGIN SOLUTION\n(.*?)### END SOLUTION", script, re.DOTALL)
    answers = re.findall(r"written=.*?\n(.*?)\n# %%", script, re.DOTALL)
    tests = [path.read_text() for path in (KIT.exercises / assignment).rglob("*.py")]
    given = lines_of(re.sub("|".join(map(re.escape, regions + answers)), "", script))
    secret = lines_of("\n".join(regions + answers + tests)) - given
    notebook = json.loads(made_again[assignment])
    released = lines_of("\n".join("".join(cell["source"]) for cell in notebook["cells"]))
    assert len(secret) > 100
    assert not secret & released


def lines_of(text: str) -> set[str]:
    """The lines that say something, without indentation and comment signs."""
    return {line.strip("# ") for line in text.splitlines() if len(line.strip("# ")) > 12}
