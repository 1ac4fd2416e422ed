"""Who the members of a platform's course are in the roster, whether or not they came here.

A line's `lti_id` says what the platform calls a student, and decides once it is there. Until then
an id or an email tells, which the roster and the platform share; a name never does.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sqlalchemy import func, select

from autograder.course import Course
from autograder.course.locking import submissions_lock
from autograder.course.roster import (
    FILE,
    People,
    Person,
    as_name,
    read_roster,
    student_id_of,
    write_roster,
)
from autograder.errors import CourseError, PlatformFault, shown
from autograder.serve.lti.claims import Member
from autograder.serve.lti.platforms import LtiPlatform, numbered
from autograder.serve.lti.services import Services
from autograder.serve.people import Role
from autograder.serve.store import Store, put_new
from autograder.serve.tables import CONTEXTS, LINKS, MEMBERS


@dataclass
class Enrolled:
    students: list[Person] = field(default_factory=list)
    added: int = 0
    is_changed: bool = False  # whether the roster is another now
    left_out: list[str] = field(default_factory=list)  # why, a sentence each


def enrol(course: Course, platform: LtiPlatform, members: Iterable[Member]) -> Enrolled:
    """Put the students among `members` into the roster, where they aren't or something is new.

    Nobody is taken out, and no name, email or id is changed that stands there.
    """
    path = course.root / FILE
    students = [each for each in members if each.role is Role.STUDENT and each.is_active]
    done = _put_among(People(read_roster(path)), platform, students)
    if done.is_changed:
        with submissions_lock(course):
            people = People(read_roster(path))
            done = _put_among(people, platform, students)
            write_roster(path, people.by_id.values())
    return done


def _put_among(people: People, platform: LtiPlatform, students: Iterable[Member]) -> Enrolled:
    on_platform = {each.lti_id: each for each in people.by_id.values() if each.lti_id}
    done, before = Enrolled(), len(people.by_id)
    for each in students:
        lti_id = platform.lti_id(each.user_id)
        try:
            old = on_platform.get(lti_id) or _sharing(people, each)
            person = _with(old or _new(people, each), lti_id, each)
        except CourseError as error:
            done.left_out.append(str(error))
            continue
        if person != old:
            people.put(person)
            on_platform[lti_id] = person
            done.is_changed = True
        done.students.append(person)
    done.added = len(people.by_id) - before
    return done


def _sharing(people: People, member: Member) -> Person | None:
    """Return the line of a member; raise `CourseError` if it may be somebody else's."""
    same = people.sharing(
        Person(member.student_id, email=member.email, canvas_sis_id=member.lis_person_sourcedid)
    )
    taken = any(people.by_id[student].lti_id for student in same)
    if len(same) > 1 or taken:
        raise _is_of(member, same)
    return people.by_id[same.pop()] if same else None


def _new(people: People, member: Member) -> Person:
    said = (member.student_id, member.lis_person_sourcedid, member.email)
    student = student_id_of(next(filter(None, said), f"lti-{member.user_id}"))
    if other := people.spelled(student):
        raise _is_of(member, {other})
    return Person(student)


def _is_of(member: Member, students: set[str]) -> CourseError:
    return CourseError(
        f"{shown(member.name or member.user_id)} has an id or an email of "
        f"{', '.join(sorted(students))} in {FILE}, who is somebody else: correct the line."
    )


def _with(person: Person, lti_id: str, member: Member) -> Person:
    return replace(
        person,
        lti_id=lti_id,
        name=person.name or as_name(" ".join(member.name.split())),
        email=person.email or member.email,
        section=", ".join(member.sections) or person.section,
    )


def keep_members(store: Store, context: int, students: Iterable[str]) -> None:
    """Note that students are in a course on a platform: its columns take their scores."""
    with store.writing() as connection:
        known = select(MEMBERS.c.student).where(MEMBERS.c.context == context)
        for student in sorted(set(students) - set(connection.scalars(known))):
            put_new(connection, MEMBERS, {"context": context, "student": student})


@dataclass(frozen=True)
class Fetched:
    title: str  # of the course on the platform
    roles: Mapping[str, int]  # how many there are of each
    enrolled: Enrolled
    problem: str = ""  # why the platform didn't say


async def fetch(store: Store, services: Services) -> list[Fetched]:
    """Bring the members of all accepted courses into the roster, with their sections."""
    some_link = select(func.min(LINKS.c.link)).where(LINKS.c.context == CONTEXTS.c.number)
    wanted = select(CONTEXTS, some_link.scalar_subquery().label("link")).where(
        CONTEXTS.c.accepted, CONTEXTS.c.members_url != ""
    )
    found = []
    for row in store.rows(wanted):
        platform = numbered(store, row.platform)
        try:
            members = await services.members(platform, row.members_url, row.link or "")
            if row.groups_url and any(each.sections for each in members):
                names = await services.groups(platform, row.groups_url)
                members = [_with_names(each, names) for each in members]
        except PlatformFault as error:
            found.append(Fetched(row.title, {}, Enrolled(), str(error)))
            continue
        enrolled = enrol(store.course, platform, members)
        keep_members(store, row.number, [person.student_id for person in enrolled.students])
        roles = Counter(each.role.value for each in members if each.role and each.is_active)
        found.append(Fetched(row.title, roles, enrolled))
    return found


def _with_names(member: Member, names: Mapping[str, str]) -> Member:
    """Return a member with groups by their names: the list of members has only their ids."""
    sections = tuple(names.get(each, each) for each in member.sections)
    return member.model_copy(update={"sections": sections})
