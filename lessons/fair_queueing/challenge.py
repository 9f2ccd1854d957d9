"""Fair queueing: the challenge, as much load as aging can carry within two limits."""

from functools import lru_cache

from lessons.fair_queueing.settings import Turns, waits_at
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.knobs.declared import knobs_of

#: Limits of the mean waits of urgent and patient jobs [s].
LIMITS = float(k.FAIR_URGENT_LIMIT), float(k.FAIR_PATIENT_LIMIT)


def task() -> str:
    """The task in words."""
    urgent, patient = LIMITS
    return (
        f"In “Aging”, carry as much load as you can with a mean wait of at most {f.duration(urgent)} for urgent jobs "
        f"and {f.duration(patient)} for patient ones."
    )


def judge(turns: Turns) -> Verdict:
    """Say how far these settings have come."""
    said = f"{f.share(turns.load)} load, aging {f.significant(turns.aging_ratio)} to 1"
    late = [name for name, wait, limit in zip(("urgent", "patient"), turns.waits, LIMITS, strict=True) if wait > limit]
    if late:
        return Verdict(f"{said}: {' and '.join(late)} jobs wait too long.", False)
    if turns.load < highest() - 1e-9:
        return Verdict(f"{said}: both in time. More load can be carried.")
    return Verdict(
        f"Won: {said}. At any higher load on the knob one of the two waits too long, whatever the ratio.", True
    )


@lru_cache(maxsize=8)
def highest() -> float:
    """Highest load on the knob at which some ratio on the knob keeps both limits."""
    offered = knobs_of(Turns)
    return max(
        load
        for load in offered["load"].values({})
        for ratio in offered["aging_ratio"].values({})
        if all(wait <= limit for wait, limit in zip(waits_at(load, ratio), LIMITS, strict=True))
    )
