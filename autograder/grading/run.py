"""Grade a class: the new submissions in parallel; their reports are stored."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial

from autograder.course import Course
from autograder.errors import counted
from autograder.grading.fingerprint import Fingerprint, fingerprint
from autograder.grading.progress import Progress, in_words
from autograder.grading.settings import Settings
from autograder.grading.submissions import Graded, Job, is_about, load_report, save_report, why_old
from autograder.intake.attachments import find_attachments
from autograder.intake.names import imports_in
from autograder.work.pool import Failed, run_all
from autograder.work.processes import OpenWorkers

_STALE_WORKER = (
    "The worker that graded this runs another version of the grader or the hidden tests: restart "
    "the worker and grade again."
)


def grade_class(
    settings: Settings,
    jobs: Sequence[Job],
    open_workers: OpenWorkers,
    *,
    force: bool = False,
    announce: Callable[[str], None] = lambda sentence: None,
    progress: Progress = in_words,
) -> Generator[Graded, None, None]:
    """Yield the result of each of `jobs`; each report is stored before it is yielded.

    Stored reports that are up to date aren't made again, unless `force` is set; `announce` receives
    each reason to grade submissions again, and `progress` shows how far this is.
    """
    new: list[Job] = []
    reasons: Counter[str] = Counter()
    prints = {name: fingerprint(settings, name) for name in {job.assignment for job in jobs}}
    for job in jobs:
        report = None if force else load_report(settings.course, job.student, job.assignment)
        if report is not None and is_about(report, job.path):
            why = why_old(report, job, prints[job.assignment], settings.isolation)
            if not why:
                yield Graded(job, report)
                continue
            reasons[why] += 1
        new.append(job)
    for reason, number in reasons.items():
        announce(f"{counted(number, 'submission')} will be graded again: {reason}.")
    work = partial(grade_in_worker, settings=settings)
    with closing(run_all(new, work, open_workers)) as results:
        for job, outcome in progress(results, len(new)):
            if isinstance(outcome, Failed):
                yield Graded(job, fault=outcome.reason)
                continue
            warning = find_attachments(job.path.parent).warning if outcome.report else ""
            if warning:
                announce(f"{job.student}, {job.assignment}: {warning}")
            yield _stored(outcome, settings.course, prints[job.assignment], warning)


def grade_in_worker(job: Job, settings: Settings) -> Graded:
    """Grade one submission; called in a worker, which keeps its graders."""
    from autograder.grading.worker import grade_one  # here: only workers need it, and import much

    return grade_one(job, settings)


def _stored(graded: Graded, course: Course, expected: Fingerprint, warning: str) -> Graded:
    """Store the report with our `warning`, unless a worker of another version made it."""
    report = graded.report
    if report is None:
        return graded
    if report.fingerprint != expected:
        return Graded(graded.job, fault=_STALE_WORKER)
    if warning:
        report = report.model_copy(update={"warnings": (*report.warnings, warning)})
    save_report(course, report)
    return replace(graded, report=report)


def modules_to_import(course: Course, assignments: Iterable[str]) -> set[str]:
    """Return the modules that graders of `assignments` import: ours, and those of hidden tests."""
    folders = [course.exercises / name for name in assignments]
    files = [course.exercises / "conftest.py", *(folder / "conftest.py" for folder in folders)]
    for folder in folders:
        files += folder.glob("hidden_tests/*.py")
    sources = (path.read_text("utf-8", "replace") for path in files if path.is_file())
    return {
        "autograder.grading.worker",
        *(name for source in sources for name in imports_in(source)),
    }
