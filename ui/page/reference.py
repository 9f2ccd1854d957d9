"""Reference page with tabs for key terms, sources, and corrections; a tab loads when opened."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path

import pandas as pd
import streamlit as st

from physics import constants, nomenclature
from physics.texts import toml_beside
from ui.base import device
from ui.base import format as f
from ui.base.lesson import Lesson, lessons, menu
from ui.base.words import FOLDER, fill
from ui.page import glossary, shell
from ui.record import ledger, local_storage, sheet

#: Tabs by the address that opens the page at them, in their order.
TABS = {"glossary": "Key terms", "sources": "Sources", "corrections": "Corrections"}
#: Text above each tab's tables, and the columns of the table of constants.
SAYS = toml_beside(__file__, "reference.toml")
COLUMNS = SAYS["columns"]
COLUMNS["Link"] = st.column_config.LinkColumn(
    display_text="Open", help="Page on which the source can be read.", **COLUMNS["Link"]
)


def draw(page: str, at: str, systems: Path) -> None:
    """Draw the whole page with one of `TABS` open.

    `systems` is the TOML file with the systems that the sources cover, see `described`.
    """
    shell.open_plain("Reference", page)
    tabs = st.tabs(list(TABS.values()), default=TABS[at], key="reference_tab", bind="query-params")
    contents: list[Callable] = [_key_terms, partial(_sources, systems), _corrections]
    for tab, content in zip(tabs, contents, strict=True):
        if tab.open:
            with tab:
                content()
    local_storage.sync()


def _key_terms() -> None:
    """Draw the glossary with its search."""
    st.markdown(SAYS["glossary"])
    example = "for example: backfill, or notebook"
    search = _searched("Search words and meanings", "glossary_search", example)
    terms = matching(glossary.frame(), search)
    st.caption(f"{counted(terms, glossary.frame())}.")
    if len(terms):
        st.table(terms.set_index("Word"))
    else:
        st.markdown("No matches. Try a shorter search.")


def _sources(systems: Path) -> None:
    """Draw the tables of constants, terms, and quantities with their search."""
    st.markdown(SAYS["sources"])
    label = "Topics of the sources, and their pages here"
    box = device.expander(label, "sources_systems", ":material/list:")
    if box:
        box.markdown(described(systems))
    label = "Search constants, terms, and quantities"
    example = "for example: assumed GPU, or utilization"
    search = _searched(label, "sources_search", example)
    for title, frame, note, options in _tables():
        rows = matching(frame, search)
        device.heading(title)
        st.caption(f"{counted(rows, frame)}.{note}")
        st.dataframe(rows, hide_index=True, **options)


def _corrections() -> None:
    """Draw each lesson's corrections of the draft."""
    st.markdown(SAYS["corrections"])
    for lesson in lessons():
        if not lesson.corrections:
            continue
        progress = ledger.progress(lesson)
        shell.link(lesson.path, f"**{lesson.title}**", shell.PROGRESS[progress][0])
        origin = f"{lesson.origin or 'Draft of March 2026'}."
        label = f"{f.count(len(lesson.corrections), 'correction')} to {lesson.title}"
        if progress == "new":
            st.caption(f"{origin} You have not predicted yet, and the rows give answers away.")
            box = device.expander(label, f"corrections_{lesson.id}", answers=True)
        else:
            st.caption(origin)
            box = st.expander(label, expanded=True)
        if box:
            box.markdown(device.unbroken(table(computed(lesson))))


def _searched(label: str, key: str, example: str) -> str | None:
    """Draw a search field, and return its text."""
    return st.text_input(
        label,
        key=key,
        placeholder=example,
        icon=":material/search:",
        bind="query-params",
        max_chars=100,
    )


