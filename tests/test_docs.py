"""What the documentation tells people to type works, and its links lead somewhere."""

import contextlib
import io
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch
from urllib.parse import unquote

import pytest
import typer

import autograder
from autograder.cli.app import app
from autograder.course import Course
from autograder.course.course import SEED_FILE
from autograder.errors import CourseError
from autograder.gradebook import tables
from tests import demo_class, documents, screenshots
from tests.courses import KIT, ROOT
from tests.documents import PAGES, Command, agrees, anchors, commands, mentioned
from tests.toy_class import ToyClass
from tests.toys import RIGHT

DOCS = ROOT / "docs"
OPTION = re.compile(r"--[\w-]+")

# What no test types, and why. Its options are checked all the same.
NOT_TYPED = {
    r"autograder desk|make desk|make formgrader": "it waits for a person",
    r"autograder serve|make serve": "it waits for students; tests/serve opens it",
    r"make (test|fast|exhaustive|lint)": "it would run this test",
    r"make (mutants|hostile|bench)|python -m tests\.": "it takes hours; its parts are tested",
    r"make screenshots": "it needs a browser, and writes into the documentation",
    r"make (release|grade|report|feedback)": "a thin line over a command that is typed elsewhere",
    r"\. \.\./\.\./\.venv/|autograder (demo|test|release)( +#.*)?$": "tests/test_examples.py does",
    r"docker ": "it needs Docker",
    r"sbatch ": "it needs SLURM",
    r"systemctl |journalctl ": "it needs systemd; its units are tested below",
    r"dask |autograder grade --scheduler": "tests/work starts clusters",
    r"createdb |export AUTOGRADER_DB_URL|autograder grade$": "tests/gradebook starts PostgreSQL",
    r"python -m pip ": "tests/course/test_wheel.py does it in an environment of its own",
}
TYPED_HERE = ("make demo", "make course DIR=../my-course")  # of pages that aren't typed whole
IN_A_TERM, OF_AUTHORS = "teach-with-it.md", "write-an-exercise.md"
IN_A_COURSE_OF_ITS_OWN = (IN_A_TERM, OF_AUTHORS)
IN_THIS_COURSE = "run-it-elsewhere.md"  # it makes the packages for platforms


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """What a newcomer's shell has: the system's programs with a Python, an empty home, no more.

    Packages are those of this environment (`with_packages`), so that pip needs no network.
    """
    programs, home = tmp_path / "programs", tmp_path / "home"
    programs.mkdir()
    home.mkdir()
    (programs / "python3").symlink_to(Path(sys._base_executable).resolve())  # type: ignore[attr-defined]
    pip = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}  # the latter means: don't isolate
    return pip | {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(home)}


def clone(folder: Path) -> Path:
    """Copy this repository as somebody who clones it gets it."""
    left_out = shutil.ignore_patterns(".*", "__pycache__", "submitted", "feedback", "reports")
    return shutil.copytree(ROOT, folder, ignore=left_out)


def with_packages(folder: Path) -> Path:
    """Make a course's `.venv` that has the packages of this environment, but not the autograder."""
    made = folder / ".venv"
    venv.create(made)
    (packages,) = made.glob("lib/python*/site-packages")
    (packages / "packages.pth").write_text(sysconfig.get_path("purelib"))
    return made


