"""Print what each habit's notebook earns, and with a part of its title what is said of it."""

import sys
import time

from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Limits
from tests.courses import KIT
from tests.graders import Graders
from tests.habits import CATALOGUE


def main(part: str = "") -> None:
    """Print a line a habit, for those whose title has `part` in it."""
    graders = Graders(KIT, Limits())
    for habit in [habit for habit in CATALOGUE if part in habit.title]:
        started = time.monotonic()
        report = graders(habit.assignment, strongest()).grade(habit.notebook())
        took = time.monotonic() - started
        print(
            f"{report.score:5g} of {report.max_score:<5g}{took:5.1f} s  {habit.title}", flush=True
        )
        for sentence in report.warnings if part else ():
            print(f"         {sentence}")
    graders.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
