"""From the platform's link to the score in its gradebook, through the whole server."""

import asyncio
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace

import httpx
import pytest
from bs4 import BeautifulSoup

from autograder.report import Outcome
from autograder.serve.app import app
from autograder.serve.doors import Doors
from autograder.serve.lti import routes
from autograder.serve.lti.courier import Courier
from tests.serve.houses import School, house_without_threads
from tests.serve.lti.platforms import ADA, GRACE, LMS, TOOL, User
from tests.serve.lti.worlds import World, world
from tests.toy_class import ToyClass
from tests.toys import TOYS, with_settings


@dataclass(frozen=True)
class Served:
    """A server that a platform links to, and what each of them sees."""

    world: World
    school: School

    def open(self, browser: httpx.Client, user: User) -> BeautifulSoup:
        """Open the platform's link as a browser does, up to the page that it leads to."""
        response = self.world.launch(browser, user)
        assert response.status_code == 303, response.text
        return self.page(browser.get(f"{TOOL}{response.headers['location']}"))

    def page(self, response: httpx.Response) -> BeautifulSoup:
        assert response.status_code == 200, response.text
        return BeautifulSoup(response.text, "html.parser")


@pytest.fixture
def served(toys: ToyClass) -> Iterator[Served]:
    course = with_settings(toys.course.root, f'[serve]\naddress = "{TOOL}"\n')
    with world(course) as made, house_without_threads(course) as house:
        house = replace(house, store=made.store, doors=Doors(routes.door(made.tool)))
        made.app = app(house)
        made.hosts.add(TOOL, made.app)
        yield Served(made.accept(), School(ToyClass(course), house, TOOL))


@pytest.mark.slow
def test_a_student_comes_by_the_link_hands_in_and_the_score_arrives(served: Served) -> None:
    with served.world.browser() as browser:
        page = served.open(browser, ADA)
        form = page.select_one("form.drop")
        assert form
        data = {str(each["name"]): str(each["value"]) for each in form.select("[type=hidden]")}
        raw = io.BytesIO(served.school.notebook({"why": "Because."}))
        response = browser.post(
            f"{TOOL}/homework/{TOYS}", data=data, files={"notebook": (f"{TOYS}.ipynb", raw)}
        )
        assert response.status_code == 303, response.text
        (found,) = served.school.tries.of(ADA.email, TOYS)
        served.school.grade(found, [*6 * [Outcome.PASSED], *3 * [Outcome.FAILED]])
        assert "6" in served.page(browser.get(f"{TOOL}/try/{found.number}")).get_text()
    courier = Courier(served.world.store, served.world.services)
    asyncio.run(courier.round())
    (score,) = served.world.platform.scores
    assert (score["userId"], score["gradingProgress"]) == (ADA.id, "PendingManual")
    assert score["submission"]["submittedAt"].endswith("+00:00")
    assert served.world.platform.faults == []


def test_an_instructor_comes_to_the_class(served: Served) -> None:
    with served.world.browser() as browser:
        assert TOYS in served.open(browser, GRACE).get_text()


def test_what_lti_lets_in_still_passes_the_guard(served: Served) -> None:
    """Only LTI's own addresses take forms of other sites."""
    with served.world.browser() as browser:
        served.open(browser, ADA)
        answer = browser.post(f"{TOOL}/leave", headers={"Origin": LMS})
        assert answer.status_code == 403
