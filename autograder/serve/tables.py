"""The server's own tables: what came in, who is signed in or invited, who did what, and platforms.

In SQLite they have a file of their own, so that nobody who hands in waits for marks that are
being recorded; on a database server they stand beside the gradebook. All times are in UTC, without
a zone.
"""

from enum import StrEnum

import sqlalchemy as sa

METADATA = sa.MetaData()
_ID = sa.String(128)
_THEIR_ID = sa.String(255)  # LTI's limit for ids that a platform gives
_HASH = sa.String(64)  # of what only its owner holds


class TryState(StrEnum):
    """Where a try stands. One that is being graded still waits: its grader may be killed."""

    WAITING = "waiting"
    REPLACED = "replaced"  # by a newer one, before it was graded
    REJECTED = "rejected"  # it is no notebook of the assignment: `said` tells why
    FAILED = "failed"  # the grader failed, twice if its process died: `said` tells the instructor
    GRADED = "graded"  # its report lies beside it
    RECORDED = "recorded"  # so are the marks of the try that counts


_STATE = sa.Enum(TryState, native_enum=False, length=16, values_callable=list)
TRIES = sa.Table(
    "autograder_tries",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("student", _ID, nullable=False, index=True),
    sa.Column("assignment", _ID, nullable=False, index=True),
    sa.Column("at", sa.DateTime, nullable=False),  # when it was handed in
    sa.Column("sha256", _HASH, nullable=False),
    sa.Column("by", sa.String(16), nullable=False),  # "page", "notebook", "folder", or a platform
    sa.Column("place", sa.Integer, nullable=False),  # in the queue: that of the one it replaced
    sa.Column("state", _STATE, nullable=False, index=True),
    sa.Column("score", sa.Float),  # of the exercises that are graded automatically
    sa.Column("max_score", sa.Float),
    sa.Column("said", sa.Text, nullable=False, default=""),
    sa.Column("finished", sa.DateTime, index=True),  # when it was recorded last, or given up
    sa.Column("chosen", sa.DateTime),  # when the student chose it to count
    sqlite_autoincrement=True,  # no number is given twice
)
SESSIONS = sa.Table(
    "autograder_sessions",
    METADATA,
    sa.Column("key", _HASH, primary_key=True),  # of the cookie
    sa.Column("person", _ID, nullable=False),  # a student's id; the name of anybody else
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("sections", sa.Text, nullable=False),  # JSON: whose work a TA sees; none: everybody's
    sa.Column("csrf", _HASH, nullable=False),  # what a form of theirs must hold
    sa.Column("expires", sa.DateTime, nullable=False),
)
# Sign-ins that have begun, and wait for an answer from elsewhere.
LOGINS = sa.Table(
    "autograder_logins",
    METADATA,
    sa.Column("state", _HASH, primary_key=True),
    sa.Column("browser", _HASH, nullable=False),  # of its cookie
    sa.Column("provider", sa.String(32), nullable=False),  # who is to answer
    sa.Column("nonce", sa.String(64), nullable=False),
    sa.Column("verifier", sa.String(64), nullable=False),  # of PKCE; LTI has none
    sa.Column("expires", sa.DateTime, nullable=False, index=True),
)
INVITES = sa.Table(
    "autograder_invites",
    METADATA,
    sa.Column("key", _HASH, primary_key=True),  # of the link
    sa.Column("person", _ID, nullable=False),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("sections", sa.Text, nullable=False),
    sa.Column("expires", sa.DateTime, nullable=False),
)
TOKENS = sa.Table(
    "autograder_tokens",
    METADATA,
    sa.Column("key", _HASH, primary_key=True),  # of what a notebook sends
    sa.Column("person", _ID, nullable=False),  # a student's id
    sa.Column("expires", sa.DateTime, nullable=False),
)
AUDIT = sa.Table(
    "autograder_audit",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.DateTime, nullable=False),
    sa.Column("person", _ID, nullable=False),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("address", sa.String(64), nullable=False),  # of their machine
    sa.Column("did", sa.String(200), nullable=False),
    sa.Column("about", _ID, nullable=False, index=True),  # which student, if it is about one
)
APPEALS = sa.Table(
    "autograder_appeals",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False, index=True),  # of the try
    sa.Column("student", _ID, nullable=False),
    sa.Column("assignment", _ID, nullable=False),
    sa.Column("exercise", _ID, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.DateTime, nullable=False),
    sa.Column("answered", sa.DateTime),  # None: it waits
    sa.Column("answer", sa.Text, nullable=False, default=""),
    sa.Column("by", _ID, nullable=False, default=""),
)

