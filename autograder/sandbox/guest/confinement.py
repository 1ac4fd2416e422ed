"""The steps by which each level of isolation confines a process.

The warm process calls `enter` before it imports anything, `note_use` and `drop_after_import`
afterwards: students' processes inherit the effects. Each of them is created by `fork`, then calls
`enter_child` to give up what is left and `limit_resources`, and finally `lock`, after which nothing
can be changed.

Of the disk a student's process sees libraries, interpreter and packages, read-only. All else is
hidden, including this package and the course, even if they are installed among the packages. Two
mechanisms provide this view: a root directory made of mounts, or Landlock rules.
"""

import builtins
import contextlib
import ctypes
import io
import os
import resource
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import landlock

from autograder.sandbox import kernel
from autograder.sandbox.guest import syscalls
from autograder.sandbox.limits import Isolation, Limits
from autograder.sandbox.readable import aliases, is_inside, readable

# in the root directory that `_enter_root` makes
HOME = "/student"
FILES = "/files"  # that an instructor gives to students
_PACKAGE = Path(__file__).resolve().parents[2]
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
# Libraries read these to choose their kernels. What tells how busy the machine is, is no file in
# the folder of cores, and of the others namespaces show a copy; Landlock can't.
_CPUINFO, _LOADS = "/proc/cpuinfo", ("/proc/meminfo", "/proc/stat")
_CORES = Path("/sys/devices/system/cpu")
_OF_CORES = ("online", "possible", "present", "kernel_max", "cpu[0-9]*/topology", "cpu[0-9]*/cache")
# Of the rights that Landlock can withhold, those that its first versions know: the lowest bits.
_KNOWN_BY = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF}
_BASE, _OLD = "/tmp", "/.old"  # noqa: S108 - any directory will do, in a namespace of our own
_QUIET = kernel.MS_NOSUID | kernel.MS_NODEV
_ALL_BUT_USER = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWNET
_ALL_BUT_USER |= kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS


class Confinement:
    """Level `unsafe`: only a directory of its own and the limits that every process gets."""

    def __init__(self, limits: Limits, uid: int, hidden: tuple[str, ...], files: str) -> None:
        """Hide the paths `hidden`; `files` is a directory of files for students, if any."""
        self.limits, self.uid, self.hidden, self.files = limits, uid, hidden, files
        self.rules: syscalls.Rules = None

    def enter(self) -> None:
        """Enter the namespaces, if any, of the warm process and all students' processes."""

    def drop_after_import(self) -> None:
        """Give up access that imports need and students' code doesn't."""

    def fork(self) -> int:
        return os.fork()

    def enter_child(self) -> None:
        """Move the new process to its own directory; become the student's user."""
        os.chdir(tempfile.mkdtemp(prefix="autograder-unsafe-"))
        if self.files:
            shutil.copytree(self.files, ".", dirs_exist_ok=True)

    def lock(self) -> None:
        if self.rules is not None:
            syscalls.confine(self.rules)

    def note_use(self) -> None:
        """Note what is in use: the limits on a student's process come on top of it."""
        self.mapped, self.resident = kernel.memory_in_use()  # torch alone maps gigabytes
        self.tasks = 0  # threads of the same user, which the kernel counts too
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has just ended
                if process.stat().st_uid == self.uid:
                    self.tasks += len(list((process / "task").iterdir()))

    def limit_resources(self, seconds: int) -> None:
        """Limit this process permanently, to `seconds` of processor time among other things."""
        for resource_type, value in (
            (resource.RLIMIT_AS, self.mapped + (self.limits.memory_mb << 20)),
            (resource.RLIMIT_NPROC, self.tasks + self.limits.threads),
            (resource.RLIMIT_NOFILE, self.limits.open_files),
            (resource.RLIMIT_FSIZE, self.limits.file_mb << 20),
            (resource.RLIMIT_CPU, seconds),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_MEMLOCK, 0),
            (resource.RLIMIT_MSGQUEUE, 0),
        ):
            resource.setrlimit(resource_type, (value, value))


