"""The grader's side of the sandbox. Nothing that comes from the other side is believed.

probe       which level of isolation this machine offers, found by trying each
launch      starts a warm process, which forks a process for each student
program     the warm process as a program: a fresh one, with an empty environment
cgroups     a second count of the memory that students' processes take
leftovers   what must not outlive a grader
connection  requests to one student's process, each answered in time
callbacks   what that process may ask back
in_process  the same requests, answered in this process: for code that we trust
"""
