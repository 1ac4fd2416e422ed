"""Attention in NumPy."""
