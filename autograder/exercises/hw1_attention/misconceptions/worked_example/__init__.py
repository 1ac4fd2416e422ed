"""What learners get wrong in worked_example."""
