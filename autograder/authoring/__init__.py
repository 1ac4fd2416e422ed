"""From an instructor's solution script to the notebook that students receive.

script    a script's cells and their roles
release   fills in the prose, proves the solution by its hidden tests, writes the notebook
generate  lets nbgrader replace the solutions with stubs
trials    runs the hidden tests on right and wrong answers
"""
