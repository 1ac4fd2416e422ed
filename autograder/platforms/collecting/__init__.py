"""What platforms hand out, put where submissions belong.

collect        an archive → `submitted/`, by the modules below
contents       which assignment a file is a notebook of
deciding       whose it is, what is placed, and what `unassigned.csv` asks the instructor
roster_import  students and their ids, from a platform's own table
"""
