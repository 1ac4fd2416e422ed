"""The pages that people open, and how they are made safely of what students wrote."""
