"""Who somebody on a platform is: by the roster, else by the platform's own id.

Nothing is guessed: where neither says, nobody is the owner, and the reason is kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from autograder.course.roster import COLUMNS, Person, as_name, folded, student_id_of, unique
from autograder.errors import CourseError
from autograder.platforms.archives import Account, Readings

# Its ids differ by assignment, so that another one doesn't mean another person.
_CHANGING = ("moodle_id",)


class Owner(NamedTuple):
    """Whose something is: a student, and whether an id says so; else `doubt` says why not."""

    student: str = ""
    is_certain: bool = False
    doubt: str = ""


class Identities:
    """The students that platforms name."""

    def __init__(self, roster: Sequence[Person] | None, known: Sequence[str] = ()) -> None:
        """Take the roster, if there is one, and the students who have handed in before."""
        people = roster or ()
        self._has_roster = roster is not None
        self._spelling = {folded(s): s for s in (*(p.student_id for p in people), *known)}
        spellings = Counter(map(folded, set(known)))
        self._unclear = {student for student, number in spellings.items() if number > 1}
        self._by = {
            column: unique({person.student_id: getattr(person, column) for person in people})
            for column in COLUMNS
            if column != "name"
        }
        self._called_so: dict[tuple[bool, str], list[Person]] = defaultdict(list)
        for person in people:
            self._called_so[False, plain_name(person.name)].append(person)
            self._called_so[True, _sortable_name(person.name)].append(person)

    def owners(self, claims: Iterable[Readings]) -> dict[Readings, Owner]:
        """Return the owner of each account; where two claim to be one student, neither is."""
        found = {readings: self._spelled(self._owner(readings)) for readings in claims}
        claimants: dict[str, list[tuple[Account, Owner]]] = defaultdict(list)
        for (account, *_), owner in found.items():
            claimants[owner.student].append((account, owner))
        return {
            readings: _undisputed(owner, claimants[owner.student]) if owner.student else owner
            for readings, owner in found.items()
        }

    def student(self, text: str) -> str:
        """Return the student that a person wrote down; raise `CourseError` if there is none."""
        name = student_id_of(text)
        if self._has_roster and folded(name) not in self._by["student_id"]:
            raise CourseError(f"nobody in the roster has the student_id {name}")
        if folded(name) in self._unclear:
            raise CourseError(f"several folders are spellings of {name}: keep one of them")
        return self._spelling.setdefault(folded(name), name)

    def _spelled(self, owner: Owner) -> Owner:
        """Return the owner as the folder that there is spells the student, if there is one."""
        if folded(owner.student) in self._unclear:
            return Owner(doubt=f"several folders are spellings of {owner.student}")
        return owner._replace(student=self._spelling.get(folded(owner.student), owner.student))

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
        if not account.is_student_id:
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
        given = [] if account.is_label else [c for c, _ in account.ids if c not in _CHANGING]
        if len(given) > 1:  # then the student_id is only one of the things that an id can be
            given = [column for column in given if column != "student_id"]
        people = [
            person
            for person in self._called(account)
            if not any(getattr(person, column, "") for column in given)
        ]
        if len(people) == 1:
            return Owner(people[0].student_id)
        how_many = "several people" if people else "nobody"
        return Owner(doubt=f"{how_many} in the roster could be this one")


def _undisputed(owner: Owner, claimants: list[tuple[Account, Owner]]) -> Owner:
    """Return the owner, unless somebody else could be the same student with as much reason."""
    certain = {account.identity for account, other in claimants if other.is_certain}
    rivals = certain or {account.identity for account, _ in claimants}
    if len(rivals) == 1 and owner.is_certain == bool(certain):
        return owner
    return Owner(doubt=f"several people could be {owner.student}")


def plain_name(name: str) -> str:
    """Return a name, first name first, in the form in which two spellings of it are the same."""
    return folded(as_name(name))


def _sortable_name(name: str) -> str:
    """Return a name as Canvas's archives have it: last name first, nothing but word characters."""
    if "," not in name:
        *first, last = name.split() or [""]
        name = " ".join([last, *first])
    return _squashed(name)


def _squashed(name: str) -> str:
    """Return a name in lower case without what Canvas leaves out of it."""
    return re.sub(r"\W", "", folded(unicodedata.normalize("NFC", name)))
