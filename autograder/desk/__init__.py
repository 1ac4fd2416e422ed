"""The desk: a page on this machine for grading written answers, and for appeals.

serving   the address, the token, and the server
guard     who may ask: host, token, and where a form comes from
app       which address shows what, and what is said when something goes wrong
asked     one request: what it asks for, who asks, and how links keep that
overview  all questions, how far they are, and among whom they are shared out
queue     the answers to a question in the order in which they are graded; alike ones together
grading   one question, answer by answer
appeals   a submission's exercises and verdicts, and overrides with a reason
context   the student's notebook, as feedback shows it
reading   texts out of graded notebooks, read and rendered in a process that can be killed
books     the course's gradebook and its files, open while the desk is

All points go into nbgrader's own tables, by `gradebook.giving`.
"""
