"""Level `lockdown`: only filters, for machines that refuse namespaces."""

from __future__ import annotations

import os

from autograder.sandbox import kernel
from autograder.sandbox.guest import syscalls, view
from autograder.sandbox.guest.confinement import Confinement, become


class Lockdown(Confinement):
    """Allows no files to be written, because nothing would limit their total size."""

    def drop_after_import(self) -> None:
        """Become another user, if we may, and restrict reading to the view."""
        if self.uid != os.getuid():
            # In containers the interpreter often lies in root's home, which no other user may read:
            # keep the right to read all files, and let Landlock decide which.
            kernel.keep_capabilities()
            become(self.uid)
            kernel.limit_capabilities(kernel.CAP_DAC_OVERRIDE, kernel.CAP_DAC_READ_SEARCH)
        view.restrict_files(self.hidden, self.files)
        self._rules = syscalls.rules()

    def enter_child(self) -> None:
        """Move to the files for students, or else the root directory, which can't be listed.

        Neither can be written.
        """
        os.chdir(self.files or "/")

    def lock(self) -> None:
        """Filter system calls."""
        syscalls.confine(self._rules)
