"""What a lecturer is told after a vote: what to do next, which answers to discuss, who was certain. No Streamlit."""

from collections.abc import Mapping

from polls import rule
from ui.classes.bars import ROUNDS
from ui.classes.questions import Asked

ADVICE = {
    "explain": "Below 35 % right: explain it again.",
    "discuss": "Between 35 and 70 % right: let them discuss and vote again.",
    "go on": "Above 70 % right: go on.",
}
RULE = (
    "Rule of thumb, by the share of right answers: below 35 % explain again; 35 to 70 % let them discuss and vote "
    "again; above 70 % go on."
)


def verdict(
    shown: Mapping[int, Mapping[str, int]], right: str, called: Mapping[int, str] = ROUNDS, advise: bool = True
) -> str:
    """The share of right answers in the last vote that may be shown, the one before it, and what to do next."""
    counts = {number: (votes.get(right, 0), sum(votes.values())) for number, votes in shown.items()}
    shares = {number: f"{100 * hits / total:.0f} %" for number, (hits, total) in counts.items()}
    last = max(shown)
    advice = f" **{ADVICE[rule.advice(*counts[last])]}**" if advise else ""
    if last == 2 and 1 in shown:
        return f"{shares[1]} right in the {called[1]}, {shares[2]} in the second.{advice}"
    return f"{shares[last]} right in the {called[last]}.{advice}"


def advice(votes: Mapping[str, int], right: str) -> str:
    """Say what to do next after one vote that may be shown: "explain", "discuss" or "go on"."""
    return rule.advice(votes.get(right, 0), sum(votes.values()))


def against(asked: Asked, votes: Mapping[str, int]) -> str:
    """Say which two answers to compare, without naming the right one; "" if none stand out."""
    pair = rule.rivals(votes, asked.right) if asked.right else ()
    if not pair:
        return ""
    one, other = sorted(asked.letter(answer) for answer in pair)
    return f"Compare {one} with {other}: what speaks for each?"


def certainty(votes: Mapping[str, int], certain: Mapping[str, int], right: str) -> str:
    """Say how many of the right and of the wrong answers were certain."""
    hits, sure = votes.get(right, 0), certain.get(right, 0)
    misses, wrongly = sum(votes.values()) - hits, sum(certain.values()) - sure
    return f"Certain: {sure} of {hits} right answers, {wrongly} of {misses} wrong ones."
