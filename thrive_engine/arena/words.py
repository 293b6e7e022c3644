"""A tournament in words: what was to be played, and what came of it."""

import shlex
from collections.abc import Iterator
from math import ceil, floor

from thrive_engine.arena import joint
from thrive_engine.arena.config import Tournament
from thrive_engine.arena.job import Adjudication, Control, Player
from thrive_engine.arena.plot import duration, signed
from thrive_engine.arena.rating import Estimate, Results
from thrive_engine.arena.schedule import Format
from thrive_engine.arena.sprt import Sprt, Verdict
from thrive_engine.arena.standing import Summary, Test
from thrive_engine.arena.tally import PlayedOut


def title_of(tournament: Tournament) -> str:
    """The tournament's name, or what it is."""
    if tournament.event not in ("", "?"):
        return tournament.event
    if len(tournament.names) == 2:
        return " against ".join(tournament.names)
    return f"{tournament.format.value.capitalize()} of {len(tournament.names)} engines"


def state_of(summary: Summary) -> str:
    """How far it is."""
    played = counted(summary.played, "game")
    if summary.is_complete:
        return f"{played}, complete"
    return f"{played} of {summary.planned:,} so far"


def verdicts(tournament: Tournament, summary: Summary) -> Iterator[str]:
    """What came of it, a sentence each, the most important first."""
    if not any(line.results.games for line in summary.table):
        yield "No game has a result yet."
        return
    if tournament.sprt is not None and summary.test is not None:
        yield _decision(tournament, tournament.sprt, summary.test)
    if summary.winner is not None:
        yield f"{summary.winner} has won the knockout."
    elif summary.words:
        yield f"{summary.words}."
    else:
        yield _lead(summary)
    if summary.test is not None:
        yield f"{summary.test.words}."


def plans(tournament: Tournament) -> Iterator[str]:
    """What was to be played, a sentence each."""
    most = "at most " if tournament.sprt is not None else ""
    least = "at least " if tournament.format is Format.KNOCKOUT else ""
    rounds = f", {counted(tournament.rounds, 'round')}" if tournament.rounds else ""
    yield (
        f"A {tournament.format.value} of {len(tournament.players)} engines{rounds}: "
        f"{counted(tournament.pairs, 'pair')} of games an encounter, "
        f"{most}{least}{counted(tournament.planned, 'game')} in all, "
        f"from {counted(len(tournament.openings), 'opening')}. "
        "The two games of a pair begin with the same opening, with colours swapped."
    )
    if tournament.sprt is not None:
        yield _test(tournament.sprt)
    yield from _adjudications(tournament.adjudication)
    yield (
        f"{counted(tournament.concurrency, 'game')} at a time, seed {tournament.seed}. "
        f"Sandbox: {tournament.sandbox}, {tournament.memory} MB of memory for each engine. "
        f"A game is abandoned after {duration(tournament.deadline)}."
    )


def command_of(player: Player) -> str:
    """The command of an engine as a shell would take it, with its options."""
    options = "".join(f", {name}={value}" for name, value in player.options)
    return f"{shlex.join(player.command)}{options}{', ponders' if player.ponder else ''}"


def control_of(control: Control) -> str:
    """The limits of an engine."""
    parts = []
    if control.time is not None:
        turns = f" for {control.turns} turns" if control.turns else ""
        more = f" + {control.increment:g} s a turn" if control.increment else ""
        parts.append(f"{control.time:g} s{turns}{more}")
    if control.movetime is not None:
        parts.append(f"{control.movetime:g} s a turn")
    if control.nodes is not None:
        parts.append(f"{control.nodes:,} nodes")
    if control.depth is not None:
        parts.append(f"depth {control.depth}")
    return ", ".join(parts)


def elo_text(elo: Estimate, games: int) -> str:
    """An Elo difference with its error, or a bound where all games were won or lost."""
    if not games:
        return "–"
    if elo.tells_nothing:
        return "?"
    if elo.is_open:
        return signed(f"≥ {floor(elo.low):+}" if elo.value > 0 else f"≤ {ceil(elo.high):+}")
    return signed(f"{elo.value:+.0f} ± {elo.margin:.0f}")


