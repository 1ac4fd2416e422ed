"""All that is installed is pinned, with hashes, for every Python and processor that we name."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.courses import ROOT
from tests.documents import PAGES
from tests.licences import PAGE, pins, table

LOCK, CONSTRAINTS = ROOT / "requirements.lock", ROOT / "constraints.txt"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PYTHONS = ("3.11.0", "3.12.0", "3.13.0", "3.14.0")
PROCESSORS = ("x86_64", "aarch64")
_HASHED = re.compile(
    r"(?m)^[^#\s].*==.* \\\n(?:    --hash=sha256:[0-9a-f]{64} \\\n)*.*[0-9a-f]{64}\n"
)
_COMMAND = re.compile(r"(?<![!%])\b(?:pip|pipx|uv tool) install\b((?:\\\n|[^`\n|])*)")
_PLACE = re.compile(r"[/$\\>]|^\.|\.(lock|txt|whl)$")  # a path, or what a shell makes of a variable


def own_requirements() -> list[Requirement]:
    project = PROJECT["project"]
    extras = project["optional-dependencies"].values()
    texts = [*project["dependencies"], *(text for extra in extras for text in extra)]
    found = [Requirement(text) for text in texts]
    return [each for each in found if each.name != project["name"]]


@cache  # each package is asked for every Python and processor
def requirements_of(name: str) -> list[Requirement]:
    """Return what a package requires: as it says itself, or pyproject.toml for all its builds."""
    for said in PROJECT["tool"]["uv"]["dependency-metadata"]:
        if said["name"] == name:
            return [Requirement(text) for text in said["requires-dist"]]
    try:
        return [Requirement(text) for text in metadata.requires(name) or ()]
    except metadata.PackageNotFoundError:  # it is for an older Python than this one
        return []


def environment(python: str, processor: str) -> dict[str, str]:
    return {
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": processor,
        "platform_python_implementation": "CPython",
        "platform_system": "Linux",
        "python_full_version": python,
        "python_version": python.rpartition(".")[0],
        "sys_platform": "linux",
    }


def pinned_for(environment: dict[str, str]) -> list[Requirement]:
    return [
        each for each in pins(CONSTRAINTS) if not each.marker or each.marker.evaluate(environment)
    ]


def unpinned(environment: dict[str, str]) -> Iterator[str]:
    """Yield what an environment would need that isn't pinned for it, in a version that will do."""
    pinned = {pin.name: str(pin.specifier)[2:] for pin in pinned_for(environment)}
    waiting = [(each, "") for each in own_requirements()]
    seen = set()
    while waiting:
        wanted, extra = each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        if wanted.marker and not wanted.marker.evaluate({**environment, "extra": extra}):
            continue
        name = canonicalize_name(wanted.name)
        if name not in pinned or not wanted.specifier.contains(pinned[name], prereleases=True):
            yield str(wanted)
        waiting += [(each, one) for one in ("", *wanted.extras) for each in requirements_of(name)]


@pytest.mark.slow
@pytest.mark.parametrize(("python", "processor"), [*product(PYTHONS, PROCESSORS)])
def test_all_that_is_needed_is_pinned_for_every_python_and_processor(
    python: str, processor: str
) -> None:
    assert list(unpinned(environment(python, processor))) == []


def test_the_pythons_that_the_project_names_are_those_that_the_lock_is_for() -> None:
    project = PROJECT["project"]
    named = [name.rpartition(" :: ")[2] for name in project["classifiers"] if ":: 3." in name]
    assert named == [python.rpartition(".")[0] for python in PYTHONS]
    wanted = SpecifierSet(project["requires-python"])
    assert [*wanted.filter(["3.10.9", *PYTHONS, "3.15.0"])] == [*PYTHONS]


def test_every_pinned_package_runs_on_the_oldest_of_these_pythons() -> None:
    installed = {each.name for each in pins(LOCK)} & {*map(canonicalize_name, names_here())}
    assert len(installed) > 100
    said = {name: metadata.metadata(name).json.get("requires_python", "") for name in installed}
    assert [name for name, text in said.items() if "3.11.0" not in SpecifierSet(str(text))] == []


def names_here() -> list[str]:
    return [each.metadata["Name"] for each in metadata.distributions()]


def test_every_pin_of_the_lock_has_its_hashes_and_nothing_else() -> None:
    text = LOCK.read_text("utf-8")
    left = _HASHED.sub("", text).splitlines()
    assert [line for line in left if not line.startswith("#")] == []
    assert len(_HASHED.findall(text)) == len(pins(LOCK)) > 100


def test_the_constraints_pin_what_the_lock_pins_and_torch() -> None:
    torch = PROJECT["tool"]["uv"]["dependency-metadata"][0]
    named = f"{torch['name']}=={torch['version']}"
    assert named in PROJECT["project"]["optional-dependencies"]["attention"]
    assert {*map(str, pins(CONSTRAINTS))} == {*map(str, pins(LOCK)), named}


@pytest.mark.parametrize("file", [LOCK, CONSTRAINTS], ids=lambda file: file.name)
def test_no_pin_says_where_a_package_comes_from(file: Path) -> None:
    assert not re.search(r"://|^-|file:|@", file.read_text("utf-8"), re.MULTILINE)


def told_to_install() -> Iterator[tuple[Path, str]]:
    """Yield what our texts tell people or machines to install by name, and where."""
    written = [path for name in ("autograder", "solutions") for path in (ROOT / name).rglob("*")]
    own = [ROOT / "Makefile", ROOT / "Dockerfile"]
    for path in (*written, *PAGES, *own):
        if path.is_file() and "__pycache__" not in path.parts:
            for command in _COMMAND.findall(path.read_text("utf-8", errors="ignore")):
                command = re.sub(r"\$\(\w+\)", "$", command.replace("\\\n", " "))
                words = re.split(r"[\s\"'()…]+", command)
                for word in (word.rstrip(".,") for word in words if word[:1] != "-"):
                    if word and word != ":all:" and not _PLACE.search(word):
                        yield path, word


def test_people_are_told_to_install_only_what_is_pinned() -> None:
    """Nothing is told by the engine's own name: on the index, that is somebody else's, or free."""
    pinned = {pin.name for pin in pins(CONSTRAINTS)}
    told = [*told_to_install()]
    assert {word for _, word in told} >= {"distributed", "psycopg[binary]", "ipywidgets"}
    assert [(path, word) for path, word in told if word.partition("[")[0] not in pinned] == []


@pytest.mark.parametrize("extra", ["cluster", "postgresql", "lti"])
def test_an_extra_is_told_as_the_packages_that_it_stands_for(extra: str) -> None:
    told = {word for _, word in told_to_install()}
    assert {*PROJECT["project"]["optional-dependencies"][extra]} <= told


def test_every_pinned_package_has_its_licence_on_file() -> None:
    """To write it anew, under Python 3.11: `python -m tests.licences`."""
    rows = re.findall(r"(?m)^\| (?!package).*", PAGE.read_text("utf-8"))
    pinned = [pin.name for pin in pinned_for(environment("3.11.0", "x86_64"))]
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == pinned
    assert [row for row in table() if row not in rows] == []
