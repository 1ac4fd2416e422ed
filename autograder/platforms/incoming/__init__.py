"""What a platform collected, put where submissions belong."""
