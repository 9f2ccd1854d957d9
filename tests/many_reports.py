"""The reports of a course: honest ones that stand where a lesson's presets do, broken ones, and
forged ones.
"""

import json
import random
from collections.abc import Iterator

from lessons import LESSONS
from ui.base.lesson import Lesson
from ui.knobs.declared import quantities, read

#: What is done to a report, in turns: broken files first, forged ones last.
BROKEN = ("cut", "not JSON", "another app's", "no answer")
FORGED = ("results", "challenge", "settings")


def reports(number: int, bad: int) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of so many reports, `bad` of them broken or forged; the name says
    how.
    """
    rng = random.Random(1)
    pools = {lesson.id: list(_pool(lesson)) for lesson in LESSONS}
    for place in range(number):
        records = {
            lesson.id: _record(lesson, rng) | rng.choice(pools[lesson.id]) for lesson in LESSONS
        }
        if place < bad:
            what = (*BROKEN, *FORGED)[place % (len(BROKEN) + len(FORGED))]
        else:
            what = "honest"
        whole = {
            "app": "fleet-what-if",
            "schema": 1,
            "name": f"Student {place}",
            "lessons": records,
        }
        whole |= {"login": f"s{place}@example.org", "tokens": [f"{rng.getrandbits(128):032x}"]}
        yield f"{place:03d}-{what.replace(' ', '-')}.json", _spoiled(whole, what)


def _pool(lesson: Lesson) -> Iterator[dict]:
    """What a class has together: settings, and the results that the model finds there."""
    for preset in lesson.presets.values():
        now = read(lesson.settings, preset.changes)[0]
        if lesson.challenge and lesson.challenge.judge(now).good:
            won = {"won": quantities(now)}
        else:
            won = {}
        results = {result.label: result.text for result in lesson.results(now)}
        yield {"settings": quantities(now), "results": results} | won


def _record(lesson: Lesson, rng: random.Random) -> dict:
    record = {"prediction": rng.choice("abcd"), "predicted_at": "2026-03-01T10:00:00+00:00"}
    record |= {"reflection": rng.choice("abcd"), "reflected_at": "2026-03-01T10:05:00+00:00"}
    return record | {
        "note": f"{lesson.title}: what I saw, in my own words, number {rng.randrange(10**9)}."
    }


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
            first["results"] = dict.fromkeys(first["results"], "1 s")
        case "challenge":
            first["won"] = quantities(
                next(lesson for lesson in LESSONS if lesson.challenge).settings()
            )
        case "settings":
            first["settings"] = dict.fromkeys(first["settings"], "many")
    return json.dumps(whole).encode()[: 500 if what == "cut" else None]
