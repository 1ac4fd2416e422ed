"""What learners get wrong in sliding_window_attention."""
