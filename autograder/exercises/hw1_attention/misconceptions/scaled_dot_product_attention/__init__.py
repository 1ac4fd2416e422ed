"""What learners get wrong in scaled_dot_product_attention."""
