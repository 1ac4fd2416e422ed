"""What a call makes besides plain data: objects, printed text, figures and files.

A hidden test writes `printed(student.report, rows)` in place of `student.report(rows)`. What comes
back is the student's word, as all results are: its form is checked here, before a test looks at it.
"""

from pathlib import PurePath
from typing import Annotated, Any, Self, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import (
    ConfigDict,
    InstanceOf,
    PlainValidator,
    StrictBytes,
    StrictStr,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic.dataclasses import dataclass

from autograder.errors import CourseError
from autograder.sandbox import wire
from autograder.testing.failures import StudentFailure
from autograder.testing.student import Function, ObjectProxy

T = TypeVar("T")
_CLOSED = ConfigDict(extra="forbid")


def _plain(value: Any) -> Any:
    if not (type(value) is np.ndarray and value.dtype == np.float64 and value.ndim == 1):
        raise ValueError("no row of numbers")
    return value


_Numbers = Annotated[npt.NDArray[np.float64], PlainValidator(_plain)]


@dataclass(frozen=True, config=_CLOSED)
class Curve:
    """A line, a set of bars or a set of points: the numbers that were drawn, and the label.

    Of bars, `x` are the middles, `y` the lengths and `widths` the widths; a histogram has bars.
    """

    label: StrictStr
    x: _Numbers
    y: _Numbers
    widths: _Numbers

    @model_validator(mode="after")
    def _is_of_one_length(self) -> Self:
        if len(self.x) != len(self.y) or len(self.widths) not in (0, len(self.x)):
            raise ValueError("numbers of different lengths")
        return self


@dataclass(frozen=True, config=_CLOSED)
class Axes:
    """One of a figure's coordinate systems, with what is drawn in it and written around it."""

    title: StrictStr
    xlabel: StrictStr
    ylabel: StrictStr
    legend: list[StrictStr]
    ticks: list[StrictStr]  # what is written along the x-axis
    lines: list[Curve]
    bars: list[Curve]
    points: list[Curve]


_OBJECT = TypeAdapter(InstanceOf[ObjectProxy])
_TEXT: TypeAdapter[str] = TypeAdapter(StrictStr)
_FILES: TypeAdapter[dict[str, str | bytes]] = TypeAdapter(dict[StrictStr, StrictStr | StrictBytes])
_FIGURE = TypeAdapter(list[Axes])


def create(function: Function, *args: Any, **kwargs: Any) -> ObjectProxy:
    """Construct an object of the student's class, or call what returns one, to ask its methods."""
    return _effect("object", _OBJECT, function, args, kwargs)


def printed(function: Function, *args: Any, **kwargs: Any) -> str:
    """Call a function of the student's; return what it prints, without blanks at ends of lines."""
    return _effect("printed", _TEXT, function, args, kwargs)


def files(function: Function, *args: Any, **kwargs: Any) -> dict[str, str | bytes]:
    """Call a function of the student's; return each file that it writes in its working folder.

    That is a new one each time. What isn't text in UTF-8 comes as bytes.
    """
    return _effect("files", _FILES, function, args, kwargs)


def figure(function: Function, *args: Any, **kwargs: Any) -> list[Axes]:
    """Call a function of the student's; return the axes of the Matplotlib figure that it draws."""
    found = _effect("figure", _FIGURE, function, args, kwargs)
    assert found, f"`{function.called}` draws nothing: there is no figure after the call."
    return found


def file(text: str, name: str) -> wire.TextFile:
    """Return an argument: the student's code receives this `name`, of a file with this text."""
    if name != PurePath(name).name or not name:
        raise CourseError(f"{name!r} can't be a file's name: give one without a folder.")
    return wire.TextFile(name, text)


def _effect(effect: str, form: TypeAdapter[T], function: Function, args: Any, kwargs: Any) -> T:
    if not isinstance(function, Function):
        raise CourseError(
            "A hidden test asks for an effect of something that isn't the student's: write the "
            "function, then its arguments, as in printed(student.report, rows)."
        )
    try:
        return form.validate_python(function.returning(effect)(*args, **kwargs))
    except ValidationError:
        raise StudentFailure(f"What came back from `{function.called}` can't be read.") from None
