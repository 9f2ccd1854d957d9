"""Class polls: a question, two rounds, one vote per voter, kept in a database.

The package does not import Streamlit.
"""
