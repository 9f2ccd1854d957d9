"""Number of voters of a round from one network address, shown to the presenter and never stored.

To the database, which stores no addresses, a person who votes under many tokens looks like a crowd.
This server keeps the addresses of recent rounds in memory, and shows only a number. No Streamlit.
"""

import threading
from collections import OrderedDict, defaultdict

from polls.store import Poll

#: Smallest number of voters from one address that is reported to the presenter.
MANY = 25
#: Limits of the memory: rounds, and voters in a round. More votes are not recorded.
MOST_ROUNDS = 500
MOST_VOTERS = 5_000

_GUARD = threading.Lock()
_ROUNDS: OrderedDict[tuple[str, str, int], dict[str, set[str]]] = OrderedDict()


def note(poll: Poll, address: str, voter: str) -> None:
    """Record the network address ("" if unknown) of a vote in the current round.

    Votes from unknown addresses may come from anywhere, and a rehearsal deletes its votes: neither
    is recorded.
    """
    if not address or poll.rehearsal:
        return
    key = poll.code, poll.lesson, poll.round
    with _GUARD:
        voters = _ROUNDS.setdefault(key, defaultdict(set))
        _ROUNDS.move_to_end(key)
        if sum(map(len, voters.values())) < MOST_VOTERS:
            voters[address].add(voter)
        while len(_ROUNDS) > MOST_ROUNDS:
            _ROUNDS.popitem(last=False)


def forget(code: str, lesson: str) -> None:
    """Forget the voters on a question of a class, because their votes were deleted."""
    with _GUARD:
        for key in [key for key in _ROUNDS if key[:2] == (code, lesson)]:
            del _ROUNDS[key]


def warning(poll: Poll) -> str:
    """Return the presenter's warning about many voters from one address; "" if there is none."""
    with _GUARD:
        voters = _ROUNDS.get((poll.code, poll.lesson, poll.round), {})
        largest = max(map(len, voters.values()), default=0)
    if largest < MANY:
        return ""
    return (
        f"{largest} votes of this round came from one network address. A lecture hall may "
        "share one address, so compare the number of votes with the people in the room."
    )
