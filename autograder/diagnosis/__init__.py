"""Which known mistake explains what came back.

finding    what one hidden test found, and the questions that it asked
banks      what is known about each exercise of an assignment
suspect    a known answer, right or wrong, that is asked what a student was asked
agreement  when two answers to the same question say the same
diagnosis  the order of steps: one mistake, two at once, then test by test
"""
