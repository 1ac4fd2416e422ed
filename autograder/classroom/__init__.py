"""Many submissions: graded side by side, and what is kept of them.

run         find what was handed in, grade what is new, keep the reports
pool        jobs handed out to workers, again if a worker dies
executors   the workers: processes on this machine, or a Dask cluster
worker      one submission graded in a worker's process
store       the reports on file
statistics  what a class understood, counted
"""
