"""What a student is told about a submission: one record, laid out in five ways."""
