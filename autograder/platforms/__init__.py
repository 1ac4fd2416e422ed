"""Learning platforms: what they hand out, what they take back, and what grades there.

incoming  what a platform collected → submitted/
outgoing  points and feedback → the files that a platform takes back
packages  an autograder that a platform runs on each submission
source    what the platform that a submission was collected from called it
"""
