"""The steps by which each level of isolation confines a process.

The warm process calls `enter` before it imports anything, `note_use` and `drop_after_import`
afterwards: students' processes inherit the effects. Each of them is created by `fork`, then calls
`enter_child` to give up what is left and `limit_resources`, and finally `lock`, after which nothing
can be changed.
"""

import contextlib
import os
import resource
import shutil
import tempfile
from pathlib import Path

from autograder.sandbox import kernel
from autograder.sandbox.guest import syscalls, view
from autograder.sandbox.limits import Isolation, Limits

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

    def drop_after_import(self) -> None:
        self.rules = syscalls.rules()
        if self.uid != os.getuid():
            # In containers the interpreter often lies in root's home, which no other user may read:
            # keep the right to read all files, and let Landlock decide which.
            kernel.prctl(kernel.PR_SET_KEEPCAPS)
            become(self.uid)
            kernel.limit_capabilities(kernel.CAP_DAC_OVERRIDE, kernel.CAP_DAC_READ_SEARCH)
        view.restrict_files(self.hidden, self.files)

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
        self.rules = syscalls.rules()
        view.enter_root(self.hidden, self.files)

    def fork(self) -> int:
        kernel.unshare(kernel.CLONE_NEWPID)
        pid = os.fork()
        if pid:
            kernel.enter_namespace(self._pids)  # return, or the next fork would fail
        return pid

    def enter_child(self) -> None:
        kernel.unshare(kernel.CLONE_NEWNS)
        view.mount_home(self.limits.file_mb, self.uid, with_files=bool(self.files))
        os.chdir(view.HOME)
        if self.uid != os.getuid():
            become(self.uid)
        kernel.limit_capabilities()


class UserNamespaces(Namespaces):
    """Level `userns`: the same for a plain user, who has all privileges in a user namespace."""

    def enter(self) -> None:
        if self.uid != os.getuid():
            become(self.uid)  # the kernel doesn't limit the number of root's threads
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
