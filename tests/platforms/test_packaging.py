"""What goes into a package: what grades one assignment, and nothing else."""

import ast
import json
import re
import stat
import subprocess
import zipfile
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path, PurePosixPath

import pytest

from autograder.authoring.release import release
from autograder.course import Course, settings
from autograder.errors import CourseError
from autograder.platforms.packaging.bundle import pins, write_package
from tests.commands import autograder
from tests.courses import KIT, ROOT, copy_of_kit
from tests.notebooks import filled
from tests.platforms.gradescope_trees import Tree
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, course_of, with_settings

pytestmark = pytest.mark.slow  # packages are built, installed and run

HW1 = "hw1_attention"
# This environment's own: an editable installation loads it.
OWN = {"autograder", "notebook-autograder", "setuptools"}


def texts_in(package: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(package) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def hw1(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of this repository's first assignment."""
    return write_package(copy_of_kit(tmp_path_factory.mktemp("kit")), "gradescope", HW1)


def test_it_holds_one_assignment_and_nothing_of_the_others(hw1: Path) -> None:
    names = texts_in(hw1).keys()
    of_assignments = {name for name in names if re.search(r"hw\d", name)}
    assert all(HW1 in name for name in of_assignments)
    grader = {name.removeprefix("grader/") for name in names}
    assert {f"solutions/{HW1}.py", f"assignments/{HW1}/{HW1}.ipynb"} <= grader
    assert {"exercises/conftest.py", "exercises/dropout.py"} <= grader  # shared by all


def test_it_holds_the_rooms_that_grade_and_no_others(hw1: Path) -> None:
    names = [name.split("/") for name in texts_in(hw1)]
    rooms = {parts[2] for parts in names if parts[:2] == ["grader", "autograder"]}
    assert {"grading", "sandbox", "platforms"} <= rooms
    assert not rooms & {"authoring", "gradebook", "statistics", "desk", "exercises", "cli"}


@pytest.mark.parametrize("platform", ["gradescope", "classroom50"])
def test_every_module_of_ours_that_it_imports_is_in_it(platform: str, fresh: Course) -> None:
    # Read, not run: an editable installation would lend whatever is missing.
    files = {
        name.removeprefix("grader/"): text
        for name, text in texts_in(write_package(fresh, platform, TOYS)).items()
    }
    present = {PurePosixPath(name).with_suffix("") for name in files if name.endswith(".py")}
    present |= {folder for path in present for folder in path.parents}
    trees = [ast.parse(text) for name, text in files.items() if name.endswith(".py")]
    wanted = {path for tree in trees for path in modules_of_ours(tree)}
    assert PurePosixPath("autograder/grading/grader") in wanted
    assert not wanted - present


def modules_of_ours(tree: ast.AST) -> Iterator[PurePosixPath]:
    """Yield the path of each module of this repository's that code imports, without its suffix."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            path = PurePosixPath(name.replace(".", "/"))
            is_module = (ROOT / f"{path}.py").is_file() or (ROOT / path).is_dir()
            if path.parts[0] == "autograder" and is_module:
                yield path


def test_nothing_of_students_answers_grades_or_dates_goes_with_it(toys: ToyClass) -> None:
    toys.hand_in("zacharias", RIGHT)
    root = toys.course.root
    for name in ("answers/toys/double/right/zacharias.py", "feedback/zacharias/page.html"):
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text("zacharias")
    due = "2030-10-05T23:59:00"
    course = with_settings(
        root,
        'database = "sqlite:///zacharias.db"\nslip_days = 2\n[assignments.toys]\n'
        f"due = {due}\nextensions = {{ zacharias = 2030-10-07T23:59:00 }}\n"
        "feedback_from = 2030-10-12T08:00:00\nslip = { zacharias = 1 }\n"
        "extensions_by_section = { zacharias = 2030-10-09T23:59:00 }\n",
    )
    files = texts_in(write_package(course, "gradescope", TOYS))
    assert not [name for name in files if "zacharias" in name or "gradebook.db" in name]
    assert not [name for name, text in files.items() if b"zacharias" in text or b"2030" in text]
    reduced = root / "reduced.toml"
    reduced.write_bytes(files["grader/course.toml"])
    assert settings.read_settings(reduced).slip_days == 0


def test_what_decides_a_score_is_in_its_course_toml(tmp_path: Path) -> None:
    course = course_of(tmp_path)
    release(course, [TOYS])
    course = with_settings(
        tmp_path,
        "seed = 12\n[assignments.toys]\npoints = { double = 0.5 }\nlimits = { cell_seconds = 3 }\n"
        'left_out = ["Counter"]\ngradescope = { visibility = "after_published" }\n',
    )
    reduced, files = tmp_path / "reduced.toml", texts_in(write_package(course, "gradescope", TOYS))
    reduced.write_bytes(files["grader/course.toml"])
    said = settings.read_settings(reduced)
    assert (said.seed, files["grader/seed.txt"]) == (None, b"12\n")
    assert said.assignment(TOYS) == course.settings.assignment(TOYS)


def test_a_seed_that_the_environment_sets_is_the_one_that_goes_with_it(fresh: Course) -> None:
    files = texts_in(write_package(fresh.with_seed(77), "gradescope", TOYS))
    assert files["grader/seed.txt"] == b"77\n"


def test_files_beside_a_release_go_with_it(toys: ToyClass) -> None:
    data = toys.course.release_path(TOYS).parent / "data" / "table.csv"
    data.parent.mkdir()
    data.write_text("1,2\n")
    files = texts_in(write_package(toys.course, "gradescope", TOYS))
    assert files[f"grader/assignments/{TOYS}/data/table.csv"] == b"1,2\n"


def test_the_same_course_makes_the_same_bytes(fresh: Course) -> None:
    first = write_package(fresh, "gradescope", TOYS).read_bytes()
    assert write_package(fresh, "gradescope", TOYS).read_bytes() == first


def test_its_scripts_lie_at_the_top_and_can_be_run(hw1: Path) -> None:
    with zipfile.ZipFile(hw1) as archive:
        modes = {name: archive.getinfo(name).external_attr >> 16 for name in archive.namelist()}
    assert all(modes[name] & stat.S_IXUSR for name in ("setup.sh", "run_autograder"))


@pytest.mark.parametrize("script", ["setup.sh", "run_autograder"])
def test_its_scripts_are_bash(script: str) -> None:
    templates = ROOT / "autograder" / "platforms" / "packaging" / "templates"
    subprocess.run(["bash", "-n", str(templates / "gradescope" / script)], check=True)


def test_an_assignment_that_is_not_released_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"toys isn't released yet: run `autograder release`"):
        write_package(course_of(tmp_path), "gradescope", TOYS)


def test_the_kits_packages_are_pinned_as_the_lock_pins_them() -> None:
    lock = re.findall(r"^[\w.-]+==[^\s;]+", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    for assignment in KIT.assignment_names():
        assert set(pins(KIT, assignment)) <= set(lock)


def test_torch_is_installed_where_an_assignment_uses_it_and_nowhere_else() -> None:
    def packages(assignment: str) -> set[str]:
        return {pin.partition("==")[0] for pin in pins(KIT, assignment)}

    assert "torch" in packages("hw2_encoder")
    assert "scipy" in packages(HW1)
    assert not {"torch", "nbgrader", "jupyterlab", "typer", "rich", "filelock"} & packages(HW1)


def test_packages_that_answers_may_import_are_pinned_too() -> None:
    named = {pin.partition("==")[0] for pin in pins(KIT, HW1)}
    assert named >= set(KIT.settings.packages)


def test_what_a_shared_fixture_imports_counts_for_those_who_use_it(toys: ToyClass) -> None:
    (toys.course.exercises / "conftest.py").write_text(
        "import pytest\n@pytest.fixture\ndef shape():\n    import matplotlib\n"
        "@pytest.fixture\ndef wide(shape):\n    return shape\n"
    )
    assert not [pin for pin in pins(toys.course, TOYS) if pin.startswith("matplotlib==")]
    tests = toys.course.exercises / TOYS / "hidden_tests" / "test_double.py"
    tests.write_text(tests.read_text() + "def test_wide(wide):\n    pass\n")
    assert [pin for pin in pins(toys.course, TOYS) if pin.startswith("matplotlib==")]


def test_all_that_its_engine_names_is_pinned_but_what_courses_may_use(fresh: Course) -> None:
    files = texts_in(write_package(fresh, "gradescope", TOYS))
    ours = (name for name in files if name.startswith("grader/autograder/"))
    trees = [ast.parse(files[name]) for name in ours if name.endswith(".py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    known = packages_distributions()
    wanted = {each for name in names for each in known.get(name.partition(".")[0], ())}
    pinned = {pin.partition("==")[0] for pin in pins(fresh, TOYS)}
    assert "jupytext" in wanted
    assert {name.lower().replace("_", "-") for name in wanted} - OWN - {"pandas", "torch"} <= pinned


def test_the_kits_first_assignment_is_graded_as_at_home(hw1: Path, tmp_path: Path) -> None:
    tree = Tree.of(hw1, tmp_path / "autograder")
    answers = KIT.answers / HW1
    sources = {
        exercise.name: next((exercise / "right").glob("*.py")).read_text()
        for exercise in answers.iterdir()
        if exercise.is_dir()
    }
    sources["softmax"] = "def softmax(x):\n    return x"
    content = json.dumps(filled(KIT.release_path(HW1), sources)).encode()
    results, _ = tree.run({"hw1.ipynb": content})
    course_root, notebook = hw1.parents[1], tree.root / "submission" / "hw1.ipynb"
    report = json.loads(autograder(course_root, "check", "--json", str(notebook)).stdout)
    assert results.scores == {each["name"]: each["score"] for each in report["exercises"]}
    assert 0 < (results.score or 0) < report["max_score"]