def install_here(folder: Path) -> None:
    """Do what the first `make` in a clone does."""
    made = with_packages(folder)
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--editable", str(folder)]
    subprocess.run([made / "bin" / "python", "-m", "pip", "install", *options], check=True)
    (made / ".installed").touch()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        # These two take minutes. Their commands are tried one by one in other rooms.
        pytest.param(IN_A_TERM, marks=pytest.mark.exhaustive),
        pytest.param(OF_AUTHORS, marks=pytest.mark.exhaustive),
        IN_THIS_COURSE,
    ],
)
def test_what_a_page_tells_people_to_type_works_from_its_first_line_to_its_last(
    name: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    session = [each for each in commands(DOCS / name) if not why_not_typed(each.text, name)]
    root = clone(tmp_path / "kit")
    if name == IN_THIS_COURSE:
        install_here(root)
        (root / SEED_FILE).write_text("0")  # drawn when something was graded
    else:
        with_packages(tmp_path / "my-course")
    done = documents.typed(root, session, environment)
    for command, found in zip(session, done, strict=False):
        assert found.status == command.status, f"{command.text}\n{found.printed}"
        if command.prints is not None:
            assert agrees(found.printed, command.prints), f"{command.text}\n{found.printed}"
    assert len(done) == len(session) > 1


@pytest.mark.exhaustive  # it grades a class of forty
def test_the_demo_of_the_readme_works_in_a_copy_of_this_repository(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    root = clone(tmp_path / "kit")
    install_here(root)
    (found,) = documents.typed(root, [Command("make demo")], environment)
    assert found.status == 0, found.printed
    assert "To open in a browser:" in found.printed


def test_every_block_is_typed_by_a_test_or_has_a_reason_not_to_be() -> None:
    pages = {*IN_A_COURSE_OF_ITS_OWN, IN_THIS_COURSE}
    for page in PAGES:
        for command in commands(page):
            text = command.text.split("#")[0].strip()
            if page.name not in pages and text not in TYPED_HERE:
                assert why_not_typed(command.text, page.name), f"{page.name}: {command.text}"


def why_not_typed(command: str, page: str) -> str:
    """Return the reason why nobody types `command`, if there is one."""
    for pattern, reason in NOT_TYPED.items():
        is_general = pattern.endswith("$") or "make (release" in pattern
        if re.match(pattern, command) and not (is_general and page in IN_A_COURSE_OF_ITS_OWN):
            return reason
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_a_page_names_is_there_with_its_options(page: Path) -> None:
    missing = [fault for text in mentioned(page) for fault in faults(text)]
    assert missing == []


def faults(command: str) -> Iterator[str]:
    """Yield what a command names that there isn't, if it is one of ours."""
    program, *words = shlex.split(command, comments=True)
    if program.rpartition("/")[2] == "autograder":
        yield from _faults_of_ours(command, words)
    elif program == "make":
        template = ROOT / "autograder" / "course" / "templates" / "course" / "Makefile.jinja"
        text = (ROOT / "Makefile").read_text() + template.read_text()
        targets = re.findall(r"^([a-z]+):", text, re.MULTILINE)
        for word in words:
            if "=" not in word and word not in targets:
                yield f"{command}: there is no target {word}"


def _faults_of_ours(command: str, words: list[str]) -> Iterator[str]:
    found = typer.main.get_command(app)
    while getattr(found, "commands", None) and words:
        if words[0].startswith("-") and getattr(found, "invoke_without_command", False):
            break
        name = words.pop(0)
        if name not in found.commands:  # type: ignore[attr-defined]
            yield f"{command}: there is no command {name}"
            return
        found = found.commands[name]  # type: ignore[attr-defined]
    known = {"--help", "--debug", *(option for each in found.params for option in each.opts)}
    for word in words:
        if word.startswith("--") and word.partition("=")[0] not in known:
            yield f"{command}: there is no option {word}"


def help_of(command: tuple[str, ...]) -> str:
    """Return what a program says of itself; one of the tests' own says it in this process."""
    if command[0] == sys.executable:
        said = io.StringIO()
        with (
            warnings.catch_warnings(action="ignore"),  # of a module that a test has imported
            contextlib.redirect_stdout(said),
            patch.object(sys, "argv", [command[-1], "--help"]),
        ):
            try:
                runpy.run_module(command[-1], run_name="__main__")
            except SystemExit as ended:
                assert not ended.code
        return said.getvalue()
    done = subprocess.run(
        [*command, "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow  # each asks a program
def test_programs_of_the_tests_and_of_dask_have_the_options_that_the_pages_name() -> None:
    named = {text for page in PAGES for text in mentioned(page)}
    asked: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for text in named:
        program, *words = shlex.split(text, comments=True)
        if program == "python" and words[1:2] and words[1].startswith("tests."):
            asked[sys.executable, *words[:2]].update(OPTION.findall(text))
        elif program == "dask":
            dask = str(Path(sys.executable).with_name("dask"))
            asked[dask, words[0]].update(OPTION.findall(text))
    assert len(asked) > 3
    for command, options in asked.items():
        said = help_of(command)
        assert options <= set(OPTION.findall(said)), f"{command}: {said}"


def test_a_command_or_an_option_that_there_is_not_is_found() -> None:
    """Or else the tests above would prove nothing."""
    assert list(faults("autograder grad")) == ["autograder grad: there is no command grad"]
    (said,) = faults("autograder roster import --frm x")
    assert "--frm" in said
    assert list(faults("make demos")) == ["make demos: there is no target demos"]


def test_what_a_command_should_print_is_compared_but_for_blanks() -> None:
    assert agrees("a  b\nc", "a b\nc\n")
    assert agrees("a\nb\nc", "a\n…\nc")
    assert not agrees("a\nb", "a")
    assert not agrees("a\nb", "a\n…\nc")


def test_a_shell_keeps_its_folder_writes_files_and_ends_at_a_surprise(tmp_path: Path) -> None:
    session = [
        Command("mkdir new && cd new"),
        Command("cat a/b.txt", files=(("a/b.txt", "it's $HOME\n"),)),
        Command("false", status=1),
        Command("false"),
        Command("echo never"),
    ]
    done = documents.typed(tmp_path, session, {"PATH": os.environ["PATH"]})
    assert [each.status for each in done] == [0, 0, 1, 1]
    assert done[1].printed == "it's $HOME"
    assert (tmp_path / "new" / "a" / "b.txt").is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_inside_the_repository_leads_somewhere(page: Path) -> None:
    for link in documents.links(page):
        address, _, anchor = link.partition("#")
        if "://" in address:
            continue
        target = page.parent / unquote(address) if address else page
        assert target.exists(), f"{link} leads nowhere"
        assert not anchor or anchor in anchors(target), f"{target.name} has no heading {anchor}"


def test_every_page_and_picture_is_linked_from_somewhere_and_small() -> None:
    linked = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in PAGES
        for link in documents.links(page)
        if "://" not in link
    }
    pictures = [path for path in (DOCS / "pictures").rglob("*") if path.is_file()]
    for path in (*DOCS.glob("*.md"), *pictures):
        assert path in linked, f"{path.name} is linked from nowhere"
    for path in pictures:
        assert path.stat().st_size < 150_000, f"{path.name} is too large for a page"


def test_without_a_browser_the_pictures_stay_and_a_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(screenshots, "PROGRAM", "")
    with pytest.raises(CourseError, match="There is no Chromium here: install one"):
        screenshots.take(KIT)


def test_the_demos_class_on_file_is_what_is_drawn() -> None:
    assert demo_class.CLASS.read_text("utf-8") == demo_class.text()


def test_the_version_is_the_same_wherever_it_stands() -> None:
    version = autograder.__version__
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    (first, *_) = re.findall(r"^## (\d\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert first == version
    wheels = re.findall(r"autograder-([\d.]+)-py3", (DOCS / "run-it-elsewhere.md").read_text())
    assert set(wheels) == {version}


def test_formats_are_listed_with_the_versions_that_are_written() -> None:
    page = (
        (DOCS / "how-it-works.md").read_text("utf-8").partition("## Formats and their versions")[2]
    )
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "autograder").rglob("*.py"))
    written = set(re.findall(r'"((?:autograder|classroom50)/\w+/v\d+)"', sources))
    assert set(re.findall(r"`(\w+/\w+/v\d+)`", page)) == written
    assert f"| {tables.VERSION}, in `{tables.SCHEMA.name}`" in page


def block(beginning: str) -> str:
    """The block of `run-it-elsewhere.md` that begins so."""
    text = (DOCS / IN_THIS_COURSE).read_text("utf-8")
    found = re.search(rf"^```(?:ini|bash)\n({re.escape(beginning)}.*?)^```", text, re.M | re.S)
    assert found
    return found[1]


@pytest.fixture
def installed(toys: ToyClass) -> Course:
    """A course with something to grade, and an environment in which the autograder is."""
    toys.hand_in("ada", RIGHT)
    with_packages(toys.course.root)
    program = toys.course.root / ".venv" / "bin" / "autograder"
    line = f'PYTHONPATH={ROOT} exec "{program.parent}/python" -m autograder "$@"\n'
    program.write_text(f"#!/bin/sh\n{line}")
    program.chmod(0o755)
    return toys.course


@pytest.mark.exhaustive  # it grades a class by the command of a unit
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze")
def test_the_units_for_systemd_are_right_and_their_command_grades(
    installed: Course, tmp_path: Path
) -> None:
    service = block("[Unit]\nDescription=Grade what").replace("/srv/homework", str(installed.root))
    (tmp_path / "homework.service").write_text(service.replace("User=grader\n", ""))
    (tmp_path / "homework.timer").write_text(block("[Unit]\nDescription=Grade every"))
    for unit in ("homework.service", "homework.timer"):
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", str(tmp_path / unit)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert "homework" not in done.stderr, done.stderr
    (command,) = re.findall(r"^ExecStart=(.*)$", service, re.MULTILINE)
    done = subprocess.run(
        shlex.split(command), cwd=installed.root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["graded"] == 1


@pytest.mark.exhaustive  # `work/test_cluster` starts its workers
def test_the_script_for_slurm_grades_and_its_options_are_lines_of_its_head(
    installed: Course, tmp_path: Path
) -> None:
    script = block("#!/bin/bash")
    (tmp_path / "job").write_text(script)  # SLURM runs a copy, elsewhere
    done = subprocess.run(
        ["bash", tmp_path / "job"],
        cwd=tmp_path,
        env=os.environ | {"SLURM_SUBMIT_DIR": str(installed.root), "SLURM_CPUS_PER_TASK": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["graded"] == 1
    head = script.split("\ncd ")[0].splitlines()
    assert all(line.startswith("#SBATCH --") for line in head[1:])
