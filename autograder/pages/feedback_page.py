"""The pages that students get back: self-contained, and without active content."""

from __future__ import annotations

import pickle
import re
from functools import cache, partial
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import Exporter, HTMLExporter, TemplateExporter
from nbformat import NotebookNode
from traitlets import default

from autograder.bounded import Unfinished
from autograder.course import Course
from autograder.errors import GraderFault
from autograder.pages.press import PRESS
from autograder.pages.texts import Style, show

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
_HEAD = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
_SCRIPTS = re.compile(r"<script\b.*?(?:</script>|\Z)", re.DOTALL | re.IGNORECASE)
_SENT = ("nbgrader", "metadata", "inlining", "unique_key", "output_files_dir")


class FeedbackExporter(HTMLExporter):
    """nbconvert's exporter without scripts: formulas are MathML, which browsers render.

    nbconvert's own finally parses the whole page again, for images without alternative text and
    for cells of another template. There are none here, and that takes three times as long as
    everything else.
    """

    @default("template_paths")
    def _template_paths(self, prune: bool = True, root_dirs: Any = None) -> list[str]:
        """Return where templates lie, with the folders that let one extend another by its path."""
        paths: list[str] = super()._template_paths(prune, root_dirs)
        return [*paths, *self.extra_template_basedirs]

    def from_notebook_node(  # type: ignore[override]  # as nbconvert's own HTMLExporter does
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kwargs: Any
    ) -> tuple[str, dict[str, Any]]:
        """Return the page as HTML, and the resources."""
        resources = self._init_resources(resources)  # type: ignore[no-untyped-call]
        page, resources = TemplateExporter.from_notebook_node(self, nb, resources, **kwargs)
        return _SCRIPTS.sub("", page).replace("<head>", _HEAD, 1), resources


class BoundedFeedbackExporter(FeedbackExporter):
    """Lets a process that can be killed make each page, of marks that are read in this one.

    `said` has a sentence for each page that couldn't be rendered as it should be.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]
        self.said: list[str] = []
        self._warm: set[Path] = set()

    def from_notebook_node(  # type: ignore[override]  # as above
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kwargs: Any
    ) -> tuple[str, dict[str, Any]]:
        """Return the page as HTML, and the resources."""
        assert self.parent is not None
        nb, resources = Exporter.from_notebook_node(self, nb, resources, **kwargs)
        names = resources["nbgrader"]
        config = pickle.dumps(self.config)
        course = Course.load(Path(self.parent.coursedir.root))
        self._warm_up(config, course.release_path(names["assignment"]))
        sent = {name: resources[name] for name in _SENT if name in resources}
        try:
            made = PRESS.make(partial(_page, config, nb, sent))
        except Unfinished as error:
            raise GraderFault(f"The page of {names['student']} can't be made: {error}.") from None
        if made.why:
            self._say(names["student"], names["assignment"], made.why)
        return made.text, resources

    def _warm_up(self, config: bytes, release: Path) -> None:
        """Have what all pages on an assignment share made once."""
        if release not in self._warm:
            PRESS.warm(partial(_warm, config, release))
            self._warm.add(release)

    def _say(self, student: str, assignment: str, why: str) -> None:
        sentence = (
            f"{student}'s page on {assignment} shows plain text, because it couldn't be rendered "
            f"({why}): look at what they wrote."
        )
        self.said.append(sentence)
        self.log.warning(sentence)


def _page(config: bytes, notebook: NotebookNode, resources: dict[str, Any], style: Style) -> str:
    show(notebook, style)
    page, _ = _exporter(config).from_notebook_node(notebook, resources)
    return page


@cache
def _exporter(config: bytes) -> FeedbackExporter:
    return FeedbackExporter(config=pickle.loads(config))  # type: ignore[no-untyped-call]  # noqa: S301


def _warm(config: bytes, release: Path) -> None:
    """Make a page of what students were given: most of their cells are the same."""
    notebook = nbformat.read(release, as_version=4)  # type: ignore[no-untyped-call]
    for cell in notebook.cells:
        if mark := cell.metadata.get("nbgrader"):
            mark["score"] = None
    total = dict.fromkeys(("score", "max_score", "possible", "late_penalty"), 0.0)
    resources = {"nbgrader": {"notebook": release.stem, **total}, "inlining": {"css": []}}
    _page(config, notebook, resources, Style.RENDERED)
