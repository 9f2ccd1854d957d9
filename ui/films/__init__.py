"""The player of films: a small canvas in the visitor's browser, which costs the server nothing once
it is sent.
"""

from ui.films.film import Kind, Played, Showing, message, perform, play, show

__all__ = ["Kind", "Played", "Showing", "message", "perform", "play", "show"]
