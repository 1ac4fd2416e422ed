"""The pages and tables that people read.

tables         reports and classes in a terminal
class_report   a page for the instructor: what the class misunderstood
feedback_page  the pages that students get back
markdown       renders students' markdown as HTML without active content
"""
