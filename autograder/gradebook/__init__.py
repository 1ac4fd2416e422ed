"""nbgrader's gradebook, the system of record; besides `authoring`, only this room uses nbgrader.

recording      records stored reports, as far as they are new
ledger         which reports are recorded
recorder       writes an assignment's submissions: notebooks with their verdicts, rows in tables
rows           assignments, scores and comments in nbgrader's tables
giving         what people give at the desk
marks          the one read model: what the gradebook holds for a submission
lateness       due dates, extensions, and what lateness costs
feedback       the pages that students get back
steps          what nbgrader's own commands and its formgrader run of ours
configuration  nbgrader's settings for a course, and its names for cells
database       opens the gradebook, and lets one run at a time write it
tables         nbgrader's tables as far as we read them, and ours

Importing nbgrader takes seconds: only `recorder`, `rows` and `steps` do it, and who needs those
imports them when they are needed.
"""
