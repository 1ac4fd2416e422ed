"""The warm process of an assignment: started early, it gets ready while the grader does."""

from collections.abc import Iterable

from autograder.course.solution import released_files
from autograder.grading.settings import Settings
from autograder.intake.names import imports_in
from autograder.intake.notebook import Cell
from autograder.intake.release import Release
from autograder.sandbox.host.launch import WarmProcess

# What a module imports when it is first used: a quarter of a second for a masked attention in
# training, more than a second for an optimiser. Else each student's process would import it anew.
_AT_FIRST_USE = {"torch": "torch.fx.experimental.symbolic_shapes", "torch.optim": "torch._dynamo"}


def warm_process(settings: Settings, release: Release, preload: Iterable[str]) -> WarmProcess:
    """Start the warm process of a release; it imports `preload` in the background."""
    return WarmProcess(
        settings.isolation,
        settings.limits_on(release.assignment),
        preload=tuple(preload),
        hidden=settings.course.secrets(),
        files=released_files(settings.course, release.assignment),
    )


def needed_by_one(release: Release) -> tuple[str, ...]:
    """Return the modules that each student's process imports: those of the setup cells."""
    return _imports_of(release.setup)


def needed_by_many(release: Release) -> tuple[str, ...]:
    """Return those that some may import: those of all cells, and what is imported at first use."""
    modules = _imports_of(release.cells)
    return (*modules, *(late for name, late in _AT_FIRST_USE.items() if name in modules))


def _imports_of(cells: Iterable[Cell]) -> tuple[str, ...]:
    sources = (cell.source for cell in cells if cell.cell_type == "code")
    return tuple(dict.fromkeys(name for source in sources for name in imports_in(source)))
