"""Similar answers: pairs of submissions to look at, side by side. A hint, never a verdict.

passages    code as passages of a few tokens, in which names of one's own don't matter
answers     reads the answers of a class and of an instructor's references, a process each
comparison  which pairs share passages that hardly anybody else wrote

Nothing here has a say in a grade, or runs unless it is asked for.
"""
