"""Decide, for each file that a platform handed out, whose it is and of which assignment.

The roster says whose it is, else the platform's own id: nothing is guessed. What can't be told for
certain is listed in `unassigned.csv`. Completed lines stay, and the next `collect` obeys them.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from typing import NamedTuple

from autograder.course import Course
from autograder.course.roster import IDS, Person, folded, plain_name, student_id_of, unique
from autograder.course.saving import save_whole
from autograder.course.sheets import read_table, table_bytes
from autograder.errors import CourseError, shown
from autograder.intake.archive import File
from autograder.platforms.archives import Account, ArchiveEntry, Readings

UNASSIGNED = "unassigned.csv"
LEFT_OUT = "-"
_CONTENT = "sha256="  # among the ids of a row that is about one file, not about all of somebody's
# What people hand in instead, by the ending of its name.
_KINDS = (
    ((".pdf", ".html", ".htm"), ", a page: ask for the .ipynb file"),
    ((".py", ".md", ".txt", ".docx"), ", a copy of its text: ask for the .ipynb file"),
    ((".jpg", ".jpeg", ".png", ".heic"), ", a picture: ask for the .ipynb file"),
    ((".gdoc", ".url", ".lnk", ".webloc"), ", a link: ask for the .ipynb file itself"),
    ((".rar", ".7z", ".zip", ".gz"), ": ask for the .ipynb file, not packed"),
)
_DIGITS = 16  # of a hash
Key = tuple[str, str, str]


class Content(NamedTuple):
    """What a file is: a notebook of `assignment`, else `problem` says what is wrong with it."""

    assignment: str = ""
    problem: str = ""
    digest: str = ""
    is_untouched: bool = False  # all of it is as it was released


class Owner(NamedTuple):
    """Whose something is: a student, and whether an id says so; else `doubt` says why not."""

    student: str = ""
    is_certain: bool = False
    doubt: str = ""


class Identities:
    """The students that platforms name: of a roster, if there is one, and of `known` folders."""

    def __init__(self, roster: Sequence[Person] | None, known: Sequence[str]) -> None:
        people = roster or ()
        self._has_roster = roster is not None
        self._spelling = {folded(s): s for s in (*(p.student_id for p in people), *known)}
        spellings = Counter(map(folded, set(known)))
        self._unclear = {student for student, number in spellings.items() if number > 1}
        self._by = {
            column: unique({person.student_id: getattr(person, column) for person in people})
            for column in IDS
        }
        self._called_so: dict[tuple[bool, str], list[Person]] = defaultdict(list)
        for person in people:
            self._called_so[False, plain_name(person.name)].append(person)
            *first, last = person.name.split() or [""]
            sortable = person.name if "," in person.name else " ".join([last, *first])
            self._called_so[True, _squashed(sortable)].append(person)

    def owners(self, claims: Iterable[Readings]) -> dict[Readings, Owner]:
        """Return the owner of each account; where two claim to be one student, neither is."""
        found = {}
        for readings in claims:
            owner = self._owner(readings)
            form = folded(owner.student)  # as the folder that there is spells the student
            found[readings] = owner._replace(student=self._spelling.get(form, owner.student))
            if form in self._unclear:
                found[readings] = Owner(doubt=f"several folders are spellings of {owner.student}")
        claimants: dict[tuple[str, bool], set[tuple[str, str]]] = defaultdict(set)
        for (account, *_), owner in found.items():
            claimants[owner.student, owner.is_certain].add(account.identity)
        for readings, owner in found.items():
            # A rival is somebody else who could be the same student with as much reason.
            is_outdone = not owner.is_certain and (owner.student, True) in claimants
            has_rival = len(claimants[owner.student, owner.is_certain]) > 1
            if owner.student and (is_outdone or has_rival):
                found[readings] = Owner(doubt=f"several people could be {owner.student}")
        return found

    def student(self, text: str) -> str:
        """Return the student that a person wrote down; raise `CourseError` if there is none."""
        name = student_id_of(text)
        if self._has_roster and folded(name) not in self._by["student_id"]:
            raise CourseError(f"nobody in the roster has the student_id {name}")
        if folded(name) in self._unclear:
            raise CourseError(f"several folders are spellings of {name}: keep one of them")
        return self._spelling.setdefault(folded(name), name)

    def _owner(self, readings: Readings) -> Owner:
        account = readings[0]
        if not self._has_roster:
            return self._by_own_id(account)
        if len(readings) > 1:  # one reading may fit one person entirely
            fitting = {student for account in readings for student in self._fitting(account)}
            if len(fitting) == 1:
                return Owner(fitting.pop(), is_certain=True)
            return Owner(doubt="its name can be read in several ways")
        students = self._with_ids(account)
        if len(students) > 1:
            return Owner(doubt=f"its ids belong to several people: {', '.join(sorted(students))}")
        return Owner(students.pop(), is_certain=True) if students else self._by_name(account)

    def _by_own_id(self, account: Account) -> Owner:
        if not (account.is_student_id and account.ids):
            return Owner(doubt="only the file's own name says whose it is")
        try:
            return Owner(self.student(account.ids[0][1]), is_certain=True)
        except CourseError as error:
            return Owner(doubt=str(error).rstrip("."))

    def _fitting(self, account: Account) -> set[str]:
        by_id, called = self._with_ids(account), {p.student_id for p in self._called(account)}
        if account.is_label:  # one text, which is an id or the name
            return by_id | called
        return by_id & called if account.name else by_id

    def _with_ids(self, account: Account) -> set[str]:
        found = (self._by.get(column, {}).get(folded(value)) for column, value in account.ids)
        return set(filter(None, found))

    def _called(self, account: Account) -> list[Person]:
        form = _squashed(account.name) if account.is_sortable else plain_name(account.name)
        return self._called_so.get((account.is_sortable, form), []) if form else []

    def _by_name(self, account: Account) -> Owner:
        """Return the one person of this name whose id on the platform isn't another."""
        # Moodle's id differs by assignment: another one doesn't mean another person.
        ids = [] if account.is_label else [c for c, _ in account.ids if c != "moodle_id"]
        if len(ids) > 1:  # then the student_id is only one of the things that an id can be
            ids = [column for column in ids if column != "student_id"]
        people = [p for p in self._called(account) if not any(getattr(p, c, "") for c in ids)]
        if len(people) == 1:
            return Owner(people[0].student_id)
        how_many = "several people" if people else "nobody"
        return Owner(doubt=f"{how_many} in the roster could be this one")


