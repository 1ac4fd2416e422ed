"""What holds for a class: difficulty, shared mistakes, answers that are alike."""
