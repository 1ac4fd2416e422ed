"""Load a course's own code by path: hidden tests, fixtures and known mistakes.

The folder of exercises becomes a package under a private name, with the hash of all that is in it:
two courses can be open at once, and what has changed is loaded anew.
"""

import ast
import hashlib
import importlib
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from autograder.errors import CourseError

_PREFIX = "_course_"


def code_below(folder: Path) -> Iterator[Path]:
    """Yield every Python file below `folder`, in order."""
    return (path for path in sorted(folder.rglob("*.py")) if "__pycache__" not in path.parts)


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
    except ValueError:  # of `__main__`, say
        return True


def package_of(folder: Path) -> str:
    """Return the name of the package that `folder` is, as it is now."""
    digest = hashlib.blake2s(str(folder).encode(), digest_size=8)
    for path in code_below(folder):
        digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    name = _PREFIX + digest.hexdigest()
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
                f"{path}.py needs {missing}, which isn't installed: run `pip install {missing}`."
            ) from error
        says = str(error).replace(f"{package}.", "")
        raise CourseError(
            f"{path}.py can't be imported ({type(error).__name__}: {says}): correct it and run "
            "this again."
        ) from error
