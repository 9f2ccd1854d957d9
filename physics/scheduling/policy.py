"""What a scheduling policy is: order of the queue, backfill, preemption and a share of the GPUs, chosen apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from physics import constants as c
from physics.numerics import checks

__all__ = ["BACKFILLS", "ORDERS", "Policy", "Preemption"]

ORDERS = ("arrival", "priority", "fair_share", "shortest")
BACKFILLS = ("none", "easy", "conservative")
RULES = ("always", "pays")
VICTIMS = ("latest", "least_loss")


@dataclass(frozen=True)
class Preemption:
    """How running jobs may be stopped for a job of a higher class, and what that costs them.

    Work since the last checkpoint is lost; checkpoints are at whole multiples of the interval in work done. Each
    resume first spends the restart time on all of the job's GPUs.

    Parameters
    ----------
    checkpoint_interval : float
        Work between two checkpoints [s].
    restart_time : float
        Time before a resumed job works again [s].
    rule : {"always", "pays"}
        Always: whenever it lets the head of the queue start. Pays: only if the GPU time that the head would wait, its
        width times the time until enough GPUs are free if all that runs lasts as estimated, exceeds what the victims
        lose, their widths times the work since the last checkpoint and one restart.
    victims : {"latest", "least_loss"}
        Which of the sets of victims with the least GPUs that suffices is stopped: the one with the latest starts,
        compared from the latest on, or the one with the least losses, compared from the least on; equal losses by
        latest start. For victims of one width the latter is the least loss altogether.

    Notes
    -----
    Lecture notes compare priority × remaining work with a time, which have different units; the rule "pays" compares
    GPU time with GPU time. It looks one step ahead: who waits for the victims to come back is not counted.

    Examples
    --------
    >>> Preemption(checkpoint_interval=3600, restart_time=600).rule
    'always'
    """

    checkpoint_interval: float = c.CHECKPOINT_INTERVAL  #: work between two checkpoints [s]
    restart_time: float = c.RESTART_TIME  #: time before a resumed job works again [s]
    rule: str = "always"  #: when the head of the queue may have others stopped
    victims: str = "latest"  #: which of several sets that suffice

    def __post_init__(self) -> None:
        checks.positive("checkpoint_interval", self.checkpoint_interval)
        checks.non_negative("restart_time", self.restart_time)
        _one_of(("rule", self.rule, RULES), ("victims", self.victims, VICTIMS))


@dataclass(frozen=True)
class Policy:
    """Who starts next, what may go ahead of whom, and whose GPUs they are: independent choices.

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
        None: what runs is never stopped. With quotas only its checkpoint interval and restart time count.
    reserved : mapping of str to int, optional
        GPUs that only the named class may use; it may use shared ones as well. Not beside quotas.
    weights : mapping of str to float, optional
        Fair-share weights; a class that is not named weighs 1. Only their ratios matter.
    half_life : float
        Time after which past use counts half in fair share [s].
    max_wait : float, optional
        A job that has waited so long since its submission, or since it was last stopped, goes before all that have
        not, the longest waiting first [s]. Zero gives the order of arrival; None: waiting changes nothing.
    quotas : mapping of str to int, optional
        GPUs that each class is entitled to; a class that is not named has 0. Every pass first starts what fits into
        its class's quota, then lends the rest by order and backfill. None: there are no quotas.
    borrowing : bool
        Whether a class may use whatever is free beyond its quota. False: only what the quotas leave over.
    reclaim : bool
        Whether a job within its class's quota may stop jobs of classes above theirs, those that started last first.

    Raises
    ------
    ValueError
        For an unknown order or backfill, a class named twice, a negative or broken number of reserved GPUs or quota,
        quotas beside reserved GPUs, a weight or half-life that is not positive, a max_wait below zero.

    References
    ----------
    D. Lifka, "The ANL/IBM SP scheduling system", 1995 (EASY); A. Mu'alem and D. Feitelson, "Utilization,
    predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling", 2001, section 2
    (EASY and conservative); SchedMD, Slurm "Classic fairshare algorithm" and "Multifactor priority plugin" (F); Apache
    Hadoop, "YARN Capacity Scheduler" (elastic queues, preemption); Kubernetes, "Kueue: Cluster Queue" (quotas that a
    cohort lends and takes back).

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
    quotas: Mapping[str, int] | None = None
    borrowing: bool = True
    reclaim: bool = True

    def __post_init__(self) -> None:
        _one_of(("order", self.order, ORDERS), ("backfill", self.backfill, BACKFILLS))
        object.__setattr__(self, "classes", tuple(checks.several("classes", self.classes)))
        if len(set(self.classes)) < len(self.classes):
            raise ValueError(f"classes must name each class once, got {self.classes}")
        if self.preemption is not None and not isinstance(self.preemption, Preemption):
            raise ValueError(f"preemption must be None or a Preemption, got {self.preemption!r}")
        for name, mapping in (("reserved", self.reserved), ("weights", self.weights), ("quotas", self.quotas)):
            if mapping is not None and not isinstance(mapping, Mapping):
                raise ValueError(f"{name} must map class names to numbers, got {mapping!r}")
        if self.quotas is not None and self.reserved:
            raise ValueError(f"reserved must be None beside quotas, got {self.reserved!r}")
        for name, gpus in (self.reserved or {}).items():
            checks.count(f"reserved GPUs of {name}", gpus, least=0)
        for name, gpus in (self.quotas or {}).items():
            checks.count(f"quota of {name}", gpus, least=0)
        for name, value in (("borrowing", self.borrowing), ("reclaim", self.reclaim)):
            if not isinstance(value, bool):
                raise ValueError(f"{name} must be True or False, got {value!r}")
        for name, weight in (self.weights or {}).items():
            checks.positive(f"weight of {name}", weight)
        checks.positive("half_life", self.half_life)
        if self.max_wait is not None:
            checks.non_negative("max_wait", self.max_wait)

    def __hash__(self) -> int:
        """Policies with the same choices hash alike, mappings included."""
        mappings = (tuple(sorted((some or {}).items())) for some in (self.reserved, self.weights, self.quotas))
        plain = (self.order, self.backfill, self.classes, self.preemption, self.half_life, self.max_wait)
        return hash((*plain, self.borrowing, self.reclaim, *mappings))


def _one_of(*choices: tuple[str, str, tuple[str, ...]]) -> None:
    for name, value, known in choices:
        if value not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")