class Lockdown(Confinement):
    """Level `lockdown`: only filters on files and system calls, where namespaces are refused.

    It allows no files to be written, because nothing would limit their total size.
    """

    def enter(self) -> None:
        _open_null_plainly()

    def drop_after_import(self) -> None:
        self.rules = syscalls.rules(may_change=False)
        if self.uid != os.getuid():
            # In containers the interpreter often lies in root's home, which no other user may read:
            # keep the right to read all files, and let Landlock decide which.
            kernel.prctl(kernel.PR_SET_KEEPCAPS)
            become(self.uid)
            kernel.limit_capabilities(kernel.CAP_DAC_READ_SEARCH)
            _require_python()
        _restrict_files(self.hidden, self.files)

    def enter_child(self) -> None:
        os.chdir(self.files or "/")  # the root directory can't be listed, and neither be written


class Namespaces(Confinement):
    """Level `rootns`: each student's process is alone in a pid namespace inside the warm one's."""

    def enter(self) -> None:
        """Enter new namespaces as process 1; when it ends, all other processes in them end."""
        kernel.unshare(_ALL_BUT_USER)
        first = os.fork()
        if first:
            os.waitpid(first, 0)
            os._exit(0)
        self._pids = os.open("/proc/self/ns/pid", os.O_RDONLY)

    def drop_after_import(self) -> None:
        self.rules = syscalls.rules(may_change=True)
        _enter_root(self.hidden, self.files)

    def fork(self) -> int:
        kernel.unshare(kernel.CLONE_NEWPID)
        pid = os.fork()
        if pid:
            kernel.enter_namespace(self._pids)  # return, or the next fork would fail
        return pid

    def enter_child(self) -> None:
        kernel.unshare(kernel.CLONE_NEWNS)
        _mount_home(self.limits.file_mb, self.uid, with_files=bool(self.files))
        os.chdir(HOME)
        if self.uid != os.getuid():
            become(self.uid)
        kernel.limit_capabilities()


class UserNamespaces(Namespaces):
    """Level `userns`: the same for a plain user, who has all privileges in a user namespace."""

    def enter(self) -> None:
        if self.uid != os.getuid():
            become(self.uid)  # the kernel doesn't limit the number of root's threads
            _require_python()
            kernel.prctl(kernel.PR_SET_DUMPABLE)
        uid, gid = os.getuid(), os.getgid()
        kernel.unshare(kernel.CLONE_NEWUSER)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
        super().enter()


AT_LEVEL = {
    Isolation.ROOTNS: Namespaces,
    Isolation.USERNS: UserNamespaces,
    Isolation.LOCKDOWN: Lockdown,
    Isolation.UNSAFE: Confinement,
}


