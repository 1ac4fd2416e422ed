"""Points and feedback, in the files that platforms take back.

export            points, to any platform
canvas_gradebook  points, into the gradebook that Canvas exported
moodle_worksheet  points, into the grading worksheet that Moodle exported
tables            points, as a table of our own, or one like Gradescope's
feedback_zip      feedback pages, for a platform's bulk upload
canvas_files      how Canvas names files
moodle_files      how Moodle names files
filling           fills a column of a platform's file
exported          what all exports have in common
matching          who is who in a platform's file
sheet             a CSV file in which only single cells change
"""
