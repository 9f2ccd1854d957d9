"""The draft lab's own loading time, kept so that the Corrections page can show what it gives."""

from physics.numerics.checks import count, positive

__all__ = ["draft_batch_time"]


def draft_batch_time(
    batch_size: float,
    sample_size: float,
    storage_bandwidth: float,
    links_bandwidth: float,
    accelerators: float,
    pattern_efficiency: float,
    worker_efficiency: float,
) -> float:
    """Time in which the draft lab delivers one batch to every accelerator: bytes over a share of the bandwidth.

    Parameters
    ----------
    batch_size : int
        Samples per accelerator and step.
    sample_size : float
        Bytes of a sample [B].
    storage_bandwidth, links_bandwidth : float
        Of the whole store, and of all node links together; the smaller one counts [B/s].
    accelerators : int
        They share the bandwidth evenly.
    pattern_efficiency, worker_efficiency : float
        Factors for the read pattern and the number of workers [1].

    Returns
    -------
    float
        batch_size × sample_size × accelerators ÷ (bandwidth × both efficiencies) [s]. It knows no latency and no
        requests, which is why it can be off by any factor for small reads.

    References
    ----------
    Machine Learning Systems, volume 2, draft lab 04 (March 2026), first act.

    Examples
    --------
    >>> round(1e3 * draft_batch_time(64, 4e6, 672e9, 1e15, 128, 0.85, 1), 1)  # [ms]
    57.4
    """
    size = count("batch_size", batch_size) * positive("sample_size", sample_size) * count("accelerators", accelerators)
    bandwidth = min(positive("storage_bandwidth", storage_bandwidth), positive("links_bandwidth", links_bandwidth))
    efficiency = positive("pattern_efficiency", pattern_efficiency) * positive("worker_efficiency", worker_efficiency)
    return size / (bandwidth * efficiency)
