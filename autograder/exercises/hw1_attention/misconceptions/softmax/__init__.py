"""What learners get wrong in softmax."""
