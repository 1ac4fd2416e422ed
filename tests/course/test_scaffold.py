"""What `init` and `new` make works at once; what can't be made is refused."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from autograder.authoring.release import release
from autograder.course import Course, scaffold
from autograder.course.course import SEED_FILE
from autograder.course.settings import (
    AssignmentSettings,
    CourseSettings,
    LatePolicy,
    ServeSettings,
)
from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from autograder.sandbox.limits import Limits
from tests.commands import autograder, environment, run
from tests.courses import ROOT
from tests.new_courses import made

ODD = "Statistik für Anfänger, 2026"
ANSWER = """
import sys
if "torch" in sys.modules:
    raise RuntimeError("the warm process has imported torch")
def standardise(X):
    return (X - X.mean(0)) / X.std(0)
"""


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return made(tmp_path / "course")


@pytest.mark.exhaustive  # CI runs everything without torch, too
def test_a_new_course_works_and_nobody_imports_torch(tmp_path: Path) -> None:
    """Importing it ends the process: a module of that name raises, in head and workers."""
    course = made(tmp_path / ODD)
    poison = tmp_path / "poison"
    poison.mkdir()
    for name in ("torch", "scipy", "matplotlib"):
        (poison / f"{name}.py").write_text(f"raise RuntimeError('{name} was imported')\n")
    (course.answers / "hw1_statistics/standardise/right/no_torch.py").write_text(ANSWER)
    before_others = f"{poison}{os.pathsep}{ROOT}"
    for command in ("release", "test", "demo"):
        done = run(course.root, "-m", "autograder", command, PYTHONPATH=before_others)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
    found = list((course.root / ".demo/feedback").glob("*/*/*.html"))
    assert len(found) == 5  # the blank notebook's author gets a page as well
    dana = course.root / ".demo/reports/hw1_statistics/dana.json"
    assert "standardise-rows" in dana.read_text()


@pytest.mark.slow
def test_what_new_writes_works_at_once(course: Course) -> None:
    for names in (["hw2_layers", "layer_norm"], ["hw2_layers", "Residual"], ["hw3"]):
        done = autograder(course.root, "new", *names)
        assert done.returncode == 0, done.stderr
        written = [line for line in done.stdout.splitlines() if line.startswith("Wrote ")]
        assert all((course.root / line.removeprefix("Wrote ")).is_file() for line in written)
    for arguments in (["release"], ["test", "hw2_layers", "hw3"]):
        done = autograder(course.root, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
    done = autograder(course.root, "check", "assignments/hw2_layers/hw2_layers.ipynb")
    assert "hw2_layers: You have 0 of 4 points." in done.stdout


def test_every_kind_of_exercise_is_in_the_handbook_and_in_the_sentence_about_others(
    course: Course,
) -> None:
    page = (ROOT / "docs" / "write-an-exercise.md").read_text("utf-8")
    with pytest.raises(CourseError, match="'sound' is no kind of exercise: choose from") as caught:
        scaffold.new(course, "hw2_layers", kind="sound")
    for kind in scaffold.kinds():
        assert f"`{kind}`" in page
        assert f" {kind} (" in str(caught.value)
    assert not (course.solutions / "hw2_layers.py").exists()


@pytest.mark.slow
def test_a_new_exercise_has_ideas_and_where_it_returns_numbers_a_note_and_an_example(
    course: Course,
) -> None:
    scaffold.new(course, "hw2_layers", "layer_norm")
    scaffold.new(course, "hw2_layers", "name_of", "text")
    release(course, ["hw2_layers"])
    notebook = json.loads(course.release_path("hw2_layers").read_text("utf-8"))
    text = "\n".join("".join(cell["source"]) for cell in notebook["cells"])
    assert "| one more in, two more out | 1 |" in text
    assert "| the sentence, word by word | 2 |" in text
    assert 'look_closer("layer_norm", ' in text
    assert 'look_closer("name_of", ' not in text
    bank = banks_of(course, "hw2_layers")["layer_norm"]
    assert bank.examples["layer-norm-squared"]


def test_every_hidden_test_that_new_writes_belongs_to_an_idea(course: Course) -> None:
    for kind in scaffold.kinds():
        scaffold.new(course, "hw3_kinds", f"{kind}_exercise", kind)
    for path in (course.exercises / "hw3_kinds" / "hidden_tests").glob("*.py"):
        assert re.search(r"^@points\(\d, ", path.read_text(), re.MULTILINE)
        assert not re.search(r"^@points\(\d\)", path.read_text(), re.MULTILINE)


def test_new_follows_the_folders_that_the_course_names(course: Course) -> None:
    path = course.root / "course.toml"
    text = path.read_text().replace('exercises = "exercises"', 'exercises = "hidden"')
    path.write_text(text.replace('answers = "answers"', 'answers = "tests/answers"'))
    wrote = scaffold.new(Course.load(course.root), "hw2_layers")
    assert wrote[0] == Path("solutions/hw2_layers.py")
    assert Path("hidden/hw2_layers/hidden_tests/test_layers.py") in wrote
    assert Path("tests/answers/hw2_layers/layers/right/another_way.py") in wrote


@pytest.mark.parametrize(
    "name", [ODD, 'quotes "and" \\ slashes', "統計", "a\nb", "-rf", "...", "x" * 200, "{{ seed }}"]
)
def test_any_name_makes_a_valid_course(tmp_path: Path, name: str) -> None:
    course = made(tmp_path / name)
    assert course.settings.id.isascii()
    assert course.settings.title.split() == name.split()


def test_every_course_has_a_seed_of_its_own_which_version_control_ignores(
    course: Course, tmp_path: Path
) -> None:
    fresh = {path for path in course.root.rglob("*") if path.is_file()}
    assert course.seed != made(tmp_path / "another").seed
    kept = course.root / SEED_FILE
    assert {path for path in course.root.rglob("*") if path.is_file()} == {*fresh, kept}
    assert f"{SEED_FILE}*" in (course.root / ".gitignore").read_text().splitlines()


def test_every_setting_is_shown_and_those_shown_are_valid(course: Course) -> None:
    text = (course.root / "course.toml").read_text()
    tables = (CourseSettings, AssignmentSettings, LatePolicy, ServeSettings)
    for name in (name for table in tables for name in table.model_fields):
        example = re.search(rf"{name} =|\[{name}[.\]]", text)
        assert example, f"{name} has no example in course/templates/course/course.toml.jinja"
    lines = text.splitlines()
    starts = (
        "# late =",
        "# collect =",
        "# [",
        "# due",
        "# ext",
        "# limits",
        "# points",
        "# left_out",
        *(f"# {name} " for name in ServeSettings.model_fields),
    )
    shown = "\n".join(line[2:] if line.startswith(starts) else line for line in lines)
    settings = CourseSettings.model_validate(tomllib.loads(shown))
    assert settings.limits("hw1_statistics") == Limits()
    assert settings.assignment("hw1_statistics").left_out == ("standardise",)
    assert settings.serve.tries_a_day == 5


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    for folder in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(CourseError, match="name a new folder, or an empty one"):
            scaffold.init(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_fresh_repository_counts_as_empty(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    scaffold.init(tmp_path)
    assert (tmp_path / ".gitignore").is_file()


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["hw-2"], "'hw-2' can't be a name"),
        (["hw2", "2nd"], "'2nd' can't be a name"),
        (["hw2", "lambda"], "'lambda' can't be a name"),
        (["hw2", "_hidden"], "'_hidden' can't be a name"),
        (["../hw2", "x"], "can't be a name"),
        (["hw1_statistics"], "`autograder new hw1_statistics EXERCISE`"),
        (["hw1_statistics", "standardise"], "has a cell 'standardise' already"),
        (["hw1_statistics", "imports"], "has a cell 'imports' already"),
    ],
)
def test_names_that_are_taken_or_odd_are_refused(
    course: Course, names: list[str], says: str
) -> None:
    before = sorted(course.root.rglob("*"))
    with pytest.raises(CourseError, match=says):
        scaffold.new(course, *names)
    assert sorted(course.root.rglob("*")) == before


def test_files_that_are_there_are_kept(course: Course) -> None:
    path = course.answers / "hw2" / "x" / "wrong" / "nothing_done.py"
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(CourseError, match="is there already"):
        scaffold.new(course, "hw2", "x")
    assert path.read_text() == "mine"
    assert not (course.solutions / "hw2.py").exists()


def test_students_work_and_grades_stay_out_of_version_control(course: Course) -> None:
    private = [
        *("submitted/ada/hw1/hw1.ipynb", "autograded/ada/hw1/hw1.ipynb", "gradebook.db"),
        *("gradebook.db-wal", "feedback/ada/hw1/hw1.html", "reports/hw1/ada.json", "grades.csv"),
        *(".demo/gradebook.db", ".course/proven.json", "class.zip"),
    ]
    public = ["solutions/hw1_statistics.py", "assignments/hw1/hw1.ipynb", "course.toml"]
    subprocess.run(["git", "init", "--quiet"], cwd=course.root, check=True)
    done = subprocess.run(
        ["git", "check-ignore", *private, *public],
        cwd=course.root,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == private


@pytest.mark.slow
def test_a_new_course_installs_what_it_came_from_and_moves(tmp_path: Path) -> None:
    """`make` names what it would install; with another program, it installs nothing."""
    course = made(tmp_path / "my course").root
    asked = subprocess.run(
        ["make", "--dry-run", "release"], cwd=course, capture_output=True, text=True, check=True
    )
    assert "pip install --quiet --requirement requirements.txt" in asked.stdout
    lines = (course / "requirements.txt").read_text("utf-8").splitlines()
    assert f"--constraint {ROOT / 'constraints.txt'}" in lines
    assert f"--editable {ROOT}" in lines
    moved = course.rename(tmp_path / "moved")
    program = tmp_path / "a program"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m autograder "$@"\n')
    program.chmod(0o755)
    done = subprocess.run(
        ["make", "release", f"AUTOGRADER='{program}'"],
        cwd=moved,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not (moved / ".venv").exists()


@pytest.mark.slow
@pytest.mark.parametrize("has_uv", [True, False])
def test_uv_installs_a_courses_packages_where_it_is_and_else_pip_does(
    tmp_path: Path, has_uv: bool
) -> None:
    """The repository's `make course` and the course's own targets alike."""
    programs, said = tmp_path / "programs", tmp_path / "said"
    programs.mkdir()
    uv, python = programs / "uv", programs / "python3"
    uv.write_text(f'#!/bin/sh\necho "uv $@" >> "{said}"\nexit {0 if has_uv else 1}\n')
    python.write_text(
        '#!/bin/sh\nfor folder; do :; done\n[ "$2" != venv ] || { mkdir -p "$folder/bin"; '
        f'cp "$0" "$folder/bin/python"; }}\necho "python $@" >> "{said}"\n'
    )
    for program in (uv, python):
        program.chmod(0o755)
    course, repository = made(tmp_path / "course").root, tmp_path / "repository"
    repository.mkdir()
    shutil.copy(ROOT / "Makefile", repository)  # without its own uv and Python, if they are there
    for folder, words in (
        (repository, ["course", f"DIR={tmp_path / 'new'}"]),
        (course, ["release"]),
    ):
        said.unlink(missing_ok=True)
        subprocess.run(
            ["make", *words],
            cwd=folder,
            env=environment(PATH=f"{programs}:/usr/bin:/bin"),
            capture_output=True,
            check=True,
        )
        installed = [line for line in said.read_text().splitlines() if " install " in line]
        by_uv, *by_pip = (line.split()[:3] for line in installed)
        assert by_uv == ["uv", "pip", "install"]
        assert by_pip == ([] if has_uv else [["python", "-m", "pip"]])


@pytest.mark.parametrize("folder", [ROOT, None])
def test_make_check_without_a_notebook_says_how_to_name_one(
    tmp_path: Path, folder: Path | None
) -> None:
    done = subprocess.run(
        ["make", "check", "AUTOGRADER=none", "INSTALLED="],
        cwd=folder or made(tmp_path).root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert done.stderr.startswith("Name a notebook: make check NOTEBOOK=")


def test_what_is_written_is_in_good_style(course: Course) -> None:
    scaffold.new(course, "hw2_layers", "layer_norm")
    for kind in scaffold.kinds():
        scaffold.new(course, "hw3_kinds", f"{kind}_exercise", kind)
    ruff = [sys.executable, "-m", "ruff"]
    options = ["--isolated", "--line-length=100", "."]
    # a notebook imports where it explains; an answer is a cell of one
    rules = ["--select=B,E,F,SIM,UP,W", "--ignore=E402,F401", "--exclude=answers"]
    for command in (["check", *rules], ["format", "--diff"]):
        done = subprocess.run(
            [*ruff, *command, *options], cwd=course.root, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout


INLINE = "assignments = { hw1_statistics = { due = 2030-10-05T23:59:00+02:00, left_out = [] } }"
DOTTED = """
slip_days = 2
assignments.hw1_statistics.due = 2030-10-05T23:59:00+02:00
assignments.hw1_statistics.slip.ada = 1
assignments.hw1_statistics.slip.bo = 1
assignments.hw1_statistics.canvas_column = "One"
"""
TERM = """
slip_days = 3
late = { per_day = 0.1 }
[assignments.hw1_statistics]  # the first
due = 2030-10-05T23:59:00+02:00  # a Friday
extensions_by_section = { "Lab B" = 2030-10-06T23:59:00+02:00 }
slip.ada = 2
feedback_from = 2030-10-12T08:00:00+02:00
canvas_column = "due = never"
[assignments.hw1_statistics.extensions]
ada = 2030-10-07T23:59:00+02:00
[assignments.hw1_statistics.limits]
cell_seconds = 20
"""


def test_the_next_term_has_the_exercises_and_nothing_of_the_last_ones_students(
    course: Course, tmp_path: Path
) -> None:
    toml = course.root / "course.toml"
    toml.write_text(toml.read_text() + TERM)
    for name in ("submitted/ada/hw1/hw1.ipynb", "reports/x.html", "exercises/__pycache__/x.pyc"):
        path = course.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("ada")
    for name in ("roster.csv", "gradebook.db", "unassigned.csv", "seed.txt", "marks.csv"):
        (course.root / name).write_text("1")
    old = Course.load(course.root, environment={})
    assert scaffold.next_term(old, tmp_path / "next") == ["marks.csv"]
    new = Course.load(tmp_path / "next", environment={})
    found = {path.relative_to(new.root).as_posix() for path in new.root.rglob("*")}
    ours = {path.relative_to(old.root).as_posix() for path in old.root.rglob("*")}
    assert found <= ours
    gone = ("submitted", "reports", "roster.csv", "gradebook.db", "unassigned.csv", "seed.txt")
    assert {name.partition("/")[0] for name in ours - found} == {*gone, "marks.csv", "exercises"}
    (said,) = new.settings.assignments.values()
    assert (said.due, said.extensions, said.slip, said.feedback_from) == (None, {}, {}, None)
    assert (said.canvas_column, said.limits) == ("due = never", {"cell_seconds": 20})
    assert (new.settings.slip_days, new.settings.seed) == (3, None)
    assert new.seed != old.seed
    comments = {line for line in toml.read_text().splitlines() if line.startswith("#")}
    assert comments <= {*(new.root / "course.toml").read_text().splitlines()}
    with pytest.raises(CourseError, match="isn't empty"):
        scaffold.next_term(old, new.root)


@pytest.mark.parametrize(
    ("database", "kept"),
    [
        ("sqlite:///marks.db", "sqlite:///marks.db"),
        ("sqlite:////srv/marks.db", "sqlite:///gradebook.db"),
        ("postgresql://u@h/last", "sqlite:///gradebook.db"),
    ],
)
def test_the_next_term_never_shares_the_last_ones_gradebook(
    course: Course, tmp_path: Path, database: str, kept: str
) -> None:
    toml = course.root / "course.toml"
    toml.write_text(toml.read_text().replace("sqlite:///gradebook.db", database))
    scaffold.next_term(Course.load(course.root, environment={}), tmp_path / "next")
    assert Course.load(tmp_path / "next", environment={}).settings.database == kept


def test_dates_go_out_of_a_table_in_one_line_too(course: Course, tmp_path: Path) -> None:
    toml = course.root / "course.toml"
    toml.write_text(f"seed = 7\n{INLINE}\n{toml.read_text()}")
    scaffold.next_term(Course.load(course.root, environment={}), tmp_path / "next")
    made = Course.load(tmp_path / "next", environment={}).settings
    assert (made.seed, made.due("hw1_statistics")) == (None, None)


def test_dates_that_cannot_be_told_from_the_rest_are_refused_and_nothing_is_made(
    course: Course, tmp_path: Path
) -> None:
    toml = course.root / "course.toml"
    toml.write_text(f"{DOTTED}\n{toml.read_text()}")
    with pytest.raises(CourseError, match="can't be told from the rest of it: write each of due"):
        scaffold.next_term(Course.load(course.root, environment={}), tmp_path / "next")
    assert not (tmp_path / "next").exists()
