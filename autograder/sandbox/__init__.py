"""Run untrusted code without risk to the grader, its secrets or this machine.

host/     the grader's side: starts the students' processes, talks to them, ends them
guest/    the student's side: runs in those processes; of this package it imports only `sandbox`
wire      the messages between the two: plain data to bytes and back
limits    the levels of isolation, and the resources that a submission may use
readable  the part of the disk that a student's process may read
kernel    system calls that Python 3.11 doesn't wrap
"""
