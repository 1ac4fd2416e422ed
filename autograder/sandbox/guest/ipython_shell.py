"""Jupyter's shell, quiet and without threads, for a student's cells."""

from __future__ import annotations

from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config


class _QuietShell(InteractiveShell):
    """Prints no tracebacks: a cell's exception is returned and reported by the grader."""

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """Print nothing."""

    def showsyntaxerror(self, *args: Any, **kwargs: Any) -> None:
        """Print nothing."""

    def enable_matplotlib(self, gui: Any = None) -> tuple[None, str]:
        """Draw to the file backend, whatever `%matplotlib` asks for."""
        return None, "agg"

    def enable_gui(self, gui: Any = None) -> None:
        """Open no windows."""

    def system(self, cmd: str) -> None:
        """Run no shell command: `!pip install`, say, would wait for a network that isn't there."""
        print(f"Not run during grading: {cmd}")


class IPythonShell:
    """Runs cells as Jupyter does, with magics and the display of a cell's last value."""

    def __init__(self) -> None:
        config = Config()
        config.HistoryManager.enabled = False  # a process with its thread can't fork safely
        config.InteractiveShell.colors = "nocolor"
        self._shell = _QuietShell.instance(config=config)
        self.namespace: dict[str, Any] = self._shell.user_ns

    def run(self, source: str) -> BaseException | None:
        """Run one cell; return the exception that it raised, if any."""
        source = _with_all_lines(source)
        result = self._shell.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]
        error: BaseException | None = result.error_before_exec or result.error_in_exec
        return error


def _with_all_lines(source: str) -> str:
    """Return a cell whose empty lines at the top count, too, as they do in the notebook.

    IPython drops them, above a magic as well, where a comment must not stand in their place.
    """
    code = source.lstrip("\n")
    return source if code.startswith("%%") else "#\n" * (len(source) - len(code)) + code
