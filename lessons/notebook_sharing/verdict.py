"""Notebook sharing: what binds, in one sentence, and the smallest changes that fix it."""

import math
from dataclasses import replace

from lessons.notebook_sharing.settings import PAIR, SCHEDULERS, Study
from lessons.notebook_sharing.words import core_hours
from physics import constants as k
from physics.notebooks.study import COMBINATIONS
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.knobs import remedies as search

SCANNED = 8  # up to so many notebooks other numbers of cores are tried; beyond that it would take too long


def verdict(study: Study) -> Verdict:
    """Return what binds."""
    for failure in (_stuck, _overhead, _state_lost, _too_slow):
        if text := failure(study):
            return Verdict(text, False)
    text = f"ANTT {f.apart(study.now.antt, study.bound)} stays within the accepted {f.significant(study.bound)}."
    if _ahead(study):
        return Verdict(text, True)
    equal = all(outcome.antt <= study.now.antt * (1 + 1e-9) for outcome in study.outcomes.values())
    return Verdict(
        text + (" Here all three do equally well." if equal else " No other scheduler does better here."), True
    )


def remedies(study: Study) -> str:
    """Say what fixes what binds, each alone; where all is well, whether another scheduler does better."""
    for mend in (_move_on, _pay_less, _wait_longer, _speed_up):
        if text := mend(study):
            return text
    if ahead := _ahead(study):
        best = min(outcome.antt for outcome in study.outcomes.values())
        better = f"{' and '.join(ahead)} would do better here: {f.apart(best, study.now.antt)}."
        return f"The accepted slowdown is met. {better}"
    return ""


def _ahead(study: Study) -> list[str]:
    """Schedulers that are best where the chosen one is not."""
    best = min(outcome.antt for outcome in study.outcomes.values()) * (1 + 1e-9)
    return [SCHEDULERS[name] for name, one in study.outcomes.items() if one.antt <= best < study.now.antt]


def _stuck(study: Study) -> str:
    stuck = study.now.stuck
    if not stuck:
        return ""
    who = f"{stuck} of {f.count(len(study.names), 'notebook')} never {'ends' if stuck == 1 else 'end'}"
    if study.endless >= study.cores:
        return f"Without limit: {who}, because a cell that never ends holds all {study.cores} cores."
    return (
        f"A rigid request waits for ever: {who}. A rigid all-core cell asks for all {study.cores} cores, a cell that "
        f"never ends holds {study.endless} of them, and those behind may not overtake."
    )


def _move_on(study: Study) -> str:
    if not study.now.stuck:
        return ""
    if study.endless >= study.cores:
        return "Stop one of its threads, and moldable cells go on; naive sharing goes on as it is."
    moldable = replace(study, moldable=True).now
    return f"Make cells moldable: ANTT {f.significant(moldable.antt)}."


def _best_other(study: Study) -> tuple[float, str]:
    return min((study.outcomes[name].antt, name) for name in SCHEDULERS if name != "dynamic")


def _overhead(study: Study) -> str:
    if study.scheduler != "dynamic" or not study.overhead or study.overhead < study.break_even:
        return ""
    best, name = _best_other(study)
    if study.now.antt < best * (1 - 1e-9):
        return ""
    cell = f"at {f.duration(study.overhead)} a cell ANTT is {f.apart(study.now.antt, best)}"
    other = SCHEDULERS[name].lower()
    if _breaks_even(study):
        return f"Overhead as large as the gain: {cell}, that of {other} too."
    return f"Overhead above the gain: {cell}, {other} has {f.significant(best)}."


def _breaks_even(study: Study) -> bool:
    return study.now.antt <= _best_other(study)[0] * (1 + 1e-9)


def _pay_less(study: Study) -> str:
    if not _overhead(study):
        return ""
    name = _best_other(study)[1]
    if study.break_even == 0:
        return f"Here dynamic scheduling is not ahead even without overhead; switch to {name}."
    switch = "" if _breaks_even(study) else f" or switch to {name}"
    return f"It pays below {f.duration(study.break_even)} a cell; lower the overhead{switch}."


def _state_lost(study: Study) -> str:
    own = study.own
    if not own.culls:
        return ""
    saved = study.own_kept.idle - own.idle
    lost = sum(any(cell.think > study.cull for cell in book[:-1]) for book in study.notebooks)
    lose = "loses it and runs" if lost == 1 else "lose it and run"
    gain = f"saves {core_hours(saved)} idle core-hours" if saved > 0 else "saves no idle core-hours"
    return (
        f"The cull costs state: {lost} of {f.count(len(study.names), 'notebook')} {lose} "
        f"{core_hours(own.rerun)} core-hours again, {f.duration(own.delay)} in all. On nodes of their own it {gain}."
    )


def _wait_longer(study: Study) -> str:
    if not study.own.culls:
        return ""
    longest = max(cell.think for book in study.notebooks for cell in book[:-1])
    return f"A time-out of {f.count(math.ceil(longest / k.HOUR), 'hour')} loses nothing."


def _too_slow(study: Study) -> str:
    if study.good:
        return ""
    return f"ANTT {f.apart(study.now.antt, study.bound)} misses the accepted {f.significant(study.bound)}."


def _speed_up(study: Study) -> str:
    if study.good:
        return ""
    found = cures(study)
    if not found:
        cores = "another number of cores, " if len(study.names) <= SCANNED else ""
        return (
            f"Neither another scheduler nor moldable cells, other copies, fewer notebooks, {cores}or another "
            f"overhead alone was found to meet the accepted {f.significant(study.bound)}."
        )
    return f"Meets the accepted {f.significant(study.bound)}: {'; or '.join(found)}."


def cures(study: Study) -> list[str]:
    """List single-knob changes that meet the bound, each the smallest of its knob, tried in the model."""
    found = [f"switch to {name}" for name in SCHEDULERS if replace(study, scheduler=name).good]
    if study.combination != PAIR:
        fewer = [names for names in COMBINATIONS if set(names) < set(study.combination)]
        for names in sorted(fewer, key=lambda names: -len(names)):
            if replace(study, combination=names).good:
                found.append(f"leave out {' and '.join(name for name in study.combination if name not in names)}")
                break
    dynamic = study.scheduler == "dynamic"
    tried = ["moldable"] * (dynamic and not study.moldable) + ["copies"]
    tried += ["cores"] * (len(study.names) <= SCANNED) + ["overhead"] * (dynamic and study.overhead > 0)
    return found + [change.words for change in search.remedies(study, lambda other: other.good, tried)]
