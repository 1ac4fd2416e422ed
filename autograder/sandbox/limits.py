"""How a submission is confined: the levels of isolation, and the limits on its resources."""

from dataclasses import dataclass
from enum import StrEnum

MAX_TEXT = 200_000  # characters of one string: a cell's source is the longest that is ever sent
MAX_OUTPUT = 20_000  # characters of a cell's output that are kept
MAX_KEPT = 256 << 20  # bytes of replies, of which tests and diagnosis may need all at once

# What some machines have and others lack, and so no student's process: a variable of each.
WITHOUT = {
    "TORCHDYNAMO_DISABLE": "1",  # a compiler: what `torch.compile` makes is what it was given
    # Accelerators of Nvidia, AMD and Intel. To HIP an empty list is the same as no list. SYCL, by
    # which PyTorch finds Intel's, is told to take processors only.
    "CUDA_VISIBLE_DEVICES": "",
    "ROCR_VISIBLE_DEVICES": "-1",
    "HIP_VISIBLE_DEVICES": "-1",
    "ONEAPI_DEVICE_SELECTOR": "*:cpu",
}


class Isolation(StrEnum):
    """The ways to confine a student's process, strongest first."""

    ROOTNS = "rootns"  # as root: namespaces, a private root directory, a separate user
    USERNS = "userns"  # as a plain user: the same inside a user namespace
    LOCKDOWN = "lockdown"  # without namespaces: filters on files and system calls
    UNSAFE = "unsafe"  # only resource limits; must be requested explicitly


@dataclass(frozen=True)
class Limits:
    """Limits on one submission; seconds are those in which it computes or sleeps."""

    cell_seconds: float = 20.0
    call_seconds: float = 6.0
    notebook_seconds: float = 120.0
    memory_mb: int = 2048  # on top of what the warm process has imported already
    # Of the user that students' processes run as, beyond those that it had: the kernel counts its
    # other programs too, and those for other students, which may start later.
    threads: int = 1024
    open_files: int = 256
    file_mb: int = 64  # of all files in its own directory together
    grader_seconds: float = 300.0  # of computing that examining the submission takes the grader
    grader_mb: int = 4096  # on top of what the grader has imported already
