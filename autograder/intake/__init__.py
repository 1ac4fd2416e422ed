"""From a file, whatever it is, to a student's answers in a clean copy of the release.

archive     the notebooks in a zip or tar file
notebook    a notebook file, read into cells
release     a released notebook
submission  a student's notebook, put into a clean copy of its release
"""
