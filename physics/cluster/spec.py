"""Changes and policies as one line of text, such as "policy=priority,reserved=32".

Items are separated by commas. A name that holds one of , = : + > or % is written as in an address
("%2C").
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote, unquote

from physics.arguments import MANY, Check, LimitedCount, count, finite, one_of, refusing
from physics.cluster.machine.changed import LISTED, PERFECT, REQUESTED, Change
from physics.cluster.say import WORDS
from physics.cluster.trust.habits import in_words as hours_in_words
from physics.scheduling import Emptied, Policy, Preemption
from physics.scheduling.floor import FITS
from physics.scheduling.policy import BACKFILLS, ORDERS, SHARERS

#: Names of policies that stand for an order and a backfill.
SHORT = {
    "fifo": ("arrival", "none"),
    "easy": ("arrival", "easy"),
    "conservative": ("arrival", "conservative"),
}
YES_OR_NO = {"yes": True, "no": False}
#: Keys of a policy after its name, in the order in which they are written.
POLICY_KEYS = (
    "backfill classes preemption reserved quotas weights borrowing reclaim half_life max_wait "
    "emptied share_by user_limit account_limit"
)
#: Fields of a change whose keys differ, by these keys.
FIELDS = {"move": "moved", "cap": "capped"}
#: Characters that a change has at most as it is read, and in words.
MOST_TEXT = 10_000
MOST_WORDS = 80


def parse_policy(text: str, base: Policy | None = None) -> Policy:
    """Parse a policy from one line of text, such as "policy=priority,reserved=32".

    Args:
        text: A name (fifo, easy, conservative, arrival, priority, fair_share or shortest), or
            items: policy=<name>, backfill=none|easy|conservative, classes=<highest>><next>,
            reserved=<class>:<GPUs>+…, or reserved=<GPUs> for the highest class, quotas and weights
            likewise (quotas=0: of nobody), borrowing=yes|no, reclaim=yes|no,
            preemption=no|yes|<checkpoint interval>:<restart> [s], and if need be :<rule>:<victims>
            after it, half_life=<s>, max_wait=<s>|no, emptied=no|<days>@<times in UTC>, such as
            mon+fri@8:00+17:00, and /<s> if it stays so, share_by=class|user|account,
            user_limit=<GPUs>|no and account_limit likewise. order=<order> names the order alone.
        base: Policy that gives what is not named, by default `Policy()`.

    Raises ValueError for an item that is none of these, named twice, or with a value that the
    policy refuses.

    >>> parse_policy("policy=priority,backfill=easy,reserved=32").reserved
    {'interactive': 32}
    """
    items = _items(text if "=" in str(text) else f"policy={text}")
    others, policy = _policy(items, base or Policy())
    if others:
        raise ValueError(f"a policy must name only what a policy has, got {next(iter(others))}")
    return policy


@refusing
def parse_change(text: str, base: Policy, gpus: LimitedCount) -> Change:
    """Parse a change of a baseline from one line of text, such as "gpus=576".

    Args:
        text: Items of `parse_policy`, and gpus=<GPUs>, gpus=+<more> or gpus=-<fewer>,
            arrivals=<factor>, estimates=requested|perfect|<factor>, move=<class>:<class>+…,
            cap=<class>:<GPUs>+…, speed=<factor> or speed=<class>:<factor>+…, gpus_per_node=<GPUs>
            or nodes=<GPUs>+<GPUs>+… or nodes=listed, and fit=best|first|worst.
        base: Policy of the baseline, which gives what is not named.
        gpus: Size of the baseline [1].

    Raises ValueError as `parse_policy`.

    >>> change = parse_change("gpus=+64,move=training:away,estimates=2", Policy(), 512)
    >>> change.gpus, dict(change.moved), change.estimates
    (576, {'training': 'away'}, 2.0)
    """
    items = _items(text)
    others, policy = _policy(items, base)
    fields: dict[str, Any] = {"policy": None if others == items else policy}
    readers: dict[str, Check] = {
        "gpus": partial(_size, gpus),
        "arrivals": _number,
        "estimates": _unless({REQUESTED: REQUESTED, PERFECT: PERFECT}, _number),
        "move": partial(_pairs, read=lambda key, target: unquote(target)),
        "cap": partial(_pairs, read=partial(_whole, least=1)),
        "speed": _speed,
        "gpus_per_node": _gpus,
        "nodes": _unless({LISTED: LISTED}, _sizes),
        "fit": one_of(FITS),
    }
    for key, value in others.items():
        if key not in readers:
            raise ValueError(
                "a change must name one of policy, gpus, arrivals, estimates, move, cap, "
                f"speed, …, got {key!r}"
            )
        fields[FIELDS.get(key, key)] = readers[key](key, value)
    return Change(**fields)


def _size(gpus: int, key: str, value: str) -> int:
    """Read the new size of a cluster; with a sign, it is the change of its present size."""
    number = count(key, _number(key, value), least=-MANY, most=MANY)
    if value[:1] in ("+", "-"):
        return gpus + number
    return number


def _speed(key: str, value: str) -> float | dict[str, float]:
    """Read a speed of all jobs, or speeds by class."""
    if ":" in value:
        return _pairs(key, value, _number)
    return _number(key, value)


def _sizes(key: str, value: str) -> tuple[int, ...]:
    """Read the sizes of nodes."""
    return tuple(_gpus(key, size) for size in value.split("+"))


def write_change(change: Change) -> str:
    """Write a change, of any baseline, in the format of `parse_change`.

    >>> write_change(Change(gpus=576, capped={"training": 64}))
    'gpus=576,cap=training:64'
    """
    items = []
    if change.policy is not None:
        items.append(write_policy(change.policy))
    for key in ("gpus", "arrivals", "estimates", "move", "cap", "speed", "gpus_per_node", "fit"):
        name = FIELDS.get(key, key)
        value = getattr(change, name)
        if value not in (getattr(Change(), name), {}):
            items.append(f"{key}={_text_of(value)}")
    if change.nodes == LISTED:
        items.append(f"nodes={LISTED}")
    elif change.nodes is not None:
        items.append(f"nodes={'+'.join(map(str, change.nodes))}")
    return ",".join(items)


def write_policy(policy: Policy) -> str:
    """Write a policy in the format of `parse_policy`.

    >>> write_policy(Policy(backfill="easy", classes=["a", "b"])).partition(",half_life")[0]
    'policy=arrival,backfill=easy,classes=a>b,preemption=no,reserved=no,quotas=no,weights=no,borrowing=yes,reclaim=yes'
    """
    items = [f"policy={policy.order}"]
    for name in POLICY_KEYS.split():
        value = getattr(policy, name)
        items.append(f"{name}={_text_of(value) or ('0' if name == 'quotas' else 'no')}")
    return ",".join(items)


def _text_of(value: Any) -> str:
    """Value of a policy or a change as text; "" if it is empty."""
    if value is None or isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "+".join(f"{quoted(name)}:{quoted(item)}" for name, item in value.items())
    if isinstance(value, tuple):
        return ">".join(map(quoted, value))
    if isinstance(value, Preemption):
        fields = (value.checkpoint_interval, value.restart_time, value.rule, value.victims)
        return ":".join(map(_text_of, fields))
    if isinstance(value, float):
        return repr(float(value))
    return str(value)


def in_words(text: str, unit: str = "GPU") -> str:
    """Describe a change in words; parts without words remain as written.

    >>> in_words("policy=priority,backfill=easy,gpus=+64")
    'order by priority, backfill easy, 64 more GPUs'
    >>> in_words("estimates=perfect,reserved=32", "CPU")
    'run times known exactly, 32 CPUs reserved'
    >>> in_words("emptied=mon+tue+wed+thu+fri@8:00+17:00"), in_words("emptied=noon")
    ('emptied at 8:00 and 17:00 (UTC) on working days', 'emptied=noon')
    """
    items = []
    for item in str(text).split(","):
        key, _, value = (word.strip() for word in item.partition("="))
        items.append(_item_in_words(key, value, unit) or item.strip())
    words = ", ".join(items)
    if len(words) <= MOST_WORDS:
        return words
    return f"{words[: MOST_WORDS - 1]}…"


def _item_in_words(key: str, value: str, unit: str) -> str:
    """Describe an item of a change; "" if there are no words for it."""
    words = WORDS["changes"]
    if f"{key}={value}" in words:
        return words[f"{key}={value}"]
    if key in words:
        return words[key].format(value.replace("_", " "))
    if key == "speed":
        return _speed_in_words(value)
    if key == "emptied":
        return _emptied_in_words(value)
    sizes = WORDS["sizes"]
    number = value.lstrip("+-")
    if key in sizes and number.isascii() and number.isdigit() and len(number) < 10:
        more = {"+": "more ", "-": "fewer "}.get(value[:1], "")
        units = unit if int(number) == 1 else f"{unit}s"
        return sizes[key].format(f"{int(number):,}", more, units)
    return ""


def _speed_in_words(value: str) -> str:
    """Describe how fast the jobs run, of all or of some classes.

    >>> _speed_in_words("1.3"), _speed_in_words("training:1.3+search:2")
    ('jobs 1.3 times as fast', 'training jobs 1.3 times as fast and search jobs 2 times as fast')
    """
    texts = []
    for speed in value.split("+"):
        name, _, factor = speed.rpartition(":")
        texts.append(f"{unquote(name)} jobs {factor} times as fast".strip())
    return " and ".join(texts)


def _emptied_in_words(value: str) -> str:
    """Describe emptied hours; "" if they cannot be read."""
    try:
        if value == "no":
            return "no emptied hours"
        return f"emptied {hours_in_words(Emptied.read(value))}"
    except ValueError:
        return ""


def _items(text: str) -> dict[str, str]:
    """Items of a line by their keys."""
    if not isinstance(text, str) or len(text) > MOST_TEXT:
        raise ValueError(
            f"a change must be a text of at most {MOST_TEXT:,} characters, got {str(text)[:40]!r}"
        )
    items: dict[str, str] = {}
    for item in text.split(",") if text.strip() else []:
        key, equals, value = (word.strip() for word in item.partition("="))
        if not equals or not key or not value or key in items:
            raise ValueError(
                f"a change must be items key=value, each key once, got {item.strip()[:40]!r}"
            )
        items[key] = value
    return items


def _policy(items: dict[str, str], base: Policy) -> tuple[dict[str, str], Policy]:
    """Split off the items that are no policy's, and change a policy by the others."""
    rest = dict(items)
    new: dict[str, Any] = {}
    classes: tuple[str, ...] = tuple(base.classes)
    name = rest.pop("policy", None)
    if "order" in rest and name is not None:
        raise ValueError(f"order must not stand beside policy={name}, got {rest['order']!r}")
    if "order" in rest:
        new["order"] = one_of(ORDERS)("order", rest.pop("order"))
    if name in SHORT:
        new["order"], new["backfill"] = SHORT[name]
    elif name is not None:
        new["order"] = one_of((*SHORT, *ORDERS))("policy", name)
    if "classes" in rest:
        value = rest.pop("classes")
        classes = ()
        if value != "no":
            classes = tuple(map(unquote, value.split(">")))
        new["classes"] = classes
    numbers = partial(_numbers, classes)
    limit = _unless({"no": None}, _gpus)
    yes_or_no = _unless(YES_OR_NO, one_of(YES_OR_NO))
    readers: dict[str, Check] = {
        "backfill": one_of(BACKFILLS),
        "reserved": _unless({"no": None, "0": None}, numbers),
        "quotas": _unless({"no": None, "0": {}}, numbers),
        "weights": _unless({"no": None, "0": None}, numbers),
        "borrowing": yes_or_no,
        "reclaim": yes_or_no,
        "preemption": _unless({"no": None, "yes": Preemption()}, _preemption),
        "half_life": _number,
        "max_wait": _unless({"no": None}, _number),
        "emptied": _unless({"no": None}, lambda key, value: Emptied.read(value)),
        "share_by": one_of(SHARERS),
        "user_limit": limit,
        "account_limit": limit,
    }
    for key in [key for key in readers if key in rest]:
        new[key] = readers[key](key, rest.pop(key))
    return rest, replace(base, **new)


