"""An autograder for one assignment, in a zip: a platform runs it on each submission."""
