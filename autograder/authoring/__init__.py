"""From an instructor's solution script to the notebook that students receive.

release   solution script → checked solution → released notebook
script    a script's cells and their roles
prose     what is filled into the prose: points, what the course says, pictures
generate  lets nbgrader remove the solutions
stubs     what students find in place of a solution
proof     runs the hidden tests on the solution
trials    runs the hidden tests on right and wrong answers
trying    grades those answers as students' are graded
"""
