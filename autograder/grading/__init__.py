"""One submission in, one report out.

grader          the unit of work: the bytes of a notebook → a report, from a warm process
settings        what decides a report besides the submission
session         a submission's code at work in the sandbox
pytest_plugin   collects the hidden tests and runs them for one student after the other
hidden_tests    the hidden tests of an assignment: what they are worth, and what they find
examiner        hidden tests, then follow-through, then diagnosis
follow_through  a mistake in an earlier exercise costs its marks once
fingerprint     a hash of everything that decides a score
"""
