"""Jupyter's shell, quiet and without threads, to run a student's cells in."""

from __future__ import annotations

from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config


class _QuietShell(InteractiveShell):
    """Prints no tracebacks: what a cell raised is returned, and told in our own words."""

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """Print nothing."""

    def showsyntaxerror(self, *args: Any, **kwargs: Any) -> None:
        """Print nothing."""

    def enable_matplotlib(self, gui: Any = None) -> tuple[None, str]:
        """Leave pictures to the file backend, whatever `%matplotlib` asks for."""
        return None, "agg"

    def enable_gui(self, gui: Any = None) -> None:
        """Open no windows."""

    def system(self, cmd: str) -> None:
        """Run no shell command: `!pip install` would only wait for a network that isn't there."""
        print(f"Not run when grading: {cmd}")


class IPythonShell:
    """Runs cells as Jupyter does: magics, shell escapes and the last value's display included."""

    def __init__(self) -> None:
        config = Config()
        config.HistoryManager.enabled = False  # its thread would make the warm process unforkable
        config.InteractiveShell.colors = "nocolor"
        self._shell = _QuietShell.instance(config=config)
        self.namespace: dict[str, Any] = self._shell.user_ns

    def run(self, source: str) -> BaseException | None:
        """Run one cell; return what it raised, if anything."""
        result = self._shell.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]
        error: BaseException | None = result.error_before_exec or result.error_in_exec
        return error