def become(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _require_python() -> None:
    if not os.access(os.__file__, os.R_OK, effective_ids=True):
        raise OSError("only root may read Python here: install it for all users")


def _enter_root(hidden: Iterable[str], files: str) -> None:
    """Build a root directory in a new mount namespace and move into it permanently.

    Over `hidden` paths, and this package, something empty is mounted; `files` are for students.
    """
    covered = [name for path in (_PACKAGE, *map(Path, hidden)) for name in aliases(path)]
    sources, present = {path: os.path.realpath(path) for path in readable()}, _present()
    seen = {path: Path(path).read_bytes() for path in (_CPUINFO, *_LOADS) if Path(path).exists()}
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    _mount_tmpfs(_BASE, "size=1m,nr_inodes=4k,mode=755")
    Path(_BASE + _OLD).mkdir()
    kernel.pivot_root(_BASE, _BASE + _OLD)
    for path, source in sources.items():
        _bind(_OLD + source, path)
        kernel.make_readonly(path)
    for name in covered:
        if name.is_dir():
            _mount_tmpfs(str(name), "size=4k,mode=555")
        elif name.exists():
            kernel.mount(f"{_OLD}/dev/null", str(name), None, kernel.MS_BIND)
    for path in present:
        _bind(_OLD + path, path)
    for path, content in seen.items():
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_bytes(content)
    if files:
        _bind(_OLD + files, FILES)
        kernel.make_readonly(FILES)
    Path(HOME).mkdir()
    if not Path(_BASE).exists():  # it exists if packages lie in it
        Path(_BASE).symlink_to(HOME)
    kernel.unmount(_OLD)
    Path(_OLD).rmdir()
    kernel.make_readonly("/", recursive=False)


def _restrict_files(hidden: Iterable[str], files: str) -> None:
    """Restrict this process with Landlock: it may read the view, and write only to /dev/null."""
    covered = [_PACKAGE, *map(Path, hidden)]
    ctypes.set_errno(0)  # the landlock package takes an earlier error for its own
    rules = landlock.Ruleset(landlock.FSAccess.all() & _KNOWN_BY.get(kernel.landlock_abi(), -1))
    reading = landlock.FSAccess.READ_FILE | landlock.FSAccess.EXECUTE
    listing = landlock.FSAccess.READ_DIR
    present = [path for path in map(Path, (*_present(), _CPUINFO)) if path.exists()]
    for path in (*_all_but(covered, map(Path, readable())), *present):
        rules.allow(path, rules=reading | listing if path.is_dir() else reading)
    for name in readable():
        if any(is_inside(str(path), name) for path in covered):  # imports list directories
            rules.allow(name, rules=listing)
    if files:
        rules.allow(files, rules=reading | listing)
    rules.allow("/dev/null", rules=landlock.FSAccess.READ_FILE | landlock.FSAccess.WRITE_FILE)
    rules.apply()


def _mount_home(megabytes: int, uid: int, *, with_files: bool) -> None:
    """Mount a home directory for the student, in a new mount namespace.

    It is empty but for the files that the instructor gives, each mounted read-only.
    """
    _mount_tmpfs(HOME, f"size={megabytes}m,nr_inodes=4k,mode=700,uid={uid}")
    for source in Path(FILES).iterdir() if with_files else ():
        target = f"{HOME}/{source.name}"
        _bind(str(source), target)
        kernel.make_readonly(target)


def _present() -> list[str]:
    of_cores = (str(path) for pattern in _OF_CORES for path in sorted(_CORES.glob(pattern)))
    return [*(path for path in _DEVICES if Path(path).exists()), *of_cores]


def _open_null_plainly() -> None:
    """Let `open(os.devnull, "w")` ask for neither a new file nor an empty one: that is refused."""
    plainly = io.open

    @wraps(plainly)
    def opened(file: Any, *args: Any, **kwargs: Any) -> Any:
        if str(file) == os.devnull:
            kwargs.setdefault("opener", lambda path, flags: os.open(path, flags & os.O_ACCMODE))
        return plainly(file, *args, **kwargs)

    builtins.open = io.open = opened


def _all_but(hidden: Iterable[Path], paths: Iterable[Path]) -> Iterator[Path]:
    """Yield `paths`, but replace a directory that holds something `hidden` by its other entries."""
    for path in paths:
        real = path.resolve()
        if any(real.is_relative_to(each) for each in hidden):
            continue
        if any(each.is_relative_to(real) for each in hidden):
            yield from _all_but(hidden, path.iterdir())
        else:
            yield path


def _bind(source: str, target: str) -> None:
    """Mount what lies at `source` at `target` too, and make a place for it there."""
    if Path(source).is_dir():
        Path(target).mkdir(parents=True, exist_ok=True)
    else:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        Path(target).touch()
    kernel.mount(source, target, None, kernel.MS_BIND | kernel.MS_REC)


def _mount_tmpfs(target: str, options: str) -> None:
    kernel.mount("tmpfs", target, "tmpfs", _QUIET, options)
