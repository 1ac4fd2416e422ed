"""The pages and tables that people read.

tables           reports and classes in a terminal
class_report     a page for the instructor: what the class misunderstood
feedback_page    where nbgrader asks for the page that a student gets back
student_page     that page: what to do next, each exercise, their notebook
sections         what of a notebook stands on it
formgrader_page  the texts on nbgrader's own pages
press            makes a page in a process that can be killed
texts            the texts in a notebook as HTML, bounded in length
markdown         renders students' markdown as HTML without active content
highlighting     highlights code, by lexers that can't be made slow
plain            text as it was written
"""
