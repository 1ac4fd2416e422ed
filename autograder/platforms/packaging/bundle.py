"""All that grades one assignment elsewhere, in a zip: the engine and a course of that assignment.

No other assignment, no answers, no submissions, no gradebook and no name of a student go with it;
of an assignment whose known mistakes students find in this one, the banks do.
Packages are pinned as installed here. What the assignment's code imports is read without running
it; of what all assignments share, a function counts where the assignment uses it.
"""

import ast
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path
from typing import Any, TypeGuard

import tomlkit
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.course import Course, solution
from autograder.course.bugs import sources_of_bugs
from autograder.course.course import SEED_FILE
from autograder.course.loading import files_below, modules_imported
from autograder.course.saving import save_whole
from autograder.course.settings import FILE
from autograder.errors import CourseError
from autograder.grading.pytest_plugin import FOLDER as TESTS
from autograder.platforms.archives import zip_bytes

_ENGINE = Path(__file__).resolve().parents[2]
_TEMPLATES = Path(__file__).parent / "templates"
_GRADER = "grader"  # the folder of the zip that the engine and the course lie in
# The rooms that grade one notebook, and what of them serves only classes and new courses.
_ROOMS = ("course", "diagnosis", "grading", "intake", "sandbox", "telling", "testing", "work")
_AT_HOME = (
    *("course/locking.py", "course/scaffold.py", "course/templates"),
    *("grading/progress.py", "grading/run.py", "work/cluster.py"),
    *("telling/pages", "telling/terminal.py"),
)
_ALONE = ("__init__.py", "errors.py", "folders.py", "report.py")
_PLATFORMS = ("__init__.py", "archives.py", "packaged.py")
# What the rooms import that grade one notebook: the other rooms' packages stay at home.
_REQUIRED = (
    *("numpy", "pytest", "jupytext", "ipython"),
    *("pydantic", "pyyaml", "pyseccomp", "landlock"),
)
_ALWAYS = ("conftest", "__init__")  # shared files that every assignment loads
_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"  # that the packages are pinned for
_EXERCISES = "exercises"

Files = dict[str, bytes]  # by path in the zip


def write_package(course: Course, platform: str, assignment: str) -> Path:
    """Write `packages/<assignment>-<platform>.zip`, for Gradescope or Classroom 50."""
    course.check_assignment(assignment)
    if not course.release_path(assignment).is_file():
        raise CourseError(f"{assignment} isn't released yet: run `autograder release` first.")
    files = {
        path.name: path.read_bytes().replace(b"@PYTHON@", _PYTHON.encode())
        for path in (_TEMPLATES / platform).iterdir()
        if path.is_file()
    }
    files["requirements.txt"] = "".join(f"{pin}\n" for pin in pins(course, assignment)).encode()
    parts = {**_engine(platform), **_reduced(course, assignment)}
    files |= {f"{_GRADER}/{name}": content for name, content in parts.items()}
    target = course.packages / f"{assignment}-{platform}.zip"
    save_whole(zip_bytes(files), target)
    return target


def _engine(platform: str) -> Files:
    at_home = {path for name in _AT_HOME for path in files_below(_ENGINE / name)}
    own = (f"platforms/{name}" for name in (*_PLATFORMS, f"{platform}.py"))
    paths = (path for name in (*_ROOMS, *_ALONE, *own) for path in files_below(_ENGINE / name))
    return {
        str(path.relative_to(_ENGINE.parent)): path.read_bytes()
        for path in paths
        if path not in at_home
    }


