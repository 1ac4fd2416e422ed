"""What platforms hand out, put where submissions belong.

collect        an archive → `submitted/`: read, decided upon, placed
deciding       whose it is, what is placed, and what `unassigned.csv` asks the instructor
roster_import  students and their ids, from a platform's own table
"""
