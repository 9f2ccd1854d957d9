"""Player of animations: a small canvas in the browser, which costs the server nothing after it is
sent.
"""

from ui.films.film import Kind, Played, Showing, message, perform, play, show

__all__ = ["Kind", "Played", "Showing", "message", "perform", "play", "show"]
