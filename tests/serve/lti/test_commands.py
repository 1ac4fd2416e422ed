"""What an instructor types to connect a platform."""

import asyncio
import re
from dataclasses import replace

import pytest

from autograder.errors import CourseError, PlatformFault
from autograder.serve import doors
from autograder.serve.lti import platforms
from autograder.serve.lti.platforms import kinds, numbered
from tests.commands import autograder
from tests.courses import ROOT
from tests.serve.lti.platforms import ADA, LMS
from tests.serve.lti.worlds import World
from tests.toy_class import ToyClass

DOCS = ROOT / "docs" / "lti.md"


@pytest.mark.parametrize("kind", kinds())
def test_each_platform_has_five_fields_and_the_page_shows_them(kind: str) -> None:
    found = kinds()[kind]
    assert len(found.paste) == 5
    (row,) = re.findall(rf"^\| {found.title} \|.*$", DOCS.read_text("utf-8"), re.MULTILINE)
    assert set(found.paste) == set(re.split(r" \| |, ", row.strip("| "))[1:])


def test_before_there_is_a_client_id_the_fields_are_printed(toys: ToyClass) -> None:
    done = autograder(toys.course.root, "serve", "lti", "add", "moodle")
    assert "Redirection URI(s):\n    http://127.0.0.1:8000/lti/launch" in done.stdout
    assert "    section=$com.instructure.User.sectionNames\n    student_id=$Person" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("canvs",), "There is no kind 'canvs': choose canvas,"),
        (("moodle", "--client-id", "1"), "Say where your Moodle is"),
        (("other", "--client-id", "1"), "said: --issuer, --login-url, --token-url, --keys-url."),
    ],
)
def test_what_is_missing_is_told(toys: ToyClass, words: tuple[str, ...], said: str) -> None:
    done = autograder(toys.course.root, "serve", "lti", "add", *words)
    assert (done.returncode, said in done.stderr) == (1, True)


def test_without_the_packages_it_says_what_to_install(
    toys: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "is_installed", lambda _: False)
    done = autograder(toys.course.root, "serve", "lti", "list")
    assert (done.returncode, "run `pip install 'pyjwt[crypto]' httpx`" in done.stderr) == (1, True)


def test_a_platform_is_checked(linked: World) -> None:
    platform = numbered(linked.store, 1)
    assert asyncio.run(platforms.check(platform, linked.tool.outgoing)) == 1
    with pytest.raises(CourseError, match="publishes no keys"):
        elsewhere = replace(platform, keys_url=f"{LMS}/.well-known/openid-configuration")
        asyncio.run(platforms.check(elsewhere, linked.tool.outgoing))
    with pytest.raises(PlatformFault, match="status 404"):
        elsewhere = replace(platform, keys_url=f"{LMS}/nothing")
        asyncio.run(platforms.check(elsewhere, linked.tool.outgoing))


@pytest.mark.parametrize("subject", ["u-1", "ada@example.edu", "1@lms.example"])
def test_whatever_a_platform_calls_somebody_is_found_again(linked: World, subject: str) -> None:
    platform = numbered(linked.store, 1)
    assert platform.subject(platform.lti_id(subject)) == subject
    assert replace(platform, issuer="https://other").subject(platform.lti_id(subject)) == ""


def test_a_deployment_is_added_and_none_is_lost(linked: World) -> None:
    platform = numbered(linked.store, 1)
    platforms.save(linked.store, replace(platform, deployments=frozenset({"2"})))
    assert numbered(linked.store, 1).deployments == {"1", "2"}


def test_the_list_says_what_is_connected(linked: World) -> None:
    with linked.browser() as browser:
        linked.launch(browser, ADA)
    first, course, link = platforms.overview(linked.store)
    assert first == "https://lms.example, client client-1: 1"
    assert course == "  1. Attention: students who came here or are members there: 1"
    assert link == "     toys is linked"


def test_what_is_not_there_cant_be_accepted(linked: World) -> None:
    done = autograder(linked.course.root, "serve", "lti", "accept", "7")
    assert "No course on a platform has the number 7" in done.stderr
