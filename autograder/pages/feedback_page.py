"""The pages that students get back: self-contained, and without active content."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import Any

from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbformat import NotebookNode
from traitlets import default

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
_HEAD = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
_SCRIPTS = re.compile(r"<script\b.*?(?:</script>|\Z)", re.DOTALL | re.IGNORECASE)
_CACHE_SIZE = 1024  # highlighted cells; most cells are the same for all students


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
        self.register_filter("highlight_code", self._highlight)  # type: ignore[no-untyped-call]
        page, resources = TemplateExporter.from_notebook_node(self, nb, resources, **kwargs)
        return _SCRIPTS.sub("", page).replace("<head>", _HEAD, 1), resources

    @cached_property
    def _highlight(self) -> Any:
        highlight = Highlight2HTML(pygments_lexer="python", parent=self)  # type: ignore[no-untyped-call]

        @lru_cache(_CACHE_SIZE)
        def highlighted(source: str, language: str | None) -> str:
            return str(highlight(source, language))

        def highlight_code(source: str, language: str | None = None, metadata: Any = None) -> str:
            return highlighted(source, language)

        return highlight_code
