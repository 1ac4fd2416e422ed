"""Many submissions: grade them in parallel, and keep their reports.

finding     finds what was handed in, and tells what can't be graded
run         grades new submissions, stores the reports
pool        submits jobs to workers, and retries those that a process dies of
waiting     the jobs that wait, in which order
executors   the workers: processes on this machine
cluster     the workers of a Dask cluster
worker      grades one submission, in a worker
alone       grades one notebook by itself
store       the stored reports
faults      the faults of the grader, each told once
statistics  counts what a class understood and misunderstood
items       how hard each exercise and check was, and whether it tells students apart
"""
