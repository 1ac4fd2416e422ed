"""Learning platforms: what they hand out, what they take back, and what grades there.

canvas, moodle, gradescope, classroom50, folder and pattern say what is so of one of them, in both
directions; collecting/, exporting and packaging/ are the steps over all of them.
"""
