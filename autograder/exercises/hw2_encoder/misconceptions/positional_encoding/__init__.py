"""What learners get wrong in positional_encoding."""
