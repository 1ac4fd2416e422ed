"""The one way to run what may die."""
