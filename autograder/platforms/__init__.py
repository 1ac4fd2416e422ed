"""Learning platforms: what they hand out, what they take back, and what grades there."""
