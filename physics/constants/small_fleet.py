"""Constants: the small fleet whose line of waiting jobs grows on the home page."""

from physics.constants.kinds import Constant

HOME_GPUS = Constant(64, "1", "GPUs of the small fleet", "assumed: what fits into a small picture")
HOME_JOB_GPUS = Constant(8, "1", "GPUs of one of its jobs", "assumed: a whole server, as most GPU servers have")
HOME_LOAD = Constant(0.95, "1", "share of the small fleet that there is work for in the long run",
    "assumed: as in the first lesson")
HOME_RUNTIME = Constant(3600, "s", "mean run time of its jobs", "assumed: as in the first lesson")
HOME_LENGTH = Constant(12 * 3600, "s", "length of its animation", "assumed: half a day")
HOME_SEED = Constant(5510, "1", "seed of the animation's chances", "assumed: one of those in which the line grows")
