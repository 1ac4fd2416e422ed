"""Find what explains a student's results: a known mistake, a relation, or an exception."""
