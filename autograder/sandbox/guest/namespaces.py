"""Levels `rootns` and `userns`: namespaces created by root or by a plain user.

Inside there is no network, no other process, and a root directory that holds only libraries.
"""

from __future__ import annotations

import os
from pathlib import Path

from autograder.sandbox import kernel
from autograder.sandbox.guest import syscalls, view
from autograder.sandbox.guest.confinement import Confinement, become

_ALL_BUT_USER = (
    kernel.CLONE_NEWNS
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
)


class Namespaces(Confinement):
    """Each student's process is alone in a pid namespace inside that of the warm process."""

    def enter(self) -> None:
        """Enter new namespaces as process 1; when it ends, all other processes in them end."""
        kernel.unshare(_ALL_BUT_USER)
        first = os.fork()
        if first:
            os.waitpid(first, 0)
            os._exit(0)
        self._pids = os.open("/proc/self/ns/pid", os.O_RDONLY)

    def drop_after_import(self) -> None:
        """Move into the root directory that holds the view."""
        view.enter_root(self.hidden, self.files)
        self._rules = syscalls.rules()

    def fork(self) -> int:
        """Fork a process that becomes process 1 of a new pid namespace."""
        kernel.unshare(kernel.CLONE_NEWPID)
        pid = os.fork()
        if pid:
            kernel.enter_namespace(self._pids)  # return, or the next fork would fail
        return pid

    def enter_child(self) -> None:
        """Mount an empty home; give up all privileges."""
        kernel.unshare(kernel.CLONE_NEWNS)
        view.mount_home(self.limits.file_mb, self.uid, with_files=bool(self.files))
        os.chdir(view.HOME)
        if self.uid != os.getuid():
            become(self.uid)
        kernel.limit_capabilities()

    def lock(self) -> None:
        """Filter system calls."""
        syscalls.confine(self._rules)


class UserNamespaces(Namespaces):
    """The same for a plain user, who has all privileges inside a user namespace."""

    def enter(self) -> None:
        """Enter a user namespace, then the others."""
        if self.uid != os.getuid():
            become(self.uid)  # the kernel doesn't limit the number of root's threads
            kernel.own_proc_files()
        uid, gid = os.getuid(), os.getgid()
        kernel.unshare(kernel.CLONE_NEWUSER)
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{uid} {uid} 1"),
            ("gid_map", f"{gid} {gid} 1"),
        ):
            Path("/proc/self", name).write_text(text)
        super().enter()
