"""Find what explains a student's results: a known mistake, a relation, or an exception.

diagnosis  the order of the steps
case       what a step is given: an answer's results, and whom to compare it with
known      steps that know the bank: one mistake, two, several, and what a check reveals
related    the step that compares with a right answer alone; relations/ are those it knows
crash      the step that looks at exceptions
finding    the result of one hidden test, and the calls that it made
observed   one call: what came back, and what should have
banks      loads the misconceptions of each exercise of an assignment
suspect    a known answer, right or wrong, with which a student's replies are compared
replay     a test's calls, put to a suspect as far as they are needed
memory     what suspects have replied, kept from student to student
calls      the calls of one hidden test, and which of them repeat another
digests    tells plain data apart
deadline   ends a known mistake that loops
agreement  decides whether two replies to the same call agree
"""
