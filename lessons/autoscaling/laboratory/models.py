"""Autoscaling, in the laboratory: a replica that serves batches, and a reservation for a day."""

from bisect import bisect_right

import numpy as np

from physics import constants as k
from physics.autoscaling import reserve
from physics.autoscaling.fleet import reservation_cost
from physics.serving import decode_step_time, kv_bytes_per_token, places

#: The model that is served: its weights, and a token in its key-value cache [B].
WEIGHTS = float(k.SERVED_PARAMETERS * k.SERVING_VALUE)
KV_BYTES = kv_bytes_per_token(
    int(k.SERVED_LAYERS), int(k.SERVED_KV_HEADS), int(k.SERVED_HEAD_SIZE), k.SERVING_VALUE
)


def places_for(context: int) -> int:
    """Requests of a mean context [tokens] that fit into the GPU's memory at once [1]."""
    return places(k.SERVING_MEMORY, WEIGHTS, KV_BYTES, context)


def step_time(batch: int, context: int) -> float:
    """Time of the step that gives each request of a batch its next token [s]."""
    gpu = float(k.SERVING_BANDWIDTH), float(k.SERVING_COMPUTE)
    return decode_step_time(batch, context, WEIGHTS, KV_BYTES, float(k.SERVED_PARAMETERS), *gpu)


def largest_batch(context: int) -> int:
    """Largest batch that fits and takes at most twice as long per token as a request alone [1]."""
    limit = 2 * step_time(1, context)
    batches = range(1, places_for(context) + 1)
    return bisect_right(batches, limit, key=lambda batch: step_time(batch, context))


def serving(batch: int, context: int) -> dict[str, float]:
    """Time per token of a batch and of one request [s], their ratio [1], tokens [1/s], and
    slots.
    """
    fitting = places_for(context)
    served = min(batch, fitting)
    single = step_time(1, context)
    time = step_time(served, context)
    fits = batch <= fitting
    return {
        "time": time,
        "single": single,
        "slower": time / single,
        "tokens": served / time,
        "in_use": served / fitting,
        "fits": fits,
        "good": fits and time <= 2 * single,
    }


def bill_of(day: np.ndarray, reserved: float, price_ratio: float) -> float:
    """Cost with a number of reserved replicas ÷ cost with all on demand [1]."""
    return reservation_cost(day, reserved, price_ratio) / float(day.mean())


def reservation(day: np.ndarray, reserved: float, price_ratio: float) -> dict[str, float]:
    """Costs relative to on-demand [1] and in dollars [$/h], shares of the day, and the best
    reservation.
    """
    bill = bill_of(day, reserved, price_ratio)
    whole = float(day.mean()) * float(k.REPLICA_PRICE)
    used = 0.0
    if reserved:
        used = float(np.minimum(day, reserved).mean()) / reserved
    return {
        "bill": bill,
        "whole": whole,
        "cost": bill * whole,
        "above": float((day > reserved).mean()),
        "used": used,
        "best": reserve(day, price_ratio),
    }
