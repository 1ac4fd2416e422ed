"""From any file to a student's answers in a clean copy of the release.

archive     reads the notebooks in a zip or tar file
files       opens ordinary files alone
beside      what lies beside a notebook
code        what of a student's code is code, without comments and docstrings
magics      the Python in a cell that may also hold IPython's magics
notebook    reads a notebook file into cells
pictures    the pictures that a student's own run left
release     a released notebook
submission  puts a student's answers into a clean copy of the release
"""
