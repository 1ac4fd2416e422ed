"""What learners get wrong in MultiHeadAttention."""
