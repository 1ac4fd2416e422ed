"""The server's tables about learning platforms; all times are in UTC, without a zone."""

import sqlalchemy as sa

from autograder.serve.tables import METADATA

_ID = sa.String(255)  # the specification's limit for ids that a platform gives

PLATFORMS = sa.Table(
    "autograder_lti_platforms",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("issuer", _ID, nullable=False),
    sa.Column("client_id", _ID, nullable=False),
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
    sa.Column("deployment", _ID, primary_key=True),
)
# A course on a platform. Nobody comes in from one before somebody here has accepted it.
CONTEXTS = sa.Table(
    "autograder_lti_contexts",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("platform", sa.ForeignKey(PLATFORMS.c.number), nullable=False),
    sa.Column("deployment", _ID, nullable=False),
    sa.Column("context", _ID, nullable=False),
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
    sa.Column("link", _ID, nullable=False),
    sa.Column("assignment", sa.String(128), nullable=False, index=True),
    sa.Column("line_item", sa.Text, nullable=False),  # empty: none yet
    sa.Column("line_items", sa.Text, nullable=False),  # where one can be made; empty: nowhere
    sa.UniqueConstraint("context", "link"),
)
# Which students are in a course on a platform: a column there takes the scores of no others.
MEMBERS = sa.Table(
    "autograder_lti_members",
    METADATA,
    sa.Column("context", sa.ForeignKey(CONTEXTS.c.number), primary_key=True),
    sa.Column("student", sa.String(128), primary_key=True),
)
# What a platform should know of a student's score, and whether it does.
SCORES = sa.Table(
    "autograder_lti_scores",
    METADATA,
    sa.Column("link", sa.ForeignKey(LINKS.c.number), primary_key=True),
    sa.Column("student", sa.String(128), primary_key=True),
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
    sa.Column("key", sa.String(64), primary_key=True),  # the hash of what its address holds
    sa.Column("expires", sa.DateTime, nullable=False),
)
