"""What learners get wrong in Encoder."""
