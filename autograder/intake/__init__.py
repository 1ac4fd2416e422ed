"""From any file to a student's answers in a clean copy of the release.

archive     reads the notebooks in a zip or tar file, or a folder
notebook    opens ordinary files alone, and reads a notebook into cells and their pictures
attachments what lies beside a notebook
times       when it was handed in
code        the Python in a cell, and what of it is code
submission  a released notebook, and a student's answers in a clean copy of it
"""
