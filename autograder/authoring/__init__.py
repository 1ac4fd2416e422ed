"""From an instructor's solution script to what students receive.

release   solution script → proven → released notebook
script    a script's cells, and the part that each plays
generate  nbgrader takes the solutions out
proof     the solution against its own hidden tests
trials    the hidden tests against right and wrong answers
trying    those answers, graded as students' are
"""
