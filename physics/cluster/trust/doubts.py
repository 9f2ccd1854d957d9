"""Doubts about a log, and remarks for the readers of its report."""

from physics.cluster.happened import Happened
from physics.cluster.machine.size import WIDER, Runaway
from physics.cluster.say import alike, say

#: A share of the jobs, or of their waits, from which on the waits are not the cluster's alone.
TENTH = 0.1
#: Time with more in use than there is, as a share of all, that rounding does not explain.
ROUNDING = 0.01


def doubts(found: Happened) -> list[str]:
    """Sentences on why a log may be wrong; most logs have none."""
    notes = found.notes
    told = []
    runaway = _runaway(found)
    if runaway is not None and not runaway.keeps_its_limit:
        told.append(runaway.sentence(found.unit, found.gpus))
    if "off_by_an_hour" in notes:
        told.append(say("off_by_an_hour", note=notes["off_by_an_hour"], days=_days(notes)))
    wider = found.left_out.get(WIDER, 0)
    if wider > ROUNDING * found.jobs:
        told.append(say("many_wider", wider=wider, found=found))
    if found.over > ROUNDING * found.span and runaway is None:
        told.append(say("much_over", found=found))
    told += _waits_of_others(found)
    shards = found.left_out.get("shards", 0)
    if shards > TENTH * found.jobs:
        told.append(say("shards_doubt", shards=shards, all=shards + found.jobs))
    return [say("doubt", doubt=text) for text in told]


def _waits_of_others(found: Happened) -> list[str]:
    """Why waits are not the cluster's, or only lower bounds."""
    notes = found.notes
    told = []
    eligible = notes.get("before_eligible")
    if eligible and eligible["time"] > TENTH * eligible["of"]:
        share = eligible["time"] / eligible["of"]
        told.append(say("before_eligible", share=share, mean=eligible["time"] / found.recorded))
    cut = notes.get("cut")
    if cut and cut["time"] > TENTH * cut["of"]:
        told.append(say("cut_doubt", note=cut, share=cut["time"] / cut["of"]))
    gave_up = notes.get("gave_up")
    if gave_up and gave_up["jobs"] > TENTH * found.jobs:
        told.append(say("gave_up_doubt", many=gave_up["jobs"], all=gave_up["jobs"] + found.jobs))
    throttled = notes.get("throttled")
    if throttled and throttled["jobs"] > TENTH * found.jobs:
        told.append(say("throttled_doubt", many=throttled["jobs"]))
    return told


def remarks(found: Happened) -> list[str]:
    """Sentences that a reader must know in addition to a log's numbers."""
    notes = found.notes
    told = []
    runaway = _runaway(found)
    if runaway is not None and runaway.keeps_its_limit:
        told.append(runaway.sentence(found.unit, found.gpus))
    if found.recorded and not found.knows_waits:
        told.append(say("no_submissions"))
    suspended = notes.get("suspended")
    if suspended:
        told.append(say("suspended", note=suspended, unit=found.unit))
    eligible = notes.get("before_eligible")
    if eligible:
        share = eligible["time"] / max(eligible["of"], 1.0)
        told.append(say("eligible", note=eligible, share=share))
    gave_up = notes.get("gave_up")
    if gave_up:
        mean = gave_up["time"] / gave_up["jobs"]
        mean, least = alike(mean, found.mean_at_least)
        told.append(say("gave_up", note=gave_up, mean=mean, least=least))
    throttled = notes.get("throttled")
    if throttled:
        told.append(say("throttled", many=throttled["jobs"]))
    cut = notes.get("cut")
    if cut:
        told.append(say("cut", note=cut))
    if "het" in notes:
        told.append(say("het", note=notes["het"], unit=found.unit))
        if notes["het"]["apart"]:
            told.append(say("het_apart", note=notes["het"]))
    if notes.get("sliced"):
        told.append(say("sliced", many=notes["sliced"]))
    if notes.get("sharded"):
        told.append(say("sharded", many=notes["sharded"]))
    shards = found.left_out.get("shards", 0) or notes.get("shards", 0)
    if shards:
        told.append(say("shards_left_out" if found.unit == "GPU" else "shards_cpus", many=shards))
    return told


def gave_up_or_waits(found: Happened) -> bool:
    """Whether jobs that gave up or still wait prove that a log has submission times."""
    return "gave_up" in found.notes or found.still_waiting > 0


def _runaway(found: Happened) -> Runaway | None:
    """The job on whose being left out the size rests."""
    if found.size is None:
        return None
    return found.size.runaway


def _days(notes: dict) -> str:
    return " and ".join(notes["off_by_an_hour"]["days"])
