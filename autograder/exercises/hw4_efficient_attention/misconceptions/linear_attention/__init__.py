"""What learners get wrong in linear_attention."""
