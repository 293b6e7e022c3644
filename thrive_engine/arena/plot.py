"""Plots, drawn as SVG: lines over games, intervals, spreads, bars and histograms.

Colours are the page's: a mark has the class of its series, ``s0`` to ``s7``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from thrive_engine.arena.page import Html, element, joined

WIDTH, HEIGHT = 640, 270
COLOURS = 8
"""How many series can be told apart."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 28, 12, 42
_GUTTER = 160
"""What is left of the axis where rows have names."""
_ROW = 26
_MOST_TICKS = 6
_LONGEST = 22
"""The letters of a name that have room."""
_LEAST_VALUES = 12
"""A histogram has room for so many, so that one column is still a column."""
_FASTEST = 1e-6
"""Seconds; what is less is shown as this, since a logarithmic axis has no 0."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from low to high, drawn from start to end."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Where a value is."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, least: float = 0.0) -> list[float]:
        """Some round values, at least so far from each other."""
        step = _round_step(max(least, (self.high - self.low) / _MOST_TICKS))
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class Series:
    """A line through points, and the interval around each, if there is one."""

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its interval; an open one goes on beyond the axis."""

    name: str
    value: float
    low: float
    high: float
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Spread:
    """How seconds are spread: 5, 25, 50, 75 and 95 of 100 are less, and the most there was."""

    name: str
    quantiles: tuple[float, float, float, float, float]
    most: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of several parts."""

    name: str
    parts: tuple[int, ...]


def line_plot(
    title: str,
    description: str,
    series: Sequence[Series],
    *,
    labels: tuple[str, str],
    heights: tuple[float, float],
    guides: Sequence[tuple[float, str]] = (),
) -> Html:
    """Lines over the games. Guides are heights with a name."""
    last = max((point[0] for each in series for point in each.points), default=1)
    first = min((point[0] for each in series for point in each.points), default=0)
    x = Axis(first, max(last, first + 1), _LEFT, WIDTH - _RIGHT)
    y = Axis(*heights, HEIGHT - _BOTTOM, _TOP)
    marks = [*_rising_grid(y), *_bottom(x, HEIGHT - _BOTTOM, labels[0])]
    for height, name in guides:
        marks.append(_line(x.start, y(height), x.end, y(height), "guide"))
        marks.append(_text(x.start + 6, y(height) - 5, name, "start"))
    marks.append(_clipped(x, y, [_curve(each, x, y, number) for number, each in enumerate(series)]))
    marks += [_end(each, x, y, number) for number, each in enumerate(series)]
    marks.append(_text(14, (y.start + y.end) / 2, labels[1], "middle", turned=True))
    names = [each.name for each in series] if len(series) > 1 else []
    return _figure(title, description, HEIGHT, marks, names)


def interval_plot(title: str, description: str, rows: Sequence[Interval], label: str) -> Html:
    """A value and its interval a row, around a line at 0."""
    ends = [0.0, *(_bound(each) for each in rows if each.is_open)]
    ends += [end for each in rows if not each.is_open for end in (each.low, each.high)]
    low, high = min(ends), max(ends)
    room = 0.1 * (high - low) or 1.0
    x = Axis(low - room, high + room, _GUTTER, WIDTH - _RIGHT)
    bottom = _TOP + _ROW * len(rows)
    marks = [*_bottom(x, bottom, label), _line(x(0), _TOP, x(0), bottom, "axis")]
    for number, each in enumerate(rows):
        y = _TOP + _ROW * (number + 0.5)
        marks += [_name(each.name, y), *_whisker(each, x, y)]
    return _figure(title, description, bottom + _BOTTOM, marks)


def spread_plot(title: str, description: str, rows: Sequence[Spread], label: str) -> Html:
    """How times are spread, a row each, on a logarithmic axis of seconds."""
    times = [time for each in rows for time in (*each.quantiles, each.most)]
    powers = [log10(max(_FASTEST, time)) for time in times] or [0.0]
    low, high = floor(min(powers)), ceil(max(powers))
    x = Axis(low, max(high, low + 1), _GUTTER, WIDTH - _RIGHT)
    bottom = _TOP + _ROW * len(rows)
    ticks = [(power, duration(10.0**power)) for power in range(low, int(x.high) + 1)]
    marks = list(_bottom_ticks(x, bottom, label, ticks))
    for number, each in enumerate(rows):
        y = _TOP + _ROW * (number + 0.5)
        marks += [_name(each.name, y), *_box(each, x, y)]
    return _figure(title, description, bottom + _BOTTOM, marks)


def bar_plot(
    title: str, description: str, bars: Sequence[Bar], parts: Sequence[tuple[str, str]], label: str
) -> Html:
    """Bars to the right; parts are the name and the class of each part of a bar."""
    x = Axis(0, max((sum(bar.parts) for bar in bars), default=0) or 1, _GUTTER, WIDTH - _RIGHT - 40)
    bottom = _TOP + _ROW * len(bars)
    marks = list(_bottom(x, bottom, label))
    for number, bar in enumerate(bars):
        top = _TOP + _ROW * number + 4
        marks.append(_name(bar.name, top + _ROW / 2 - 4))
        done = 0
        for count, (name, kind) in zip(bar.parts, parts, strict=True):
            if count:
                ends = x(done), x(done + count)
                what = f"{bar.name}, {name}: {count}"
                marks.append(_rect(ends, (top, top + _ROW - 8), kind, what))
            done += count
        marks.append(_text(x(done) + 5, top + _ROW / 2, str(done), "start"))
    seen = [part for at, part in enumerate(parts) if any(bar.parts[at] for bar in bars)]
    return _figure(title, description, bottom + _BOTTOM, marks, seen)


def histogram(
    title: str, description: str, bins: Sequence[tuple[int, int, int]], labels: tuple[str, str]
) -> Html:
    """Columns; bins are the first value, the one after the last, and the count."""
    low, high = (bins[0][0], bins[-1][1]) if bins else (0, 0)
    x = Axis(low, max(high, low + _LEAST_VALUES), _LEFT, WIDTH - _RIGHT)
    highest = max((count for *_, count in bins), default=0) or 1
    y = Axis(0, highest * 1.05, HEIGHT - _BOTTOM, _TOP)
    marks = [*_rising_grid(y, least=1), *_bottom(x, HEIGHT - _BOTTOM, labels[0])]
    for first, after, count in bins:
        values = f"{first}" if after == first + 1 else f"{first} to {after - 1}"
        ends = x(first), x(after) - 1
        marks.append(_rect(ends, (y(count), y.start), "s0", f"{values}: {count}"))
    marks.append(_text(14, (y.start + y.end) / 2, labels[1], "middle", turned=True))
    return _figure(title, description, HEIGHT, marks)


def duration(seconds: float) -> str:
    """A time in three digits, in a unit that suits it.

    >>> duration(0.0123), duration(75), duration(7200)
    ('12.3 ms', '75 s', '120 min')
    """
    if seconds >= 120:
        return f"{seconds / 60:,.0f} min"
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds * 1e6:.3g} µs"


def signed(text: str) -> str:
    """A number's text with a minus that is one."""
    return text.replace("-", "−")


