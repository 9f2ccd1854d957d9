"""Constants: the last answer."""

from physics.constants.kinds import Constant

_MESSAGE = "assumed: the lesson's message"

LAST_ANSWERS = Constant(1024, "1", "answers that a step of reinforcement learning waits for", _MESSAGE,
    symbol="n", low=64, high=2048)
LAST_GPUS = Constant(64, "1", "GPUs that write the answers", _MESSAGE, low=4, high=64, step=4)
LAST_REQUESTED_GPUS = Constant(32, "1", "GPUs that the fleet's owner wants back", _MESSAGE)
LAST_PLACES_PER_GPU = Constant(16, "1", "answers that one GPU writes at once",
    "assumed: few enough that a GPU's pace hardly depends on how many it writes; 16 on each of 64 GPUs are 1,024")
LAST_MEAN = Constant(60, "s", "mean time to write an answer", _MESSAGE, low=10, high=600, step=10)
LAST_EXTRA = Constant(0, "1", "share of answers that a step starts beyond those it waits for",
    "assumed: none, as most training code starts", low=0, high=0.25, step=0.01)
LAST_SHORTER = Constant(0.05, "1", "share by which the kept answers may be shorter than all, in the challenge",
    "chosen for the lesson: one setting then wins")
