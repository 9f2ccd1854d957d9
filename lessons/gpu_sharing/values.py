"""Sharing a GPU: the lesson's numbers in words."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from lessons.gpu_sharing import puzzle
from lessons.gpu_sharing.settings import Sharing
from lessons.gpu_sharing.verdict import full_words, slower, times, written
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Result


def results(pair: Sharing) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    total = puzzle.throughput(pair)
    return [
        Result("Each slower", pair.slowdown, written(pair)),
        Result("System throughput", 2 * pair.speed, f.significant(2 * pair.speed)),
        Result("Compute in use", pair.used.compute, f.share(pair.used.compute)),
        Result("Memory bandwidth in use", pair.used.memory, f.share(pair.used.memory)),
        Result("System throughput of the puzzle", total, puzzle.written(total)),
    ]


@lru_cache(maxsize=1)
def _story() -> dict[str, str]:
    """The numbers of the message's own pair and of the puzzle, whatever the knobs say."""
    pair = Sharing()
    alike, trainings = replace(pair, neighbor=pair.intensity), replace(pair, intensity=pair.neighbor)
    notes, best = replace(pair, switch=float(k.SHARE_SWITCH_NOTES)), puzzle.extremes()
    half = replace(pair, reach=0.5, neighbor_reach=0.5)
    return {
        "story_slowdown": times(pair.slowdown),
        "story_throughput": f.significant(2 * pair.speed),
        "story_ridge": f.significant(k.SHARE_PEAK / k.SHARE_BANDWIDTH),
        "story_peak": f"{f.significant(k.SHARE_PEAK / 1e12)} TFLOP/s",
        "story_bandwidth": f"{f.significant(k.SHARE_BANDWIDTH / 1e12)} TB/s",
        "story_compute": f.share(pair.yours.compute),
        "story_memory": f.share(pair.yours.memory),
        "story_other_compute": f.share(pair.other.compute),
        "story_other_memory": f.share(pair.other.memory),
        "story_other_bytes": f"{f.significant(pair.other.memory * k.SHARE_BANDWIDTH / 1e12)} TB/s",
        "story_asked": f.share(max(pair.asked)),
        "story_alike": times(alike.slowdown),
        "story_trainings": times(trainings.slowdown),
        "story_half": slower(half.slowdown),
        "story_half_reach": f.share(half.reach),
        "story_turns": times(1 / pair.turn_speed),
        "story_useful": f.share(pair.turns[0]),
        "story_quantum": f.duration(pair.quantum),
        "story_switch": f.duration(pair.switch),
        "notes_switch": f.duration(notes.switch),
        "notes_useful": f.share(notes.turns[0]),
        "notes_turns": times(1 / notes.turn_speed),
        "story_slices": " and ".join(f.significant(speed) for speed in pair.slice_speeds),
        "puzzle_start": f.significant(puzzle.throughput(pair)),
        "puzzle_worst": f.significant(best.worst),
        "puzzle_random": f.significant(best.random),
    }


def live_values(pair: Sharing) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    useful, wait = pair.turns
    mine, theirs = pair.instances
    return _story() | {
        "intensity": f.significant(pair.intensity, 4),
        "neighbor": f.significant(pair.neighbor, 4),
        "reach": f.share(pair.reach),
        "neighbor_reach": f.share(pair.neighbor_reach),
        "compute": f.share(pair.yours.compute),
        "memory": f.share(pair.yours.memory),
        "other_compute": f.share(pair.other.compute),
        "other_memory": f.share(pair.other.memory),
        "asked_compute": f.share(pair.asked.compute),
        "asked_memory": f.share(pair.asked.memory),
        "fullest": full_words(pair),
        "speed": f.share(pair.speed),
        "slower": slower(pair.slowdown),
        "quantum": f.duration(pair.quantum),
        "switch": f.duration(pair.switch),
        "useful": f.share(useful),
        "turn_speed": f.share(pair.turn_speed),
        "turn_wait": f.duration(wait),
        "cut": f"{mine.name} and {theirs.name}",
        "slice_mine": f.share(pair.slice_speeds[0]),
        "slice_other": f.share(pair.slice_speeds[1]),
        "puzzle_now": puzzle.written(puzzle.throughput(pair)),
    }
