"""Who is in the course on a platform comes into the roster, whether or not they came here."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, select

from autograder.errors import PlatformFault
from autograder.serve.lti.claims import Member
from autograder.serve.lti.launch import keep_members
from autograder.serve.lti.platforms import numbered
from autograder.serve.lti.roster import Enrolled, enrol
from autograder.serve.lti.services import Services
from autograder.serve.lti_tables import CONTEXTS, LINKS
from autograder.serve.store import Store


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
