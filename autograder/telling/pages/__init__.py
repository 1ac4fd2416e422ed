"""The pages that people open, and how they are made safely of what students wrote.

student_page  what a student gets back: what to do next, each exercise, their notebook
looks         the style and the templates that all our pages share, and their edition
safe_html     students' texts as HTML without active content
press         makes a page in a process that can be killed
"""
