"""An autograder for homework on attention and Transformers.

Importing this package imports nothing else: the sandbox's warm process starts from it, and what is
not imported cannot be read there.
"""

__version__ = "0.1.0"