def _unless(words: Mapping[str, Any], read: Check) -> Check:
    """Reader of a value for which some words stand; `read` reads any other text."""

    def read_unless(key: str, value: str) -> Any:
        """Read a value of a key."""
        return words[value] if value in words else read(key, value)

    return read_unless


def _numbers(classes: tuple[str, ...], key: str, value: str) -> dict[str, float]:
    """Read numbers by class; a number alone belongs to the highest class."""
    read = _number if key == "weights" else _whole
    if ":" in value:
        return _pairs(key, value, read)
    if not classes:
        raise ValueError(
            f"{key} must name a class, as in {key}=training:{value}, where classes have no order"
        )
    return {classes[0]: read(key, value)}


def _preemption(key: str, value: str) -> Preemption:
    """Read the times of a preemption [s], its rule and its victims."""
    interval, *others = value.split(":")
    if not 1 <= len(others) <= 3:
        raise ValueError(
            f"{key} must be yes, no or <checkpoint interval>:<restart time>, got {value!r}"
        )
    times = (_number("checkpoint interval", interval), _number("restart time", others[0]))
    rule_and_victims: list[Any] = others[1:]  # any text, which Preemption checks
    return Preemption(*times, *rule_and_victims)


def _pairs(key: str, value: str, read: Check) -> dict[str, Any]:
    """Read values by class; `read` reads the value of one class."""
    pairs = {}
    for pair in value.split("+"):
        name, colon, text = pair.partition(":")
        if not colon or not name or not text or unquote(name) in pairs:
            raise ValueError(f"{key} must be <class>:<value>, each class once, got {pair[:40]!r}")
        pairs[unquote(name)] = read(key, text)
    return pairs


def _number(key: str, value: str) -> float:
    """Read a number."""
    try:
        return finite(key, float(value))
    except ValueError:
        raise ValueError(f"{key} must be a number, got {value[:40]!r}") from None


def _whole(key: str, value: str, least: int = 0) -> int:
    """Read a whole number."""
    return count(key, _number(key, value), least)


def _gpus(key: str, value: str) -> int:
    """Read a number of GPUs that a machine may have."""
    return count(key, _number(key, value), most=MANY)


def quoted(name: str) -> str:
    """Quote a name so that no character of it separates items in the text of a change."""
    return quote(str(name), safe="_-./()")
