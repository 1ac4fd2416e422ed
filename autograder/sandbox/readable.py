"""The part of the disk that a student's process may read: libraries, interpreter, packages."""

import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

_SYSTEM = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/alternatives", "/etc/ld.so.cache"),
    *("/usr/share/fonts", "/usr/share/zoneinfo", "/etc/localtime"),
)
_INSTALLED = ("stdlib", "platstdlib", "purelib", "platlib")


def readable() -> list[str]:
    """Return the directories and files that may be read; none lies below another."""
    installed = {sysconfig.get_path(name) for name in _INSTALLED}
    wanted = {*_SYSTEM, *installed, *site.getsitepackages(), f"{sys.base_prefix}/lib"}
    paths = {path for path in wanted | set(map(os.path.realpath, wanted)) if Path(path).exists()}
    return sorted(path for path in paths if not any(is_inside(path, other) for other in paths))


def is_inside(path: str, directory: str) -> bool:
    return path.startswith(directory + "/")


def aliases(hidden: Path) -> Iterator[Path]:
    """Yield every path through which `hidden` can be reached in the readable directories."""
    real = Path(os.path.realpath(hidden))
    for path in readable():
        source = os.path.realpath(path)
        if is_inside(str(real), source):
            yield Path(path) / real.relative_to(source)


def exposed(paths: Iterable[Path]) -> list[str]:
    """Return those of `paths` that a student's process could read unless they are hidden."""
    return sorted({os.path.realpath(path) for path in paths if any(aliases(path))})