def _number(value: float) -> str:
    return signed(f"{value:,.10g}")


def _round_step(least: float) -> float:
    """The step of 1, 2 or 5 times a power of ten that is no less."""
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least * (1 - 1e-9))


# Parts of a plot


def _curve(series: Series, x: Axis, y: Axis, number: int) -> Html:
    kind = f"s{number % COLOURS}"
    places = [(x(at), y(value)) for at, value in series.points]
    marks = [element("polyline", points=_points(places), class_=f"line ink {kind}")]
    if series.band:
        ends = list(zip(places, series.band, strict=True))
        lows = [(at, y(low)) for (at, _), (low, _) in ends]
        highs = [(at, y(high)) for (at, _), (_, high) in ends]
        area = _points([*lows, *highs[::-1]])
        marks.insert(0, element("polygon", points=area, class_=f"band fill {kind}"))
    return joined(marks)


def _end(series: Series, x: Axis, y: Axis, number: int) -> Html:
    """A dot where the line ends, which is all there is of a line of one point."""
    at, value = series.points[-1]
    title = element("title", f"{series.name}: {value:.4g}")
    return element(
        "circle", title, cx=x(at), cy=y(value), r=3.5, class_=f"fill s{number % COLOURS}"
    )


def _clipped(x: Axis, y: Axis, marks: Iterable[Html]) -> Html:
    """Marks of which only those between the axes are seen: what an inner drawing does."""
    width, height = x.end - x.start, y.start - y.end
    box = f"{x.start:g} {y.end:g} {width:g} {height:g}"
    return element("svg", *marks, x=x.start, y=y.end, width=width, height=height, viewBox=box)


