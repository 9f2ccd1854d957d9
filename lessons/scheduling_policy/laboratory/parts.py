"""Scheduling policy, laboratory: tables of policies and their scores."""

from dataclasses import replace
from operator import itemgetter

from lessons.scheduling_policy.settings import Scenario, say
from lessons.scheduling_policy.tables import against_targets, four_policies, table_view
from ui.base import format as f
from ui.base.lesson import Outcome, verdict_of
from ui.knobs.declared import knobs_of

#: Settings that weigh the score.
WEIGHTS = ("worth_training", "worth_penalty")


def _shares(scenario: Scenario) -> str:
    """Return the table of two weights of training, and of the current weights."""
    even = replace(scenario, weight_interactive=1, weight_search=1)
    policies = {
        f"Training shares {weight} to 1": replace(even, weight_training=weight)
        for weight in (50, 200)
    }
    return against_targets(policies | {"Your shares": scenario})


def _quotas(scenario: Scenario) -> str:
    """Return the table of the kinds of quotas on the current jobs."""
    kinds = knobs_of(Scenario)["quotas"].choices({})
    return against_targets({words: replace(scenario, quotas=kind) for kind, words in kinds.items()})


def ranking(scenario: Scenario) -> dict[str, float]:
    """Scores of the four policies and of the current one on the message's jobs, highest first."""
    policies = four_policies(**{name: getattr(scenario, name) for name in WEIGHTS})
    policies["Yours"] = scenario
    scores = {name: policy.score for name, policy in policies.items()}
    return dict(sorted(scores.items(), key=itemgetter(1), reverse=True))


def _ranked(scenario: Scenario) -> str:
    """Return the table of policies ranked by their scores."""
    lines = ["| | policy | score per day |", "|---|---|---|"]
    for rank, (words, score) in enumerate(ranking(scenario).items(), 1):
        lines.append(f"| {rank} | {words} | {f.significant(score)} |")
    return "\n".join(lines)


@verdict_of(say)
def _first(scenario: Scenario) -> Outcome:
    """Return the verdict: which policy has the highest score."""
    return "score_verdict", None, {"found": next(iter(ranking(scenario)))}


shares = table_view("waits", _shares)
quotas = table_view("quotas", _quotas)
score = table_view("score", _ranked, verdict=_first)
