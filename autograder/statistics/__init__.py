"""What holds for a class: difficulty, shared mistakes, answers that are alike.

figures       how hard each exercise and check was, and where each student and the class stand
mistakes      the misconceptions that students share, each with an example
class_report  all that is told about a class in one assignment: its page and its tables
terminal      what a class came to, and the grader's faults
similar       which answers share what hardly anybody else wrote, and the page about that
"""
