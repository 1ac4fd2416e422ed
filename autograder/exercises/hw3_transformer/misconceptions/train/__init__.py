"""What learners get wrong in train."""
