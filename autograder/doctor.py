"""What this machine and the course here offer, and what to do where something is wrong."""

import locale
import os
import platform
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from zoneinfo import ZoneInfo

import autograder
from autograder.course import Course
from autograder.course.course import SEED_FILE
from autograder.course.loading import is_installed
from autograder.course.roster import FILE as ROSTER
from autograder.course.roster import read_roster
from autograder.errors import CourseError, NoCourse, counted
from autograder.sandbox import kernel
from autograder.sandbox.host.probe import why_not
from autograder.sandbox.limits import Isolation, Limits
from autograder.work.processes import usable_cores

_MIN_FREE_MB = 1024  # a class of some hundreds with its pages takes less
_CLOCK_SECONDS = 5.0  # by which a disk's clock may differ
_DAY = 86_400.0
_SHARED_MEMORY = "/dev/shm"  # noqa: S108 - it is only looked at
_NETWORK = re.compile(r"nfs\d?|cifs|smb\d?|9p|afs|lustre|gpfs|beegfs|ceph|fuse\.sshfs")
_UNMANGLED = {"\\040": " ", "\\011": "\t", "\\012": "\n", "\\134": "\\"}  # in /proc/mounts


@dataclass(frozen=True)
class Checkup:
    """What was found, and what to do about it if there is something to do."""

    about: str
    found: str
    advice: str = ""
    is_broken: bool = False


def examine() -> Iterator[Checkup]:
    """Yield what is found of the machine, and then of the course that we are in, if any."""
    yield Checkup("autograder", f"{autograder.__version__}, on Python {platform.python_version()}")
    yield _isolation()
    yield _kernel()
    yield from _torch()
    yield _locale()
    yield _cores()
    try:
        course = Course.find()
    except CourseError as error:
        is_broken = not isinstance(error, NoCourse)
        where = Path.cwd()
        found = "can't be read" if is_broken else "none here"
        course_findings = [Checkup("course", found, str(error), is_broken)]
    else:
        where = course.root
        course_findings = list(_of_course(course))
    yield from _disk(where)
    yield from _shared_memory()
    yield _clock(where)
    yield from course_findings


def _isolation() -> Checkup:
    reasons = {level: why_not(level) for level in Isolation if level is not Isolation.UNSAFE}
    best = next((level for level, reason in reasons.items() if not reason), None)
    working = [f"{level} works too" for level in reasons if not reasons[level] and level != best]
    lacking = [
        f"{' and '.join(level for level in reasons if reasons[level] == why)} can't: {why}"
        for why in dict.fromkeys(filter(None, reasons.values()))
    ]
    found = "; ".join([f"{best or 'nothing'} confines students' code", *working, *lacking])
    advice = ""
    if best is None:
        advice = (
            "Run the grader on Linux 5.13 or newer with libseccomp2 installed, or in a container "
            "on it. Until then, nothing is graded without --unsafe."
        )
    elif best is Isolation.LOCKDOWN:
        advice = (
            "Plain users who may make namespaces confine students' code more tightly. On Ubuntu: "
            "sysctl kernel.apparmor_restrict_unprivileged_userns=0"
        )
    return Checkup("isolation", found, advice, is_broken=best is None)


def _kernel() -> Checkup:
    abi = kernel.landlock_abi()
    found = f"Linux {os.uname().release}, Landlock "
    if not abi:
        return Checkup("kernel", f"{found}none, so there is no lockdown")
    limits = ", which doesn't know how files are emptied: seccomp refuses it" if abi < 3 else ""
    return Checkup("kernel", f"{found}version {abi}{limits}")


def _torch() -> Iterator[Checkup]:
    """Yield which build of torch there is, by its files: importing it takes seconds."""
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        return
    try:
        text = Path(spec.origin).with_name("version.py").read_text("utf-8")
    except OSError:
        text = ""
    said = dict(re.findall(r"^(\w+)\b.*? = '(.+)'$", text, re.MULTILINE))
    version = said.get("__version__", "of an unknown version")
    build = f"for CUDA {said['cuda']}" if "cuda" in said else "for CPUs"
    note = " (students' processes see no GPU, so that it brings nothing)" if "cuda" in said else ""
    yield Checkup("torch", f"{version}, {build}{note}")


def _locale() -> Checkup:
    encoding = locale.getencoding()  # of the locale, whatever Python makes of it
    if encoding.upper().replace("-", "") == "UTF8":
        return Checkup("locale", encoding)
    advice = "Everything is written in UTF-8 all the same. To see names right: export LANG=C.UTF-8"
    return Checkup("locale", f"{encoding}, which lacks letters", advice)


