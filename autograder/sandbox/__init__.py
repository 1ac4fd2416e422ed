"""Run code that nobody has read, without risk to the grader, its secrets or this machine.

host/      the grader's side: starts processes, talks to them, ends them
guest/     the student's side: what runs in those processes; of ours it imports `sandbox` alone
wire       what is said between the two: plain data to bytes and back
limits     how much a submission may take
isolation  the levels of confinement
kernel     system calls that Python has no name for
"""
