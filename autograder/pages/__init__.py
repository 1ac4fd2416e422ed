"""What people read.

tables         reports and classes in a terminal
class_report   what a class misunderstood, for the instructor
feedback_page  the pages that students get back
markdown       students' markdown as HTML in which nothing can run
"""
