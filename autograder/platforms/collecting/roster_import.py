"""Take students and their ids from a platform's own table into `roster.csv`.

Nobody is taken out, and no id of another platform is lost. The same person is known by an id or an
email that two tables share, else by a name that nobody else has.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path

from autograder.course import Course, roster
from autograder.course.locking import submissions_lock
from autograder.course.roster import SHARED, People, Person, folded
from autograder.course.sheets import read_table
from autograder.errors import CourseError, shown
from autograder.platforms import canvas, gradescope, moodle
from autograder.platforms.archives import MAX_FIELD
from autograder.platforms.points import listing

_PLATFORMS = (canvas, gradescope, moodle)  # Moodle last: its columns have a name in each language
# What Moodle calls groups in some of its languages.
_GROUPS = ("groups", "group", "gruppen", "gruppe", "groupes", "groupe", "grupos", "grupo", "gruppi")


@dataclass(frozen=True)
class Imported:
    title: str  # of the platform
    added: int
    updated: int
    notes: tuple[str, ...]  # a sentence each

    def summary(self) -> str:
        return f"From {self.title}: {self.added} added, {self.updated} updated in {roster.FILE}"


def import_roster(course: Course, path: Path, section: str | None = None) -> Imported:
    """Import the table in `path`; raise `CourseError`, and change nothing, if it can't be done.

    Sections stand in the column `section`, or else in one that is called so.
    """
    rows = [{name: text[:MAX_FIELD] for name, text in row.items()} for row in read_table(path)]
    if rows and (column := _section_column(list(rows[0]), section)):
        rows = [row | {roster.SECTION: row[column]} for row in rows]
    title, new = _people_in(rows, path.name)
    with submissions_lock(course):
        old = course.people
        merged, by_name = _merged(old, new, path.name)
        roster.write_roster(course.root / roster.FILE, merged)
    added = len(merged) - len(old)
    notes = (f"{shown(name)} was recognised by name alone: check the line." for name in by_name)
    return Imported(title, added, len(new) - added, tuple(notes))


def _section_column(columns: Sequence[str], chosen: str | None) -> str | None:
    if chosen is not None:
        if chosen not in columns:
            raise CourseError(f"There is no column {chosen!r}: choose from {listing(columns)}.")
        return chosen
    called_so = (name for name in columns if roster.SECTION in name.casefold())
    groups = (name for name in columns if name.casefold() in _GROUPS)
    return next(chain(called_so, groups), None)


def _people_in(rows: Sequence[Mapping[str, str]], file: str) -> tuple[str, list[Person]]:
    """Return who stands in a table, and whose table it is."""
    if rows and "student_id" in rows[0]:
        people = [Person(**{name: row.get(name, "") for name in roster.COLUMNS}) for row in rows]
        return "a roster", _with_student_ids(people, ("student_id", "email"))
    for platform in _PLATFORMS if rows else ():
        if (people := platform.roster_in(rows)) is not None:
            return platform.TITLE, _with_student_ids(people, platform.STUDENT_IDS)
    people = _in_own_table(rows) if rows and roster.SECTION in rows[0] else []
    if not people:
        raise CourseError(
            f"{file} isn't a Canvas gradebook, a Moodle grading worksheet or a Gradescope roster, "
            "nor a table with a column student_id, nor one of sections and emails: download one as "
            "CSV, or give a column of yours that name in its first line."
        )
    return "a table of sections", _with_student_ids(people, ("email",))


def _in_own_table(rows: Sequence[Mapping[str, str]]) -> list[Person]:
    """Return who stands in a table of sections, such as Moodle's of participants, by an email."""
    people = [
        Person(
            student_id="",
            email=next((text for text in row.values() if moodle.EMAIL_ADDRESS.fullmatch(text)), ""),
            section=row[roster.SECTION],
        )
        for row in rows
    ]
    return people if all(each.email for each in people) else []


def _with_student_ids(people: Sequence[Person], columns: Sequence[str]) -> list[Person]:
    """Return the people with the first of `columns` that all of them have, each once, as id."""
    for column in columns:
        ids = roster.unique({n: getattr(person, column) for n, person in enumerate(people)})
        if len(ids) == len(people):
            return [replace(p, student_id=roster.student_id_of(getattr(p, column))) for p in people]
    raise CourseError(
        "Some students have no id, or share one: correct the table, in which none of "
        f"{', '.join(columns)} tells all of them apart."
    )


def _merged(
    old: Sequence[Person], new: Sequence[Person], file: str
) -> tuple[list[Person], list[str]]:
    """Return all people, and the names by which alone some were recognised."""
    known = People(old)  # of the table's own lines, each stands for itself
    people = dict(known.by_id)
    named: dict[str, list[str]] = defaultdict(list)
    for person in old:
        named[roster.plain_name(person.name)].append(person.student_id)
    alone = Counter(roster.plain_name(person.name) for person in new)
    by_name: list[str] = []
    taken: set[str] = set()
    for person in new:
        same = known.sharing(person)
        name = roster.plain_name(person.name)
        if not same and name and alone[name] == 1 and len(named[name]) == 1:
            same = {namesake for namesake in named[name] if not _differ(people[namesake], person)}
            by_name += [person.name] * len(same)
        is_other = not same and known.spelled(person.student_id)
        if len(same) > 1 or same & taken or is_other:
            whose = ", ".join(sorted(same)) or person.student_id
            raise CourseError(
                f"{file}: the ids of {shown(person.name)} belong to {whose} already: correct "
                f"{roster.FILE}."
            )
        student = same.pop() if same else person.student_id
        if old_person := people.get(student):
            said = {name: text for name, text in asdict(person).items() if text}
            name = old_person.name or person.name
            person = replace(old_person, **said | {"student_id": student, "name": name})
        people[student] = person
        taken.add(student)
    return list(people.values()), by_name


def _differ(old: Person, new: Person) -> bool:
    """Tell whether a platform knows two people of one name by different ids."""
    columns = ("canvas_id", *SHARED[1:])
    pairs = [(folded(getattr(old, name)), folded(getattr(new, name))) for name in columns]
    return any(one and other and one != other for one, other in pairs)
