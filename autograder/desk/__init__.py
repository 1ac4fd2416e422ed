"""The desk: a page on this machine for grading written answers, and for appeals."""
