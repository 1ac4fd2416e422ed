"""Load a course's own code by path: hidden tests, fixtures, known mistakes; read TOML, hash code.

The folder of exercises becomes a package under a private name, with the hash of all that is in it:
two courses can be open at once, and what has changed is loaded anew.
"""

import ast
import hashlib
import importlib
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.errors import CourseError

_PREFIX = "_course_"
CACHES = {"__pycache__", ".ipynb_checkpoints"}


def files_below(path: Path, pattern: str = "*") -> list[Path]:
    """Return the files below a folder, in order, without caches; or a file itself."""
    found = [path] if path.is_file() else sorted(path.rglob(pattern))
    kept = (each for each in found if not CACHES.intersection(each.relative_to(path).parts))
    return [each for each in kept if each.is_file()]


def hash_of(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()[:16]


def hash_of_files(root: Path, files: Iterable[Path]) -> str:
    """Return a hash of what is in files, and of their paths below `root`."""
    parts = ((str(path.relative_to(root)).encode(), path.read_bytes()) for path in files)
    return hash_of(part for pair in parts for part in pair)


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file of the course says; raise `CourseError` if it is none."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} is not valid TOML: {error}.") from None


def modules_imported(statement: ast.AST) -> Iterator[str]:
    """Yield what an import names, and what may be modules: `optim` of torch. Relative: nothing."""
    match statement:
        case ast.Import(names=aliases):
            yield from (alias.name for alias in aliases)
        case ast.ImportFrom(module=str(module), names=aliases, level=0):
            yield module
            yield from (f"{module}.{alias.name}" for alias in aliases if alias.name != "*")


def is_installed(module: str) -> bool:
    """Tell whether a module can be imported here; nothing of it is run."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of a package that isn't there
        return False
    except ValueError:  # of `__main__`, say
        return True


def package_of(folder: Path) -> str:
    """Return the name of the package that `folder` is, as it is now."""
    code = hash_of_files(folder, files_below(folder, "*.py"))
    name = _PREFIX + hash_of([str(folder).encode(), code.encode()])
    if name not in sys.modules:
        importlib.invalidate_caches()  # or files that are newer than a listing are not found
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return name


def load_module(package: str, name: str) -> ModuleType:
    """Return a module such as `hw1.hidden_tests.test_mean`; raise `CourseError` if it can't be."""
    try:
        return importlib.import_module(f"{package}.{name}")
    except Exception as error:  # whatever a course's code may raise
        path = Path(sys.modules[package].__path__[0], *name.split("."))
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and not missing.startswith(_PREFIX):
            raise CourseError(
                f"{path}.py needs the module {missing}, which isn't installed: install the package "
                "that has it, by the name that its own documentation gives; a course of your own "
                "has such names in requirements.txt."
            ) from error
        says = str(error).replace(f"{package}.", "")
        raise CourseError(
            f"{path}.py can't be imported ({type(error).__name__}: {says}): correct it and run "
            "this again."
        ) from error
