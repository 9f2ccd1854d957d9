"""Constants: minimal lesson."""

from physics.constants.kinds import Constant
from physics.constants.units import HOUR

MINIMAL_LESSON_FLEET = Constant(1024, "1", "GPUs of the fleet, one for each job", "assumed: the message's fleet",
    symbol="N", low=8, high=4096, step=8)
MINIMAL_LESSON_JOB_LENGTH = Constant(1 * HOUR, "s", "mean run time of a job", "assumed: the message's jobs",
    symbol="S", low=0.1 * HOUR, high=24 * HOUR, step=0.1 * HOUR)
MINIMAL_LESSON_TARGET = Constant(2000 / HOUR, "1/s", "jobs a second that the challenge asks for",
    "assumed: not reached by any fleet that the challenge allows with the message's jobs")
MINIMAL_LESSON_MOST = Constant(1024, "1", "GPUs that the challenge allows", "assumed: those of the message")
