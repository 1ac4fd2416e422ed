"""What learners get wrong in FeedForward."""
