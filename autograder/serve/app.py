"""Which address of the server shows what, and to whom.

Besides our own pages there are doors: ways to sign in that others provide. Each is a function that
takes the course and the store and returns routes, which may be reached without a session; they end with
`people.sign_in`.
"""

from collections.abc import Callable, Sequence

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from autograder.course import Course
from autograder.serve.store import Store

Door = Callable[[Course, Store], Sequence[BaseRoute]]


def app(course: Course, store: Store, site: str, doors: Sequence[Door] = ()) -> Starlette:
    """Return the application; `site` is its address as browsers know it, such as https://hw.example."""
    made = Starlette(routes=[route for door in doors for route in door(course, store)])
    made.state.course, made.state.store, made.state.site = course, store, site
    return made
