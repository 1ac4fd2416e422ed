"""A release fills in what the course says, and attaches the pictures that its prose shows."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring.release import release, solved_notebook
from autograder.errors import ReleaseError
from tests.toys import SCRIPT, course_of

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg=="
)
HERE = "https://github.com/owner/name"
COLAB = "https://colab.research.google.com/github/owner/name/blob"
NOTEBOOK = "assignments/toys/toys.ipynb"


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


def test_points_are_listed_by_exercise_in_the_notebooks_order(tmp_path: Path) -> None:
    assert text_of(tmp_path, "POINTS_EACH") == "`double` 5 · `Counter` 4 · `why` 2"


def test_factors_in_the_settings_show_in_the_prose(tmp_path: Path) -> None:
    settings = "[assignments.toys]\npoints = { double = 2 }"
    assert text_of(tmp_path, "POINTS_EACH, TOTAL_POINTS", settings).startswith("`double` 10 ·")


def test_what_the_course_says_is_written_where_its_name_stands(tmp_path: Path) -> None:
    settings = 'hand_in = "NOTEBOOK by mail"\nai_policy = "None, please."\nwhere_to_ask = "Room 7"'
    said = text_of(tmp_path, "HAND_IN; AI_POLICY; WHERE_TO_ASK", settings)
    assert said == "`toys.ipynb` by mail; None, please.; Room 7"


def test_a_course_that_says_nothing_has_sensible_words_and_no_badge(tmp_path: Path) -> None:
    said = text_of(tmp_path, "HAND_IN|ALLOWED_TOOLS|AI_POLICY|WHERE_TO_ASK|COLAB_BADGE")
    *words, badge = said.split("|")
    assert all(len(each) > 20 for each in words)
    assert badge == ""


@pytest.mark.parametrize(
    ("repository", "link"),
    [
        (HERE, f"{COLAB}/main/{NOTEBOOK}"),
        (f"{HERE}/", f"{COLAB}/main/{NOTEBOOK}"),
        (f"{HERE}/tree/spring", f"{COLAB}/spring/{NOTEBOOK}"),
        (f"{HERE}/tree/main/courses/toys", f"{COLAB}/main/courses/toys/{NOTEBOOK}"),
    ],
)
def test_the_badge_opens_the_released_notebook(tmp_path: Path, repository: str, link: str) -> None:
    said = text_of(tmp_path, "COLAB_BADGE", f'repository = "{repository}"')
    assert said.endswith(f"({link})")


def test_a_picture_becomes_an_attachment_with_its_words(tmp_path: Path) -> None:
    cell = first_cell(tmp_path, "![A grey\n# dot](pictures/toys.png)", picture=PNG)
    assert "".join(cell["source"]) == "![A grey dot](attachment:toys.png)"
    assert base64.b64decode(cell["attachments"]["toys.png"]["image/png"]) == PNG


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


def test_a_folded_cell_is_folded_in_jupyter_and_in_colab(tmp_path: Path) -> None:
    script = SCRIPT.replace('test="double"', 'test="double" folded="Visible checks"')
    cells = {cell.id: cell for cell in solved_notebook(course_of(tmp_path, script), "toys").cells}
    cell = cells["double_test"]
    assert cell.source.startswith("#@title Visible checks\nassert")
    assert cell.metadata["jupyter"] == {"source_hidden": True}
    assert cell.metadata["cellView"] == "form"
    assert "jupyter" not in cells["Counter_test"].metadata


def test_a_cell_may_take_its_code_from_a_file_that_assignments_share(tmp_path: Path) -> None:
    script = SCRIPT.replace("# %%\nprint(math.pi)", '# %% include="shared/given.py"')
    course = course_of(tmp_path, script)
    (course.solutions / "shared").mkdir()
    (course.solutions / "shared" / "given.py").write_text("print('given')\n")
    sources = [cell.source for cell in solved_notebook(course, "toys").cells]
    assert "print('given')" in sources


@pytest.mark.parametrize(
    "line", ['include="no.py"', 'setup="given" include="toys.py"', 'include="toys.py"\nx = 1']
)
def test_an_include_that_gives_nothing_or_too_much_is_refused(tmp_path: Path, line: str) -> None:
    script = SCRIPT.replace("# %%\nprint(math.pi)", f"# %% {line}")
    with pytest.raises(ReleaseError, match="`include` names"):
        solved_notebook(course_of(tmp_path, script), "toys")
