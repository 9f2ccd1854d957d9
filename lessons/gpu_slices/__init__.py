"""GPU slices: which instances fit on one GPU, and what stays free that the next job cannot use."""

from lessons.gpu_slices import challenge, film, fragments, gang, settings, slots, stream, values
from ui.base.lesson import Challenge, Lesson, Preset

#: What can be looked at: each act has metrics, a verdict and figures.
ACTS = {"slots": slots, "stream": stream, "gang": gang, "free": fragments}
VIEWS = {
    "slots": "One GPU",
    "stream": "Stream of requests",
    "gang": "Part 2: a gang",
    "free": "Fragmentation",
    "film": "Animation",
}
PRESETS = {
    "message": Preset("The message's request", view="slots"),
    "alone": Preset("Two 3g.40gb alone", {"one": 0}, view="slots"),
    "sevenths": Preset("Seven sevenths: 4g + 2g + 1g", {"one": 1, "two": 1, "three": 0, "four": 1}, view="slots"),
    "order": Preset("Order matters: 3g + 2g + 1g + 1g", {"one": 2, "two": 1, "three": 1}, view="slots"),
    "twice": Preset("Twice 4g: eight memory slices", {"one": 0, "three": 0, "four": 2}, view="slots"),
    "small": Preset("Seven 1g.10gb", {"one": 7, "three": 0}, view="slots"),
    "halves": Preset("Halves and sevenths in a stream", {"mix": "halves"}, view="stream"),
    "gang": Preset("64 of 256 nodes, each by itself", {"nodes": 256, "block": 1}, view="gang"),
    "larger": Preset("64 of 400 nodes, each by itself", {"nodes": 400, "block": 1}, view="gang"),
}


def remedies(wish: settings.Slices) -> str:
    """What would make the request fit, and what would give the gang an even chance."""
    found = {"On one GPU": slots.remedies(wish), "Part 2": gang.remedies(wish)}
    return "\n\n".join(f"**{act}.** {words}" for act, words in found.items() if words)


LESSON = Lesson.of(
    "gpu_slices",
    settings=settings.Slices,
    main="three",
    presets=PRESETS,
    values=values.live_values,
    results=values.results,
    metrics=slots.metrics,
    verdict=slots.verdict,
    remedies=remedies,
    views=VIEWS,
    challenge=Challenge(challenge.task, challenge.judge),
    film=film.showing,
)