def _squashed(name: str) -> str:
    """Return a name in lower case without what Canvas leaves out of it."""
    return re.sub(r"\W", "", folded(unicodedata.normalize("NFC", name)))


@dataclass(frozen=True)
class UnassignedRow:
    platform: str
    entry: str  # the file's path in what was collected
    ids: str
    name: str = ""
    assignment: str = ""
    why: str = ""
    student_id: str = ""

    @property
    def is_about_file(self) -> bool:
        """Whether the row is about one file, and not about all that somebody hands in."""
        return _CONTENT in self.ids

    @property
    def key(self) -> Key:
        """What the row is about: a person on a platform, or one file."""
        return self.platform, self.ids, self.entry if self.is_about_file else folded(self.name)

    @property
    def is_open(self) -> bool:
        """Whether the instructor has something to fill in."""
        if self.student_id == LEFT_OUT:
            return False
        return not self.student_id or (self.is_about_file and not self.assignment)


COLUMNS = tuple(field.name for field in fields(UnassignedRow))


@dataclass(frozen=True)
class FoundFile:
    """A file as one account's: all that is known of it."""

    entry: ArchiveEntry
    account: Account | None
    owner: Owner
    content: Content
    is_answered: bool = False  # a line about this very file, in unassigned.csv, decides

    @property
    def is_placeable(self) -> bool:
        file = self.entry.file
        return bool(self.content.assignment) and file.path is not None and not file.is_page

    @property
    def who(self) -> object:
        """What the files of one person share."""
        return self.owner.student or (self.account.identity if self.account else self.entry)

    def row(self, platform: str, why: str, *, about_file: bool) -> UnassignedRow:
        ids = [shown(self.account.key)] if self.account else []
        if about_file or not self.account:
            ids.append(_CONTENT + (self.content.digest[:_DIGITS] or "unread"))
        name = shown(self.account.name) if self.account else ""
        where = (platform, shown(self.entry.file.name).strip(), "; ".join(ids))
        return UnassignedRow(*where, name, self.content.assignment, why, self.owner.student)


