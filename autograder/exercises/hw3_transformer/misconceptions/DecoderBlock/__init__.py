"""What learners get wrong in DecoderBlock."""
