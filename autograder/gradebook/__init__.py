"""nbgrader's gradebook, the system of record; besides `authoring`, only this room uses nbgrader.

Importing nbgrader takes seconds: only `recorder`, `rows` and `steps` do it, and who needs those
imports them when they are needed.
"""