class Choice(NamedTuple):
    """The notebook of a submission, and what comes with it."""

    notebook: FoundFile
    replaces: int  # other notebooks
    pages: Sequence[FoundFile]  # pictures and PDFs in its folder, or below


@dataclass
class Plan:
    platform: str
    chosen: list[Choice] = field(default_factory=list)
    open: list[UnassignedRow] = field(default_factory=list)
    seen: set[Key] = field(default_factory=set)  # what rows could be about
    notes: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)  # pages that lie beside no notebook
    to_assign: int = 0
    without_notebook: int = 0  # people who handed in none, so that no list can be completed
    left_out: int = 0

    @property
    def asked(self) -> int:
        """How many `unassigned.csv` asks about."""
        return self.to_assign + self.without_notebook

    def ask(self, found: FoundFile, why: str, *, about_file: bool = True) -> None:
        self.open.append(found.row(self.platform, why, about_file=about_file))


def assign(
    platform: str,
    entries: Sequence[ArchiveEntry],
    contents: Mapping[File, Content],
    identities: Identities,
    rows: Iterable[UnassignedRow],
) -> Plan:
    """Decide what is placed, and what the instructor is asked about."""
    owners = identities.owners(readings for entry in entries for readings in entry.owners)
    answers = {row.key: row for row in rows if row.student_id}
    plan = Plan(platform)
    people: dict[object, list[FoundFile]] = defaultdict(list)
    left_out: set[object] = set()
    files: list[FoundFile] = []  # one for each account of each entry, or for an entry of nobody's
    for entry in entries:
        content = contents[entry.file]
        files += [FoundFile(entry, each[0], owners[each], content) for each in entry.owners]
        if not entry.owners:
            files.append(FoundFile(entry, None, Owner(doubt=entry.doubt), content))
            plan.elsewhere += [entry.file.name] * entry.file.is_page
    for found in files:
        # What lines about it are known by; the surest, about the file, first.
        keys = [found.row(platform, "", about_file=each).key for each in (True, False)]
        plan.seen.update(keys)
        answer = next((answers[key] for key in keys if key in answers), None)
        if answer and answer.student_id == LEFT_OUT:
            left_out.add(found.who)
            continue
        found = _answered(found, answer, identities) if answer else found
        people[found.who].append(found)
    plan.left_out = len(left_out - people.keys())
    for found_of_one in people.values():
        _decide_person(found_of_one, plan)
    if plan.elsewhere:
        plan.notes.append(
            "Pictures or PDFs that lie beside no notebook of their author's were left out "
            f"({len(plan.elsewhere)}, such as {shown(plan.elsewhere[0])})."
        )
    return plan


def _answered(found: FoundFile, answer: UnassignedRow, identities: Identities) -> FoundFile:
    try:
        owner = Owner(identities.student(answer.student_id), is_certain=True)
    except CourseError as error:
        return replace(found, owner=Owner(doubt=str(error)))
    if not (answer.is_about_file and answer.assignment):
        return replace(found, owner=owner)
    content = found.content._replace(assignment=answer.assignment)
    return replace(found, owner=owner, content=content, is_answered=True)


def _decide_person(found: list[FoundFile], plan: Plan) -> None:
    """Decide about all that one person handed in, or about one file of nobody's."""
    by_assignment: dict[str, list[FoundFile]] = defaultdict(list)
    for each in found:
        if each.is_placeable:
            by_assignment[each.content.assignment].append(each)
    _leave_out_untouched(by_assignment)
    called_so = [each for each in found if each.entry.file.is_meant]
    odd = [each for each in called_so if not each.is_placeable]
    pages = [each for each in found if each.entry.file.is_page and each.entry.file.path]
    if by_assignment:
        for each in odd:
            name, problem = shown(each.entry.file.name), each.content.problem
            plan.notes.append(f"{name} was passed over beside another notebook: {problem}")
        for file in (each.entry.file for each in found if each.entry.file.is_page):
            if file.problem:
                plan.notes.append(f"{shown(file.name)} was left out: {file.problem}")
    elif called_so or found[0].account:  # else it is the platform's or the instructor's own
        plan.to_assign += bool(odd)
        plan.without_notebook += not odd
        for each in odd or found[:1]:
            name = each.entry.file.parts[-1]
            problem = each.content.problem if each.entry.file.is_meant else ""
            kind = next((what for ends, what in _KINDS if name.casefold().endswith(ends)), "")
            why = problem or f"no notebook was handed in, only {shown(name)}{kind}"
            plan.ask(each, f"{why} {each.owner.doubt}".strip())
    before = len(plan.chosen)
    for same in by_assignment.values():
        if same[0].owner.student:
            _choose(same, pages, plan)
        else:
            plan.to_assign += 1
            plan.ask(same[-1], same[-1].owner.doubt, about_file=False)
    if chosen := plan.chosen[before:]:
        along = {page.entry.file for choice in chosen for page in choice.pages}
        files = dict.fromkeys(page.entry.file for page in pages)
        plan.elsewhere += [file.name for file in files if file not in along]


