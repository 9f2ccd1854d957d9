"""Grades: collect a course's reports, check them with the lessons' models, write tables."""