def results_text(results: Results) -> str:
    """Wins, draws and losses: ``+3 =1 −2``."""
    losses, draws, wins = results.counts
    return f"+{wins} ={draws} −{losses}"


def points_text(points: float) -> str:
    """Points, which are whole or halves."""
    return f"{points:.1f}".removesuffix(".0")


def score_text(results: Results) -> str:
    """A score in hundredths."""
    return f"{100 * results.score:.1f} %" if results.games else "–"


def played_out_text(found: PlayedOut, adjudicated: int, low: float, high: float) -> str:
    """How often adjudication was wrong; low and high are the bounds of the rate."""
    if not adjudicated + found.games:
        return "No game was adjudicated."
    ended = f"{counted(adjudicated, 'game')} ended by adjudication"
    if not found.games:
        return f"{ended}; none was played out to see whether that is right."
    wrong = len(found.wrong)
    return (
        f"{ended}. Of {counted(found.games, 'more', 'more')} that were played out by the rules, "
        f"{wrong} did not end as adjudication would have had it: {100 * wrong / found.games:.1f} % "
        f"(95 % interval: {100 * low:.1f} to {100 * high:.1f} %)."
    )


def ratings_text(ratings: list[joint.JointRating]) -> str:
    """What the ratings are relative to, and rest on."""
    text = joint.describe(ratings)
    return f"Ratings are relative to the average, with 95 % intervals; {text}."


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number of things.

    >>> counted(1, "game"), counted(2000, "game")
    ('1 game', '2,000 games')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _decision(tournament: Tournament, sprt: Sprt, test: Test) -> str:
    first, second = tournament.names
    if test.low < test.llr < test.high:
        return f"The test of {first} against {second} is not decided yet."
    is_stronger = test.llr >= test.high
    verdict = Verdict.H1 if is_stronger else Verdict.H0
    found, other = (sprt.elo1, sprt.elo0) if is_stronger else (sprt.elo0, sprt.elo1)
    error = sprt.alpha if is_stronger else sprt.beta
    return (
        f"{verdict.value}: {first} is worth {_signed(found)} rather than {_signed(other)} "
        f"{sprt.model.value} Elo against {second} (such a test errs in {100 * error:g} % of cases)."
    )


def _lead(summary: Summary) -> str:
    best = summary.table[0]
    verb = "has won" if summary.is_complete else "leads"
    tied = [line.player for line in summary.table if line.points == best.points]
    points = f"{points_text(best.points)} points from {counted(best.results.games, 'game')}"
    if len(tied) > 1:
        return f"{' and '.join(tied)} {'share' if summary.is_complete else 'have'} first place."
    return f"{best.player} {verb}, with {points}: {elo_text(best.elo, best.results.games)} Elo."


def _test(test: Sprt) -> str:
    low, high = test.bounds
    return (
        f"A sequential test of {_signed(test.elo0)} (H0) against {_signed(test.elo1)} (H1) "
        f"{test.model.value} Elo, on pairs of games. It ends at a log-likelihood ratio of "
        f"{low:.2f} or {high:.2f}: H1 is accepted in error in {100 * test.alpha:g} % of cases, "
        f"H0 in {100 * test.beta:g} %."
    )


def _adjudications(rule: Adjudication) -> Iterator[str]:
    parts = []
    if rule.resign_score is not None:
        parts.append(
            f"lost for an engine that says {rule.resign_turns} times that it is "
            f"{rule.resign_score / 100:g} behind"
        )
    if rule.draw_score is not None:
        parts.append(
            f"drawn from turn {rule.draw_from} if both say {rule.draw_turns} times that "
            f"it is within {rule.draw_score / 100:g}"
        )
    if rule.length is not None:
        parts.append(f"drawn after {rule.length} turns")
    if not parts:
        yield "No game is adjudicated."
        return
    out = f" {100 * rule.played_out:g} % of the games are played out all the same."
    yield f"Games are adjudicated: {'; '.join(parts)}.{out if rule.played_out else ''}"


def _signed(elo: float) -> str:
    return f"{elo:+g}" if elo else "0"
