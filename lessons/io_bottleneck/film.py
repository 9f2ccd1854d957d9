"""I/O bottleneck, the film: one GPU and its workers in the first steps; the wait is what is seen."""

from lessons.io_bottleneck.settings import Job
from physics.dataloading.prefetching import timeline
from physics.films import Film, film
from ui.base import format as f
from ui.films import Kind, Showing

#: Steps that are shown, and squares of a row.
STEPS, SQUARES = 5, 20
KINDS = {
    "wait": Kind("worker: request and wait", "bad"),
    "bytes": Kind("worker: bytes", "s0"),
    "decode": Kind("worker: decodes", "s3"),
    "compute": Kind("GPU: steps", "good"),
    "idle": Kind("GPU: waits", "faint"),
}
WORDS = {"wait": "wait", "bytes": "bytes", "decode": "decode", "compute": "step", "idle": "waits"}


def waits(job: Job) -> float:
    """Share of a batch's fetching in which its workers wait for reads to begin [1]."""
    waiting = job.batch * (1 - job.hits) * job.latency / job.packing / job.workers
    return min(1.0, waiting / job.steady.fetch_time) if job.steady.fetch_time > 0 else 0.0


def played(job: Job) -> Film:
    """Draw a row for the GPU and below it one for each of its workers, out of the model's timeline."""
    boxes: list[tuple] = []
    rows = timeline(job.steady, STEPS)
    for _, who, activity, start, end in rows.itertuples(index=False):
        if who == "accelerator":
            boxes.append((0, SQUARES - 1, start, end, activity, WORDS[activity]))
            continue
        middle = start + waits(job) * (end - start)
        parts = [("wait", start, middle), ("bytes", middle, end)] if activity == "fetch" else [(activity, start, end)]
        boxes += [
            (row * SQUARES, (row + 1) * SQUARES - 1, begin, until, kind, WORDS[kind])
            for kind, begin, until in parts
            for row in range(1, job.workers + 1)
        ]
    return film((job.workers + 1) * SQUARES, 0.0, float(rows["end"].max()), boxes)


def share(shown: Film, kind: str) -> float:
    """Share of the film in which a box of this kind is in its row [1]."""
    boxes = shown.boxes[shown.boxes["kind"] == kind].drop_duplicates(["begin", "end"])
    return float((boxes["end"] - boxes["begin"]).sum() / (shown.end - shown.begin))


def showing(job: Job) -> Showing:
    """The film with its words."""
    shown = played(job)
    computes = f.share(share(shown, "compute"))
    return Showing(
        shown,
        KINDS,
        caption=(
            f"The upper row is one GPU, below it {f.count(job.workers, 'worker')}: the first {STEPS} steps from an "
            f"empty loader, every time at its mean. The GPU computes {computes} of this time, and "
            f"{f.share(job.without_jitter)} in the long run. A batch is drawn as all its waiting, then all its bytes, "
            "then all its decoding."
        ),
        alt=(
            f"In the first {STEPS} steps the GPU computes {computes} of the time and waits "
            f"{f.share(share(shown, 'idle'))}; its workers wait for reads to begin {f.share(share(shown, 'wait'))} of "
            "the time."
        ),
        columns=SQUARES,
        tall=min(300, 60 * (job.workers + 1)),
        unit=1e-3,
        unit_name="ms",
        queue=False,
    )
