"""Lines of a mark's tooltip."""

import altair as alt


def tip(field: str, title: object = alt.Undefined, form: object = alt.Undefined) -> alt.Tooltip:
    """Return a line: a column with its type, such as "wait:Q", its title, and its number format."""
    return alt.Tooltip(field, format=form, title=title)
