"""What learners get wrong in EncoderBlock."""
