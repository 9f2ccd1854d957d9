"""Grades: collect the reports of a course, check them with the lessons' models, and write
tables.
"""
