"""The one way to run what may die.

bounded    one call in a forked process, with bounds on its time, its memory and its result
processes  workers that are processes on this machine
cluster    workers of a Dask cluster
pool       many jobs for workers: their order, their workers' deaths, and a second try
"""
