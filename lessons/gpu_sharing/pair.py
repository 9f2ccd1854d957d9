"""Sharing a GPU, first picture: two jobs on two GPUs, or both on one."""

from collections.abc import Sequence
from operator import attrgetter

from lessons.gpu_sharing import board
from lessons.gpu_sharing.settings import Sharing, say, times
from physics.gpu_sharing import Demand
from ui.base.lesson import Figure, Outcome, Taps, View, verdict_of
from ui.charts import Look, Rows, marks, stack
from ui.knobs import remedies as search

#: Slowdown that each option of the prediction means.
GUESSES = {"a": 2.0, "b": 1.3, "c": 1.0, "d": 5.0}
#: Largest slowdown that the picture has room for.
END = 2.4
#: Settings that the search for a fix changes.
FIXES = ("neighbor", "intensity", "reach", "neighbor_reach")


def figure(pair: Sharing, look: Look, guess: str | None = None) -> Figure:
    """Chart of two GPUs with their jobs' demands."""
    yours = _card("your job", pair.yours)
    other = _card("neighbor", pair.other)
    alone = f"{board.SMI}as long as alone"
    gpus = [(alone, [yours]), (alone, [other])]
    if pair.together:
        gpus = [(f"{board.SMI}{pair.takes}", [yours, other]), ("free", [])]
    words = f"accepted: {times(pair.accepted)}"
    style = {"below": 1, "tone": "good", "short": "accepted"}
    accepted = board.limit("accepted", pair.accepted, 0, 2, words, **style)
    rows = stack([*board.rows(gpus, 2), *accepted, *_guess(guess), _here(pair)])
    words = say("pair_together" if pair.together else "pair_apart", pair)
    title = "What do the jobs demand? Tap a job to move it."
    return Figure("pair", title, rows, board.spec(look, 2, 2), words, taps=Taps("job", put))


def _here(pair: Sharing) -> marks.Row:
    """Return an invisible point at the end of your GPU's longer bar, for pinned scenarios."""
    shares = pair.demanded if pair.together else pair.yours
    y = board.HEADLINE + shares.index(max(shares)) + 0.45
    return marks.point(max(shares), y, role="here", size=0, rim_width=0)


def put(pair: Sharing, tapped: Sequence[str]) -> dict[str, object]:
    """Return the changed setting after clicks on jobs: an odd number joins or separates them."""
    return {"together": pair.together != (len(tapped) % 2 == 1)}


def _card(note: str, demand: Demand) -> board.Card:
    """Return the card of a job, whose name says which resource it demands more of."""
    name = "decoding" if demand.memory > demand.compute else "training"
    return board.Card(note, name, note, demand, demand)


def _guess(guess: str | None) -> Rows:
    """Return the length of the longer bar by the visitor's answer, or an arrow at the edge."""
    if guess not in GUESSES:
        return []
    at = GUESSES[guess]
    words = f"you said: {times(at)}"
    if at == 1:
        words = "you said: as long as alone"
    if at > END:
        style = {"dx": -4, "tone": "quiet", "short": "you said →"}
        return [marks.label(board.RIGHT, 0.55, f"{words} →", **style)]
    return board.limit("said", at, 0, 2, words, tone="quiet", short="you said")


@verdict_of(say)
def verdict(pair: Sharing) -> Outcome:
    """Return the verdict on how long each job takes, and on the bottleneck."""
    if not pair.together:
        return "apart", None
    if pair.slowdown <= 1:
        return "room", True
    if pair.accepts:
        return "within", True
    return "beyond", False


def remedies(pair: Sharing) -> str:
    """List the smallest change of each setting that makes the slowdown on one GPU acceptable."""
    return search.fix_sentence(say, pair, attrgetter("accepts"), FIXES)


view = View("pair", figure=figure, verdict=verdict, remedies=remedies)
