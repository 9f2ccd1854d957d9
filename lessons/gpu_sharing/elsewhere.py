"""Sharing a GPU elsewhere: two workers with two tools."""

from physics.gpu_sharing import Demand, corun


def workshop(a_saw: float, a_bench: float, b_saw: float, b_bench: float) -> dict[str, float]:
    """Return how long the work of two takes compared with alone [1]: of a and b, of two like a, and other guesses."""
    a, b = Demand(a_saw, a_bench), Demand(b_saw, b_bench)
    together, alike = (1 / min(corun(pair)) for pair in ((a, b), (a, a)))
    most = max(a_saw + b_saw, a_bench + b_bench)
    return {"together": together, "alike": alike, "alone": 1.0, "added": sum(a) + sum(b), "most": most}