def computed(lesson: Lesson) -> list[tuple[str, str]]:
    """Return a lesson's corrections as pairs: the draft's claim and the model's result."""
    values = lesson.values(lesson.settings())
    return [(fill(row.said, values), fill(row.found, values)) for row in lesson.corrections]


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Write corrections as a Markdown table.

    >>> print(table([("at 95% it is 20", "it is 19 | 20")]))
    | The draft says | The model finds |
    | --- | --- |
    | at 95% it is 20 | it is 19 / 20 |
    """
    cells = [[" ".join(text.split()).replace("|", "/") for text in row] for row in rows]
    return sheet.markdown([["The draft says", "The model finds"], *cells])


@lru_cache(maxsize=1)
def _tables() -> tuple[tuple[str, pd.DataFrame, str, Mapping], ...]:
    """Return the page's tables: title, rows, note, and arguments for `st.dataframe`."""
    # Exact constants, such as the seconds of a minute, interest a reader least.
    rows = sorted(constants.table(), key=lambda constant: constant["kind"] == "exact")
    words = pd.DataFrame(nomenclature.words()).rename(columns=str.capitalize)
    words = words.rename(columns={"Name": "Word"})
    words["Word"] = words["Word"].str.replace("_", " ")
    fields = pd.DataFrame(nomenclature.fields()).rename(columns=str.capitalize)
    note = " Named as in the code of the folder physics."
    style = {"height": 420, "row_height": 64, "column_config": COLUMNS}
    return (
        ("Constants", pd.DataFrame(map(_row, rows)), " Values are in SI units.", style),
        ("Nomenclature", words, "", {}),
        ("Quantities of the models", fields, note, {"height": 420}),
    )


def _row(constant: Mapping) -> dict[str, str]:
    """Return a constant's texts by column."""
    low, high, value = (constant[name] for name in ("low", "high", "value"))
    texts = {**constant, "value": f.significant(value, 6), "link": "", "knob": ""}
    texts["link"] = target(constant["source"]) or ""
    if low is not None:
        texts["knob"] = f"{f.significant(low, 6)} to {f.significant(high, 6)}"
    return {name: texts[name.lower()] for name in COLUMNS}


@lru_cache(maxsize=1)
def described(path: Path) -> str:
    """Return a Markdown table of the sources' systems: its lessons, or why a system has none."""
    titles = {lesson.page: lesson.title for lesson in menu()} | {"your_cluster": "Your cluster"}
    rows = [["", "Where in this app"]]
    for source in tomllib.loads(path.read_text(encoding="utf-8"))["sources"]:
        rows.append([f"**{source['name']}**", ""])
        for system in source["systems"]:
            where = ", ".join(titles[page] for page in system.get("pages", ()))
            if not where:
                where = f"Not modeled: {system['why']}."
            rows.append([system["name"], where])
    return sheet.markdown(rows)


def matching(frame: pd.DataFrame, search: str | None) -> pd.DataFrame:
    """Rows that contain every search word, in any column and in any case.

    >>> matching(pd.DataFrame({"a": ["one hour", "one day"]}), "ONE day")["a"].tolist()
    ['one day']
    """
    words = (search or "").casefold().split()
    if not words:
        return frame
    texts = (" ".join(map(str, row)).casefold() for row in frame.itertuples(index=False))
    return frame[[all(word in text for word in words) for text in texts]]


def counted(rows: pd.DataFrame, of: pd.DataFrame) -> str:
    """Number of rows that match the search, in words.

    >>> counted(pd.DataFrame(index=[1]), pd.DataFrame(index=[1, 2]))
    '1 of 2'
    """
    if len(rows) < len(of):
        return f"{len(rows)} of {len(of)}"
    return f"All {len(of)}"


@lru_cache(maxsize=1)
def links() -> Mapping[str, str]:
    """Read `lessons/links.toml`: {lowercase title: address}, longer titles first."""
    addresses = tomllib.loads((FOLDER / "links.toml").read_text(encoding="utf-8"))["links"]
    titles = sorted(addresses, key=len, reverse=True)
    return {title.casefold(): addresses[title] for title in titles}


@lru_cache(maxsize=1)
def _titles() -> re.Pattern[str]:
    """Return the pattern that finds the titles of `links` in a text."""
    return re.compile("|".join(map(re.escape, links())), re.IGNORECASE)


def linked(text: str) -> str:
    """Return a source with its titles as links, in Markdown.

    >>> linked("*Priority assignment in waiting line problems*, 1954")
    '*[Priority assignment in waiting line problems](https://doi.org/10.1287/opre.2.1.70)*, 1954'
    """
    return _titles().sub(lambda match: f"[{match[0]}]({links()[match[0].casefold()]})", text)


def target(text: str) -> str | None:
    """Return the address of the first title in a source; None if there is none.

    >>> target("assumed: any will do")
    """
    match = _titles().search(text)
    if match:
        return links()[match[0].casefold()]
    return None
