"""Class polls: a question, two rounds, one vote per voter, kept in a database.

Knows nothing of Streamlit.
"""
