"""The lessons, a room each."""
