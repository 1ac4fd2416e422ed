"""Run untrusted code without risk to the grader, its secrets or this machine.

host/ is the grader's side, guest/ the student's; what lies beside them, both sides share.
"""
