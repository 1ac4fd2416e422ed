"""What a platform says in a message: the claims that are used here, with their types.

Platforms add claims of their own, and leave out what they don't offer. Fields have the names that
LTI 1.3 and its services give them.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from autograder.errors import SignInRefused
from autograder.serve.people import Role

LTI = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/"
_SERVICES = tuple(f"https://purl.imsglobal.org/spec/lti-{s}/claim/" for s in ("ags", "nrps", "gs"))
_OF_A_PERSON = ("sub", "name", "email")  # OpenID Connect's own claims have no prefix
# Roles in the course alone: the institution's administrators don't teach here.
_MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
INSTRUCTOR, LEARNER = f"{_MEMBERSHIP}#Instructor", f"{_MEMBERSHIP}#Learner"
TA = f"{_MEMBERSHIP}/Instructor#TeachingAssistant"  # and longer ones: …Section, …Group
# Parameters of a link that we ask for: its assignment, and what is known of its reader.
ASSIGNMENT, SECTION, STUDENT_ID = "assignment", "section", "student_id"

Id = Annotated[str, Field(min_length=1, max_length=255)]
MAX_TEXT = 2000  # characters of a name, or an address
Text = Annotated[  # null means the same as nothing
    str, BeforeValidator(lambda said: said[:MAX_TEXT] if isinstance(said, str) else said or "")
]


class _Claim(BaseModel):
    model_config = ConfigDict(frozen=True)


class Context(_Claim):
    """The course on the platform."""

    id: Id
    title: Text = ""


class ResourceLink(_Claim):
    id: Id


class DeepLinking(_Claim):
    """Where the platform wants to be told what an instructor chose."""

    deep_link_return_url: str
    data: Any = None


class Lis(_Claim):
    """What the student information system knows."""

    person_sourcedid: Text = ""


class Grades(_Claim):
    """The column for a link's scores, and where columns can be made."""

    lineitem: Text = ""
    lineitems: Text = ""


class Lists(_Claim):
    """Where the platform says who is in the course, or which groups there are."""

    context_memberships_url: Text = ""
    context_groups_url: Text = ""


class Member(_Claim):
    """Somebody in the course, as both a message and the list of members say it."""

    user_id: Id
    roles: tuple[str, ...]
    name: Text = ""
    email: Text = ""
    lis_person_sourcedid: Text = ""
    status: Text = ""  # which means that they are active
    sections: tuple[str, ...] = ()
    student_id: str = ""  # where the link asks for it, and the platform knows

    @property
    def is_active(self) -> bool:
        return self.status in ("", "Active")

    @property
    def role(self) -> Role | None:
        """What they are in this course; None if it is nothing that we know."""
        roles = [role.casefold() for role in self.roles]  # Canvas writes `instructor#…`
        if any(role.startswith(TA.casefold()) for role in roles):  # who is an instructor, too
            return Role.TA
        if INSTRUCTOR.casefold() in roles:
            return Role.INSTRUCTOR
        return Role.STUDENT if LEARNER.casefold() in roles else None


class Message(_Claim):
    """A message that opens a link, or asks for one."""

    sub: Id
    name: Text = ""
    email: Text = ""
    version: Literal["1.3.0"]
    message_type: Literal["LtiResourceLinkRequest", "LtiDeepLinkingRequest"]
    deployment_id: Id
    roles: tuple[str, ...]
    context: Context
    resource_link: ResourceLink | None = None
    deep_linking_settings: DeepLinking | None = None
    custom: Mapping[str, Any] = Field(default_factory=dict)
    lis: Lis = Lis()
    endpoint: Grades = Grades()
    namesroleservice: Lists = Lists()
    groupsservice: Lists = Lists()

    @property
    def member(self) -> Member:
        return Member(
            user_id=self.sub,
            roles=self.roles,
            name=self.name,
            email=self.email,
            lis_person_sourcedid=self.lis.person_sourcedid,
            sections=texts_in(self.custom.get(SECTION)),
            student_id=text_in(self.custom.get(STUDENT_ID)),
        )


def read_message(claims: Mapping[str, Any]) -> Message:
    """Return the message in a token's claims; raise `SignInRefused` if it is none that we know."""
    said = {name: claims[name] for name in _OF_A_PERSON if name in claims}
    for prefix in (*_SERVICES, DEEP_LINKING, LTI):
        said |= {n.removeprefix(prefix): each for n, each in claims.items() if n.startswith(prefix)}
    try:
        message = Message.model_validate(said)
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise SignInRefused(f"nothing that can be used stands in its `{place}`") from None
    is_choice = message.message_type == "LtiDeepLinkingRequest"
    needed = message.deep_linking_settings if is_choice else message.resource_link
    if needed is None:
        raise SignInRefused("it doesn't say which link it is about")
    return message


def text_in(said: object) -> str:
    """Return a parameter that we asked for; nothing if the platform didn't know the word."""
    return said[:MAX_TEXT] if isinstance(said, str) and not said.startswith("$") else ""


def texts_in(said: object) -> tuple[str, ...]:
    """Return several texts in a parameter: platforms write JSON, or commas between them."""
    parts = (part.strip(' "') for part in text_in(said).strip("[] ").split(","))
    return tuple(part for part in parts if part)
