"""Decide, for each file that a platform handed out, whose it is and of which assignment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autograder.errors import CourseError, shown
from autograder.platforms.collecting.contents import Content, Contents
from autograder.platforms.collecting.entry import Account, Entry
from autograder.platforms.collecting.identity import Identities, Owner, Readings
from autograder.platforms.collecting.unassigned import CONTENT, FILE, LEFT_OUT, Row

Key = tuple[str, str, str]
_DIGITS = 16  # of a hash


@dataclass(frozen=True)
class Submission:
    """A file of one account: all that is known of it."""

    entry: Entry
    account: Account | None
    owner: Owner
    content: Content
    is_answered: bool = False  # a line about this very file, in unassigned.csv, decides

    @property
    def is_placeable(self) -> bool:
        """Whether it is a notebook of an assignment."""
        return bool(self.content.assignment) and self.entry.file.path is not None

    @property
    def who(self) -> str | tuple[str, str] | Entry:
        """What the submissions of one person share."""
        if self.owner.student:
            return self.owner.student
        return self.account.identity if self.account else self.entry

    def row(self, platform: str, why: str, *, about_file: bool) -> Row:
        """Return the line that asks the instructor about it."""
        ids = [shown(self.account.key)] if self.account else []
        if about_file or not self.account:
            ids.append(CONTENT + (self.content.digest[:_DIGITS] or "unread"))
        name = shown(self.account.name) if self.account else ""
        where = (platform, shown(self.entry.file.name).strip(), "; ".join(ids))
        return Row(*where, name, self.content.assignment, why, self.owner.student)


@dataclass
class Decision:
    """What is to be done with a source."""

    chosen: list[tuple[Submission, int]] = field(default_factory=list)  # and how many it replaces
    open: list[Row] = field(default_factory=list)
    seen: set[Key] = field(default_factory=set)  # what rows could be about
    notes: list[str] = field(default_factory=list)
    to_assign: int = 0
    left_out: int = 0


def decide(
    platform: str,
    entries: Iterable[Entry],
    owners: Mapping[Readings, Owner],
    contents: Contents,
    identities: Identities,
    rows: Iterable[Row],
) -> Decision:
    """Decide what is placed, and what the instructor is asked about."""
    answers = {row.key: row for row in rows if row.student_id}
    for row in answers.values():
        _check(row, contents)
    decision = Decision()
    people: dict[object, list[Submission]] = defaultdict(list)
    left_out: set[object] = set()
    for found in _submissions(entries, owners, contents):
        decision.seen |= {key for key, _ in _keys(found, platform)}
        answered = _answered(found, platform, answers, identities)
        if answered is None:
            left_out.add(found.who)
        else:
            people[answered.who].append(answered)
    decision.left_out = len(left_out - people.keys())
    for found_of_one in people.values():
        _decide_person(platform, found_of_one, decision)
    return decision


def _check(answer: Row, contents: Contents) -> None:
    name = answer.assignment
    if answer.is_about_file and name and name not in contents.assignments:
        raise CourseError(
            f"{FILE} names the assignment {shown(name)}, which isn't released: choose from "
            f"{', '.join(contents.assignments)}."
        )


def _submissions(
    entries: Iterable[Entry], owners: Mapping[Readings, Owner], contents: Contents
) -> Iterator[Submission]:
    """Yield a submission for each account of each entry; an entry of nobody's is one too."""
    for entry in entries:
        content = contents.of(entry.file)
        for claim in entry.claims:
            yield Submission(entry, claim[0], owners[claim], content)
        if not entry.claims:
            yield Submission(entry, None, Owner(doubt=entry.doubt), content)


def _keys(found: Submission, platform: str) -> list[tuple[Key, bool]]:
    """Return what lines about a submission are known by; the surest, about the file, first."""
    return [(found.row(platform, "", about_file=each).key, each) for each in (True, False)]


def _answered(
    found: Submission, platform: str, answers: Mapping[Key, Row], identities: Identities
) -> Submission | None:
    """Return the submission as the instructor's own answers have it; None if it is left out."""
    found_rows = ((answers[k], each) for k, each in _keys(found, platform) if k in answers)
    row, is_about_file = next(found_rows, (None, False))
    if row is None:
        return found
    if row.student_id == LEFT_OUT:
        return None
    try:
        owner = Owner(identities.student(row.student_id), is_certain=True)
    except CourseError as error:
        return replace(found, owner=Owner(doubt=str(error)))
    if not (is_about_file and row.assignment):
        return replace(found, owner=owner)
    content = found.content._replace(assignment=row.assignment)
    return replace(found, owner=owner, content=content, is_answered=True)


def _decide_person(platform: str, found: list[Submission], decision: Decision) -> None:
    """Decide about all that one person handed in, or about one file of nobody's."""
    by_assignment: dict[str, list[Submission]] = defaultdict(list)
    for each in found:
        if each.is_placeable:
            by_assignment[each.content.assignment].append(each)
    called_so = [each for each in found if each.entry.file.is_called_notebook]
    odd = [each for each in called_so if not each.is_placeable]
    if not by_assignment:
        if found[0].account is None and not called_so:
            return  # a file beside the submissions, of the platform's or the instructor's own
        _ask_about_contents(platform, odd or found[:1], decision)
        return
    for each in odd:
        name, problem = shown(each.entry.file.name), each.content.problem
        decision.notes.append(f"{name} was passed over beside another notebook: {problem}")
    for same in by_assignment.values():
        if same[0].owner.student:
            _choose(platform, same, decision)
            continue
        row = same[-1].row(platform, same[-1].owner.doubt, about_file=False)
        decision.open.append(row)
        decision.to_assign += 1


def _ask_about_contents(platform: str, found: list[Submission], decision: Decision) -> None:
    decision.to_assign += 1
    for each in found:
        problem = each.content.problem if each.entry.file.is_called_notebook else ""
        why = problem or f"no notebook was handed in, but {shown(each.entry.file.parts[-1])}"
        both = f"{why} {each.owner.doubt}".strip()
        decision.open.append(each.row(platform, both, about_file=True))


def _choose(platform: str, found: list[Submission], decision: Decision) -> None:
    """Choose the latest of a student's submissions for one assignment, if that can be told."""
    answered = [each for each in found if each.is_answered]
    candidates = answered or found
    latest = _latest(candidates)
    if latest is not None:
        others = {each.content.digest for each in found} - {latest.content.digest}
        decision.chosen.append((latest, len(others)))
        return
    decision.to_assign += 1
    why = (
        "nothing says which of several is the latest: give the student_id to one, "
        f"and {LEFT_OUT} to the others"
    )
    for each in candidates:
        asked = replace(each, owner=Owner())
        decision.open.append(asked.row(platform, why, about_file=True))


def _latest(found: Sequence[Submission]) -> Submission | None:
    """Return the latest by the platform's time or running number; None if neither says."""
    if len({each.content.digest for each in found}) == 1:
        return max(found, key=lambda each: (each.entry.time is not None, _rank(each)))
    if len({each.entry.time is None for each in found}) > 1:
        return None
    best = max(map(_rank, found))
    latest = [each for each in found if _rank(each) == best]
    return latest[0] if len({each.content.digest for each in latest}) == 1 else None


def _rank(found: Submission) -> tuple[float, int]:
    time = found.entry.time
    return (time.timestamp() if time else 0, found.entry.number)
