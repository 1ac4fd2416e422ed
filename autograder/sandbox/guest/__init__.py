"""The student's side of the sandbox: it holds nothing secret.

warm           imports the modules that students need and forks a process for each student
confinement    how each level of isolation confines a process: its view of the disk, its limits
syscalls       the system calls that it may make
service        receives requests in a student's process, and runs cells as Jupyter does
settings       of libraries and of the process, which an exercise finds as given cells left them
runner         carries out requests; guards built-ins; lets the grader answer calls
remote_module  a torch module whose passes the grader runs
escapes        attempts to break out, to test whether a level confines
"""
