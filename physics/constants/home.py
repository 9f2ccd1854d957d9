"""Constants: the small fleet whose film the home page offers."""

from physics.constants.kinds import Constant

HOME_NODES = Constant(8, unit="1", meaning="nodes of the small fleet", source="assumed: what fits into a small picture")
HOME_NODE_GPUS = Constant(8, unit="1", meaning="GPUs of one of its nodes", source="assumed: as most GPU servers have")
HOME_BETWEEN = Constant(
    30 * 60,
    unit="s",
    meaning="mean time between two jobs of the small fleet",
    source="assumed: so few that hardly one waits, which no lesson asks about",
)
HOME_RUNTIME = Constant(2 * 3600, unit="s", meaning="mean run time of its jobs", source="assumed: round")
HOME_LENGTH = Constant(24 * 3600, unit="s", meaning="length of its film", source="assumed: a day")
HOME_SEED = Constant(1, unit="1", meaning="seed of the film's chances", source="assumed: the first; others are alike")