def _cores() -> Checkup:
    cores = usable_cores()
    each = Limits().memory_mb
    text = Path("/proc/meminfo").read_text("ascii")
    known = re.search(r"^MemAvailable: +(\d+) kB$", text, re.MULTILINE)
    memory = int(known[1]) >> 10 if known else each * cores
    found = f"{counted(cores, 'core')}, {memory / 1024:.1f} GB of memory free"
    if memory >= each * cores:
        return Checkup("speed", f"{found}: {cores} at a time")
    jobs = max(1, memory // each)
    advice = f"A submission may take {each >> 10} GB: grade with --jobs {jobs} if memory runs out."
    return Checkup("speed", found, advice)


def _disk(where: Path) -> Iterator[Checkup]:
    for folder in dict.fromkeys((where, Path(tempfile.gettempdir()))):
        free = shutil.disk_usage(folder).free >> 20
        found = f"{free / 1024:.1f} GB free in {folder}"
        if not os.access(folder, os.W_OK | os.X_OK):
            yield Checkup("disk", f"{folder} can't be written", "Make it writable.", is_broken=True)
        elif free < _MIN_FREE_MB:
            yield Checkup("disk", found, "Make room there before you grade.")
        else:
            yield Checkup("disk", found)
    if _NETWORK.fullmatch(kind := _file_system(where)):
        advice = (
            "Grading waits for the network there, and two machines must not write one SQLite "
            "gradebook: work on a local disk, or name a PostgreSQL database in course.toml."
        )
        yield Checkup("disk", f"{where} lies on another machine ({kind})", advice)


def _shared_memory() -> Iterator[Checkup]:
    """Yield what is wrong with the memory that processes share: without it, they have no locks."""
    if not os.access(_SHARED_MEMORY, os.W_OK | os.X_OK):
        advice = f"mount -t tmpfs -o mode=1777 tmpfs {_SHARED_MEMORY}"
        yield Checkup("memory", f"{_SHARED_MEMORY} can't be written", advice, is_broken=True)


def _file_system(folder: Path) -> str:
    """Return the type of file system that holds `folder`, such as `ext4`."""
    best, kind = "", ""
    for line in Path("/proc/self/mounts").read_text("utf-8", "surrogateescape").splitlines():
        _, place, this, *_ = line.split(" ")
        place = re.sub(r"\\\d{3}", lambda found: _UNMANGLED.get(found[0], found[0]), place)
        if folder.is_relative_to(place) and len(place) >= len(best):
            best, kind = place, this
    return kind


def _clock(where: Path) -> Checkup:
    now = datetime.now().astimezone()
    found = f"{now:%Y-%m-%d %H:%M} ({now:%Z})"
    installed = Path(autograder.__file__).stat().st_mtime
    if now.timestamp() < installed - _DAY:
        advice = "Set the clock: the autograder was installed after that. Lateness depends on it."
        return Checkup("clock", found, advice)
    if zone := os.environ.get("TZ"):
        try:
            ZoneInfo(zone.removeprefix(":"))
        except (KeyError, ValueError, OSError):  # a zone may also be written as a rule: CET-1CEST
            if not re.match(r"[A-Za-z]{3,}[+-]?\d", zone):
                return Checkup("clock", f"{found}: no time zone is named {zone}", "Correct TZ.")
    try:
        with tempfile.NamedTemporaryFile(dir=where) as file:
            ahead = os.fstat(file.fileno()).st_mtime - time.time()
    except OSError:  # it can't be written: `_disk` says so
        return Checkup("clock", found)
    if abs(ahead) > _CLOCK_SECONDS:
        advice = "Set both clocks by the network: times of files tell what is new."
        return Checkup("clock", f"{found}; that of {where} differs by {ahead:+.0f} s", advice)
    return Checkup("clock", found)


def _of_course(course: Course) -> Iterator[Checkup]:
    names = course.assignment_names()
    released = f"{len(course.released())} of {len(names)} assignments released"
    yield Checkup("course", f"{course.settings.title}, in {course.root}: {released}")
    for sentence in course.overrides:
        yield Checkup("settings", sentence)
    lacking = [name for name in course.settings.packages if not _is_there(name)]
    if lacking:
        advice = "Install them by the names that their own documentation gives, or unlist them."
        found = f"answers may import {', '.join(lacking)}, which isn't installed"
        yield Checkup("packages", found, advice)
    yield _seed(course)
    yield _rights(course)
    yield _roster(course)


def _is_there(package: str) -> bool:
    """Tell whether a package is installed, under its own name or as the module of that name."""
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return is_installed(package.replace("-", "_"))
    return True


def _seed(course: Course) -> Checkup:
    path = course.root / SEED_FILE
    if course.settings.seed is None and not path.exists():
        return Checkup("seed", f"none yet: the first run that needs one keeps it in {SEED_FILE}")
    try:
        course.seed  # noqa: B018 - it is read
    except CourseError as error:
        return Checkup("seed", "can't be read", str(error), is_broken=True)
    return Checkup("seed", "kept; keep it with the gradebook")


def _rights(course: Course) -> Checkup:
    """Say whether other users can read what is about students, or the seed."""
    shared, mode = course.settings.share == "group", course.root.stat().st_mode
    if shared and not mode & stat.S_ISGID:
        advice = f"chgrp -R GROUP {course.root} && chmod -R g+rwXs,o= {course.root}"
        return Checkup("rights", "the group doesn't get what is newly written", advice)
    closed = stat.S_IRWXO if shared else stat.S_IRWXO | stat.S_IRWXG
    open_ = [
        path.name for path in course.secrets() if path.exists() and path.stat().st_mode & closed
    ]
    if open_ and mode & closed:
        advice = f"chmod {'o=' if shared else 'go='} {course.root}"
        return Checkup("rights", f"other users can reach {', '.join(sorted(open_))}", advice)
    return Checkup("rights", f"for {'the group' if shared else 'you'} alone")


def _roster(course: Course) -> Checkup:
    path = course.root / ROSTER
    try:
        people = read_roster(path)
    except CourseError as error:
        return Checkup("roster", "can't be read", str(error), is_broken=True)
    if not path.exists():
        return Checkup("roster", "none; to name your students: autograder roster import FILE")
    return Checkup("roster", f"students in {ROSTER}: {len(people)}")