# About learning platforms

PLATFORMS = sa.Table(
    "autograder_lti_platforms",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("issuer", _THEIR_ID, nullable=False),
    sa.Column("client_id", _THEIR_ID, nullable=False),
    sa.Column("login_url", sa.Text, nullable=False),
    sa.Column("token_url", sa.Text, nullable=False),
    sa.Column("token_audience", sa.Text, nullable=False),  # most often the same
    sa.Column("keys_url", sa.Text, nullable=False),
    sa.UniqueConstraint("issuer", "client_id"),
)
DEPLOYMENTS = sa.Table(
    "autograder_lti_deployments",
    METADATA,
    sa.Column("platform", sa.ForeignKey(PLATFORMS.c.number), primary_key=True),
    sa.Column("deployment", _THEIR_ID, primary_key=True),
)
# A course on a platform. Nobody comes in from one before somebody here has accepted it.
CONTEXTS = sa.Table(
    "autograder_lti_contexts",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("platform", sa.ForeignKey(PLATFORMS.c.number), nullable=False),
    sa.Column("deployment", _THEIR_ID, nullable=False),
    sa.Column("context", _THEIR_ID, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("accepted", sa.Boolean, nullable=False),
    sa.Column("members_url", sa.Text, nullable=False),  # empty: the platform doesn't tell
    sa.Column("groups_url", sa.Text, nullable=False),
    sa.UniqueConstraint("platform", "deployment", "context"),
)
# Where a course on a platform links to an assignment, and the column there that takes its scores.
LINKS = sa.Table(
    "autograder_lti_links",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("context", sa.ForeignKey(CONTEXTS.c.number), nullable=False),
    sa.Column("link", _THEIR_ID, nullable=False),
    sa.Column("assignment", _ID, nullable=False, index=True),
    sa.Column("line_item", sa.Text, nullable=False),  # empty: none yet
    sa.Column("line_items", sa.Text, nullable=False),  # where one can be made; empty: nowhere
    sa.UniqueConstraint("context", "link"),
)
# Which students are in a course on a platform: a column there takes the scores of no others.
MEMBERS = sa.Table(
    "autograder_lti_members",
    METADATA,
    sa.Column("context", sa.ForeignKey(CONTEXTS.c.number), primary_key=True),
    sa.Column("student", _ID, primary_key=True),
)
# What a platform should know of a student's score, and whether it does.
SCORES = sa.Table(
    "autograder_lti_scores",
    METADATA,
    sa.Column("link", sa.ForeignKey(LINKS.c.number), primary_key=True),
    sa.Column("student", _ID, primary_key=True),
    sa.Column("score", sa.Text, nullable=False),  # as JSON
    sa.Column("delivered", sa.Boolean, nullable=False),
    sa.Column("failures", sa.Integer, nullable=False),  # in a row
    sa.Column("next_try", sa.DateTime, nullable=False, index=True),
    sa.Column("problem", sa.Text, nullable=False),  # of the last try
)
# Who may register a platform by itself: links that are open for a day, and used once.
OFFERS = sa.Table(
    "autograder_lti_offers",
    METADATA,
    sa.Column("key", _HASH, primary_key=True),  # of what its address holds
    sa.Column("expires", sa.DateTime, nullable=False),
)
