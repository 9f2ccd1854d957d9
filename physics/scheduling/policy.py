"""What a scheduling policy is: order of the queue, backfill, preemption and reserved GPUs, chosen independently."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from physics import constants as c
from physics.numerics import checks

ORDERS = ("arrival", "priority", "fair_share", "shortest")
BACKFILLS = ("none", "easy", "conservative")


@dataclass(frozen=True)
class Preemption:
    """How running jobs may be stopped for a job of a higher class, and what that costs them.

    Work since the last checkpoint is lost; checkpoints are at whole multiples of the interval in work done. Each
    resume first spends the restart time on all of the job's GPUs.

    Raises
    ------
    ValueError
        For an interval that is not positive or a restart time below zero.

    Examples
    --------
    >>> Preemption(checkpoint_interval=3600, restart_time=600)
    Preemption(checkpoint_interval=3600, restart_time=600)
    """

    checkpoint_interval: float = c.CHECKPOINT_INTERVAL  #: work between two checkpoints [s]
    restart_time: float = c.RESTART_TIME  #: time before a resumed job works again [s]

    def __post_init__(self) -> None:
        checks.positive("checkpoint_interval", self.checkpoint_interval)
        checks.non_negative("restart_time", self.restart_time)


@dataclass(frozen=True)
class Policy:
    """Who starts next, and what may go ahead of whom: four independent choices.

    Parameters
    ----------
    order : {"arrival", "priority", "fair_share", "shortest"}
        Order of the queue. Arrival: by submission. Priority: by class, then by arrival. Fair share: by Slurm's classic
        factor F = 2^(−usage ÷ share), highest first, ties by arrival, computed anew at every pass. Shortest: by
        estimate, then by arrival.
    backfill : {"none", "easy", "conservative"}
        None: nothing overtakes the head of the queue. EASY: the head has a reservation, a later job may start if it
        does not delay it. Conservative: every waiting job has one.
    classes : sequence of str
        Priority order, the first is the highest. A class that is not named ranks last; several such rank alike.
    preemption : Preemption or None
        None: what runs is never stopped.
    reserved : mapping of str to int, optional
        GPUs that only the named class may use; it may use shared ones as well.
    weights : mapping of str to float, optional
        Fair-share weights; a class that is not named weighs 1. Only their ratios matter.
    half_life : float
        Time after which past use counts half in fair share [s].
    max_wait : float, optional
        A job that has waited so long since its submission, or since it was last stopped, goes before all that have
        not, the longest waiting first [s]. Zero gives the order of arrival; None: waiting changes nothing.

    Raises
    ------
    ValueError
        For an unknown order or backfill, a class named twice, a negative or broken number of reserved GPUs, a weight
        or half-life that is not positive, a max_wait below zero.

    References
    ----------
    D. Lifka, "The ANL/IBM SP scheduling system", 1995 (EASY); A. Mu'alem and D. Feitelson, "Utilization,
    predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling", 2001, section 2
    (EASY and conservative); SchedMD, Slurm "Classic fairshare algorithm" and "Multifactor priority plugin" (F).

    Examples
    --------
    >>> Policy(order="priority", backfill="easy").classes
    ('interactive', 'search', 'training')
    """

    order: str = "arrival"
    backfill: str = "none"
    classes: Sequence[str] = ("interactive", "search", "training")
    preemption: Preemption | None = None
    reserved: Mapping[str, int] | None = None
    weights: Mapping[str, float] | None = None
    half_life: float = c.FAIR_SHARE_HALF_LIFE
    max_wait: float | None = None

    def __post_init__(self) -> None:
        for name, value, known in (("order", self.order, ORDERS), ("backfill", self.backfill, BACKFILLS)):
            if value not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")
        object.__setattr__(self, "classes", tuple(checks.several("classes", self.classes)))
        if len(set(self.classes)) < len(self.classes):
            raise ValueError(f"classes must name each class once, got {self.classes}")
        if self.preemption is not None and not isinstance(self.preemption, Preemption):
            raise ValueError(f"preemption must be None or a Preemption, got {self.preemption!r}")
        for name, mapping in (("reserved", self.reserved), ("weights", self.weights)):
            if mapping is not None and not isinstance(mapping, Mapping):
                raise ValueError(f"{name} must map class names to numbers, got {mapping!r}")
        for name, gpus in (self.reserved or {}).items():
            checks.count(f"reserved GPUs of {name}", gpus, least=0)
        for name, weight in (self.weights or {}).items():
            checks.positive(f"weight of {name}", weight)
        checks.positive("half_life", self.half_life)
        if self.max_wait is not None:
            checks.non_negative("max_wait", self.max_wait)

    def __hash__(self) -> int:
        """Policies with the same choices hash alike, mappings included."""
        mappings = (tuple(sorted((chosen or {}).items())) for chosen in (self.reserved, self.weights))
        return hash(
            (self.order, self.backfill, self.classes, self.preemption, self.half_life, self.max_wait, *mappings)
        )
