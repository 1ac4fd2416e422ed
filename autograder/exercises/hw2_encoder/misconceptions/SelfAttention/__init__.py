"""What learners get wrong in SelfAttention."""
