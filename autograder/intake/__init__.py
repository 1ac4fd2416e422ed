"""From any file to a student's answers in a clean copy of the release."""
