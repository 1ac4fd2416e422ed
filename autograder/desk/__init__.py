"""The desk: a page on this machine for grading written answers, and for appeals.

All points go into nbgrader's own tables, by `gradebook.giving`.
"""
