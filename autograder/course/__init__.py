"""What a course is: its folders, its `course.toml`, its code, and how to make a new one.

course    where everything of a course lies
settings  `course.toml`, checked
roster    who is in it, by which ids platforms know them, and what can be a student id
sheets    CSV files, read and written
seeds     the seed that a course has if nobody chose one
loading   hidden tests, fixtures and known mistakes, loaded by path
files     an instructor's files, such as data sets, that students are given
solution  the instructor's percent scripts, read
rubric    the written questions in them, with model answers and rubrics
scaffold  new courses, assignments and exercises
"""

from autograder.course.course import Course

__all__ = ["Course"]
