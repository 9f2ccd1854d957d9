"""How long it takes to collect a course: `python -m benchmarks.grades`.

Reports are made in one process and graded in another, which has computed nothing before. In one
course every student stands at one of a lesson's presets or has turned two of its knobs as some others have; in the
other every student has settings of their own in every lesson, the most expensive course there is.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from lessons import LESSONS
from ui.base.lesson import Lesson
from ui.knobs.declared import default_of, knobs_of, quantities
from ui.knobs.declared import read as read_settings

ROOT = Path(__file__).resolve().parents[1]
#: Reports of a course, and how many of them are broken or forged.
REPORTS, BAD = 300, 30
#: Settings that a class has together in each lesson, apart from the presets.
TOGETHER = 4
#: What is done to a report, in turns: broken files first, forged ones last.
BROKEN = ("cut", "not JSON", "another app's", "no answer")
FORGED = ("results", "challenge", "settings")


def reports(number: int, bad: int, own: bool = False, seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of so many reports, `bad` of them broken or forged; `017-results.json` says which and how.

    With `own` every student has settings of their own; such reports claim no results, which would cost as much as
    grading.
    """
    rng = random.Random(seed)
    pools = {lesson.id: _pool(lesson, rng) for lesson in LESSONS} if not own else {}
    for place in range(number):
        records = {lesson.id: _record(lesson, rng, pools.get(lesson.id)) for lesson in LESSONS}
        what = (*BROKEN, *FORGED)[place % (len(BROKEN) + len(FORGED))] if place < bad else "honest"
        whole = {"app": "fleet-what-if", "schema": 1, "name": f"Student {place}", "lessons": records}
        whole |= {"login": f"s{place}@example.org", "tokens": [f"{rng.getrandbits(128):032x}"]}
        yield f"{place:03d}-{what.replace(' ', '-')}.json", _spoiled(whole, what)


def _pool(lesson: Lesson, rng: random.Random) -> list[dict]:
    """What a class has together: settings, and the results that the model finds there."""
    found = [quantities(lesson.settings()) | dict(preset.changes) for preset in lesson.presets.values()]
    found += [_turned(lesson, rng) for _ in range(TOGETHER)]
    kept = []
    for settings in found[: 2 * TOGETHER]:
        read = read_settings(lesson.settings, settings)[0]
        won = {"won": quantities(read)} if lesson.challenge and lesson.challenge.judge(read).good else {}
        results = {result.label: result.text for result in lesson.results(read)}
        kept.append({"settings": quantities(read), "results": results} | won)
    return kept


def _turned(lesson: Lesson, rng: random.Random) -> dict:
    """Turn two knobs of a lesson."""
    settings, knobs = quantities(lesson.settings()), knobs_of(lesson.settings)
    before = {one: default_of(lesson.settings, one) for one in knobs}
    for name in rng.sample(sorted(knobs), 2):
        if knobs[name].kind == "number":  # a list of all that can be typed takes gigabytes
            settings[name] = knobs[name].nearest(rng.uniform(*knobs[name].bounds(before)), before) * knobs[name].unit
        elif positions := knobs[name].values(before):
            settings[name] = rng.choice(positions)
    return settings


def _record(lesson: Lesson, rng: random.Random, pool: list[dict] | None) -> dict:
    record = {"prediction": rng.choice("abcd"), "predicted_at": "2026-03-01T10:00:00+00:00"}
    record |= {"reflection": rng.choice("abcd"), "reflected_at": "2026-03-01T10:05:00+00:00"}
    record |= rng.choice(pool) if pool else {"settings": _turned(lesson, rng)}
    return record | {"note": f"{lesson.title}: what I saw, in my own words, number {rng.randrange(10**9)}."}


def _spoiled(whole: dict, what: str) -> bytes:
    """Break or forge a report."""
    first = next(iter(whole["lessons"].values()))
    match what:
        case "not JSON":
            return b"GIF89a"
        case "another app's":
            whole["app"] = "another"
        case "no answer":
            first["prediction"] = "z"
        case "results":
            first["results"] = dict.fromkeys(first.get("results", {"Mean wait": ""}), "1 s")
        case "challenge":
            first["won"] = quantities(next(lesson for lesson in LESSONS if lesson.challenge).settings())
        case "settings":
            first["settings"] = dict.fromkeys(first["settings"], "many")
    return json.dumps(whole).encode()[: 500 if what == "cut" else None]


def main() -> None:
    """Print the table: both courses graded as staff do, by the command."""
    print("| course | wall | processor | what is said |\n|---|---|---|---|")
    for words, own in (("as the presets stand", False), ("settings of their own", True)):
        with tempfile.TemporaryDirectory() as folder:
            for name, data in reports(REPORTS, BAD, own):
                (Path(folder) / name).write_bytes(data)
            command = [sys.executable, "-m", "lessons", "grades", *sorted(map(str, Path(folder).glob("*.json")))]
            began, before = time.perf_counter(), os.times()
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
            wall, after = time.perf_counter() - began, os.times()
            used = after.children_user + after.children_system - before.children_user - before.children_system
            print(f"| {words} | {wall:.0f} s | {used:.0f} s | {done.stderr.strip().splitlines()[-1]} |", flush=True)


if __name__ == "__main__":
    main()
