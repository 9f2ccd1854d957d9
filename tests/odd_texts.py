"""What no sentence, label or number of a page may hold."""

import re

NOUNS = (
    "GPUs|jobs|nodes|servers|workers|seconds|minutes|hours|days|weeks|years|users|people|"
    "students|visitors|requests|notebooks|slices|instances|slots|cores|threads|readers|files|"
    "directories|lanes|classes|cells|runs|rounds|replications|checkpoints|steps|samples|"
    "racks|epochs|interruptions|results|lessons|corrections|times|replicas"
)
ODD_TEXTS = {
    "not a number": re.compile(r"(?<![\w$\\])(nan|NaN|inf|Infinity)(?![\w}])"),
    "one of many": re.compile(rf"(?<![\d.,^−-])(?<!GPU )1 ({NOUNS})\b(?!['’])"),
    "nothing filled in": re.compile(r"\bNone\b(?! of)|\{[a-z_]+\}"),
    "negative zero": re.compile(r"(?<![\w.,^{}])[−-]0(\.0+)?(?![\d.,])"),
    "program's exponent": re.compile(r"\d[eE][+-]?\d"),
    "raw id": re.compile(r"(?<![\w.\\])[a-z]+(_[a-z0-9]+)+(?![\w.])"),
    "no time at all": re.compile(r"(?<![\d.,])0 (µs|ms)\b"),
}


def odd(text: str) -> list[tuple[str, str]]:
    """Kind and surroundings of every odd text in some words; formulas, code and addresses aside."""
    plain = re.sub(
        r"\$\$.*?\$\$|(?<!\\)\$.*?(?<!\\)\$|`[^`]*`|:material/\w+:|<style>.*?</style>|https?:\S+",
        " ",
        text,
        flags=re.S,
    )
    return [
        (kind, " ".join(plain[max(0, hit.start() - 40) : hit.end() + 30].split()))
        for kind, pattern in ODD_TEXTS.items()
        for hit in pattern.finditer(plain)
    ]
