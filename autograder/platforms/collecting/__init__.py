"""What a platform hands out, put where submissions belong.

collect      a download → `submitted/`, by the modules below
canvas, moodle, gradescope, classroom50, folder    how each names people and times
pattern      the same, for a pattern of the course's own
entry        what a platform says of a file
identity     who somebody on a platform is
contents     which assignment a file is a notebook of
deciding     what is placed, and what is asked
unassigned   `unassigned.csv`, which asks it
placing      `submitted/`, written
roster_import  students and their ids, from a platform's own table
"""
