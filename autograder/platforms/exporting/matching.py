"""Which line of a platform's file is about which student: by unique ids, never by half a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from autograder.course.roster import folded

NAME = "name"
Keys = Mapping[str, str]  # what is known of one student or one line: a text for each kind of id
_Owner = TypeVar("_Owner", int, str)


def match(kinds: Sequence[str], lines: Sequence[Keys], students: Mapping[str, Keys]) -> list[str]:
    """Return the student of each line, an empty string where there is none.

    `kinds` are the ids that both may have, the surest first, and last of all `NAME`. An id counts
    if one line and one student have it, and if no surer id contradicts it. A student of whom no
    such id is known is found by a `student_id` that is an id of one line alone.
    """
    found: dict[int, str] = {}
    for number, kind in enumerate(kinds):
        of_line = _unique({n: keys.get(kind, "") for n, keys in enumerate(lines)})
        of_student = _unique({name: keys.get(kind, "") for name, keys in students.items()})
        for value in of_line.keys() & of_student.keys():
            line, student = of_line[value], of_student[value]
            surer = kinds[:number]
            if _is_free(found, line, student) and _agree(lines[line], students[student], surer):
                found[line] = student
    for line, student in _by_student_id(lines, students).items():
        if _is_free(found, line, student) and _agree(lines[line], students[student], kinds):
            found[line] = student
    return [found.get(line, "") for line in range(len(lines))]


def _unique(texts: Mapping[_Owner, str]) -> dict[str, _Owner]:
    """Return who has each text, of those that nobody else has."""
    owners: dict[str, list[_Owner]] = {}
    for owner, text in texts.items():
        if text := folded(text):
            owners.setdefault(text, []).append(owner)
    return {text: who[0] for text, who in owners.items() if len(who) == 1}


def _is_free(found: Mapping[int, str], line: int, student: str) -> bool:
    return line not in found and student not in found.values()


def _agree(line: Keys, student: Keys, kinds: Sequence[str]) -> bool:
    """Tell whether no id of these `kinds`, where both have one, differs."""
    ids = [(folded(line.get(kind, "")), folded(student.get(kind, ""))) for kind in kinds]
    return all(
        theirs == ours or not (theirs and ours)
        for kind, (theirs, ours) in zip(kinds, ids, strict=True)
        if kind != NAME
    )


def _by_student_id(lines: Sequence[Keys], students: Iterable[str]) -> dict[int, str]:
    """Return the students whose `student_id` is an id of one line alone, and of no other's."""
    owners: dict[str, set[int]] = {}
    for number, keys in enumerate(lines):
        for kind, text in keys.items():
            if kind != NAME and folded(text):
                owners.setdefault(folded(text), set()).add(number)
    claims: dict[int, list[str]] = {}
    for student in students:
        claimed = owners.get(folded(student), set())
        for line in claimed if len(claimed) == 1 else ():
            claims.setdefault(line, []).append(student)
    return {line: who[0] for line, who in claims.items() if len(who) == 1}
