"""An instructor chooses, on the platform's page for new content, which assignment a link leads to.

Each button sends the platform a signed answer, so nothing has to be kept here until one is pressed.
"""

import secrets
import time
from typing import Any

from autograder.intake.release import Release
from autograder.serve.lti.claims import (
    ASSIGNMENT,
    DEEP_LINKING,
    LTI,
    SECTION,
    STUDENT_ID,
    Message,
)
from autograder.serve.lti.keys import Keys
from autograder.serve.lti.platforms import LtiPlatform
from autograder.serve.store import Store

LIFE = 1800  # seconds that somebody may look at the page
# What platforms replace by what they know of a student, where they know the word.
ASKED = {SECTION: "$com.instructure.User.sectionNames", STUDENT_ID: "$Person.sourcedId"}


def answer(
    store: Store, keys: Keys, platform: LtiPlatform, message: Message, assignment: str
) -> str:
    """Return the signed answer that makes a link to an assignment, with a column for its scores."""
    assert message.deep_linking_settings
    item: dict[str, Any] = {
        "type": "ltiResourceLink",
        "title": assignment,
        "url": f"{store.site}/lti/launch",
        "custom": {ASSIGNMENT: assignment, **ASKED},
        "window": {"targetName": "_blank"},
    }
    points = sum(cell.nbgrader.points for cell in Release.load(store.course, assignment).cells)
    if points > 0:
        column = {"scoreMaximum": points, "label": assignment, "resourceId": assignment}
        item["lineItem"] = column
    now = int(time.time())
    claims = {
        "iss": platform.client_id,
        "aud": platform.issuer,
        "iat": now,
        "exp": now + LIFE,
        "nonce": secrets.token_urlsafe(16),
        f"{LTI}message_type": "LtiDeepLinkingResponse",
        f"{LTI}version": "1.3.0",
        f"{LTI}deployment_id": message.deployment_id,
        f"{DEEP_LINKING}content_items": [item],
    }
    if message.deep_linking_settings.data is not None:
        claims[f"{DEEP_LINKING}data"] = message.deep_linking_settings.data
    return keys.sign(claims)
