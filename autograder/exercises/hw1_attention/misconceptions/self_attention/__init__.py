"""What learners get wrong in self_attention."""
