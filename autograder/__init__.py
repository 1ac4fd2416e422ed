"""An autograder for homework in Jupyter notebooks.

This module imports nothing heavy: the sandbox's warm process imports this package, and must not
hold more in its memory than it needs.
"""

import sys

__version__ = "1.1.0"

# jsonschema, with which notebooks are checked, spends a second on compiling this module's grammars
# in each process, for a type of address that notebooks don't contain. Without it, it skips that.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
