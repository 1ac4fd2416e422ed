"""The student's side of the sandbox: it holds nothing secret."""
