"""New courses, assignments and exercises, from templates: all of them work at once."""

import json
import keyword
import re
import shlex
import shutil
import textwrap
import tomllib
import unicodedata
from collections.abc import Mapping
from importlib import metadata
from itertools import product
from pathlib import Path
from typing import Any

import tomlkit
from jinja2 import Environment, FileSystemLoader, StrictUndefined

import autograder
from autograder.course import settings, solution
from autograder.course.course import Course
from autograder.course.loading import CACHES
from autograder.errors import CourseError

_TEMPLATES = Path(__file__).parent / "templates"
_JINJA = Environment(  # noqa: S701 - these are no web pages
    loader=FileSystemLoader(_TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True
)
_DISTRIBUTION = "notebook-autograder"  # what pip calls the engine
_DOT = "dot_"  # stands for the dot of a hidden file, which packages leave out
_CONFIGURATION = (  # besides the folders of what is taught
    *("nbgrader_config.py", "requirements.txt", "requirements.lock", "constraints.txt"),
    *("Makefile", "README.md", ".gitignore"),
)
# In an assignment's table.
_OF_A_TERM = ("due", "extensions", "extensions_by_section", "slip", "feedback_from")
_MAY_BE = (".git", ".venv")  # in the folder of a new course; a person makes them
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_DOCSTRING = re.compile(r'^ +""".*?"""\n\n?', re.MULTILINE | re.DOTALL)
ARRAY = "array"  # the kind of exercise that `new` begins, unless another is named


def init(folder: Path) -> None:
    """Make a course with a small assignment; raise `CourseError` where `folder` isn't empty."""
    _check_empty(folder)
    name = folder.resolve().name
    title = "".join(c if c.isprintable() else " " for c in name).strip() or "Course"
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = {
        "id": json.dumps(re.sub(r"[^\w.-]+", "-", plain).strip("-.") or "course"),
        "title": json.dumps(title, ensure_ascii=False),
        "heading": title,
        "version": autograder.__version__,
        "source": _source(),
    }
    templates = _TEMPLATES / "course"
    files = {}
    for template in sorted(templates.rglob("*.jinja")):
        path = template.relative_to(templates).with_suffix("")
        files[Path(*(part.replace(_DOT, ".", 1) for part in path.parts))] = template
    _write(folder, files, words)


def _check_empty(folder: Path) -> None:
    is_file = folder.exists() and not folder.is_dir()
    if is_file or (folder.is_dir() and any(path.name not in _MAY_BE for path in folder.iterdir())):
        what = "is a file" if is_file else "isn't empty"
        raise CourseError(f"{folder} {what}: name a new folder, or an empty one.")


def next_term(course: Course, folder: Path) -> list[str]:
    """Make a course with what this one teaches, and nothing of its students, dates and seed.

    Returns the names of what else lies in the course's folder, and stays there.
    """
    _check_empty(folder)
    text = _without_term((course.root / settings.FILE).read_text("utf-8"))
    kept = {course.solutions, course.exercises, course.answers, course.root / ".github"}
    others = {course.root / name for name in (*_CONFIGURATION, course.settings.demo)}
    private = {*course.secrets()} - kept
    private |= {course.root / name for name in _MAY_BE} | {folder.absolute()}

    def ignored(place: str, names: list[str]) -> list[str]:
        return [name for name in names if name in CACHES or Path(place, name) in private]

    for path in sorted({path for path in kept if path.is_dir()}):
        target = folder / path.relative_to(course.root)
        shutil.copytree(path, target, ignore=ignored, dirs_exist_ok=True)
    for path in (path for path in others if path.is_file()):
        target = folder / path.relative_to(course.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    (folder / settings.FILE).write_text(text, encoding="utf-8")
    known = {path.relative_to(course.root).parts[0] for path in (*kept, *others)}
    known |= {course.assignments.name, *(path.name for path in private)}
    names = sorted(path.name for path in course.root.iterdir())
    return [name for name in names if name not in known and name[0] != "."]


def _without_term(text: str) -> str:
    """Return a `course.toml` without dates and the seed, with all else as it is written there."""
    said = tomlkit.parse(text)
    said.pop("seed", None)
    if not re.fullmatch(r"sqlite:///[^/].*", said.get("database", "")):  # last term's own
        said.pop("database", None)
    try:
        for name, key in product([*said.get("assignments", {})], _OF_A_TERM):
            said["assignments"][name].pop(key, None)
    except LookupError:  # tomlkit can't remove `assignments.NAME.slip.…` that stands on two lines
        raise CourseError(
            f"The dates in {settings.FILE} can't be told from the rest of it: write each of "
            f"{', '.join(_OF_A_TERM)} on a line of its own, as `due = …` below [assignments.NAME]."
        ) from None
    return tomlkit.dumps(said)


def kinds() -> dict[str, dict[str, Any]]:
    """Return what a new exercise can begin with, by the name of its kind."""
    return tomllib.loads((_TEMPLATES / "exercise" / "kinds.toml").read_text("utf-8"))


def _source() -> str:
    """Return the lines that tell pip where this engine comes from, as far as that is known."""
    clone = Path(autograder.__file__).parents[1]
    if (clone / "pyproject.toml").is_file():
        options = {"--constraint": clone / "constraints.txt", "--editable": clone}
        return "\n".join(f"{option} {shlex.quote(str(path))}" for option, path in options.items())
    try:
        said = metadata.distribution(_DISTRIBUTION).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        said = None
    if said is None:
        return f"# {_DISTRIBUTION} @ file:///the/path/to/it"
    origin = json.loads(said)
    vcs = origin.get("vcs_info")
    address = f"{vcs['vcs']}+{origin['url']}@{vcs['commit_id']}" if vcs else origin["url"]
    return f"{_DISTRIBUTION} @ {address}"


def new(course: Course, assignment: str, exercise: str = "", kind: str = ARRAY) -> list[Path]:
    """Add an assignment, or an exercise to one; return the files to edit."""
    is_new = assignment not in course.assignment_names()
    if not is_new and not exercise:
        raise CourseError(
            f"There is an assignment {assignment} already: name the exercise to add to it, as in "
            f"`autograder new {assignment} EXERCISE`."
        )
    exercise = exercise or re.sub(r"^[a-z]+\d+_(?=[A-Za-z])", "", assignment)
    for name in (assignment, exercise):
        if not _NAME.fullmatch(name) or keyword.iskeyword(name):
            raise CourseError(
                f"{name!r} can't be a name: use letters, digits and _, beginning with a letter, "
                "but none of Python's keywords; hw2_regression and fit_line would do."
            )
    if not is_new and exercise in solution.sources(course, assignment):
        raise CourseError(f"{assignment} has a cell {exercise!r} already: choose another name.")
    heading = assignment.replace("_", " ").strip().capitalize()
    # Misconceptions about `LayerNorm` and `layer_norm` begin alike.
    tag = re.sub(r"_+|(?<=[a-z0-9])(?=[A-Z])", "-", exercise).strip("-").lower()
    words = _of_kind(kind, exercise) | {"exercise": exercise, "tag": tag, "heading": heading}
    templates = _TEMPLATES / "exercise"
    code = Path(course.settings.exercises, assignment)
    answers = Path(course.settings.answers, assignment, exercise)
    files = {
        code / "hidden_tests" / f"test_{exercise}.py": templates / "hidden_test.py.jinja",
        answers / "right" / "another_way.py": templates / "right.py.jinja",
        answers / "wrong" / "nothing_done.py": templates / "wrong.py.jinja",
    }
    if "mistake" in words:  # else its answers differ too much to be compared with known ones
        bank = code / "misconceptions" / f"{exercise}.py"
        files[bank] = templates / "misconceptions.py.jinja"
    for path in files:
        if (course.root / path).exists():
            raise CourseError(f"{path} is there already: choose another name, or remove it.")
    script = course.solutions / f"{assignment}.py"
    before = "" if is_new else script.read_text("utf-8").rstrip("\n") + "\n"
    before = before or _rendered(templates / "script.py.jinja", words)
    script.parent.mkdir(parents=True, exist_ok=True)
    words["notes"] = words["notes"] and 'include="locked notes"' in before
    script.write_text(before + _rendered(templates / "cells.py.jinja", words), encoding="utf-8")
    return [script.relative_to(course.root), *_write(course.root, files, words)]


def _of_kind(kind: str, exercise: str) -> dict[str, Any]:
    """Return what an exercise of this kind and name is begun with."""
    known = kinds()
    if kind not in known:
        about = (f"{name} ({words['about']})" for name, words in known.items())
        raise CourseError(f"{kind!r} is no kind of exercise: choose from {', '.join(about)}.")
    words: dict[str, Any] = {
        key: _JINJA.from_string(text.strip("\n")).render(exercise=exercise)
        if isinstance(text, str)
        else text
        for key, text in known[kind].items()
    }
    reference = solution.without_markers(words["cell"])
    words["notes"] = known[kind].get("notes", False)
    words["message"] = textwrap.wrap(words.get("message", ""), 80)
    words["reference"] = _DOCSTRING.sub("", reference).strip()
    return words


def _write(root: Path, files: Mapping[Path, Path], words: Mapping[str, Any]) -> list[Path]:
    for relative, template in files.items():
        path = root / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_rendered(template, words), encoding="utf-8")
    return list(files)


def _rendered(template: Path, words: Mapping[str, Any]) -> str:
    return _JINJA.get_template(str(template.relative_to(_TEMPLATES))).render(words)
