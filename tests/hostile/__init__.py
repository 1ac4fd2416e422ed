"""Hostile submissions: a catalogue of them, and what the grader and the machine make of each.

cases      the catalogue, read from `tests/submissions/hostile/<class>.toml`
changes    what a case does to the notebook itself, where no cell can say it
handing_in a case as the bytes of a notebook, or what takes its place
witness    what a case could steal, reach or harm, and whether it did
trials     each case graded beside an honest submission
modes      all of that as another user, or on another level of isolation
leftovers  what is left on the machine afterwards
stock      the same submissions graded by stock nbgrader
"""
