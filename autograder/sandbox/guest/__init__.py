"""The student's side of the sandbox: it holds nothing secret.

warm           imports the modules that students need and forks a process for each student
confinement    how each level of isolation confines a process, and its limits
view           the part of the disk that a student's process sees
syscalls       the system calls that it may make
service        receives requests in a student's process, and runs cells as Jupyter does
runner         carries out requests; returns what is printed and raised as text of bounded length
replacements   guards before forbidden built-ins; functions whose calls the grader answers
remote_module  a torch module whose passes the grader runs
escapes        attempts to break out, to test whether a level confines
"""
