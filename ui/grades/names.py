"""Names and logins of students, so that a student has one row whatever keyboard wrote it. No Streamlit here."""

import unicodedata

from physics.texts import seen

#: Letters that look like Latin ones, and digits that look like letters; after `folded`, which leaves small letters.
_LOOK = "аɑαа вβьӏǀ1 сϲ ԁ еε ɡ һн іıι ј кκ мμ ոη оοօσ0 рρ ԛ ѕ тτ սυ ν ԝω хχ уγʏ ζ"
_LIKE = "aaaa bbblll cc d ee g hh iii j kk mm nn ooooo pp q s tt uu v ww xx yyy z"
_LATIN = {ord(sign): like for sign, like in zip(_LOOK, _LIKE, strict=True) if sign != " "}


def clean(text: str) -> str:
    r"""Return a name without signs that are not seen, its accents composed.

    >>> clean(" Zoe\u0308\u200b  M. ") == "Zoë M."
    True
    """
    return unicodedata.normalize("NFC", seen(text))


def folded(text: str) -> str:
    r"""Return what two spellings of one login have in common: case, width and composition make no difference.

    >>> folded("Ａnna@example.org") == folded("anna@EXAMPLE.org")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", clean(text)).casefold())


def skeleton(text: str) -> str:
    """Return what two logins have in common that look alike, such as with a Cyrillic letter for a Latin one.

    >>> skeleton("аnna10") == skeleton("annalO"), skeleton("anna") == skeleton("anne")
    (True, False)
    """
    return folded(text).translate(_LATIN)
