"""Print how many disguised copies are found in classes: python -m tests.statistics.similar."""

from __future__ import annotations

from tests.courses import KIT
from tests.statistics.similar.planted import COPIES, NUMBER, figures

CLASSES = 20
for assignment in KIT.assignment_names():
    found = [figures(assignment, seed) for seed in range(CLASSES)]
    copies, false = sum(each.found for each in found), sum(each.false for each in found)
    print(
        f"{assignment}: {copies} of {CLASSES * COPIES} copies found, {false} other pairs flagged, "
        f"in {CLASSES} classes of {NUMBER}"
    )
