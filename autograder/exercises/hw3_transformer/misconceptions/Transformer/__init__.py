"""What learners get wrong in Transformer."""
