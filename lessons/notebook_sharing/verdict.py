"""Notebook sharing: what binds, in one sentence, and the smallest change that mends it."""

import math
from dataclasses import replace
from functools import lru_cache

from lessons.notebook_sharing.settings import PAIR, SCHEDULERS, Study
from lessons.notebook_sharing.words import core_hours
from physics import constants as k
from physics.notebooks.study import COMBINATIONS
from ui.base import format as f

SCANNED = 8  # up to so many notebooks every number of cores is tried; beyond that it would take too long


def verdict(study: Study) -> tuple[str, bool]:
    """Return what binds and the smallest change that mends it, and whether all is well."""
    for failure in (_stuck, _overhead, _state_lost, _too_slow):
        if text := failure(study):
            return text, False
    now, best = study.now, min(outcome.antt for outcome in study.outcomes.values())
    text = f"ANTT {f.significant(now.antt)} stays within {f.significant(study.bound)}."
    if now.antt > best * (1 + 1e-9):
        ahead = [words for name, words in SCHEDULERS.items() if study.outcomes[name].antt <= best * (1 + 1e-9)]
        return f"{text} {' and '.join(ahead)} would do better here: {f.significant(best)}.", True
    equal = all(outcome.antt <= best * (1 + 1e-9) for outcome in study.outcomes.values())
    return text + (" Here all three do equally well." if equal else " No other scheduler does better here."), True


def _stuck(study: Study) -> str:
    stuck = study.now.stuck
    if not stuck:
        return ""
    who = f"{stuck} of {f.count(len(study.names), 'notebook')} never {'ends' if stuck == 1 else 'end'}"
    if study.endless >= study.cores:
        return (
            f"Without limit: {who}, because a cell that never ends holds all {study.cores} cores. Stop one of its "
            "threads, and moldable cells go on; naive sharing goes on as it is."
        )
    text = (
        f"A rigid request waits for ever: {who}. A rigid all-core cell asks for all {study.cores} cores, a cell that "
        f"never ends holds {study.endless} of them, and those behind may not overtake."
    )
    moldable = replace(study, moldable=True).now
    return f"{text} Make cells moldable: ANTT {f.significant(moldable.antt)}."


def _overhead(study: Study) -> str:
    if study.scheduler != "dynamic" or not study.overhead or study.overhead < study.break_even:
        return ""
    best = min((study.outcomes[name].antt, name) for name in SCHEDULERS if name != "dynamic")
    if study.now.antt < best[0] * (1 - 1e-9):
        return ""
    text = (
        f"Overhead above the gain: at {f.duration(study.overhead)} a cell ANTT is {f.significant(study.now.antt)}, "
        f"{SCHEDULERS[best[1]].lower()} has {f.significant(best[0])}."
    )
    if study.break_even == 0:
        return f"{text} Here dynamic scheduling is not ahead even without overhead; switch to {best[1]}."
    return f"{text} It pays below {f.duration(study.break_even)} a cell; lower the overhead or switch to {best[1]}."


def _state_lost(study: Study) -> str:
    own = study.own
    if not own.culls:
        return ""
    saved = study.own_kept.idle - own.idle
    longest = max(cell.think for book in study.notebooks for cell in book[:-1])
    lost = sum(any(cell.think > study.cull for cell in book[:-1]) for book in study.notebooks)
    gain = f"saves {core_hours(saved)} idle core-hours" if saved > 0 else "saves no idle core-hours"
    return (
        f"The cull costs state: {lost} of {f.count(len(study.names), 'notebook')} lose it and run "
        f"{core_hours(own.rerun)} core-hours again, {f.duration(own.delay)} in all. On nodes of their own it {gain}. "
        f"A time-out of {_hours_up(longest)} loses nothing."
    )


def _hours_up(seconds: float) -> str:
    return f.count(math.ceil(seconds / k.HOUR), "hour")


def _too_slow(study: Study) -> str:
    if study.good:
        return ""
    text = f"ANTT {f.significant(study.now.antt)} misses the bound of {f.significant(study.bound)}."
    found = cures(study)
    if not found:
        cores = "more cores, " if len(study.names) <= SCANNED else ""
        return (
            f"{text} Neither another scheduler nor moldable cells, fewer copies, fewer notebooks, {cores}or less "
            "overhead alone meets it."
        )
    if len(found) == 1:
        return f"{text} One knob alone meets it: {found[0]}."
    return f"{text} Any one of these meets it: {'; '.join(found)}."


@lru_cache(maxsize=256)
def cures(study: Study) -> tuple[str, ...]:
    """Single-knob changes that meet the bound, each the smallest its knob allows, tried in the model."""
    found = [f"switch to {name}" for name in SCHEDULERS if replace(study, scheduler=name).good]
    if study.scheduler == "dynamic" and not study.moldable and replace(study, moldable=True).good:
        found.append("make cells moldable")
    for copies in range(study.copies - 1, 0, -1):
        if replace(study, copies=copies).good:
            found.append(f"run {'one copy' if copies == 1 else f'{copies} copies'} of each")
            break
    if study.combination != PAIR:
        fewer = [names for names in COMBINATIONS if set(names) < set(study.combination)]
        for names in sorted(fewer, key=lambda names: -len(names)):
            if replace(study, combination=names).good:
                left = "".join(name for name in study.combination if name not in names)
                found.append(f"leave out {' and '.join(left)}")
                break
    if len(study.names) <= SCANNED:
        enough = (n for n in range(study.cores + 1, int(k.NOTEBOOK_CORES.high) + 1) if replace(study, cores=n).good)
        if cores := next(enough, 0):
            found.append(f"take a node of {cores} cores")
    if study.scheduler == "dynamic" and study.overhead:
        steps = range(int(study.overhead / 0.5 - 1e-9), -1, -1)
        if (fewer := next((n for n in steps if replace(study, overhead=n * 0.5).good), None)) is not None:
            found.append(f"lower the overhead to {f.duration(fewer * 0.5)}")
    return tuple(found)
