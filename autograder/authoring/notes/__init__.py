"""Locked notes: what a check cell says of a known mistake, without holding its results.

`author` makes the table that a release carries; `notebook` is what opens it there.
"""
