"""Import from learning platforms.

archive  an archive of submissions, identified by the paths of the notebooks
"""
