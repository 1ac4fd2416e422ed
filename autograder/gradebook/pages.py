"""The pages that students get back: complete in themselves, and nothing in them can run."""

from __future__ import annotations

import re
from typing import Any

from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
_HEAD = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
_SCRIPTS = re.compile(r"<script\b.*?</script>", re.DOTALL | re.IGNORECASE)


class FeedbackExporter(HTMLExporter):
    """nbconvert's, without scripts: formulas are drawn by the browser, from MathML."""

    def from_notebook_node(  # type: ignore[override]  # as nbconvert's own HTMLExporter does
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kwargs: Any
    ) -> tuple[str, dict[str, Any]]:
        """Return the page as HTML, and the resources."""
        page, resources = super().from_notebook_node(nb, resources, **kwargs)
        return _SCRIPTS.sub("", str(page)).replace("<head>", _HEAD, 1), resources
