"""The sections of a report: tables and plots, and a sentence where one says more."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from thrive_engine.arena import words
from thrive_engine.arena.figures import (
    endings_figure,
    length_figure,
    llr_figure,
    match_figure,
    rating_figure,
    scores_figure,
    time_figure,
)
from thrive_engine.arena.job import Ending, Played
from thrive_engine.arena.joint import joint_ratings
from thrive_engine.arena.listing import Listing
from thrive_engine.arena.page import Html, element, joined, plots, table
from thrive_engine.arena.plot import duration
from thrive_engine.arena.rating import (
    Results,
    best_known,
    normalised_elo,
    score_interval,
    superiority,
)
from thrive_engine.arena.standing import Standing, Summary
from thrive_engine.arena.table import (
    GameResult,
    by_opening,
    by_seat,
    crosstable,
    first_seat,
    game_results,
    pair_results,
)
from thrive_engine.arena.tally import (
    endings_of,
    has_broken_claim,
    played_out,
    quantile,
    time_use,
)
from thrive_engine.games import GAMES

MOST_FAULTS = 100
MOST_OPENINGS = 40
MOST_LINKS = 20

Section = tuple[str, str, Html]
"""The name of a section, its heading, what is in it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the sections are made from."""

    standing: Standing
    summary: Summary
    played: Mapping[int, Played]
    games: list[Played]
    """Those that count."""
    scores: list[GameResult]
    seats: tuple[str, ...]
    listing: Listing

    @property
    def players(self) -> list[str]:
        """The players, best first."""
        return [line.player for line in self.summary.table]


def sections(found: Found) -> Iterator[Section]:
    """Those of which there is something to say, in their order."""
    yield _standings(found)
    if found.scores:
        yield _course(found)
        yield _openings(found)
    if found.games:
        yield _endings(found)
        if any(game.overhead for game in found.games):
            yield _times(found)
        yield _referee(found)
    yield _configuration(found)
    if found.games:
        yield "games", "Games", found.listing.games()
        yield "records", "Records", found.listing.records()


def _standings(found: Found) -> Section:
    headings = ("Engine", "Points", "Games", "Won", "Drawn", "Lost", "Score", "Elo", "Faults")
    rows = []
    for line in found.summary.table:
        losses, draws, wins = line.results.counts
        counts = (
            words.points_text(line.points),
            *map(str, (line.results.games, wins, draws, losses)),
        )
        rating = words.elo_text(line.elo, line.results.games)
        rows.append(
            (line.player, *counts, words.score_text(line.results), rating, str(line.faults))
        )
    parts = [table("The engines, best first", headings, rows)]
    if len(found.players) > 2:
        parts += [_crosstable(found), plots(_ratings(found))] if found.scores else []
    elif found.scores:
        parts.append(plots(_statistics(found), _ratings(found)))
    return "standings", "Standings", joined(parts)


def _ratings(found: Found) -> Html:
    text = "Against the other engine, with 95 % intervals."
    if len(found.players) > 2:
        text = words.ratings_text(joint_ratings(crosstable(found.scores, found.players)))
    return rating_figure(found.summary.table, text)


def _crosstable(found: Found) -> Html:
    against = {row.player: row.against for row in crosstable(found.scores, found.players)}
    headings = ("Engine", *map(str, range(1, len(found.players) + 1)))
    rows = [
        (
            f"{number}. {player}",
            *(_meeting(player, other, against[player].get(other)) for other in found.players),
        )
        for number, player in enumerate(found.players, start=1)
    ]
    return table("Crosstable: points of the row’s engine from its games", headings, rows)


def _meeting(player: str, other: str, results: Results | None) -> Html:
    if results is None:
        return joined(["×" if player == other else ""])
    title = f"{player} against {other}: {words.results_text(results)}"
    return element("span", f"{words.points_text(results.points)}/{results.games}", title=title)


def _statistics(found: Found) -> Html:
    """What a match says about its first player."""
    first, second = found.standing.tournament.names
    games, pairs = game_results(found.scores, first), pair_results(found.scores, first)
    best = best_known(games, pairs)
    low, high = score_interval(best)
    normalised = words.elo_text(normalised_elo(best), best.games)
    rows = [
        ("Score", f"{words.score_text(games)} (95 %: {100 * low:.1f} to {100 * high:.1f} %)"),
        ("Normalised Elo", normalised),
        ("Likelihood of superiority", f"{100 * superiority(best):.1f} %"),
        ("Pairs with 0, ½, 1, 1½, 2 points", ", ".join(map(str, pairs.counts))),
    ]
    return table(f"{first} against {second}", ("Statistic", "Value"), rows)


def _course(found: Found) -> Section:
    figures = [
        match_figure(found.scores, found.standing.tournament.names[0])
        if len(found.players) == 2
        else scores_figure(found.scores, found.players)
    ]
    if found.standing.tournament.sprt is not None:
        figures.append(llr_figure(found.standing))
    return "course", "Course", plots(*figures)


def _endings(found: Found) -> Section:
    figures = (endings_figure(found.games, found.seats), length_figure(found.games))
    own = {player: endings_of(found.games, player) for player in found.players}
    kinds = list(found.summary.endings)
    rows = [
        (player, *(_results(own[player].get(word)) for word in kinds)) for player in found.players
    ]
    by_engine = table("Won, drawn and lost by each engine", ("Engine", *kinds), rows)
    body = joined([plots(*figures), by_engine])
    return "endings", "How games ended", body


def _times(found: Found) -> Section:
    rules = GAMES[found.standing.tournament.game]
    used = time_use(found.games, lambda opening: rules.parse_position(opening).player)
    ordered = [used[player] for player in found.players if player in used]
    headings = ("Engine", "Turns", "Time in all", "Average turn", "Slowest turn")
    rows = [
        (
            each.player,
            f"{each.turns:,}",
            duration(each.seconds),
            duration(each.seconds / each.turns) if each.turns else "–",
            found.listing.link(each.slowest_game, duration(each.slowest)),
        )
        for each in ordered
    ]
    parts = (
        plots(time_figure(ordered), table("Time that engines used", headings, rows)),
        element("p", _overhead(found.games)),
    )
    return "time", "Time", joined(parts)


def _overhead(games: list[Played]) -> str:
    taken = sorted(seconds for game in games for seconds in game.overhead)
    return (
        f"Between two turns the arena itself took {duration(quantile(taken, 0.5))} in the median, "
        f"less than {duration(quantile(taken, 0.99))} in 99 of 100 cases, at most "
        f"{duration(taken[-1])}."
    )


def _openings(found: Found) -> Section:
    first, second = found.seats
    results = first_seat(found.scores)
    low, high = score_interval(results)
    advantage = (
        f"{first} scored {words.score_text(results)} ({words.results_text(results)}; "
        f"95 % interval: {100 * low:.1f} to {100 * high:.1f} %)."
    )
    rows = []
    for player in found.players:
        own = by_seat(found.scores, player)
        cells = ((words.results_text(each), words.score_text(each)) for each in own)
        rows.append((player, *(cell for pair in cells for cell in pair)))
    headings = ("Engine", f"as {first}", "Score", f"as {second}", "Score")
    parts = (element("p", advantage), table("By colour", headings, rows), _by_opening(found))
    return "openings", "Openings and colours", joined(parts)


def _by_opening(found: Found) -> Html:
    tournament = found.standing.tournament
    first = found.seats[0]
    results = by_opening(found.scores)
    # In pairs an opening that is good for one side gives each engine a win, and tells nothing.
    shown = sorted(results, key=lambda each: -abs(results[each].points - results[each].games / 2))
    shown = sorted(shown[:MOST_OPENINGS])
    rows = [
        (
            str(number + 1),
            words.results_text(results[number]),
            words.score_text(results[number]),
            element("code", tournament.openings[number]),
        )
        for number in shown
    ]
    caption = f"By opening: the results of {first}"
    if len(shown) < len(results):
        caption += f", in the {len(shown)} least even of {len(results)} openings"
    return table(caption, ("Opening", first, "Score", "Position"), rows, texts={3})


def _referee(found: Found) -> Section:
    outs = played_out(found.games)
    wrong = len(outs.wrong)
    low, high = score_interval(Results.of_games(wins=wrong, losses=outs.games - wrong))
    adjudicated = sum(game.termination == Ending.ADJUDICATION.value for game in found.games)
    parts = [
        element(
            "p", words.played_out_text(outs, adjudicated, low, high), *_links(found, outs.wrong)
        ),
        _claims(found),
        _faults(found),
    ]
    if found.summary.replayed:
        lost = words.counted(found.summary.replayed, "game was", "games were")
        parts.append(element("p", f"{lost} lost with their workers, and played again."))
    late = len(found.played) - len(found.games)
    if late:
        lines = words.counted(late, "game was", "games were")
        parts.append(element("p", f"{lines} finished after the test was decided: not counted."))
    return "referee", "What the referee saw", joined(parts)


def _links(found: Found, games: Sequence[Played]) -> Iterator[Html]:
    """Links to the first few of some games."""
    if games:
        yield joined([" Games "])
    for place, game in enumerate(games[:MOST_LINKS]):
        yield joined([", " if place else "", found.listing.link(game.number)])
    if len(games) > MOST_LINKS:
        yield joined([f" and {len(games) - MOST_LINKS} more"])


def _claims(found: Found) -> Html:
    """What came of the wins that each engine announced."""
    rows = [
        (line.player, str(right + wrong), str(right), str(wrong))
        for line in found.summary.table
        for right, wrong in (line.claims,)
    ]
    if not any(right + wrong for right, wrong in (line.claims for line in found.summary.table)):
        return element("p", "No engine announced a win that could be checked.")
    text = (
        "An engine that announces a win in so many turns must have won by then. Every announcement "
        "was checked, unless the game was cut off before it was due."
    )
    wrong = [game for game in found.games if has_broken_claim(game)]
    text += " Wrong ones:" if wrong else ""
    headings = ("Engine", "Checked", "Right", "Wrong")
    return joined(
        [element("p", text, *_links(found, wrong)), table("Announced wins", headings, rows)]
    )


def _faults(found: Found) -> Html:
    games = sorted(found.played.values(), key=lambda game: game.number)
    rows = [
        (found.listing.link(game.number), name, what)
        for game in games
        for name, what in game.faults
    ]
    if not rows:
        return element("p", "No engine made a fault.")
    caption = words.counted(len(rows), "fault")
    if len(rows) > MOST_FAULTS:
        caption += f", of which the last {MOST_FAULTS} are listed"
    return table(caption, ("Game", "Engine", "What"), rows[-MOST_FAULTS:], texts={1, 2})


def _configuration(found: Found) -> Section:
    tournament = found.standing.tournament
    rows = [
        (player.name, words.control_of(player.control), element("code", words.command_of(player)))
        for player in tournament.players
    ]
    parts = [element("p", line) for line in words.plans(tournament)]
    parts.append(table("Engines", ("Engine", "Limits", "Command"), rows, texts={1, 2}))
    return "configuration", "Configuration", joined(parts)


def _results(results: Results | None) -> str:
    return "" if results is None else words.results_text(results)
