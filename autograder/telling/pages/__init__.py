"""The pages and tables that people read.

tables           reports and classes in a terminal
class_report     a page for the instructor: what the class understood and misunderstood
class_content    all that is told about a class
class_standing   where each student and the class stand, by the gradebook
class_tables     the same as CSV
snippets         answers as examples of misconceptions, without their authors
feedback         writes the pages that students get back, as far as they would be others now
feedback_page    one of them, and where nbgrader asks for it
edition          tells when our pages changed
looks            the style that our pages share
student_page     that page: what to do next, each exercise, their notebook
sections         what of a notebook stands on it
formgrader_page  the texts on nbgrader's own pages
press            makes a page in a process that can be killed
texts            the texts in a notebook as HTML, bounded in length
markdown         renders students' markdown as HTML without active content
highlighting     highlights code, by lexers that can't be made slow
plain            text as it was written
"""
