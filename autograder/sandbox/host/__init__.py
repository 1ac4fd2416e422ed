"""The grader's side of the sandbox. Nothing that comes from the other side is trusted.

probe       finds the level of isolation that this machine offers, by trying each
launch      starts a warm process, which forks a process for each student
program     starts the warm process as a fresh program, with all that it leaves behind
child       one student's process: how it can end, and its seconds on a machine that may be busy
connection  sends requests to one student's process, each with a time limit
replies     what a reply must be to be let through, and which one is expected
callbacks   the requests that a student's process may send to the grader during a call
in_process  handles the same requests in this process, for trusted code
"""
