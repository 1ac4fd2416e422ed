"""Find what explains a student's results: a known mistake, a relation, or an exception.

diagnosis  the steps, in their order: each gets a case and returns misconceptions
relations  what may hold between results and right ones, for any exercise and without a bank
banks      loads the misconceptions of each exercise of an assignment
suspect    a known answer, right or wrong, against which calls are replayed as far as needed
memory     what suspects have replied, kept from student to student
calls      the calls of one hidden test, and which of them repeat another
agreement  decides whether two replies to the same call agree
"""
