"""Grades: the reports of a course, collected, judged again by the lessons, and written as
tables.
"""
