"""Find the known mistake that explains a student's results.

finding    the result of one hidden test, and the calls that it made
observed   one call: what came back, and what should have
banks      loads the misconceptions of each exercise of an assignment
suspect    a known answer, right or wrong, against which a student's calls are replayed
agreement  decides whether two replies to the same call agree
diagnosis  the order of steps: one mistake, then two combined, then test by test
"""
