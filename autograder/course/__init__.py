"""What a course is: its folders, its `course.toml`, its code, and how to make a new one.

course    where everything of a course lies, and its seed
settings  `course.toml`, checked
roster    who is in it, by which ids platforms know them, and what can be a student id
sheets    CSV files, read and written
saving    files that are written as a whole
loading   hidden tests, fixtures and known mistakes, loaded by path
solution  the instructor's percent scripts, the written questions in them, and files for students
scaffold  new courses, assignments and exercises
"""

from autograder.course.course import Course

__all__ = ["Course"]
