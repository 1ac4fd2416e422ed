"""Collect what was handed in: a platform's archive → `submitted/<student_id>/<assignment>/`.

Everything is read and decided first; only then does anything in the course change. Times are kept
as nbgrader keeps them.
"""

import hashlib
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.course import Course
from autograder.course.locking import submissions_lock
from autograder.course.roster import FILE, problem_with, read_roster
from autograder.course.solution import source_files
from autograder.errors import CourseError, SubmissionError, is_of_disk, shown
from autograder.intake import times
from autograder.intake.attachments import find_attachments, hashes_of
from autograder.intake.notebook import read_submitted
from autograder.intake.submission import sha256
from autograder.platforms.archives import MAX_EARLIER, SOURCE, Source, source_beside
from autograder.platforms.collecting import assigning
from autograder.platforms.collecting.assigning import UNASSIGNED, Choice, FoundFile, Plan
from autograder.platforms.collecting.reading import PLATFORMS, read_contents, read_source


@dataclass(frozen=True)
class Placed:
    student: str
    assignment: str
    late_by: timedelta | None  # None: in time, or nobody knows by how much
    is_late: bool
    replaced: bool  # whether it took the place of an earlier one
    unchanged: bool = False  # whether all of it was there already, or a later one
    has_pages: bool = False  # whether pictures or PDFs came with it


@dataclass(frozen=True)
class Collected:
    plan: Plan
    placed: list[Placed]
    notes: list[str]  # a sentence each

    def summary(self) -> str:
        """Return the numbers of the result: each submission that was found is placed or isn't."""
        plan, placed = self.plan, self.placed
        counts = {
            "found": len(placed) + plan.asked + plan.left_out,
            "placed": len(placed),
            "to assign": plan.to_assign,
            "late": sum(each.is_late for each in placed),
            "replaced an earlier one": sum(each.replaced for each in placed),
            "without a notebook": plan.without_notebook,
            "with pictures or PDFs": sum(each.has_pages for each in placed),
            "left out": plan.left_out,
        }
        rare = list(counts)[-3:]
        said = [f"{count} {what}" for what, count in counts.items() if count or what not in rare]
        if placed and all(each.unchanged for each in placed):
            said.append("nothing new")
        return " · ".join(said)


def collect_archive(
    course: Course, source: Path, platform: str | None = None, roster_file: Path | None = None
) -> Collected:
    """Put the notebooks in `source` where the grader looks for them, or ask in `unassigned.csv`.

    Raises `SubmissionError`, and changes nothing, if the source can't be read.
    """
    if platform not in (None, *PLATFORMS):
        raise CourseError(f"{platform!r} isn't a platform: choose from {', '.join(PLATFORMS)}.")
    if roster_file is not None and not roster_file.is_file():
        raise CourseError(f"There is no file {roster_file}: check the name.")
    path = roster_file or course.root / FILE
    with submissions_lock(course):
        students = [each.name for each in course.submitted.glob("*/")]
        known = sorted(student for student in students if not problem_with(student))
        identities = assigning.Identities(read_roster(path) if path.is_file() else None, known)
        rows = assigning.read_unassigned(course)
        course.submitted.mkdir(exist_ok=True)
        with TemporaryDirectory(dir=course.submitted, prefix=".") as fresh:
            chosen, entries = read_source(course, source, Path(fresh), platform)
            contents = read_contents(course, [entry.file for entry in entries])
            plan = assigning.assign(chosen.TITLE, entries, contents, identities, rows)
            placed, notes = _place(course, plan.chosen, Path(fresh), chosen.TITLE.casefold())
        kept = assigning.update_unassigned(course, rows, plan)
    notes = [*([chosen.NOTE] if chosen.NOTE and entries else ()), *plan.notes, *notes]
    if kept:
        notes.append(f"{UNASSIGNED} still lists {kept} from earlier.")
    return Collected(plan, placed, notes)


@dataclass(frozen=True)
class _Ready:
    """A submission that waits for the others before it is put into its `folder`."""

    placed: Placed
    notes: Sequence[str]
    folder: Path
    files: Sequence[Path] = ()  # the notebook last; none, if all of it is there
    outdated: Sequence[str] = ()  # names of what was said of the one before, and isn't of this one


