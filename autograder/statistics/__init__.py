"""What holds for a class: difficulty, shared mistakes, answers that are alike.

content       all that is told about a class in one assignment
standing      where each student and the class stand, by the gradebook
items         how hard each exercise and check was, and what it says about a student
mistakes      the misconceptions that students share, each with an example
class_report  the page about that, and the tables beside it
terminal      what a class came to, and the grader's faults
similar       which answers share what hardly anybody else wrote
similar_page  the page about that
"""
