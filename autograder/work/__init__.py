"""The one way to run what may die: bounded calls, workers on this machine, a cluster."""
