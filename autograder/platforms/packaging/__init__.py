"""An autograder for one assignment, in a zip: a platform runs it on each submission.

gradescope_package, classroom50_package    make the zip for a platform
bundle      what each zip holds: the engine, and a course of one assignment
pins        the packages that have to be installed there
imports     which modules an assignment's own code imports
gradescope_run, classroom50_run            run by the platform on each submission
handed_in   finds the notebook and grades it
gradescope_results, classroom50_result     a report in the platform's own format
feedback_text    what a student reads there
"""
