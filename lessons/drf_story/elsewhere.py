"""DRF story elsewhere: two teams that share two kinds of equipment."""

from types import SimpleNamespace

from physics.fairness import Claimant, allocate

KINDS = {"drf": "drf", "turns": "round_robin", "only_first": "single:first", "only_second": "single:second"}


def shared(first: int, second: int, steps: int, **takes: int) -> dict[str, object]:
    """Return what teams a and b get of so many steps, and their largest shares, by policy; `takes` as `a_first`."""
    pool = {"first": first, "second": second}
    needs = {team: {kind: takes[f"{team}_{kind}"] for kind in pool} for team in "ab"}
    found: dict[str, object] = {
        f"{team}_most": max(need[kind] / pool[kind] for kind in pool) for team, need in needs.items()
    }
    for name, policy in KINDS.items():
        done = allocate([Claimant(team, need) for team, need in needs.items()], pool, policy, steps)
        shares = {f"{team}_share": share for team, share in done.dominant_share.items()}
        found[name] = SimpleNamespace(**done.executors, **shares)
    return found
