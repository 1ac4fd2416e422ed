"""What learners get wrong in greedy_decode."""
