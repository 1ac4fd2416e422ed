"""What is shown of a report, and what would run or move in there."""

import io
import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag
from rich.console import Console

from autograder.report import Report
from autograder.statistics.class_report import class_page, content_of
from autograder.telling.terminal import show_report
from tests.courses import KIT

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_ACTIVE = ("script", "iframe", "object", "embed", "form", "meta[http-equiv=refresh]", "base")
_SHAPES = {"title", "g", "rect", "circle", "path", "line", "polyline", "text"}


def live_parts_of(report: Report) -> Iterator[str]:
    """Say what in the terminal or on the class report's page would do more than to be read."""
    terminal = Console(file=io.StringIO(), width=100)
    show_report(report, terminal)
    assert isinstance(terminal.file, io.StringIO)
    if found := _CONTROL.search(terminal.file.getvalue()):
        yield f"the terminal would get {found[0]!r}"
    if _CONTROL.search(report.model_dump_json(exclude={"cells"})):
        yield "the report holds control characters"
    page = class_page(KIT, content_of(KIT, report.assignment, [report]))
    for part in live_parts(BeautifulSoup(page, "html.parser").select_one("body") or Tag()):
        yield f"the class report would run {part[:80]}"


def live_parts(soup: Tag) -> list[str]:
    active = soup.select(", ".join(_ACTIVE))
    active += [each for each in soup.select("svg") if not _is_picture(each)]
    acting = [tag for tag in soup.find_all(True) if any(name[:2] == "on" for name in tag.attrs)]
    links = soup.find_all(href=re.compile(r"^\s*(javascript|data|vbscript):", re.IGNORECASE))
    return [str(tag) for tag in [*active, *acting, *links]]


def _is_picture(drawing: Tag) -> bool:
    """Tell whether an SVG is one of ours, which can't do anything."""
    return (
        "chart" in drawing.get_attribute_list("class")
        and {tag.name for tag in drawing.find_all(True)} <= _SHAPES
    )
