"""Learning platforms: what they hand out, and what grades where students hand in.

archive              an archive of submissions, identified by the paths of the notebooks
bundle               a zip that grades one assignment elsewhere: the engine, a reduced course
pins                 the packages that this needs, with their versions
imports              which modules an assignment's code imports
handed_in            finds and grades the notebook on a platform's machine
feedback_text        what a student reads there
gradescope_package   the autograder to upload to Gradescope
gradescope_run       what Gradescope runs on each submission
gradescope_results   a report → results.json
classroom50_package  the autograder to unpack in Classroom 50's repository
classroom50_run      what Classroom 50 runs on each submission
classroom50_result   a report → result.json
"""
