"""Games that need not be played to their end: lost, drawn or too long, by what the engines say."""

from collections.abc import Sequence

from thrive_engine.arena.job import Adjudication, Ending
from thrive_engine.arena.verdict import Verdict, lost
from thrive_engine.search.base import Score

WON = 100_000
"""What a proven win is worth."""

Scores = Sequence[Score | None]
"""What an engine said on its turns, from its own side; None where it said nothing."""


def adjudge(rule: Adjudication, scores: Sequence[Scores], length: int) -> Verdict | None:
    """The verdict on a game of ``length`` turns with these scores of each seat, if there is one."""
    return _resigned(rule, scores) or _drawn(rule, scores, length) or _too_long(rule, length)


def _resigned(rule: Adjudication, scores: Sequence[Scores]) -> Verdict | None:
    behind = rule.resign_score
    if behind is None:
        return None
    for seat, said in enumerate(scores):
        last = _last(said, rule.resign_turns)
        if last and max(last) <= -behind:
            reason = f"lost by its own score for {rule.resign_turns} turns"
            return lost(seat, len(scores), Ending.ADJUDICATION, reason)
    return None


def _drawn(rule: Adjudication, scores: Sequence[Scores], length: int) -> Verdict | None:
    near = rule.draw_score
    if near is None or length < rule.draw_from:
        return None
    for said in scores:
        last = _last(said, rule.draw_turns)
        if not last or max(map(abs, last)) > near:
            return None
    reason = f"even by all scores for {rule.draw_turns} turns"
    return Verdict(None, Ending.ADJUDICATION.value, reason, is_drawn=True)


def _too_long(rule: Adjudication, length: int) -> Verdict | None:
    if rule.length is None or length < rule.length:
        return None
    return Verdict(None, Ending.ADJUDICATION.value, f"not over after {length} turns", is_drawn=True)


def _last(said: Scores, turns: int) -> list[int]:
    """The last scores as numbers; none, where one is missing."""
    last = [_worth(score) for score in said[-turns:] if score is not None]
    return last if len(last) == turns else []


def _worth(score: Score) -> int:
    if score.mate is not None:
        return WON if score.mate > 0 else -WON
    return score.cp or 0
