"""The wheel holds the engine and its templates, and works where nothing else is installed."""

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.courses import ROOT
from tests.platforms.gradescope_trees import Tree

NAMES = ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "constraints.txt")
FOLDERS = ("autograder", "tests", "examples")
ABSENT = ("torch", "scipy", "matplotlib", "distributed", "psycopg")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy to build from, without git: what setuptools leaves behind would be in the next one."""
    source = tmp_path_factory.mktemp("source")
    for name in FOLDERS:
        shutil.copytree(
            ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
    for name in NAMES:
        shutil.copy(ROOT / name, source)
    return source


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("wheel")
    options = ["--quiet", "--no-deps", "--no-build-isolation", f"--wheel-dir={made}"]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(source)], check=True)
    (built,) = made.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def archive(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, as `python -m build` has it made."""
    made = tmp_path_factory.mktemp("archive")
    make = f"from setuptools.build_meta import build_sdist; build_sdist({str(made)!r})"
    subprocess.run([sys.executable, "-c", make], cwd=source, check=True, capture_output=True)
    (built,) = made.glob("*.tar.gz")
    return built


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.slow
def test_the_wheel_leaves_this_repositorys_course_out(wheel: Path) -> None:
    names = names_in(wheel)
    assert "autograder/cli/__init__.py" in names
    assert not [name for name in names if name.startswith("autograder/exercises")]
    assert {name.split("/")[0].split("-")[0] for name in names} == {
        "autograder",
        "notebook_autograder",
    }


@pytest.mark.slow
def test_the_wheel_holds_every_template(wheel: Path) -> None:
    folders = ROOT.glob("autograder/**/templates")
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 20
    assert {str(path.relative_to(ROOT)) for path in files} <= names_in(wheel)


@pytest.mark.slow
def test_the_source_archive_holds_what_the_wheel_does_and_the_pins(
    wheel: Path, archive: Path
) -> None:
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {name for name in names_in(wheel) if name.startswith("autograder/")} <= names
    assert {*NAMES} <= names
    assert not {name.split("/")[0] for name in names} & {"tests", "examples"}


@pytest.mark.slow
@pytest.mark.exhaustive  # it installs from the registry, for a minute
def test_the_wheel_works_where_nothing_else_is_installed(wheel: Path, tmp_path: Path) -> None:
    programs = tmp_path / "environment" / "bin"
    venv.create(programs.parent, with_pip=True)
    run([programs / "pip", "install", "--quiet", wheel], tmp_path, programs)
    find = f"from importlib.util import find_spec; print([n for n in {ABSENT} if find_spec(n)])"
    assert run([programs / "python", "-c", find], tmp_path, programs).strip() == "[]"
    run(["autograder", "init", "course"], tmp_path, programs)
    course = tmp_path / "course"
    shown = run(["make", "demo"], course, programs)
    assert "hw1_statistics" in shown
    shutil.copytree(course / ".demo" / "submitted", course / "submitted")
    for target in ("release", "grade", "feedback", "report", "test"):
        run(["make", target], course, programs)
    assert len(list(course.glob("feedback/*/hw1_statistics/*.html"))) == 5
    assert (course / "reports" / "hw1_statistics.html").is_file()
    assert "pip install distributed cryptography" in run(
        ["autograder", "grade", "--force", "--scheduler=tcp://127.0.0.1:1"],
        course,
        programs,
        status=1,
    )
    run(["autograder", "package", "gradescope", "hw1_statistics"], course, programs)
    tree = Tree.of(course / "packages" / "hw1_statistics-gradescope.zip", tmp_path / "gradescope")
    solved = course / "submitted" / "bao" / "hw1_statistics" / "hw1_statistics.ipynb"
    results, _ = tree.run({"hw1.ipynb": solved.read_bytes()}, python=str(programs / "python"))
    assert [test.status for test in results.tests] == ["passed"]


def run(command: list[str | Path], folder: Path, programs: Path, status: int = 0) -> str:
    """Run a command with the programs of an environment and nothing else of ours."""
    registry = {name: text for name, text in os.environ.items() if name.startswith("PIP_")}
    own = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(folder), "COLUMNS": "100"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=registry | own,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr
