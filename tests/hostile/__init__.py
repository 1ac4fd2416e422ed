"""Hostile submissions: a catalogue of them, and what the grader and the machine make of each.

cases           the catalogue, read from `tests/submissions/hostile/<class>.toml`
changes         what a case does to the notebook itself, where no cell can say it
folders         what a case leaves in its folder beside the notebook, or in its place
handing_in      a case as the bytes of a notebook, or what takes its place
witness         what a case could steal, reach or harm, and whether it did
memory          the most memory that the grader took for it
trials          each case graded beside an honest submission
school          a case handed in, graded and given back in a class, beside an honest submission
steps           what an instructor runs on a class, bounded and measured
pages           what is shown of a report, and what would run in there
class_of_sixty  a class alone, with insiders and with slow ones: what the honest get
modes           all of that as another user, or on another level of isolation
leftovers       what is left on the machine afterwards
stock, jail     the same submissions graded by stock nbgrader, where they can do no harm
"""
