"""Player of animations: a small canvas, which the browser draws without the server."""

from ui.films.film import Kind, Played, Showing, message, perform, play, show

__all__ = ["Kind", "Played", "Showing", "message", "perform", "play", "show"]
