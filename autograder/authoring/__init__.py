"""From an instructor's solution script to the notebook that students receive."""