def _place(
    course: Course, chosen: Iterable[Choice], fresh: Path, platform: str
) -> tuple[list[Placed], list[str]]:
    """Put each submission in its place, by way of `fresh`; return them, and sentences to tell."""
    ready: list[_Ready] = []
    for number, choice in enumerate(chosen):
        into = fresh / f"placed-{number}"
        into.mkdir()
        ready.append(_get_ready(course, choice, into, platform))
    coming = [each for each in ready if each.files]
    for each in coming:
        each.folder.mkdir(parents=True, exist_ok=True)
    for each in coming:
        for name in each.outdated:
            (each.folder / name).unlink(missing_ok=True)
    for each in coming:
        for path in each.files:
            path.replace(each.folder / path.name)
    return [each.placed for each in ready], [said for each in ready for said in each.notes]


def _get_ready(course: Course, choice: Choice, into: Path, platform: str) -> _Ready:
    """Write a submission to the folder `into`, unless it or a later one is in its place."""
    found, replaces, _ = choice
    student, assignment = found.owner.student, found.content.assignment
    target = course.submission_path(student, assignment)
    old = _already_at(target, course.settings.time_zone)
    pages, left_out = _copy_pages(choice, source_files(course, assignment), into)
    digest = _digest_of(found.content.digest, pages)
    is_new = old.digest != digest
    later = _why_later(found, digest, old, platform) if is_new else ""
    time = found.entry.time or (None if is_new else old.time)
    flagged = found.entry.is_late or (old.is_late and not is_new)
    source = Source(
        platform=platform,
        entry=found.entry.file.name,
        number=found.entry.number,
        earlier=old.earlier_than(digest),
        pages=list(pages),
    )
    said = ""
    if later:
        said = f"the one that was there{later}"
    elif replaces:
        which = "the one that you chose" if found.is_answered else "the latest"
        said = f"{which} of {replaces + 1}{f', of {time},' if time else ''} was kept."
    elif old.digest and is_new:
        said = f"it replaced the one that was there{_why_replaced(found, old, platform)}."
    due = course.settings.due(assignment, student)
    standing = (old.time, old.is_late) if later else (time, flagged)
    late_by, is_late = _lateness(*standing, due)
    is_same = not is_new and (time, flagged) == (old.time, old.is_late)
    placed = Placed(
        student=student,
        assignment=assignment,
        late_by=late_by,
        is_late=is_late,
        replaced=bool(said) and not later,
        unchanged=bool(later) or is_same,
        has_pages=bool(pages),
    )
    notes = [f"{student}, {assignment}: {each}" for each in (said, left_out) if each]
    if later or (is_same and source == old.source):
        return _Ready(placed, notes, target.parent)
    outdated = [name for name in old.pages if name not in pages]
    if is_new and time is None:
        outdated.append(times.FILE)
    if is_new and not flagged:
        outdated.append(times.LATE)
    files = _written(found, time, flagged, source, into / target.name)
    return _Ready(placed, notes, target.parent, files, outdated)


def _lateness(
    time: datetime | None, flagged: bool, due: datetime | None
) -> tuple[timedelta | None, bool]:
    """Return by how much a submission is late, if that is known, and whether it is.

    The platform's flag counts only where nothing else tells.
    """
    if time is None or due is None:
        return None, flagged
    return (time - due, True) if time > due else (None, False)


@dataclass(frozen=True)
class _Standing:
    """What lies in a place; no `digest`: nothing does."""

    digest: str = ""
    time: datetime | None = None
    is_late: bool = False  # by its platform's flag
    source: Source | None = None
    pages: Mapping[str, str] = field(default_factory=dict)  # hashes by name

    def earlier_than(self, digest: str) -> list[str]:
        """Return the hashes of what was there before a submission with this one, oldest first."""
        known = [*(self.source.earlier if self.source else ()), self.digest]
        return [each for each in dict.fromkeys(known) if each and each != digest][-MAX_EARLIER:]


