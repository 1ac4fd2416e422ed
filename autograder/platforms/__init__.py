"""Learning platforms: what they hand out, what they take back, and what grades there.

canvas, moodle, gradescope, classroom50, folder   what is so of one platform, in both directions
pattern      names of files of the course's own
archives     what all of their archives say of files, and zip files
points       what tables have in common into which points are filled
packaged     finds and grades what was handed in, on a platform's own machine

collecting/  an archive of any platform → submitted/
exporting    points and feedback → the files that any platform takes back
packaging/   an autograder that a platform runs on each submission
"""
