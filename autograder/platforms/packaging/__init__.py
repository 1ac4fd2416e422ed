"""An autograder for one assignment, in a zip: a platform runs it on each submission.

bundle        makes the zip: the engine, and a course of one assignment
requirements  the packages that have to be installed there
templates     what else lies in the zip, a folder for each platform
"""
