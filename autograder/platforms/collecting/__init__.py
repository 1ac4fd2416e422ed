"""What platforms hand out, put where submissions belong."""
