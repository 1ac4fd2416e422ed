"""Open the server: the pages, and the threads that grade and record."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import sqlalchemy.orm  # noqa: F401 - nbgrader does so in a thread, while others ask for rows
import uvicorn

from autograder import browsers
from autograder.errors import CourseError
from autograder.gradebook import configuration, database
from autograder.grading.settings import Settings
from autograder.serve.app import app
from autograder.serve.doors import open_doors
from autograder.serve.line import Grading, Line
from autograder.serve.live import Board
from autograder.serve.store import open_store
from autograder.serve.told import Telling
from autograder.serve.tries import Tries
from autograder.serve.visit import House

BACKLOG = 2048  # who may wait to be answered, while it opens
MAX_CONNECTIONS = 4000  # at once: most are people who wait for their result


@dataclass(frozen=True)
class Where:
    """Where the server listens, and what stands between it and browsers."""

    host: str = "127.0.0.1"
    port: int = 8000
    proxies: Sequence[str] = ()  # whose word is taken on a request's sender and scheme
    certificate: Path | None = None  # for TLS without a proxy, with its key
    key: Path | None = None


@contextmanager
def house_of(settings: Settings, workers: int) -> Iterator[House]:
    """Open what all requests share, and grade what comes in until the end."""
    url = configuration.url(settings.course)
    with ExitStack() as stack:
        store = stack.enter_context(open_store(settings.course))
        gradebook = stack.enter_context(database.opened(url))
        tries = Tries(store)
        line = Line(tries, workers)
        telling = stack.enter_context(closing(Telling(tries, gradebook)))
        telling.warm()
        stack.enter_context(Grading(settings, line).running())
        doors = stack.enter_context(open_doors(store))
        yield House(store, tries, line, telling, Board(line), doors)


def serve(settings: Settings, workers: int, where: Where, tell: Callable[[str], None]) -> None:
    site = settings.course.settings.serve.address
    _check_port(site, where)
    # First of all it listens: a request while it opens is answered a moment later.
    opened = browsers.listening("The server", where.host, where.port, BACKLOG)
    with opened, house_of(settings, workers) as house:
        made = server(house, where)
        tell(f"The server is open at {site} (Ctrl+C closes it)")
        with suppress(KeyboardInterrupt):  # that is how it is closed
            made.run(sockets=[opened])


def server(house: House, where: Where) -> uvicorn.Server:
    return browsers.server(
        app(house),
        proxy_headers=bool(where.proxies),
        forwarded_allow_ips=list(where.proxies),
        ssl_certfile=where.certificate,
        ssl_keyfile=where.key,
        limit_concurrency=MAX_CONNECTIONS,
    )


def _check_port(site: str, where: Where) -> None:
    """Raise `CourseError` if browsers would look for the server elsewhere."""
    parts = urlsplit(site)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    if port != where.port and not where.proxies:
        raise CourseError(
            f"Browsers would look for it at {site}, and it listens at port {where.port}: set "
            "`address` below [serve] in course.toml, or name the proxy between them by --proxy."
        )
