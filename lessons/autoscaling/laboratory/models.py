"""Autoscaling, in the laboratory: a replica that serves batches, and a reservation for a day.

These functions of a `lessons.autoscaling.settings.Fleet` are its quantities there.
"""

from bisect import bisect_right
from typing import Any

import numpy as np

from physics import constants as k
from physics.autoscaling import reserve
from physics.autoscaling.fleet import reservation_cost
from physics.serving import decode_step_time, kv_bytes_per_token, places

#: The model that is served: its weights, and a token in its key-value cache [B].
WEIGHTS = k.SERVED_PARAMETERS * k.SERVING_VALUE
KV_BYTES = kv_bytes_per_token(
    int(k.SERVED_LAYERS), int(k.SERVED_KV_HEADS), int(k.SERVED_HEAD_SIZE), k.SERVING_VALUE
)


def places_for(fleet: Any) -> int:
    """Requests that fit into the GPU's memory at once [1]."""
    return places(k.SERVING_MEMORY, WEIGHTS, KV_BYTES, fleet.context)


def step_time(fleet: Any, batch: int) -> float:
    """Time of the step that gives each request of a batch its next token [s]."""
    gpu = (k.SERVED_PARAMETERS, k.SERVING_BANDWIDTH, k.SERVING_COMPUTE)
    return decode_step_time(batch, fleet.context, WEIGHTS, KV_BYTES, *gpu)


def largest_batch(fleet: Any) -> int:
    """Largest batch that fits and takes at most twice as long per token as a request alone [1]."""
    batches = range(1, fleet.places + 1)
    return bisect_right(batches, 2 * fleet.step_time(1), key=fleet.step_time)


def serving(fleet: Any) -> dict[str, float]:
    """Time per token in a batch and alone [s], their ratio, tokens per second, and slots in use."""
    served = min(fleet.batch, fleet.places)
    single = fleet.step_time(1)
    time = fleet.step_time(served)
    fits = fleet.batch <= fleet.places
    return {
        "time": time,
        "single": single,
        "slower": time / single,
        "tokens": served / time,
        "in_use": served / fleet.places,
        "fits": fits,
        "good": fits and time <= 2 * single,
    }


def bill_of(fleet: Any, reserved: float) -> float:
    """Cost with this many reserved replicas ÷ cost with all replicas on demand [1]."""
    return reservation_cost(fleet.day, reserved, fleet.price_ratio) / fleet.mean_load


def reservation(fleet: Any) -> dict[str, float]:
    """Cost of a reservation, relative [1] and hourly [$/h], shares of the day, and the best one."""
    bill = fleet.bill_of(fleet.reserved)
    on_demand = fleet.mean_load * k.REPLICA_PRICE
    used = 0.0
    if fleet.reserved:
        used = float(np.minimum(fleet.day, fleet.reserved).mean()) / fleet.reserved
    return {
        "bill": bill,
        "whole": on_demand,
        "cost": bill * on_demand,
        "above": float((fleet.day > fleet.reserved).mean()),
        "used": used,
        "best": reserve(fleet.day, fleet.price_ratio),
    }
