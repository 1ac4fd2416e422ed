"""What a call makes besides plain data: objects, printed text, figures and files.

A hidden test writes `printed(student.report, rows)` in place of `student.report(rows)`. What comes
back is the student's word, as all results are: its form is checked here, before a test looks at it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np
import numpy.typing as npt

from autograder.errors import CourseError
from autograder.sandbox import wire
from autograder.testing.failures import StudentFailure
from autograder.testing.student import Function, ObjectProxy

_Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """A line, a set of bars or a set of points: the numbers that were drawn, and the label.

    Of bars, `x` are the middles, `y` the lengths and `widths` the widths; a histogram has bars.
    """

    label: str
    x: _Numbers
    y: _Numbers
    widths: _Numbers


@dataclass(frozen=True)
class Axes:
    """One of a figure's coordinate systems, with what is drawn in it and written around it."""

    title: str
    xlabel: str
    ylabel: str
    legend: list[str]
    ticks: list[str]  # what is written along the x-axis
    lines: list[Curve]
    bars: list[Curve]
    points: list[Curve]


def create(function: Function, *args: Any, **kwargs: Any) -> ObjectProxy:
    """Construct an object of the student's class, or call what returns one, to ask its methods."""
    made = _effect("object", function, args, kwargs)
    _check(isinstance(made, ObjectProxy), function)
    return made  # type: ignore[no-any-return]


def printed(function: Function, *args: Any, **kwargs: Any) -> str:
    """Call a function of the student's; return what it prints, without blanks at ends of lines."""
    text = _effect("printed", function, args, kwargs)
    _check(type(text) is str, function)
    return str(text)


def files(function: Function, *args: Any, **kwargs: Any) -> dict[str, str | bytes]:
    """Call a function of the student's; return each file that it writes in its working folder.

    That is a new one each time. What isn't text in UTF-8 comes as bytes.
    """
    found = _effect("files", function, args, kwargs)
    kinds = {(type(name), type(content)) for name, content in _items(found, function)}
    _check(kinds <= {(str, str), (str, bytes)}, function)
    return dict(found)


def figure(function: Function, *args: Any, **kwargs: Any) -> list[Axes]:
    """Call a function of the student's; return the axes of the Matplotlib figure that it draws."""
    found = _effect("figure", function, args, kwargs)
    _check(type(found) is list, function)
    assert found, f"`{function.called}` draws nothing: there is no figure after the call."
    return [_axes(each, function) for each in found]


def file(text: str, name: str) -> wire.TextFile:
    """Return an argument: the student's code receives this `name`, of a file with this text."""
    if name != PurePath(name).name or not name:
        raise CourseError(f"{name!r} can't be a file's name: give one without a folder.")
    return wire.TextFile(name, text)


def _effect(effect: str, function: Function, args: Any, kwargs: Any) -> Any:
    if not isinstance(function, Function):
        raise CourseError(
            "A hidden test asks for an effect of something that isn't the student's: write the "
            "function, then its arguments, as in printed(student.report, rows)."
        )
    return function.returning(effect)(*args, **kwargs)


def _check(is_as_agreed: bool, function: Function) -> None:
    if not is_as_agreed:
        raise StudentFailure(f"What came back from `{function.called}` can't be read.")


def _items(found: Any, function: Function) -> Any:
    _check(type(found) is dict, function)
    return found.items()


def _axes(found: Any, function: Function) -> Axes:
    kinds = Axes.__annotations__
    _check(type(found) is dict and found.keys() == kinds.keys(), function)
    given = dict(found)
    for name, kind in kinds.items():
        if kind is str:
            _check(type(found[name]) is str, function)
            continue
        _check(type(found[name]) is list, function)
        if kind == list[str]:
            _check(all(type(each) is str for each in found[name]), function)
        else:
            given[name] = [_curve(each, function) for each in found[name]]
    return Axes(**given)


def _curve(found: Any, function: Function) -> Curve:
    _check(type(found) is dict and found.keys() == Curve.__annotations__.keys(), function)
    label, *arrays = (found[name] for name in Curve.__annotations__)
    is_plain: Callable[[Any], bool] = lambda each: (  # noqa: E731
        type(each) is np.ndarray and each.dtype == np.float64 and each.ndim == 1
    )
    _check(type(label) is str and all(map(is_plain, arrays)), function)
    x, y, widths = arrays
    _check(len(x) == len(y) and len(widths) in (0, len(x)), function)
    return Curve(label, x, y, widths)
