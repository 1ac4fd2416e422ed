"""A release holds all that a student needs, and nothing that only the instructor may see."""

import base64
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from nbconvert import HTMLExporter

from autograder.authoring.generate import generate
from autograder.authoring.notes import notebook as notes
from autograder.authoring.release import release, solved_notebook
from autograder.course import Course
from autograder.errors import CourseError, ReleaseError
from autograder.grading.hidden_tests import WITHOUT_POINTS
from tests.courses import KIT, ROOT, copy_of_kit
from tests.toys import CODE_BY_HAND, SCRIPT, TOYS, course_of, with_settings

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg=="
)
HERE = "https://github.com/owner/name"
COLAB = "https://colab.research.google.com/github/owner/name/blob"
NOTEBOOK = "assignments/toys/toys.ipynb"
WRONG = SCRIPT.replace("secret_factor = 2", "secret_factor = 3")
SLOW = "@points(1)\n@seconds(60)\n"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course with one small assignment."""
    return course_of(tmp_path)


def cells_of(course: Course) -> dict[str, dict[str, Any]]:
    cells = json.loads(course.release_path("toys").read_bytes())["cells"]
    return {cell["id"]: cell | {"source": "".join(cell["source"])} for cell in cells}


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


@pytest.mark.slow
def test_code_that_a_person_grades_is_released_without_its_model_and_rubric(
    tmp_path: Path,
) -> None:
    course = course_of(tmp_path, CODE_BY_HAND)
    release(course, [TOYS])
    why = cells_of(course)["why"]
    assert (why["cell_type"], why["source"]) == ("code", "# Write your answer here.")
    mark = why["metadata"]["nbgrader"]
    assert (mark["grade"], mark["solution"], mark["points"]) == (True, True, 2)
    released = course.release_path(TOYS).read_text()
    assert "secret_model" not in released
    assert "Rubric" not in released


def test_cells_are_marked_as_nbgrader_expects(fresh: Course) -> None:
    cells = {k: cell["metadata"] for k, cell in cells_of(fresh).items()}
    marks = {k: each["nbgrader"] for k, each in cells.items() if "nbgrader" in each}
    asked = ("grade", "solution", "locked", "points")
    assert {name: tuple(mark.get(key) for key in asked) for name, mark in marks.items()} == {
        "imports": (False, False, True, None),
        "double": (False, True, False, None),
        "double_test": (True, False, True, 5),
        "Counter": (False, True, False, None),
        "Counter_test": (True, False, True, 4),
        "why": (True, True, False, 2),
    }
    locked = {name for name, each in cells.items() if each.get("editable") is False}
    assert locked == {name for name, mark in marks.items() if mark["locked"]}


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
    "two solutions without checks, of which the first by name is told": (
        ('# %% test="double"', "# %%", '# %% test="Counter"', "# %%"),
        "'Counter' has no visible checks",
    ),
    "checks without a solution": (
        ('# %% solution="Counter"', '# %% setup="Counter"'),
        "'Counter' have no solution",
    ),
    "a key that means nothing": (
        ('setup="imports"', 'set_up="imports"'),
        'set_up="imports"` has the unexpected option set_up',
    ),
    "points beside code": (
        ('test="double"', 'test="double" points=3'),
        "has the unexpected option points",
    ),
    "a written answer without points": ((" points=2", ""), "needs points"),
    "a written answer worth too much": (("points=2", "points=3"), "more than a fifth"),
    "a written answer in neither prose nor code": (
        ("# %% [markdown] written=", "# %% [raw] written="),
        "must be a markdown or code cell",
    ),
    "a written answer in code that is called as checks are": (
        ('# %% [markdown] written="why"', '# %% written="why_test"'),
        "has a name for checks",
    ),
    "a written answer that is folded": (
        ('# %% [markdown] written="why"', '# %% written="why" folded="Why"'),
        "can't be folded",
    ),
    "a solution in prose": (
        ('# %% solution="double"', '# %% [markdown] solution="double"'),
        "must be a code cell",
    ),
    "a name that is no name": (('setup="imports"', 'setup="my imports"'), "needs a name"),
    "a region that never ends": (("    ### END SOLUTION\n", ""), "don't alternate in 'double'"),
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


def test_an_exercise_without_hidden_tests_is_named_and_so_are_tests_without_an_exercise(
    course: Course,
) -> None:
    path = course.exercises / "toys" / "hidden_tests" / "test_Counter.py"
    triple = path.with_name("test_triple.py")
    triple.write_text(path.read_text())
    with pytest.raises(ReleaseError, match="exercise that has no cell solution='triple'"):
        release(course, ["toys"])
    triple.unlink()
    path.unlink()
    says = r"'Counter' has no hidden tests: write test_Counter\.py in hidden_tests/"
    with pytest.raises(ReleaseError, match=says):
        release(course, ["toys"])


@pytest.fixture(scope="module")
def made_again(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """This repository's own releases, made anew, but for the locked notes.

    That the solutions pass is tested elsewhere, and so is what the notes say.
    """
    kit = copy_of_kit(tmp_path_factory.mktemp("again"))
    solved = {name: solved_notebook(kit, name) for name in kit.assignment_names()}
    return generate(kit, solved)


ASSIGNMENTS = KIT.assignment_names()


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_committed_releases_are_those_of_the_scripts(
    assignment: str, made_again: dict[str, str]
) -> None:
    is_same = KIT.release_path(assignment).read_bytes() == made_again[assignment].encode()
    assert is_same, f"run `autograder release {assignment}`: scripts, banks or tests have changed"


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_no_line_of_a_solution_or_of_a_hidden_test_is_released(
    assignment: str, made_again: dict[str, str]
) -> None:
    script = (ROOT / "solutions" / f"{assignment}.py").read_text()
    regions = re.findall(r"BEGIN SOLUTION\n(.*?)### END SOLUTION", script, re.DOTALL)
    answers = re.findall(r"written=.*?\n(.*?)\n# %%", script, re.DOTALL)
    tests = [path.read_text() for path in (KIT.exercises / assignment).rglob("*.py")]
    given = lines_of(re.sub("|".join(map(re.escape, regions + answers)), "", script))
    folders = (ROOT / "solutions" / name for name in ("shared", "backstage"))
    shared = [Path(notes.__file__), *(path for each in folders for path in each.rglob("*.py"))]
    given |= lines_of("\n".join(path.read_text() for path in shared))
    secret = lines_of("\n".join(regions + answers + tests)) - given
    notebook = json.loads(made_again[assignment])
    released = lines_of("\n".join("".join(cell["source"]) for cell in notebook["cells"]))
    assert len(secret) > 100
    assert not secret & released


def lines_of(text: str) -> set[str]:
    """The lines that say something, without indentation and comment signs."""
    return {line.strip("# ") for line in text.splitlines() if len(line.strip("# ")) > 12}


def make_slow(course: Course) -> None:
    """Make slow tests of those that doubling by three fails."""
    path = course.exercises / TOYS / "hidden_tests" / "test_double.py"
    text = path.read_text().replace("expect, points", "expect, points, seconds")
    path.write_text(text.replace("@points(1)\n", SLOW))


def solve(course: Course, script: str) -> None:
    (course.solutions / f"{TOYS}.py").write_text(script)


def test_a_solution_that_fails_is_not_released_and_the_test_is_named(tmp_path: Path) -> None:
    course = course_of(tmp_path, WRONG)
    says = r"the solution to double fails test_two_becomes_four, and 3 more \(You don't double two"
    with pytest.raises(ReleaseError, match=says):
        release(course, [TOYS])
    assert not course.release_path(TOYS).exists()


def test_slow_tests_prove_nothing_where_they_are_skipped(tmp_path: Path) -> None:
    course = course_of(tmp_path, WRONG)
    make_slow(course)
    release(course, [TOYS], skip_slow=True)
    with pytest.raises(ReleaseError, match="the solution to double fails"):
        release(course, [TOYS])


def test_what_was_proven_is_proven_again_only_when_something_has_changed(tmp_path: Path) -> None:
    course = course_of(tmp_path)
    counter = tmp_path / "counted"
    tests = course.exercises / TOYS / "hidden_tests" / "test_double.py"
    count = f"with open({str(counter)!r}, 'a') as file:\n        file.write('x')\n"
    count = f"def pytest_runtest_call(item):\n    {count}"
    (course.exercises / "conftest.py").write_text(count)

    def runs() -> int:
        before = counter.stat().st_size if counter.exists() else 0
        release(course, [TOYS])
        return (counter.stat().st_size if counter.exists() else 0) - before

    assert [runs(), runs()] == [9, 0]
    solve(course, f"{SCRIPT}\n")
    assert [runs(), runs()] == [9, 0]
    tests.write_text(f"{tests.read_text()}\n")
    assert [runs(), runs()] == [9, 0]


def test_a_solution_that_needs_what_is_left_out_says_what_that_is(tmp_path: Path) -> None:
    needs_double = SCRIPT.replace("hidden_count += 1", "hidden_count += double(1) - 1")
    needs_double = needs_double.replace("points=2", "points=1")
    course = course_of(tmp_path, needs_double)
    release(course, [TOYS])
    course = with_settings(tmp_path, f'[assignments.{TOYS}]\nleft_out = ["double"]')
    with pytest.raises(ReleaseError, match="leaves out double: does the solution need"):
        release(course, [TOYS])


def first_cell(root: Path, prose: str, settings: str = "", picture: bytes = b"") -> Any:
    """The first cell of a release whose script begins with `prose`."""
    script = SCRIPT.replace("# Toys, TOTAL_POINTS points", prose)
    course = course_of(root, script, settings)
    if picture:
        (course.solutions / "pictures").mkdir()
        (course.solutions / "pictures" / "toys.png").write_bytes(picture)
    release(course, ["toys"])
    return json.loads(course.release_path("toys").read_bytes())["cells"][0]


def text_of(root: Path, prose: str, settings: str = "") -> str:
    return "".join(first_cell(root, prose, settings)["source"])


def test_points_are_listed_in_the_notebooks_order_and_as_the_settings_change_them(
    tmp_path: Path,
) -> None:
    prose = "POINTS_EACH, TOTAL_POINTS"
    assert text_of(tmp_path / "a", prose) == "`double` 5 · `Counter` 4 · `why` 2, 11"
    said = text_of(tmp_path / "b", prose, "[assignments.toys]\npoints = { double = 2 }")
    assert said == "`double` 10 · `Counter` 4 · `why` 2, 16"


def test_the_points_of_one_exercise_can_be_named_and_are_none_where_it_is_left_out(
    tmp_path: Path,
) -> None:
    prose = "POINTS_OF_double and POINTS_OF_why"
    assert text_of(tmp_path / "a", prose) == "5 and 2"
    left_out = '[assignments.toys]\nleft_out = ["double"]\npoints = { Counter = 3 }'
    assert text_of(tmp_path / "b", prose, left_out) == "0 and 2"


def ideas_told(root: Path, *ideas: str) -> str:
    """What `IDEAS_OF_Counter` becomes if the first hidden tests of `Counter` have these ideas."""
    course = course_of(root, SCRIPT.replace("# Toys, TOTAL_POINTS points", "IDEAS_OF_Counter"))
    path = course.exercises / TOYS / "hidden_tests" / "test_Counter.py"
    for idea in ideas:
        tests = path.read_text()
        path.write_text(tests.replace("@points(1)", f'@points(1, "{idea}")', 1))
    release(course, [TOYS])
    return "".join(json.loads(course.release_path(TOYS).read_bytes())["cells"][0]["source"])


def test_the_ideas_of_an_exercise_are_told_with_the_points_of_all_their_tests(
    tmp_path: Path,
) -> None:
    _, _, *rows = ideas_told(tmp_path, "it counts", "it counts", "it goes far", "its own").split(
        "\n"
    )
    assert rows == ["| it counts | 2 |", "| it goes far | 1 |", "| its own | 1 |"]


def test_of_an_exercise_that_is_left_out_no_ideas_are_told(tmp_path: Path) -> None:
    said = text_of(
        tmp_path,
        "Hello, IDEAS_OF_double",
        '[assignments.toys]\nleft_out = ["double"]\npoints = { Counter = 3 }',
    )
    assert said == "Hello,"


def test_an_exercise_that_gives_no_points_says_so_and_is_not_listed_with_points(
    tmp_path: Path,
) -> None:
    settings = "[assignments.toys]\npoints = { double = 2, Counter = 0 }"
    said = text_of(tmp_path, "POINTS_EACH. IDEAS_OF_Counter", settings)
    assert said == f"`double` 10 · `why` 2. {WITHOUT_POINTS}"


def test_without_ideas_nothing_is_told_of_them(tmp_path: Path) -> None:
    assert ideas_told(tmp_path) == ""


def test_a_test_without_an_idea_among_others_that_have_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"tests of Counter have an idea and others have none"):
        ideas_told(tmp_path, "it counts")


def test_what_the_course_says_is_written_where_its_name_stands(tmp_path: Path) -> None:
    settings = 'packages = ["einops", "tqdm"]\n'
    settings += 'hand_in = "NOTEBOOK by mail"\nai_policy = "None, please."\nwhere_to_ask = "Room 7"'
    said = text_of(tmp_path, "HAND_IN; AI_POLICY; WHERE_TO_ASK; MORE_PACKAGES", settings)
    assert said == "`toys.ipynb` by mail; None, please.; Room 7; `einops`, `tqdm`"


def test_a_course_that_lists_no_packages_has_none(tmp_path: Path) -> None:
    assert text_of(tmp_path, "MORE_PACKAGES") == "none"


def test_a_course_that_says_nothing_has_sensible_words_and_no_badge(tmp_path: Path) -> None:
    said = text_of(tmp_path, "HAND_IN|ALLOWED_TOOLS|AI_POLICY|WHERE_TO_ASK|COLAB_BADGE")
    *words, badge = said.split("|")
    assert all(len(each) > 20 for each in words)
    assert badge == ""


@pytest.mark.parametrize(
    ("repository", "link"),
    [
        (f"{HERE}/", f"{COLAB}/main/{NOTEBOOK}"),
        (f"{HERE}/tree/spring", f"{COLAB}/spring/{NOTEBOOK}"),
        (f"{HERE}/tree/main/courses/toys", f"{COLAB}/main/courses/toys/{NOTEBOOK}"),
    ],
)
def test_the_badge_opens_the_released_notebook(tmp_path: Path, repository: str, link: str) -> None:
    said = text_of(tmp_path, "COLAB_BADGE", f'repository = "{repository}"')
    assert said.endswith(f"({link})")


def test_a_picture_stands_in_the_text_with_its_words_where_colab_shows_it(tmp_path: Path) -> None:
    cell = first_cell(tmp_path, "![A grey\n# dot](pictures/toys.png)", picture=PNG)
    content = base64.b64encode(PNG).decode()
    assert "".join(cell["source"]) == f"![A grey dot](data:image/png;base64,{content})"


@pytest.mark.parametrize(
    ("prose", "picture", "says"),
    [
        ("![](pictures/toys.png)", PNG, "has no description"),
        ("![A dot](pictures/dot.png)", PNG, "is missing: put it"),
        ("![A dot](pictures/toys.png)", PNG * 4000, "keep it to 200,000"),
    ],
)
def test_a_picture_that_students_could_not_use_is_refused(
    tmp_path: Path, prose: str, picture: bytes, says: str
) -> None:
    with pytest.raises(ReleaseError, match=says):
        first_cell(tmp_path, prose, picture=picture)


def test_a_folded_cell_is_folded_in_jupyter_and_in_colab_and_left_out_of_exports(
    tmp_path: Path,
) -> None:
    script = SCRIPT.replace('test="double"', 'test="double" folded="Visible checks"')
    notebook = solved_notebook(course_of(tmp_path, script), "toys")
    cells = {cell.id: cell for cell in notebook.cells}
    cell = cells["double_test"]
    assert cell.source.startswith("#@title Visible checks\nassert")
    assert cell.metadata["jupyter"] == {"source_hidden": True}
    assert cell.metadata["cellView"] == "form"
    assert "jupyter" not in cells["Counter_test"].metadata
    exported, _ = HTMLExporter().from_notebook_node(notebook)  # type: ignore[no-untyped-call]
    assert "#@title" not in exported and "Counter" in exported


def test_a_cell_may_take_its_code_from_a_file_that_assignments_share(tmp_path: Path) -> None:
    script = SCRIPT.replace("# %%\nprint(math.pi)", '# %% include="shared/given.py"')
    course = course_of(tmp_path, script)
    (course.solutions / "shared").mkdir()
    (course.solutions / "shared" / "given.py").write_text("print('given')\n")
    sources = [cell.source for cell in solved_notebook(course, "toys").cells]
    assert "print('given')" in sources


def test_several_files_make_one_cell_and_bring_what_they_ask_for(tmp_path: Path) -> None:
    cells = '# %% include="shared/a.py, shared/b.py, locked notes"\n\n'
    cells += '# %% [markdown] include="shared/c.md"'
    script = SCRIPT.replace("# %%\nprint(math.pi)", cells)
    course = course_of(tmp_path, script)
    (shared := course.solutions / "shared").mkdir()
    (shared / "a.py").write_text("a = 1\n")
    (shared / "b.py").write_text('b = """BASE64_OF shared/b.bin"""\n')
    (shared / "b.bin").write_bytes(bytes(200))
    (shared / "c.md").write_text("It has *TOTAL_POINTS* points.")
    release(course, [TOYS])
    content = json.loads(course.release_path(TOYS).read_bytes())
    sources = ["".join(cell["source"]) for cell in content["cells"]]
    (both,) = [each for each in sources if each.startswith("a = 1")]
    names: dict[str, str] = {}
    exec(both.partition("\n\n\nexec(")[0], names)
    assert base64.b64decode(names["b"]) == bytes(200)
    assert max(map(len, names["b"].splitlines())) == 120
    assert "It has *11* points." in sources


def test_a_cell_that_is_too_long_to_be_graded_is_refused(tmp_path: Path) -> None:
    script = SCRIPT.replace("print(math.pi)", f"data = {'x' * 200_000!r}")
    with pytest.raises(ReleaseError, match=r"`data = 'xx.*200,009 characters.* Divide it"):
        solved_notebook(course_of(tmp_path, script), TOYS)


@pytest.mark.parametrize(
    "line",
    [
        'include="no.py"',
        'setup="given" include="toys.py"',
        'include="toys.py"\nx = 1',
        'include="toys.py, no.py"',
    ],
)
def test_an_include_that_gives_nothing_or_too_much_is_refused(tmp_path: Path, line: str) -> None:
    script = SCRIPT.replace("# %%\nprint(math.pi)", f"# %% {line}")
    with pytest.raises(ReleaseError, match="`include` names"):
        solved_notebook(course_of(tmp_path, script), "toys")
