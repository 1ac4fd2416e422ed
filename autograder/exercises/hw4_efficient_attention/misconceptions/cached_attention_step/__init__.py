"""What learners get wrong in cached_attention_step."""
