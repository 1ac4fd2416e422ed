"""The pages and tables that people read.

tables         reports and classes in a terminal
class_report   a page for the instructor: what the class misunderstood
feedback_page  the pages that students get back
formgrader_page  the texts on nbgrader's own pages
press          makes a page in a process that can be killed
texts          the texts in a notebook as HTML, bounded in length
markdown       renders students' markdown as HTML without active content
highlighting   highlights code, by lexers that can't be made slow
plain          text as it was written
"""
