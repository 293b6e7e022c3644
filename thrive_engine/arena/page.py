"""A page of HTML, made of elements: whatever is not an element is text, and is escaped.

The page stands alone. It asks for nothing from anywhere, and runs no script; its policy says so
to the browser, too.
"""

from collections.abc import Collection, Iterable, Sequence
from html import escape

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_EMPTY = frozenset({"meta"})
"""The elements of HTML that are used here and have no end."""


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def escaped(text: str) -> Html:
    """Text as markup. What can't be seen, or turns the text around, is shown as U+FFFD.

    >>> escaped("<b> & \\u202e")
    '&lt;b&gt; &amp; \ufffd'
    """
    if isinstance(text, Html):
        return text
    if not text.isprintable():
        text = "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)
    return Html(escape(text))


def element(tag: str, *children: str, **attributes: str | float | None) -> Html:
    """An element; ``class_`` is written class, ``text_anchor`` text-anchor, and None not at all.

    >>> element("a", "<", href="#x")
    '<a href="#x">&lt;</a>'
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _EMPTY:
        return Html(f"<{tag}{written}>")
    return Html(f"<{tag}{written}>{joined(children)}</{tag}>")


def joined(parts: Iterable[str]) -> Html:
    """Texts and elements, one after the other."""
    return Html("".join(map(escaped, parts)))


def table(
    caption: str,
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    texts: Collection[int] = (),
) -> Html:
    """A table. The first cell of a row is its heading; ``texts`` are columns to be read as text."""
    tight = "tight" if len(headings) > 10 else None
    kinds = ["text" if column in texts else None for column in range(len(headings))]
    names = zip(headings, kinds, strict=True)
    head = element("tr", *(element("th", each, scope="col", class_=kind) for each, kind in names))
    body = (
        element(
            "tr",
            element("th", row[0], scope="row", class_=_length(row[0])),
            *(
                element("td", each, class_=kind)
                for each, kind in zip(row[1:], kinds[1:], strict=True)
            ),
        )
        for row in rows
    )
    inner = (element("caption", caption), element("thead", head), element("tbody", *body))
    return element("div", element("table", *inner, class_=tight), class_="wide")


def plots(*parts: str) -> Html:
    """Figures and tables, side by side where there is room."""
    return element("div", *parts, class_="plots")


def section(name: str, heading: str, *parts: str) -> Html:
    """A part of the page that can be linked to."""
    return element("section", element("h2", heading), *parts, id=name)


def page(title: str, *parts: str) -> str:
    """The whole page."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", Html(_STYLE)),
    )
    body = element("body", element("main", element("h1", title), *parts))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _length(heading: str) -> str | None:
    """Whether a row's heading may be broken into lines."""
    return "long" if not isinstance(heading, Html) and len(heading) > 24 else None


def _value(value: str | float) -> str:
    return escaped(value) if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


_STYLE = """
:root { color-scheme: light dark; --ink: #1d2330; --quiet: #5c6575; --paper: #fff; --card: #f6f7f9;
  --rule: #d9dde4; --link: #1f5fae; --grid: #e3e6ec;
  --c0: #2468b4; --c1: #d1603d; --c2: #2f8f63; --c3: #8657b8; --c4: #a97e08; --c5: #2b93a5;
  --c6: #b8467f; --c7: #6f7785; --even: #a9b0bc; --none: #e0c8c8; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ef; --quiet: #9aa4b5; --paper: #14171d; --card: #1c2028; --rule: #343b47;
    --link: #82b4f2; --grid: #2a303b;
    --c0: #64a2e8; --c1: #ee8a68; --c2: #58bd8d; --c3: #b48ae4; --c4: #d6ad3e; --c5: #58c0d2;
    --c6: #e47fb2; --c7: #a5aebd; --even: #616a79; --none: #6d4a4a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-top: .75rem;
  border-top: 1px solid var(--rule); }
p { margin: .5rem 0; max-width: 50rem; overflow-wrap: anywhere; }
a { color: var(--link); }
.quiet, caption, figcaption span { color: var(--quiet); }
.verdict { background: var(--card); border-left: 4px solid var(--c0); border-radius: 4px;
  padding: .75rem 1rem; margin: 1.25rem 0; }
.verdict p { margin: .2rem 0; max-width: none; }
.verdict p:first-child { font-size: 1.15rem; font-weight: 600; }
nav { font-size: .9rem; margin: .75rem 0; }
nav a { margin-right: 1rem; white-space: nowrap; display: inline-block; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; min-width: min(100%, 22rem); font-size: .9rem;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 0 0 .35rem; }
th, td { padding: .3rem .7rem; text-align: right; white-space: nowrap; vertical-align: top;
  border-bottom: 1px solid var(--rule); }
thead th { font-weight: 600; border-bottom: 2px solid var(--rule); vertical-align: bottom; }
tbody th { font-weight: 500; text-align: left; }
thead th:first-child { text-align: left; }
th.long { white-space: normal; overflow-wrap: anywhere; min-width: 10rem; max-width: 18rem; }
.tight th, .tight td { padding: .25rem .4rem; } .tight { font-size: .82rem; }
th.text, td.text { text-align: left; }
td.text { white-space: normal; overflow-wrap: anywhere; min-width: 7rem; }
tbody tr:hover { background: var(--card); }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .82rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--card);
  margin: .25rem 0 1rem; padding: .75rem 1rem; border-radius: 4px; }
pre:target { outline: 2px solid var(--c0); }
summary { cursor: pointer; padding: .15rem 0; overflow-wrap: anywhere; }
.plots { display: grid; gap: 1.25rem; align-items: start;
  grid-template-columns: repeat(auto-fill, minmax(min(30rem, 100%), 1fr)); }
.plots > .wide { margin-top: 0; }
figure { margin: 0; background: var(--card); border-radius: 6px; padding: .9rem 1rem; min-width: 0;
  break-inside: avoid; }
figcaption { font-size: .9rem; line-height: 1.35; margin-bottom: .5rem; }
figcaption b, figcaption span { display: block; }
figure > svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--quiet); font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; }
svg text.name { fill: var(--ink); }
svg .grid { stroke: var(--grid); } svg .axis { stroke: var(--quiet); }
svg .guide { stroke: var(--ink); stroke-dasharray: 5 4; opacity: .6; }
svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; } svg .band { opacity: .16; }
svg .thick { stroke-width: 2; } svg .box { opacity: .45; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: .4rem 0 0;
  padding: 0; font-size: .82rem; }
.legend li { overflow-wrap: anywhere; }
.legend i { display: inline-block; width: .8rem; height: .8rem; margin-right: .35rem;
  vertical-align: -.08rem; border-radius: 2px; }
.s0 { --own: var(--c0); } .s1 { --own: var(--c1); } .s2 { --own: var(--c2); }
.s3 { --own: var(--c3); } .s4 { --own: var(--c4); } .s5 { --own: var(--c5); }
.s6 { --own: var(--c6); } .s7 { --own: var(--c7); } .even { --own: var(--even); }
.none { --own: var(--none); }
.ink { stroke: var(--own); } .fill { fill: var(--own); background: var(--own); }
@media print { main { max-width: none; padding: 0; } nav { display: none; }
  h2 { break-after: avoid; } body { font-size: 11pt; } .wide { overflow: visible; }
  figure { border: 1px solid var(--rule); }
  * { print-color-adjust: exact; } }
"""
