"""The grader's side of the sandbox. Nothing that comes from the other side is trusted.

probe       finds the level of isolation that this machine offers, by trying each
launch      starts a warm process, which forks a process for each student
child       one student's process, as the grader holds it
program     starts the warm process as a fresh program with an empty environment
cgroups     a second limit on the memory of students' processes
leftovers   names for temporary directories, so that those of killed graders can be removed
clock       the student's seconds, of which a request may take so many
connection  sends requests to one student's process, each with a time limit
packed      requests that are packed once, and the replies that are expected
replies     what a reply must be to be let through
callbacks   the requests that a student's process may send to the grader during a call
in_process  handles the same requests in this process, for trusted code
"""
