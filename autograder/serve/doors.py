"""The other ways in besides invitations: learning platforms, and a provider of OpenID Connect.

They need the extra `lti`. Without it, or where nothing is registered, there are none.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.routing import BaseRoute

from autograder.course.loading import is_installed
from autograder.errors import CourseError
from autograder.serve.store import Store

ADVICE = "run `pip install 'pyjwt[crypto]' httpx`"


def has_packages() -> bool:
    return is_installed("jwt") and is_installed("httpx")


@dataclass(frozen=True)
class Doors:
    """Addresses that may be asked without a session, and end with `people.sign_in`."""

    routes: Sequence[BaseRoute] = ()
    links: Sequence[tuple[str, str]] = ()  # on the first page: what one says, and where it leads


@contextmanager
def open_doors(store: Store) -> Iterator[Doors]:
    """Open the doors of a course; as long as they are open, scores go to its platforms."""
    said = store.course.settings
    if not has_packages():
        if said.openid:
            raise CourseError(f"Signing in by OpenID Connect needs two packages: {ADVICE}.")
        yield Doors()
        return
    # here: a class without these needs none of their libraries
    from autograder.serve import openid
    from autograder.serve.lti import routes
    from autograder.serve.lti.courier import Courier
    from autograder.serve.outgoing import Outgoing

    outgoing = Outgoing(plain_http=not store.is_secure)
    tool = routes.open_tool(store, outgoing)
    found, links = [*routes.door(tool)], []
    if said.openid:
        provider = openid.Provider(said.openid, outgoing, tool.key_sets)
        found += openid.door(store, provider)
        links.append((said.openid.button, openid.BEGIN))
    with Courier(store, tool.services).threads.running():
        yield Doors(found, tuple(links))
