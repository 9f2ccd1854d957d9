"""Similarities between the reports of a course: a shared browser, login, name, or text.

Two spellings of one login are one login; letters that only look alike are marked as such.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from physics import pace
from ui.base.lesson import lessons
from ui.grades.handed import Sheet, clean
from ui.record import local_storage, report

#: Notes shorter than this may be the same by chance [characters].
SHORT_NOTE = 30
#: Lowercase letters and digits that look like Latin letters, and below them these Latin letters.
_LOOK = "аɑαа вβьӏǀ1 сϲ ԁ еε ɡ һн іıι ј кκ мμ ոη оοօσ0 рρ ԛ ѕ тτ սυ ν ԝω хχ уγʏ ζ"
_LIKE = "aaaa bbblll cc d ee g hh iii j kk mm nn ooooo pp q s tt uu v ww xx yyy z"
_LATIN = {ord(sign): like for sign, like in zip(_LOOK, _LIKE, strict=True) if sign != " "}


def mark(sheets: list[Sheet]) -> None:
    """Record in each report which other reports have the same browser, login, name, or text."""
    holders = defaultdict(list)
    titles = {lesson.id: lesson.title for lesson in lessons()}
    for sheet in sheets:
        for kind, value, identity in dict.fromkeys(_traits(sheet, titles)):
            holders[kind, value].append((sheet, identity))
    for (kind, _), group in holders.items():
        for sheet, identity in group:
            pace.step()
            others = [other.file for other, other_identity in group if other_identity != identity]
            sentence = f"{kind} as {', '.join(others[:3])}"
            if len(others) > 3:
                sentence += f" and {len(others) - 3} more"
            if others and sentence not in sheet.alike:
                sheet.alike.append(sentence)


def _traits(sheet: Sheet, titles: Mapping[str, str]) -> Iterator[tuple[str, str, Any]]:
    """Yield what a report may share with others: kind, value, and the identity of the report.

    Reports with equal kind and value are marked if their identities differ. Therefore reports with
    a login and the same name are not marked, and equal logins are not also marked as similar.
    """
    own = id(sheet)
    login = folded(sheet.login)
    for token in sheet.report["tokens"]:
        yield "Same browser", token, own
    if login:
        yield "Same login", login, own
        yield "Looks like the same login", skeleton(login), login
    if sheet.name:
        yield "Same name", skeleton(sheet.name), "login" if login else own
    texts = [
        (f"Same notes on “{titles[lesson_id]}”", record.get("note", ""))
        for lesson_id, record in sheet.records.items()
    ]
    texts += [
        (f"Same “{report.TITLES[section]}”", sheet.report[section])
        for section in local_storage.WORDS
    ]
    for kind, text in texts:
        folded_text = " ".join(text.split()).casefold()
        if len(folded_text) >= SHORT_NOTE:
            yield kind, folded_text, own


def folded(text: str) -> str:
    r"""Normalize a login so that spellings that differ in case, width, or composition are equal.

    >>> folded("Ａnna@example.org") == folded("anna@EXAMPLE.org")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", clean(text)).casefold())


def skeleton(text: str) -> str:
    """Return a login in a form that equates look-alike letters, such as Cyrillic and Latin ones.

    >>> skeleton("аnna10") == skeleton("annalO"), skeleton("anna") == skeleton("anne")
    (True, False)
    """
    return folded(text).translate(_LATIN)
