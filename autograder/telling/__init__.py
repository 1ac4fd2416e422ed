"""What a student is told about a submission: on a page, in a terminal and on a platform the same.

content   where they stand, what to do next, and a card for each exercise and written answer
plain     the same as lines of text
markdown  the same as Markdown, for the summaries of CI
"""
