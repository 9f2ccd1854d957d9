"""GPU slices elsewhere: what of one resource stays unused once another one is used up."""


def campsite(pitches: int, power: float, each: float) -> dict[str, int]:
    """Return the vans that a campsite serves if each takes a pitch and some power [kW], and pitches left empty."""
    vans = min(pitches, int(power // each))
    return {"vans": vans, "empty": pitches - vans, "none": 0}
