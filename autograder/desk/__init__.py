"""The desk: a page on this machine for grading written answers, and for appeals.

guard      the address and its token, who may ask, and the server
app        which address shows what; the pages with all questions, and with one notebook
request    one request: what it asks for and who asks, and the page that answers it
questions  the answers to one question in the order in which they are graded, and grading them
appeals    a submission's exercises and verdicts, and overrides with a reason
books      the gradebook, rubrics, and graded notebooks, which a process that can be killed reads

All points go into nbgrader's own tables, by `gradebook.giving`.
"""
