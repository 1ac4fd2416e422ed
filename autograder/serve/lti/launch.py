"""What becomes of a message: who somebody is here, where they go, and what is kept for services."""

from sqlalchemy import select

from autograder.course import Course
from autograder.errors import CourseError, SignInRefused, shown
from autograder.serve.lti import roster
from autograder.serve.lti.claims import ASSIGNMENT, Member, Message, text_in
from autograder.serve.lti.platforms import LtiPlatform
from autograder.serve.people import Identity, Role
from autograder.serve.store import Store, put
from autograder.serve.tables import CONTEXTS, LINKS


def course_of(store: Store, platform: LtiPlatform, message: Message) -> int:
    """Keep the course that a message comes from, and return its number.

    Raise `SignInRefused` if that is no place of the platform that is registered, or a course that
    nobody here has accepted: what an instructor is in another course is nothing here.
    """
    if message.deployment_id not in platform.deployments:
        raise SignInRefused(
            f"it comes from the platform's deployment {shown(message.deployment_id[:80])!r}, which "
            "isn't registered here"
        )
    key = {
        "platform": platform.number,
        "deployment": message.deployment_id,
        "context": message.context.id,
    }
    said = {
        "title": message.context.title,
        "members_url": message.namesroleservice.context_memberships_url,
        "groups_url": message.groupsservice.context_groups_url,
    }
    with store.writing() as connection:
        kept = put(connection, CONTEXTS, key, said, {"accepted": False})
    if not kept.accepted:
        raise SignInRefused(
            f"it comes from a course on the platform that isn't this one's yet; if it is, run "
            f"`autograder serve lti accept {kept.number}`"
        )
    return int(kept.number)


def accept(store: Store, number: int) -> str:
    """Let people in from a course on a platform, and return its title."""
    with store.writing() as connection:
        same = CONTEXTS.c.number == number
        connection.execute(CONTEXTS.update().where(same).values(accepted=True))
        title = connection.scalar(select(CONTEXTS.c.title).where(same))
    if title is None:
        raise CourseError(f"No course on a platform has the number {number}: look at the list.")
    return str(title)


def who(course: Course, platform: LtiPlatform, member: Member) -> Identity:
    """Return who somebody is here; students come into the roster by that."""
    match member.role:
        case None:
            raise SignInRefused("it gives no role in the course: instructor, assistant or learner")
        case Role.STUDENT:
            done = roster.enrol(course, platform, [member])
            if done.left_out:
                raise CourseError(done.left_out[0])
            return Identity(done.students[0].student_id)
        case role:
            name = member.email or member.name or platform.lti_id(member.user_id)
            return Identity(name, role, tuple(member.sections) if role is Role.TA else ())


def assignment_of(store: Store, context: int, message: Message) -> str:
    """Return what a link leads to, and keep where its scores go; nothing if it names nothing."""
    name = text_in(message.custom.get(ASSIGNMENT))
    if not name:
        return ""
    store.course.check_assignment(name)
    assert message.resource_link
    grades = message.endpoint
    said = {"assignment": name, "line_items": grades.lineitems}
    if grades.lineitem:
        said["line_item"] = grades.lineitem
    key = {"context": context, "link": message.resource_link.id}
    with store.writing() as connection:
        put(connection, LINKS, key, said, {"line_item": ""})
    return name
