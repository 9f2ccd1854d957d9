"""I/O bottleneck, the animation: one GPU and its workers in the first steps, read by read."""

from functools import lru_cache

from lessons.io_bottleneck.batch import reads
from lessons.io_bottleneck.settings import Job, say
from physics.dataloading.prefetching import timeline
from physics.films import Film, film
from ui.films import Kind, Showing

#: Steps that are shown, and squares of a row.
STEPS = 3
SQUARES = 20
KINDS = {
    "wait": Kind("worker waits for a read", "bad"),
    "bytes": Kind("worker moves bytes", "s0"),
    "decode": Kind("worker decodes", "s3"),
    "compute": Kind("GPU computes", "good"),
    "idle": Kind("GPU waits", "faint"),
}
WORDS = {"wait": "wait", "compute": "step", "idle": "waits"}


@lru_cache(maxsize=16)
def played(job: Job) -> Film:
    """Draw a row for the GPU and below it one for each of its workers, out of the model's timeline."""
    rows = timeline(job.pipeline, STEPS)
    mine = rows[rows["resource"] == "accelerator"]
    boxes = [
        (0, SQUARES - 1, start, end, activity, WORDS[activity])
        for activity, start, end in mine[["activity", "start", "end"]].itertuples(index=False)
    ]
    begins = rows[rows["resource"] == "workers"].groupby("step")["start"].min()
    boxes += [
        (
            (worker + 1) * SQUARES,
            (worker + 2) * SQUARES - 1,
            batch + begin,
            batch + end,
            kind,
            WORDS.get(kind, ""),
        )
        for batch in begins
        for worker, kind, begin, end in reads(job)
    ]
    return film((job.workers + 1) * SQUARES, 0.0, float(rows["end"].max()), boxes)


def showing(job: Job) -> Showing:
    """The animation with its words."""
    shown = played(job)
    numbers = {
        kind: shown.busy(kind, SQUARES * (kind == "wait")) for kind in ("compute", "idle", "wait")
    }
    return Showing(
        shown,
        KINDS,
        caption=say("film", job, steps=STEPS, **numbers),
        alt=say("film_shows", job, steps=STEPS, **numbers),
        columns=SQUARES,
        tall=min(300, 60 * (job.workers + 1)),
        unit=1e-3,
        unit_name="ms",
        queue=False,
    )
