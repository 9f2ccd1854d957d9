"""Knobs: declared once as fields of a lesson's settings, drawn in the sidebar, searched for the
smallest change.
"""

from ui.knobs.declared import choice, knob, text, toggle
from ui.knobs.knob import Knob

__all__ = ["Knob", "choice", "knob", "text", "toggle"]
