"""Eight times the GPUs, transfer: a choir that records, and a work crew that is interrupted."""

from physics.checkpointing import job_mtbf, largest_worthwhile, useful_share


def choir(singers: int, piece: float, cough: float) -> dict[str, float]:
    """Return mean times to record a piece with n singers and with 2 n [s], and wrong answers.

    `piece` is its length and `cough` the mean time between coughs of one singer [s].
    """
    now, larger = (
        piece / useful_share(piece, 0.0, 0.0, job_mtbf(cough, voices))
        for voices in (singers, 2 * singers)
    )
    return {
        "now": now,
        "more": 2 * singers,
        "larger": larger,
        "twice": 2 * now,
        "four": 4 * now,
    }


def crew(call: float, pause: float) -> dict[str, float]:
    """Return the crew size that gets most work done, and wrong answers [1].

    `call` is the mean time between calls for one person, and a call stops all for `pause` [s].
    """
    best = largest_worthwhile(1.0, pause, call)
    return {"best": best, "half": best // 2, "twice": 2 * best, "four": 4 * best}
