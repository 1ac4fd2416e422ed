"""Level `lockdown`: filters alone, where namespaces are refused."""

from __future__ import annotations

import os

from autograder.sandbox import kernel
from autograder.sandbox.guest import syscalls, view
from autograder.sandbox.guest.confinement import Confinement, become


class Lockdown(Confinement):
    """No file can be written, as nothing would bound how many there are."""

    def drop_after_import(self) -> None:
        """Become another user, if we may, and read nothing but the view from now on."""
        if self.uid != os.getuid():
            # In containers the interpreter often lies in root's home, where no other user looks:
            # Landlock decides what is read, whomever it belongs to.
            kernel.keep_capabilities()
            become(self.uid)
            kernel.limit_capabilities(kernel.CAP_DAC_OVERRIDE, kernel.CAP_DAC_READ_SEARCH)
        view.restrict_files(self.hidden)
        self._rules = syscalls.rules()

    def enter_child(self) -> None:
        """Move to where nothing is."""
        os.chdir("/")

    def lock(self) -> None:
        """Refuse system calls."""
        syscalls.confine(self._rules)
