"""What is connected, as lines for a terminal: platforms, their courses, links, and what is owed."""

from collections.abc import Iterator

from sqlalchemy import func, select

from autograder.serve.lti.passback import problems
from autograder.serve.lti.platforms import all_of
from autograder.serve.lti_tables import CONTEXTS, LINKS, MEMBERS
from autograder.serve.store import Store


def lines(store: Store) -> Iterator[str]:
    platforms = all_of(store)
    if not platforms:
        yield "No platform is registered: `autograder serve lti add` says how."
    members = select(func.count()).where(MEMBERS.c.context == CONTEXTS.c.number).scalar_subquery()
    contexts = store.rows(select(CONTEXTS, members.label("members")))
    links = store.rows(select(LINKS.c.context, LINKS.c.assignment))
    for platform in platforms:
        deployments = ", ".join(sorted(platform.deployments)) or "no deployment yet"
        yield f"{platform.issuer}, client {platform.client_id}: {deployments}"
        for each in contexts:
            if each.platform != platform.number:
                continue
            state = f"students who came here or are members there: {each.members}"
            if not each.accepted:
                state = f"waits: `autograder serve lti accept {each.number}` lets people in"
            yield f"  {each.number}. {each.title or each.context}: {state}"
            for name in sorted(link.assignment for link in links if link.context == each.number):
                yield f"     {name} is linked"
    yield from problems(store)