def _leave_out_untouched(by_assignment: dict[str, list[FoundFile]]) -> None:
    """Leave out what is as it was released, where the same person changed another notebook.

    A copy of the course holds all that was released so far. Alone, a blank notebook is handed in.
    """
    changed = {
        name
        for name, files in by_assignment.items()
        if any(each.is_answered or not each.content.is_untouched for each in files)
    }
    for name in by_assignment.keys() - changed if changed else ():
        del by_assignment[name]


def _choose(found: list[FoundFile], pages: list[FoundFile], plan: Plan) -> None:
    """Choose the latest of a student's notebooks for one assignment, if that can be told.

    Of the student's `pages`, those in its folder come along.
    """
    changed = [each for each in found if not each.content.is_untouched]
    candidates = [each for each in found if each.is_answered] or changed or found
    latest = _latest(candidates)
    if latest is not None:
        others = {each.content.digest for each in found} - {latest.content.digest}
        folder = latest.entry.file.parts[:-1]
        along = [each for each in pages if each.entry.file.parts[: len(folder)] == folder]
        plan.chosen.append(Choice(latest, len(others), along))
        plan.notes += filter(None, [latest.entry.file.note])
        return
    plan.to_assign += 1
    why = "nothing says which of several is the latest: give the student_id to one, "
    for each in candidates:
        plan.ask(replace(each, owner=Owner()), f"{why}and {LEFT_OUT} to the others")


def _latest(found: Sequence[FoundFile]) -> FoundFile | None:
    """Return the latest by the platform's time or running number; None if neither says."""

    def rank(each: FoundFile) -> tuple[float, int]:
        time = each.entry.time
        return (time.timestamp() if time else 0, each.entry.number)

    if len({each.content.digest for each in found}) == 1:
        return max(found, key=lambda each: (each.entry.time is not None, rank(each)))
    latest = [each for each in found if rank(each) == max(map(rank, found))]
    has_one = len({each.content.digest for each in latest}) == 1
    are_alike = len({each.entry.time is None for each in found}) == 1
    return latest[0] if has_one and are_alike else None


def read_unassigned(course: Course) -> list[UnassignedRow]:
    """Return the rows of `unassigned.csv`; none if there is no such file."""
    path = course.root / UNASSIGNED
    table = read_table(path) if path.is_file() else []
    if table and not set(COLUMNS) <= set(table[0]):
        raise CourseError(f"{path} must have the columns {', '.join(COLUMNS)}: put them back.")
    rows = [UnassignedRow(**{name: row[name] for name in COLUMNS}) for row in table]
    for row in rows:
        if row.is_about_file and row.student_id and row.assignment not in ("", *course.released()):
            raise CourseError(
                f"{UNASSIGNED} names the assignment {shown(row.assignment)}, which isn't released: "
                f"choose from {', '.join(course.released())}."
            )
    return rows


def update_unassigned(course: Course, old: Iterable[UnassignedRow], plan: Plan) -> int:
    """Write what is open; of what was, keep what wasn't seen, and return how much of it is open."""
    path, fresh = course.root / UNASSIGNED, {row.key: row for row in plan.open}
    kept = [
        row for row in old if row.key not in fresh and not (row.is_open and row.key in plan.seen)
    ]
    if kept or fresh:
        rows = [astuple(row) for row in (*kept, *fresh.values())]
        save_whole(table_bytes(COLUMNS, rows), path)
    else:
        path.unlink(missing_ok=True)
    return sum(row.is_open for row in kept)
