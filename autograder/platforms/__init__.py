"""Learning platforms: what they hand out, and what they take back.

archive  an archive of notebooks, told apart by their names
"""
