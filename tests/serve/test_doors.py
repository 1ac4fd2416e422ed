"""Which ways in there are, by what is installed and what `course.toml` says."""

import pytest

from autograder.errors import CourseError
from autograder.serve import doors
from autograder.serve.doors import Doors, open_doors
from autograder.serve.store import open_store
from tests.serve.test_openid import SETTINGS
from tests.toy_class import ToyClass
from tests.toys import with_settings


def test_platforms_can_come_where_the_libraries_are(toys: ToyClass) -> None:
    with open_store(toys.course) as store, open_doors(store) as found:
        paths = [getattr(route, "path", "") for route in found.routes]
    assert paths == ["/lti/login", "/lti/launch", "/lti/keys", "/lti/register/{secret}"]
    assert found.links == ()


def test_a_provider_has_a_link_on_the_first_page(toys: ToyClass) -> None:
    course = with_settings(toys.course.root, SETTINGS)
    with open_store(course) as store, open_doors(store) as found:
        assert found.links == (("Sign in with your university's account", "/openid/login"),)


def test_without_the_libraries_there_are_invitations(
    toys: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "is_installed", lambda _: False)
    with open_store(toys.course) as store, open_doors(store) as found:
        assert found == Doors()
    course = with_settings(toys.course.root, SETTINGS)
    with (
        open_store(course) as store,
        pytest.raises(CourseError, match="needs two packages"),
        open_doors(store),
    ):
        pass
