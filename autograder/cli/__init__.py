"""The command line: `python -m autograder`. Each command is a thin line over one module.

Imports stand inside the commands, so that `--help` answers at once.
"""

import os
import signal
import sys

import typer

# `--help` lists commands in the order in which these register them.
# isort: off
from autograder.cli import authoring, grading, after_grading, deciding  # noqa: F401
from autograder.cli import platforms, serving, lti, terms  # noqa: F401

# isort: on
from autograder.cli.app import app
from autograder.errors import AutograderError, shown
from autograder.sandbox.host.program import ONE_THREAD

_UTF8 = "PYTHONUTF8"


def main() -> None:
    """Run the command line; a known error is one sentence, unless `--debug` asks for all of it."""
    _speak_utf8()
    os.environ.update(ONE_THREAD)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _end)
    debug = "--debug" in sys.argv
    if debug:
        sys.argv.remove("--debug")
    try:
        app()
    except AutograderError as error:
        if debug:
            raise
        typer.echo(f"autograder: {error}", err=True)
        sys.exit(1)
    except OSError as error:
        if debug or error.errno is None:
            raise
        where = f" ({shown(str(error.filename))})" if error.filename else ""
        said = f"autograder: {error.strerror}{where}. Fix this and run again: no work is lost."
        typer.echo(said, err=True)
        sys.exit(1)


def _end(number: int, _: object) -> None:
    """End as if killed, which loses nothing; an exception could get lost in somebody's callback."""
    os.write(2, b"autograder: ended by SIGTERM. Run it again: what it has written is kept.\n")
    os._exit(128 + number)


def _speak_utf8() -> None:
    """Begin again in UTF-8 where the locale has another encoding, which lacks letters."""
    if sys.getfilesystemencoding() != "utf-8" and os.environ.get(_UTF8) != "1":
        os.environ[_UTF8] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - as we were
