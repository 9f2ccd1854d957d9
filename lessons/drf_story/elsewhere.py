"""DRF story elsewhere: two teams share a kitchen, or a studio."""

from types import SimpleNamespace

from physics.fairness import Claimant, allocate

#: The policies among which the question chooses.
POLICIES = {
    "drf": "drf",
    "turns": "round_robin",
    "only_first": "single:first",
    "only_second": "single:second",
}


def shared(first: int, second: int, steps: int, **takes: int) -> dict[str, object]:
    """Return the steps that teams a and b can make under each policy, and their largest shares [1].

    `first` and `second` are the pool's sizes. `takes` are the needs of one step, such as `a_first`.
    """
    pool = {"first": first, "second": second}
    answers: dict[str, object] = {}
    teams = []
    for team in "ab":
        need = {"first": takes[f"{team}_first"], "second": takes[f"{team}_second"]}
        answers[f"{team}_most"] = max(need["first"] / first, need["second"] / second)
        teams.append(Claimant(team, need))
    for name, policy in POLICIES.items():
        result = allocate(teams, pool, policy, steps)
        shares = {f"{team}_share": share for team, share in result.dominant_share.items()}
        answers[name] = SimpleNamespace(**result.executors, **shares)
    return answers
