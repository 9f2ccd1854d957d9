"""Printable page: one HTML file without external resources, light or dark on screen."""

from collections.abc import Iterable, Sequence
from html import escape

from ui.base.device import unbroken

_STYLE = """
:root{color-scheme:light dark;--ink:#1a1a1a;--quiet:#595959;--line:#c8c8c8;--paper:#fff;
--first:#7a7a7a;--accent:#0072b2}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e8e8e8;--quiet:#a8a8a8;--line:#444;
--paper:#14171c;--first:#9a9a9a;--accent:#56b4e9}}
*{box-sizing:border-box}
.rows{border-collapse:collapse;margin:.6rem 0}
.rows :is(td,th){border-bottom:1px solid var(--line);padding:.2rem .8rem .2rem 0;text-align:left;
vertical-align:top}
body{font:16px/1.45 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;
color:var(--ink);background:var(--paper);font-variant-numeric:tabular-nums;overflow-wrap:break-word}
h1{font-size:1.5rem;line-height:1.2;margin:0 0 .3rem}
h2{font-size:1.1rem;line-height:1.3;margin:1.6rem 0 .3rem}
p,ul,ol{margin:.35rem 0}li{margin:.2rem 0}h2,h3{break-after:avoid}
.quiet{color:var(--quiet)}blockquote{margin:.5rem 0;padding:0 0 0 .9rem;
border-left:3px solid var(--accent)}
.alert{border:2px solid var(--accent);padding:.4rem .7rem;font-weight:600}
@page{size:A4;margin:14mm}
@media print{:root{color-scheme:light}body{font-size:9.5pt;line-height:1.35;max-width:none;margin:0;
padding:0}h1{font-size:15pt}h2{font-size:11pt;margin-top:4mm}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""


def page(title: str, body: Iterable[str], style: str = "") -> bytes:
    """Write a page with its title; `body` is HTML with escaped texts."""
    content = unbroken("\n".join(body))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}{style}</style></head>\n"
        f"<body><main><h1>{escape(title)}</h1>\n{content}\n</main></body></html>\n"
    ).encode()


def table(rows: Iterable[Sequence[str]]) -> str:
    """Write rows of texts as an HTML table; the first row is the header."""
    body = ""
    kind = "th"
    for cells in rows:
        row = "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells)
        body += f"<tr>{row}</tr>"
        kind = "td"
    return f'<table class="rows">{body}</table>'


def markdown(rows: Iterable[Sequence[str]]) -> str:
    """Write rows of Markdown as a table; the first row is the header."""
    head, *others = rows
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *others))
