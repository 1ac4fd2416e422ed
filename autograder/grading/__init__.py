"""One submission in, one report out.

grader          the unit of work: the bytes of a notebook → a report
settings        how submissions are graded
worker          the same in a worker process, a process with bounds for each submission
submissions     finds what was handed in
run             grades what is new of a class, and stores the reports
store           the stored reports
session         runs a submission's cells, and tests each exercise as its own cell left it
dependencies    which cells need which, by the names that they bind and read
traps           what a cell does to all below it: `%reset`, `from torch import *`
hidden_tests    collects an assignment's hidden tests, and runs them for one student after the other
transcripts     what hidden tests ask of a right answer, kept to ask others at less cost
examiner        runs hidden tests, then follow-through, then diagnosis
containers      right numbers in a wrong container, which costs its points once
follow_through  makes a mistake in an earlier exercise cost its marks only once
fingerprint     hashes everything besides the submission that decides a score
"""
