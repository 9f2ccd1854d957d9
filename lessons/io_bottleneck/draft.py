"""I/O bottleneck: what the draft lab's own formula gives, for the corrections."""

from physics import constants as k
from physics.dataloading.draft import draft_batch_time

#: The notes' dataset: its samples, and how many of them are packed into one file.
PACKED_SAMPLES, SAMPLES_PER_FILE = 100_000_000, 10_000
_STEP, _BATCH, _NODES = float(k.IO_COMPUTE_TIME), int(k.IO_BATCH_SIZE), int(k.IO_STORAGE_NODES)


def _time(batch: float, size: float, links: float, pattern: float, workers: float) -> float:
    store = _NODES * k.IO_STORAGE_NODE_BANDWIDTH
    return draft_batch_time(batch, size, store, links, int(k.IO_ACCELERATORS), pattern, workers)


class Draft:
    """The numbers of the draft lab, the same at all settings."""

    @property
    def draft_demand(self) -> float:
        """Rate that a GPU needs with the draft's samples [B/s]."""
        return _BATCH * k.IO_DRAFT_SAMPLE_SIZE / _STEP

    @property
    def draft_first(self) -> float:
        """Utilization by its formula at its defaults [1]."""
        links = k.IO_DRAFT_LINKS
        return _STEP / _time(_BATCH, k.IO_DRAFT_LOADED_SIZE, links, k.IO_DRAFT_RANDOM, k.IO_DRAFT_ONE_WORKER)

    @property
    def draft_best(self) -> float:
        """Highest utilization by its formula with small random reads [1]."""
        least, links = k.IO_DRAFT_SMALLEST_BATCH, k.IO_DRAFT_LINKS
        return _STEP / _time(least, k.IO_DRAFT_LOADED_SIZE, links, k.IO_DRAFT_RANDOM, k.IO_DRAFT_ALL_WORKERS)

    @property
    def draft_ahead_time(self) -> float:
        """Time to read a batch with four workers and prefetch by its numbers [s]."""
        links = k.IO_DRAFT_LINKS
        return _time(_BATCH, k.IO_DRAFT_LOADED_SIZE, links, k.IO_DRAFT_PREFETCH, k.IO_DRAFT_FOUR_WORKERS)

    @property
    def draft_ahead(self) -> float:
        """Utilization that goes with it at any depth [1]."""
        return _STEP / self.draft_ahead_time

    @property
    def draft_batch(self) -> float:
        """Bytes of its batch [B]."""
        return _BATCH * k.IO_DRAFT_SAMPLE_SIZE

    @property
    def draft_sequential_time(self) -> float:
        """Time that its batch takes when it is read in sequence [s]."""
        store = _NODES * k.IO_STORAGE_NODE_BANDWIDTH
        return _time(_BATCH, k.IO_DRAFT_SAMPLE_SIZE, store, k.IO_DRAFT_SEQUENTIAL, 1)

    @property
    def draft_sequential_rate(self) -> float:
        """Rate of such a read [B/s]."""
        return self.draft_batch / self.draft_sequential_time

    @property
    def packed_files(self) -> float:
        """Files of the notes' dataset once it is packed [1]."""
        return PACKED_SAMPLES / SAMPLES_PER_FILE
