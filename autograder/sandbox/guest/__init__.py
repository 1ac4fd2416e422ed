"""The student's side of the sandbox: it holds nothing secret.

warm         a program that imports what students need and forks a process for each of them
levels       which confinement belongs to which level: `confinement`, `namespaces`, `lockdown`
view         what is left of the disk
syscalls     what is left of the kernel
allowance    what is left of memory, threads and files
service      answers requests in a student's process, by `runner` and a `shell`
guards       built-ins that an exercise forbids; `stand_ins`, `asking`: what the grader answers
escapes      the ways out that are tried to see whether a level confines
"""
