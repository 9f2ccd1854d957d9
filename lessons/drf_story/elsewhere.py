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
    """Return counts of equipment for teams a and b by policy, and largest shares [1].

    `takes` is what a step takes, such as `a_first`; what is found are counts, and the teams'
    largest shares.
    """
    pool = {"first": first, "second": second}
    answers: dict[str, object] = {}
    teams = []
    for team in "ab":
        need = {"first": takes[f"{team}_first"], "second": takes[f"{team}_second"]}
        answers[f"{team}_most"] = max(need["first"] / first, need["second"] / second)
        teams.append(Claimant(team, need))
    for name, policy in POLICIES.items():
        done = allocate(teams, pool, policy, steps)
        shares = done.dominant_share
        answers[name] = SimpleNamespace(**done.executors, a_share=shares["a"], b_share=shares["b"])
    return answers