def _reduced(course: Course, assignment: str) -> Files:
    """Return the course as if it had one assignment."""
    own = (f"{assignment}.py", assignment)
    paths = [path for name in own for path in files_below(course.solutions / name)]
    paths += files_below(course.assignments / assignment)
    # Of course.toml goes what decides a score and how it is shown; all else may name students.
    chosen = course.settings.assignment(assignment)
    table = chosen.model_dump(
        include={"limits", "points", "left_out", "gradescope"}, exclude_defaults=True
    )
    whole: dict[str, Any] = {"id": course.settings.id, "exercises": _EXERCISES}
    whole |= {"assignments": {assignment: table}} if table else {}
    shared = (path for path in course.exercises.iterdir() if path.is_file())
    exercises = [*shared, *files_below(course.exercises / assignment)]
    exercises += [
        path
        for other in sources_of_bugs(course, assignment)
        for path in files_below(course.exercises / other)
        if TESTS not in path.parts
    ]
    files = {str(path.relative_to(course.root)): path for path in paths}
    files |= {f"{_EXERCISES}/{path.relative_to(course.exercises)}": path for path in exercises}
    contents = {name: path.read_bytes() for name, path in files.items()}
    return {FILE: tomlkit.dumps(whole).encode(), SEED_FILE: f"{course.seed}\n".encode(), **contents}


def pins(course: Course, assignment: str) -> list[str]:
    """Return a line for each package, as `numpy==2.4.6`, in order of name."""
    known = packages_distributions()
    names = _imported(course, assignment) - {"autograder"} - sys.stdlib_module_names
    packages = {package for name in names for package in known.get(name, ())}
    found: dict[str, str] = {}
    given = (*_REQUIRED, *course.settings.packages)  # the latter for students' own imports
    waiting = [(name, "") for name in (*given, *sorted(packages))]
    seen: set[tuple[str, str]] = set()
    while waiting:
        each = name, extra = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        try:
            package = distribution(name)
        except PackageNotFoundError:  # of another system, or not needed by what is done here
            continue
        # torch's `2.13.0+cpu` and `2.13.0` are the same code: which of them is the index's matter
        found[canonicalize_name(name)] = package.version.partition("+")[0]
        for wanted in map(Requirement, package.requires or ()):
            if wanted.marker is None or wanted.marker.evaluate({"extra": extra}):
                waiting += [(wanted.name, extra) for extra in ("", *wanted.extras)]
    return [f"{name}=={version}" for name, version in sorted(found.items())]


def _imported(course: Course, assignment: str) -> set[str]:
    """Return what the cells that the grader runs, the hidden tests, and what these share import."""
    code = files_below(course.exercises / assignment, "*.py")
    texts = (path.read_text("utf-8") for path in code)
    own = [_tree(text) for text in (*solution.sources(course, assignment).values(), *texts)]
    nodes = (node for tree in own for node in _walk(tree))
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    mentioned = set(_ALWAYS).union(*map(_mentioned, own))
    waiting = [
        (path.stem, node)
        for path in sorted(course.exercises.glob("*.py"))
        for node in _tree(path.read_text("utf-8")).body
    ]
    counted: list[ast.AST] = [*own]
    while used := [
        (stem, node)
        for stem, node in waiting
        if stem in mentioned and (not _is_optional(node) or node.name in mentioned - defined)
    ]:
        waiting = [each for each in waiting if each not in used]
        counted += [node for _, node in used]
        mentioned = mentioned.union(*(_mentioned(node) for _, node in used))
    found = (name for tree in counted for node in _walk(tree) for name in modules_imported(node))
    return {name.partition(".")[0] for name in found}


def _is_optional(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Tell whether `node` runs only where it is named: not so a fixture that all tests use."""
    if not isinstance(node, ast.FunctionDef):
        return False
    calls = (each for each in node.decorator_list if isinstance(each, ast.Call))
    return not any(keyword.arg == "autouse" for call in calls for keyword in call.keywords)


def _mentioned(tree: ast.AST) -> Iterator[str]:
    """Yield every name in `tree` that may be that of a shared file, a fixture or a function."""
    for node in _walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield name
            case ast.ImportFrom(module=module):
                yield from (module or "").split(".")
                yield from (alias.name for alias in node.names)
            case ast.Constant(value=str(name)):  # usefixtures("name")
                yield name


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield `tree` and all below it that is run: not what only a type checker reads."""
    if isinstance(tree, ast.If) and ast.unparse(tree.test).endswith("TYPE_CHECKING"):
        return
    yield tree
    for node in ast.iter_child_nodes(tree):
        yield from _walk(node)


def _tree(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):  # reported when it is run
        return ast.parse("")
