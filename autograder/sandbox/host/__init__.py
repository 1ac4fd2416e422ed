"""The grader's side of the sandbox. Nothing that comes from the other side is trusted."""
