"""A real browser goes from the platform's link to the feedback; platform and server are two sites.

`python -m tests.serve.lti.test_browser FOLDER` keeps pictures of it.
"""

import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sqlalchemy import select

from autograder import browsers
from autograder.browsers import listening
from autograder.report import Outcome
from autograder.serve.doors import Doors
from autograder.serve.lti import launch, platforms, routes
from autograder.serve.lti.courier import Courier
from autograder.serve.lti.platforms import LtiPlatform as Registered
from autograder.serve.lti.services import Services
from autograder.serve.outgoing import Outgoing
from autograder.serve.serving import Where, server
from autograder.serve.store import Store
from autograder.serve.tables import CONTEXTS, INVITES
from tests.browser import PROGRAM, Browser, browser
from tests.serve.houses import School, house_without_threads
from tests.serve.lti.platforms import ADA, CLIENT, DEPLOYMENT, GRACE, Platform
from tests.toy_class import ToyClass, in_the_gradebook
from tests.toys import TOYS, course_of, with_settings
from tests.visitors import serving
from tests.waiting import comes_true

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAM, reason="there is no Chromium here"),
]
Keep = Callable[[Browser, str], None]


@dataclass(frozen=True)
class Sites:
    platform: Platform
    school: School
    services: Services

    @property
    def store(self) -> Store:
        return self.school.house.store


@contextmanager
def sites(toys: ToyClass) -> Iterator[Sites]:
    """Serve a platform at `localhost` and the course at 127.0.0.1: to a browser, two sites."""
    with (
        listening("A test", "127.0.0.1", 0) as opened,
        listening("A test", "127.0.0.1", 0) as for_platform,
    ):
        site = f"http://127.0.0.1:{opened.getsockname()[1]}"
        lms = f"http://localhost:{for_platform.getsockname()[1]}"
        platform = Platform(lms=lms, tool=site, line_item=f"{lms}/items/7/lineitem?type_id=3")
        course = with_settings(toys.course.root, f'[serve]\naddress = "{site}"\n')
        with house_without_threads(course) as house:
            tool = routes.open_tool(house.store, Outgoing(plain_http=True))
            platform.tool_keys = tool.keys.published
            urls = (f"{lms}/auth", f"{lms}/token", f"{lms}/keys")
            known = Registered(lms, CLIENT, *urls, deployments=frozenset({DEPLOYMENT}))
            platforms.save(house.store, known)
            house = replace(house, doors=Doors(routes.door(tool)))
            with (
                serving(server(house, Where()), opened),
                serving(browsers.server(platform.app()), for_platform),
            ):
                school = School(ToyClass(course), house, site)
                yield Sites(platform, school, tool.services)


def round_trip(found: Sites, tab: Browser, keep: Keep) -> None:
    """Go from an instructor's first launch to a student's score."""
    course = f"{found.platform.lms}/course"
    tab.open(f"{course}?user={GRACE.id}")
    keep(tab, "1-platform")
    tab.run("document.querySelector('a').click()")
    tab.wait("document.body.innerText.includes('accept')")
    keep(tab, "2-not-accepted")
    with found.store.engine.connect() as connection:
        (number,) = connection.scalars(select(CONTEXTS.c.number))
    launch.accept(found.store, number)

    tab.open(f"{found.platform.lms}/open/{GRACE.id}/choose")
    tab.wait("document.querySelector('button')")
    keep(tab, "3-choose")
    tab.run("document.querySelector('button').click()")
    tab.wait("document.body.innerText == 'chosen'")

    tab.open(f"{course}?user={ADA.id}")
    tab.run("document.querySelector('a').click()")
    tab.wait("document.querySelector('form.drop')")
    keep(tab, "4-homework")
    tries = found.school.tries
    handed_in = found.school.keep(ADA.email)
    found.school.grade(handed_in, [*6 * [Outcome.PASSED], *3 * [Outcome.FAILED]])
    assert tries.of(ADA.email, TOYS)
    tab.open(f"{found.school.site}/try/{handed_in.number}")
    keep(tab, "5-feedback")
    asyncio.run(Courier(found.store, found.services).round())
    tab.open(course)
    keep(tab, "6-score")
    assert "Ada Lovelace: 6 (FullyGraded)" in tab.text()

    tab.open(f"{course}?frame=1")
    assert comes_true(lambda: _invited(found.store), 60)
    keep(tab, "7-frame")


def _invited(store: Store) -> bool:
    with store.engine.connect() as connection:
        return bool(connection.execute(select(INVITES)).all())


def test_a_browser_goes_from_the_link_to_the_score(toys: ToyClass) -> None:
    with sites(toys) as found, browser() as tab:
        round_trip(found, tab, lambda *_: None)
        assert len(found.platform.returned) == 1
        assert found.platform.faults == []


if __name__ == "__main__":
    pictures = Path(sys.argv[1])

    def keep(tab: Browser, name: str) -> None:
        tab.picture(pictures / f"{name}.png")

    with tempfile.TemporaryDirectory() as folder:
        toys = ToyClass(in_the_gradebook(course_of(Path(folder))))
        with sites(toys) as found, browser() as tab:
            tab.look(960, 640)
            round_trip(found, tab, keep)
