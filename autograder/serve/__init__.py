"""The server: students hand in and get feedback at once; instructors see how the class does."""
