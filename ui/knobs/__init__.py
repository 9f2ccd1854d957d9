"""Knobs: declared once as fields of a lesson's settings, drawn in the sidebar, searched for the
smallest change.
"""

from ui.knobs.declared import Knob, choice, knob, text, toggle

__all__ = ["Knob", "choice", "knob", "text", "toggle"]
