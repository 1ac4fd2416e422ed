"""Try the catalogue of hostile submissions on every level of isolation that there is here.

Level `lockdown` is also tried as on the kernels that people have: with versions 1, 2 and 3 of
Landlock, where nothing but the kernel keeps a submission from what it tries.
Ends with exit status 1 if one is not contained that the catalogue doesn't list as exposed, if one
is contained that it does, or if it leaves anything on the machine.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from autograder.sandbox.limits import Isolation
from tests.hostile.leftovers import Run, left_since, show_leftovers, stand_apart, things_now
from tests.hostile.modes import CaseResult, Mode, modes, older_kernels, show, work
from tests.processes import adopt_orphans, bury_orphans, descendants
from tests.waiting import comes_true


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    arguments.add_argument("kind", nargs="*", help="try these classes alone")
    arguments.add_argument("--on", type=Isolation, help=argparse.SUPPRESS)  # for our own use
    arguments.add_argument("--mode", help="try this column of the table alone: its title")
    arguments.add_argument("--stock", action="store_true", help="let stock nbgrader grade them")
    arguments.add_argument(
        "--class",
        dest="as_class",
        action="store_true",
        help="grade a class of 60 without and with hostile ones, and compare what the others get",
    )
    arguments.add_argument(
        "--served", action="store_true", help="hand the notebooks in at the server, as browsers do"
    )
    options = arguments.parse_args()
    if options.on:
        work(options.on, options.kind)
    elif options.as_class:
        from tests.hostile.class_of_sixty import try_class  # here: it takes seconds to import

        sys.exit(try_class(Console()))
    elif options.served:
        from tests.hostile.served import try_served  # here: it takes seconds to import

        sys.exit(try_served(options.kind, Console()))
    elif options.stock:
        from tests.hostile.stock import try_stock  # here: it imports what no other part needs

        try_stock(options.kind)
    else:
        columns = {str(mode): mode for mode in (*modes(), *older_kernels())}
        if options.mode not in (None, *columns):
            arguments.error(f"--mode is one of: {'; '.join(columns)}.")
        chosen = columns.values() if options.mode is None else [columns[options.mode]]
        tried = [mode for mode in chosen if mode.cases(options.kind)]
        sys.exit(_try_all(options.kind, tried, Console()))


def _try_all(kinds: Sequence[str], tried: Sequence[Mode], console: Console) -> bool:
    """Print what came of it; tell whether there is anything to mend."""
    stand_apart()
    adopt_orphans()
    run = Run()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        scratch.chmod(0o1777)  # a plain user's temporary files go there too
        before = things_now(scratch, run)
        results = [each for mode in tried for each in _try_on(mode, kinds, scratch, console)]
        comes_true(_nothing_runs)  # servers of a level end a moment after it
        left = left_since(before, scratch, run)
    show(results, tried, console)
    show_leftovers(left, console)
    return any(left.values()) or any(result.is_surprise for result in results)


def _nothing_runs() -> bool:
    bury_orphans()
    return not descendants(os.getpid())


def _try_on(mode: Mode, kinds: Sequence[str], scratch: Path, console: Console) -> list[CaseResult]:
    number = len(mode.cases(kinds))
    found = list(track(mode.try_all(kinds, scratch), str(mode), total=number, console=console))
    odd = [result.case.name for result in found if result.is_surprise]
    # at once: the table of all columns takes hours
    console.print(
        f"{mode}: {number - len(odd)} of {number} as expected{''.join(f'; not {n}' for n in odd)}"
    )
    return found


if __name__ == "__main__":
    main()
