"""Constants: the small fleet whose film the home page offers."""

from physics.constants.kinds import Constant

HOME_NODES = Constant(8, "1", "nodes of the small fleet", "assumed: what fits into a small picture")
HOME_NODE_GPUS = Constant(8, "1", "GPUs of one of its nodes", "assumed: as most GPU servers have")
HOME_BETWEEN = Constant(30 * 60, "s", "mean time between two jobs of the small fleet",
    "assumed: so few that hardly one waits, which no lesson asks about")
HOME_RUNTIME = Constant(2 * 3600, "s", "mean run time of its jobs", "assumed: round")
HOME_LENGTH = Constant(24 * 3600, "s", "length of its film", "assumed: a day")
HOME_SEED = Constant(1, "1", "seed of the film's chances", "assumed: the first; others are alike")
