"""Where the hours go, transfer: a port whose cranes wait for trucks."""

from physics import constants as k
from physics.queueing import mgc


def port(berths: int, still: float, unloading: float, occupied: float) -> dict[str, float]:
    """Return a ship's time in port, now and with enough trucks, and wrong answers [s].

    `still` is the share of a ship's stay in which the cranes wait, `unloading` the hours that they
    need, and `occupied` the share of the berths that ships occupy.
    """
    work = unloading * k.HOUR
    stay = work / (1 - still)
    arrival_rate = occupied * berths / stay
    now = mgc(arrival_rate, stay, berths).mean_response
    as_many = mgc(arrival_rate, work, berths).mean_response
    fewer = mgc(arrival_rate, work, berths - 1).mean_response
    return {
        "now": now,
        "fewer": fewer,
        "as_many": as_many,
        "as_long_a_line": now - stay + work,
        "as_berths": now * berths / (berths - 1),
        "as_cranes": now * (1 - still),
        "left": berths - 1,
    }
