"""Many submissions: grade them in parallel, and keep their reports.

finding     finds what was handed in, and tells what can't be graded
run         grades new submissions, stores the reports
pool        submits jobs to workers, and retries them if a worker dies
executors   the workers: processes on this machine, or a Dask cluster
worker      grades one submission in a worker process
store       the stored reports
faults      the faults of the grader, each told once
statistics  counts what a class understood and misunderstood
"""