def _why_later(found: FoundFile, digest: str, old: _Standing, platform: str) -> str:
    """Say why what lies in a place is later than what was found; nothing, if it isn't."""
    time, source = found.entry.time, old.source
    if time and old.time:
        return f", of {old.time}, is later." if old.time > time else ""
    if found.is_answered or source is None:
        return ""
    number = found.entry.number
    if source.platform == platform and source.number and number and source.number != number:
        is_later = source.number > number
        return " is later, by the platform's own numbers." if is_later else ""
    was_here = digest in source.earlier
    return " stays: this one was collected earlier, and replaced." if was_here else ""


def _why_replaced(found: FoundFile, old: _Standing, platform: str) -> str:
    """Say that nothing tells which of two is later, if nothing does."""
    numbers = bool(old.source and old.source.platform == platform and old.source.number)
    if (found.entry.time and old.time) or (numbers and found.entry.number):
        return ""
    return "; their times aren't both known, so the one collected last counts"


def _already_at(path: Path, zone: str) -> _Standing:
    """Return what lies in a place; raise `CourseError` for a link."""
    for above in (path.parents[1], path.parent):
        if above.is_symlink():
            raise CourseError(f"{above} is a link: put the folder itself there first.")
    try:
        digest = sha256(read_submitted(path))
    except SubmissionError:  # whatever is there, it is to be replaced
        return _Standing("unreadable")
    except FileNotFoundError:
        return _Standing()
    time = None
    with suppress(SubmissionError):  # nobody knows when it was handed in
        time = times.handed_in_at(path.parent, zone)
    source = source_beside(path)
    pages = _pages_of(path.parent, source.pages) if source else {}
    late = times.is_flagged_late(path.parent)
    return _Standing(_digest_of(digest, pages), time, late, source, pages)


def _written(
    found: FoundFile,
    time: datetime | None,
    flagged: bool,
    source: Source,
    notebook: Path,
) -> list[Path]:
    """Write a submission to `notebook`, with its time and source beside it, where its pages are.

    Returns all files, the notebook last.
    """
    assert found.entry.file.path is not None
    into = notebook.parent
    (into / SOURCE).write_text(source.model_dump_json(), "utf-8")
    if time is not None:
        (into / times.FILE).write_text(f"{time.isoformat()}\n", "utf-8")
    if flagged:
        said = f"Late, by the flag of {source.platform}.\n"
        (into / times.LATE).write_text(said, "utf-8")
    beside = list(into.iterdir())
    return [*beside, shutil.copyfile(found.entry.file.path, notebook)]


# Pictures and PDFs that were handed in with a notebook: they lie flat beside it, under their own
# names, so that none can take another file's place.


def _copy_pages(choice: Choice, given: Collection[str], into: Path) -> tuple[dict[str, str], str]:
    """Copy what comes with a notebook to the folder `into`, without the files that were `given`.

    Returns the hash of each by name, and a sentence about what is left out, if anything is.
    """
    depth = len(choice.notebook.entry.file.parts) - 1
    sources: dict[str, Path] = {}
    for each in choice.pages:
        file = each.entry.file
        is_given = "/".join(file.parts[depth:]) in given
        if file.path is None or is_given or file.path in sources.values():
            continue
        own = each.entry.own_name or file.parts[-1]
        sources.setdefault("_".join(file.parts[depth:]) if own in sources else own, file.path)
    odd = []
    for name, path in sources.items():
        try:
            shutil.copyfile(path, into / name)
        except (OSError, ValueError) as error:  # a name that no file can have
            if is_of_disk(error):
                raise
            odd.append(name)
    said = f"{shown(odd[0][:80])} can't be the name of a file, and was left out." if odd else ""
    said = said or find_attachments(into).warning
    kept = hashes_of(into)
    for path in into.iterdir():
        if path.name not in kept:
            path.unlink()
    return kept, said


def _pages_of(folder: Path, names: Collection[str]) -> dict[str, str]:
    """Return the hash of each of these files that still lies in the folder of a submission."""
    with suppress(OSError, SubmissionError):
        return {name: each for name, each in hashes_of(folder).items() if name in names}
    return {}


def _digest_of(notebook: str, pages: Mapping[str, str]) -> str:
    """Return the hash of all that was handed in; of a notebook alone, it is that one's own."""
    if not pages:
        return notebook
    return hashlib.sha256(repr((notebook, *sorted(pages.items()))).encode()).hexdigest()
