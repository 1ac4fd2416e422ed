"""Run code that nobody has read, without risk to the grader, its secrets or this machine.

isolation    the levels of confinement, and which of them this machine offers
launch       the grader's end: starts a warm process, which forks a process for each student
warm         the warm process, which is a `program` of its own
confinement  what a level does to a process, step by step: `namespaces`, `lockdown`
view         what is left of the disk
syscalls     what is left of the kernel
allowance    what is left of memory, threads and files; `cgroups` counts the memory once more
wire         what is said to a student's process
service      what answers in there, by `runner` and `shell`
"""
