"""The student's side of the sandbox: it holds nothing secret.

warm           imports the modules that students need and forks a process for each student
levels         the confinement of each level: `confinement`, `namespaces`, `lockdown`
view           the part of the disk that a student's process sees
syscalls       the system calls that it may make
allowance      its limits on memory, threads and files
service        receives requests in a student's process
runner         carries them out
shell          runs cells: the interface, and the plain one; `ipython_shell` has Jupyter's
output         what a student's code prints and raises, as text of bounded length
guards         built-ins that an exercise forbids
stand_ins      functions whose calls the grader answers
remote_module  a torch module whose passes the grader runs
escapes        attempts to break out, to test whether a level confines
"""