def _whisker(interval: Interval, x: Axis, y: float) -> Iterator[Html]:
    """The interval as a line; its ends have a stroke across, or an arrow where it is open."""
    left, right = max(x.start, x(interval.low)), min(x.end, x(interval.high))
    yield _line(left, y, right, y, "thick ink s0")
    for end, is_arrow, away in (
        (left, interval.is_open and interval.value < 0, 8),
        (right, interval.is_open and interval.value > 0, -8),
    ):
        if is_arrow:
            points = _points([(end + away, y - 5), (end, y), (end + away, y + 5)])
            yield element("polyline", points=points, class_="line ink s0")
        else:
            yield _line(end, y - 5, end, y + 5, "thick ink s0")
    if not interval.is_open:
        what = f"{interval.value:+.1f} ({interval.low:+.1f} to {interval.high:+.1f})"
        title = element("title", f"{interval.name}: {signed(what)}")
        yield element("circle", title, cx=x(interval.value), cy=y, r=5, class_="fill s0")


def _box(spread: Spread, x: Axis, y: float) -> Iterator[Html]:
    low, left, middle, right, high, most = (
        x(log10(max(_FASTEST, time))) for time in (*spread.quantiles, spread.most)
    )
    yield _line(low, y, high, y, "thick ink s0")
    what = f"{spread.name}: median {duration(spread.quantiles[2])}"
    yield _rect((left, right), (y - 7, y + 7), "box s0", what)
    yield _line(middle, y - 8, middle, y + 8, "thick ink s0")
    slowest = element("title", f"{spread.name}: slowest {duration(spread.most)}")
    yield element("circle", slowest, cx=most, cy=y, r=4, class_="fill s1")


def _bound(interval: Interval) -> float:
    """The end of an open interval that something bounds."""
    return interval.low if interval.value > 0 else interval.high


def _rising_grid(y: Axis, least: float = 0.0) -> Iterator[Html]:
    for value in y.ticks(least):
        yield _line(_LEFT, y(value), WIDTH - _RIGHT, y(value), "grid")
        yield _text(_LEFT - 7, y(value) + 4, _number(value), "end")


def _bottom(x: Axis, bottom: float, label: str) -> Iterator[Html]:
    return _bottom_ticks(x, bottom, label, [(value, _number(value)) for value in x.ticks(least=1)])


def _bottom_ticks(
    x: Axis, bottom: float, label: str, ticks: Iterable[tuple[float, str]]
) -> Iterator[Html]:
    for value, name in ticks:
        yield _line(x(value), _TOP, x(value), bottom, "grid")
        yield _text(x(value), bottom + 16, name, "middle")
    yield _line(x.start, bottom, x.end, bottom, "axis")
    yield _text((x.start + x.end) / 2, bottom + 35, label, "middle")


def _name(name: str, y: float) -> Html:
    short = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    children = (short,) if short == name else (short, element("title", name))
    return element("text", *children, x=_GUTTER - 10, y=y + 4, text_anchor="end", class_="name")


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Html:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def _rect(x: tuple[float, float], y: tuple[float, float], kind: str, what: str) -> Html:
    """From left to right and from top to bottom; one that is seen, however thin."""
    (left, right), (top, bottom) = x, y
    return element(
        "rect",
        element("title", what),
        x=left,
        y=top,
        width=max(1.0, right - left),
        height=bottom - top,
        class_=f"fill {kind}",
    )


def _text(x: float, y: float, text: str, anchor: str, *, turned: bool = False) -> Html:
    turn = f"rotate(-90 {x:.1f} {y:.1f})" if turned else None
    return element("text", text, x=x, y=y, text_anchor=anchor, transform=turn)


def _points(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _figure(
    title: str,
    description: str,
    height: float,
    marks: Iterable[Html],
    legend: Sequence[str | tuple[str, str]] = (),
) -> Html:
    """The plot with its caption; a legend's names have colours of their own, or those given."""
    drawing = element(
        "svg",
        element("title", title),
        element("desc", description),
        *marks,
        viewBox=f"0 0 {WIDTH} {height:g}",
        role="img",
    )
    caption = element("figcaption", element("b", title), element("span", description))
    return element("figure", caption, drawing, _legend(legend))


def _legend(names: Sequence[str | tuple[str, str]]) -> Html:
    if not names:
        return Html()
    items = []
    for number, each in enumerate(names):
        name, kind = (each, f"s{number % COLOURS}") if isinstance(each, str) else each
        items.append(element("li", element("i", class_=f"fill {kind}"), name))
    return element("ul", joined(items), class_="legend")
