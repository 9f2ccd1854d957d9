"""The inverse questions: how many GPUs does a target of the waits need, and how much load keeps it?"""

from physics.cluster.needed.load import Kept, what_load_keeps
from physics.cluster.needed.size import Needed, what_is_needed
from physics.cluster.needed.target import MEASURES, named, parse_target

__all__ = ["MEASURES", "Kept", "Needed", "named", "parse_target", "what_is_needed", "what_load_keeps"]
