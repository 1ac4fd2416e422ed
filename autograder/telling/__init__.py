"""What a student is told about a submission: one record, laid out in five ways.

record    where they stand, what to do next, and a card for each exercise and written answer
text      as lines, as Markdown for CI, as nbgrader's comments, as a platform's text
terminal  in colours
pages     as the page that a student gets back, and what all our pages share
"""
