"""What a course is: its folders, its `course.toml`, its code, and how to make a new one."""

from autograder.course.course import Course

__all__ = ["Course"]
