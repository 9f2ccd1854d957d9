"""Settings ("knobs"): declared as fields of a dataclass, drawn, and searched for a fix."""

from ui.knobs.declared import choice, knob, text, toggle
from ui.knobs.knob import Knob

__all__ = ["Knob", "choice", "knob", "text", "toggle"]
