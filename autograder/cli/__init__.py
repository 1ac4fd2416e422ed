"""The command line: `python -m autograder`. Each command is a thin line over one module.

Imports stand inside the commands, so that `--help` answers at once.
"""

import os
import sys

import typer

from autograder.cli import (  # noqa: F401 - this registers commands
    authoring,
    deciding,
    grading,
    platforms,
    terms,
)
from autograder.cli.app import app
from autograder.errors import AutograderError, shown
from autograder.sandbox.host.program import ONE_THREAD


def main() -> None:
    """Run the command line; a known error is one sentence, unless `--debug` asks for all of it."""
    os.environ.update(ONE_THREAD)
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
