"""What a call does besides returning: what it prints, the figure that it draws, files it writes.

Each becomes plain data of bounded size. As everything in a student's process, it could be forged.
"""

import contextlib
import io
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from autograder.sandbox import wire
from autograder.sandbox.limits import MAX_OUTPUT, MAX_TEXT

MAX_FILES = 20  # that a call may write
_FOLDERS = 3  # in each other, in which they are looked for
Seen = Callable[[Any], Any]  # from what a call returned to what is sent in its place


class BoundedText(io.TextIOBase):
    """Keeps the first `room` characters written to it."""

    def __init__(self, room: int = MAX_OUTPUT) -> None:
        self._kept, self._room = io.StringIO(), room

    def write(self, text: str) -> int:
        self._kept.write(text[: self._room])
        self._room -= min(len(text), self._room)
        return len(text)

    def getvalue(self) -> str:
        return self._kept.getvalue()


@contextlib.contextmanager
def redirected(output: io.TextIOBase) -> Iterator[None]:
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        yield


@contextlib.contextmanager
def watching(effect: str, arguments: Iterable[Any]) -> Iterator[Seen]:
    """Watch the call inside; what is yielded returns the `effect`, or the result if it is ""."""
    given = [each for each in arguments if isinstance(each, wire.TextFile)]
    with contextlib.ExitStack() as stack:
        if given or effect == "files":
            folder = stack.enter_context(_folder(given))
        match effect:
            case "printed":
                text = BoundedText(MAX_TEXT + 1)
                stack.enter_context(contextlib.redirect_stdout(text))
                yield lambda value: _lines(text.getvalue())
            case "figure":
                if (plt := sys.modules.get("matplotlib.pyplot")) is not None:
                    plt.close("all")  # no earlier figure is there, and none is left behind
                    stack.callback(plt.close, "all")
                yield _drawn
            case "files":
                yield lambda value: dict(_written(folder, {each.name for each in given}))
            case _:
                yield lambda value: value


def _lines(text: str) -> str:
    """Return the text without blanks that nobody sees: those that end a line, or all of it."""
    if len(text) > MAX_TEXT:
        raise wire.WireError(f"it prints more than {MAX_TEXT:,} characters")
    return "\n".join(line.rstrip() for line in text.split("\n")).rstrip()


@contextlib.contextmanager
def _folder(given: Iterable[wire.TextFile]) -> Iterator[Path]:
    """Work in a new folder, with links to the files of the old one, and those that are given."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder, old = Path(name), Path.cwd()
        for path in old.iterdir():
            if path != folder and not _is_left_over(path):
                (folder / path.name).symlink_to(path)
        for each in given:
            path = folder / Path(each.name).name
            path.unlink(missing_ok=True)
            path.write_text(each.text, encoding="utf-8")
        with contextlib.chdir(folder):
            yield folder


def _is_left_over(path: Path) -> bool:
    """Tell whether an earlier cell of the student's wrote this: what is given can't be changed."""
    is_ours = path.parent == Path.home() and bool(path.lstat().st_mode & 0o222)
    return is_ours and os.access(path, os.W_OK)


def _written(folder: Path, given: Iterable[str]) -> Iterator[tuple[str, str | bytes]]:
    """Yield the name and the content of each file that was written; no link is followed."""
    found = 0
    for parent, folders, names in os.walk(folder):
        if len(Path(parent).relative_to(folder).parts) >= _FOLDERS:
            folders.clear()
        for name in sorted(names):
            path = Path(parent, name)
            shown = path.relative_to(folder).as_posix()
            if shown in given or not stat.S_ISREG(path.lstat().st_mode):
                continue
            found += 1
            if found > MAX_FILES:
                raise wire.WireError(f"it writes more than {MAX_FILES} files")
            yield shown, _content(path, shown)


def _content(path: Path, shown: str) -> str | bytes:
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        content = file.read(MAX_TEXT + 1)
    if len(content) > MAX_TEXT:
        raise wire.WireError(f"the file {shown[:80]} has more than {MAX_TEXT:,} bytes")
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return content


def _drawn(value: Any) -> Any:
    """Return the axes of the figure that was returned, or else drawn last, each as plain data."""
    first = value.flat[0] if isinstance(value, np.ndarray) and value.size else value
    figure = getattr(first, "figure", None) or first
    plt = sys.modules.get("matplotlib.pyplot")
    if not hasattr(figure, "axes") and plt is not None and plt.get_fignums():
        figure = plt.gcf()
    return [_axes(each) for each in getattr(figure, "axes", ())]


def _axes(axes: Any) -> dict[str, Any]:
    legend = axes.get_legend()
    containers = [each for each in axes.containers if hasattr(each, "orientation")]
    scattered = [each for each in axes.collections if type(each).__name__ == "PathCollection"]
    return {
        "title": axes.get_title(),
        "xlabel": axes.get_xlabel(),
        "ylabel": axes.get_ylabel(),
        "legend": [each.get_text() for each in legend.get_texts()] if legend else [],
        "ticks": [each.get_text() for each in axes.get_xticklabels()],
        "lines": [_curve(each, *each.get_data(orig=False)) for each in axes.get_lines()],
        "bars": list(map(_bars, containers)),
        "points": [_curve(each, *each.get_offsets().T) for each in scattered],
    }


def _bars(container: Any) -> dict[str, Any]:
    """Return the middles and the lengths of bars, whichever way they point."""
    x, y, width, height = np.array([each.get_bbox().bounds for each in container]).reshape(-1, 4).T
    if container.orientation == "horizontal":
        x, width, height = y, height, width
    return _curve(container, x + width / 2, height, width)


def _curve(artist: Any, x: Any, y: Any, widths: Any = ()) -> dict[str, Any]:
    def plain(numbers: Any) -> Any:
        return np.ma.filled(np.ma.asarray(numbers, dtype=float), np.nan)

    label = str(artist.get_label() or "")
    told = "" if label.startswith("_") else label
    return {"label": told, "x": plain(x), "y": plain(y), "widths": plain(widths)}
