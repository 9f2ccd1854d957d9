"""Save one picture as a self-contained page without library or network, or as SVG or PNG.

The browser has drawn the picture already, so it also makes the file: the server sends the words
around it, once somebody opens the list of files.
"""

from ui.saving.files import DRAWING, MOST, Words, chart, film, offer, picture

__all__ = ["DRAWING", "MOST", "Words", "chart", "film", "offer", "picture"]
