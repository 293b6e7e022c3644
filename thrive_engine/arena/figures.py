"""The plots of a report, from a tournament's games."""

from collections.abc import Iterable, Sequence

from thrive_engine.arena.job import Played
from thrive_engine.arena.page import Html
from thrive_engine.arena.plot import (
    COLOURS,
    Bar,
    Interval,
    Series,
    Spread,
    bar_plot,
    histogram,
    interval_plot,
    line_plot,
    spread_plot,
)
from thrive_engine.arena.rating import score_interval
from thrive_engine.arena.standing import Line, Standing
from thrive_engine.arena.table import GameResult
from thrive_engine.arena.tally import (
    TimeUse,
    endings,
    length_bins,
    llr_history,
    quantile,
    score_history,
)
from thrive_engine.arena.words import score_text

_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
_PARTS = ("s0", "even", "s1", "none")
"""The colours of a bar's parts: first seat, drawn, second seat, no result."""


def rating_figure(lines: Iterable[Line], description: str) -> Html:
    """The ratings of those who have played, best first."""
    rows = [
        Interval(line.player, line.elo.value, line.elo.low, line.elo.high, line.elo.is_open)
        for line in lines
        if line.results.games
    ]
    return interval_plot("Rating", description, sorted(rows, key=lambda row: -row.value), "Elo")


def match_figure(games: Sequence[GameResult], player: str) -> Html:
    """The score of a match's first player over the games."""
    history = score_history(games, player)
    bounds = (score_interval(results) for _, results in history)
    series = Series(
        player,
        [(number, 100 * results.score) for number, results in history],
        [(100 * low, 100 * high) for low, high in bounds],
    )
    last = history[-1][1]
    text = (
        f"{player}’s score, at last {score_text(last)}, with its 95 % interval (of single games)."
    )
    return _scores([series], text)


def scores_figure(games: Sequence[GameResult], players: Sequence[str]) -> Html:
    """The scores of many players over the games; only the first few can be told apart."""
    shown = players[:COLOURS]
    series = [
        Series(player, [(number, 100 * each.score) for number, each in history])
        for player in shown
        if (history := score_history(games, player))
    ]
    only = f" Only the first {COLOURS} of {len(players)} engines." if shown != players else ""
    return _scores(series, f"Each engine’s score in its games so far.{only}")


def llr_figure(standing: Standing) -> Html:
    """The log-likelihood ratio of a test over the games, with its bounds."""
    test = standing.tournament.sprt
    assert test is not None
    history = llr_history(standing)
    low, high = test.bounds
    values = [low, high, *(value for _, value in history)]
    text = f"At last {history[-1][1]:.2f}; the test ends at {low:.2f} (H0) or {high:.2f} (H1)."
    return line_plot(
        "Log-likelihood ratio",
        text,
        [Series("LLR", history)],
        labels=("games", "LLR"),
        heights=(1.15 * min(values), 1.15 * max(values)),
        guides=((low, f"H0: {test.elo0:g} Elo"), (high, f"H1: {test.elo1:g} Elo")),
    )


def endings_figure(games: Iterable[Played], seats: Sequence[str]) -> Html:
    """What ended the games, and for whom."""
    bars = [
        Bar(word, (count[0], count["1/2-1/2"], count[1], count["*"]))
        for word, count in endings(games).items()
    ]
    names = (f"{seats[0]} won", "drawn", f"{seats[1]} won", "no result")
    parts = list(zip(names, _PARTS, strict=True))
    return bar_plot("Terminations", "What ended the games, and for whom.", bars, parts, "games")


def length_figure(games: Iterable[Played]) -> Html:
    """How long the games were."""
    lengths = sorted(game.turns for game in games)
    spread = f"From {lengths[0]} to {lengths[-1]}, {quantile(lengths, 0.5)} in the median."
    return histogram("Length of games", spread, length_bins(lengths), ("turns of both", "games"))


def time_figure(used: Iterable[TimeUse]) -> Html:
    """How long turns took."""
    rows = [
        Spread(each.player, _quantiles(each.averages), each.slowest) for each in used if each.turns
    ]
    text = (
        "The average turn of a game: box and line hold the middle 50 and 90 of 100 games. "
        "The dot is the slowest turn of all."
    )
    return spread_plot("Time a turn", text, rows, "time, logarithmic")


def _scores(series: Sequence[Series], text: str) -> Html:
    return line_plot(
        "Score over the games",
        text,
        series,
        labels=("games", "score, %"),
        heights=_heights(series),
        guides=((50, ""),),
    )


def _heights(series: Sequence[Series]) -> tuple[float, float]:
    """The range of the curves, and of half as much again; their first quarter is mere chance."""
    values = [50.0]
    for each in series:
        start = len(each.points) // 4
        values += [value for _, value in each.points[start:]]
        values += [end for ends in each.band[start:] for end in ends]
    room = max(2.0, (max(values) - min(values)) / 10)
    return max(0.0, min(values) - room), min(100.0, max(values) + room)


def _quantiles(ordered: Sequence[float]) -> tuple[float, float, float, float, float]:
    low, left, middle, right, high = (quantile(ordered, share) for share in _SHARES)
    return low, left, middle, right, high
