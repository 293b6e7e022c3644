"""Steps: what a search says of itself."""

import re

from thrive_engine.conformance import samples
from thrive_engine.conformance.candidate import Candidate, Search, require
from thrive_engine.conformance.samples import CAPTURE, START
from thrive_engine.conformance.step import Step, step
from thrive_engine.errors import ConformanceError, quote
from thrive_engine.games.base import Position
from thrive_engine.lines import parse_info
from thrive_engine.search.base import Info

STEPS: list[Step] = []
NUMBER = r"-?[0-9]{1,18}"
COUNT = r"[0-9]{1,18}"
WORDS = {
    **dict.fromkeys(("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"), COUNT),
    "tbhits": COUNT,
    "cpuload": COUNT,
    "score": rf"(?:cp|mate) {NUMBER}(?: (?:lowerbound|upperbound))?",
    "wdl": rf"{COUNT} {COUNT} {COUNT}",
    "pv": r"\S+(?: \S+)*",
}
"""What an info line may say, and what follows each word."""
INFO = re.compile("info" + "(?: (?:{}))+".format("|".join(f"{k} {v}" for k, v in WORDS.items())))
RATE = 20
"""Info lines a second."""
FEW = 500
"""A position with no more turns than this is searched for a way out of a claimed loss."""


@step(STEPS)
def info_form(engine: Candidate) -> None:
    """Info lines hold known words and whole numbers."""
    for text in samples.GOING:
        engine.set_up(text)
        for line in engine.search("depth 2 movetime 100").infos:
            _check_form(line)


@step(STEPS)
def info_line(engine: Candidate) -> None:
    """At least one info line has a depth, a score, nodes, a time and a line of play."""
    needed = ("depth", "score", "nodes", "time", "pv")
    infos = engine.search("depth 1").infos
    complete = [line for line in infos if all(word in line.split() for word in needed)]
    require(bool(complete), f"no info line has all of {' '.join(needed)}")


@step(STEPS)
def info_pv(engine: Candidate) -> None:
    """Every line of play is legal, turn by turn, in canonical spelling."""
    for text in samples.GOING:
        engine.set_up(text)
        for line in engine.search("depth 3 movetime 200").infos:
            game = engine.game_of(text)
            for turn in parse_info(line).pv:
                require(game.outcome is None, f"{quote(line)}: {turn} after the end of the game")
                game.play(engine.read_turn("pv", turn, game))


@step(STEPS)
def info_rate(engine: Candidate) -> None:
    """No more than 20 info lines a second."""
    search = engine.search("movetime 1000", engine.deadlines.answer)
    most = RATE * max(search.seconds, 1.0) * 1.2
    count = len(search.infos)
    require(count <= most, f"{count} info lines in {search.seconds:.1f} s; {RATE} a second may be")


@step(STEPS)
def mate_claims(engine: Candidate) -> None:
    """A win in one that is claimed is one, and so is a loss by the next turn."""
    for text in samples.GOING:
        engine.set_up(text)
        for line in engine.search("depth 2 movetime 300").infos:
            info = parse_info(line)
            if info.score is not None and not info.bound:
                _check_claim(engine, line, info)


@step(STEPS)
def multipv(engine: Candidate) -> None:
    """With MultiPV the best turns are numbered from 1, and each is another."""
    with engine.setting("MultiPV", 4):
        for text in (START, CAPTURE, samples.TWO_TWO):
            engine.set_up(text)
            _check_numbers(engine.search("depth 1"), 4)
        engine.set_up(samples.OWN_CAPTURE)
        _check_numbers(engine.search("depth 1"), 1)
    _check_numbers(engine.search("depth 1"), 1)


@step(STEPS)
def wdl(engine: Candidate) -> None:
    """With UCI_ShowWDL scores have win, draw and loss, which add up to 1000; else not."""
    with engine.setting("UCI_ShowWDL", "true"):
        for text in (START, CAPTURE):
            engine.set_up(text)
            for line in engine.search("depth 1").infos:
                shares = parse_info(line).wdl
                if parse_info(line).score is not None:
                    require(shares is not None, f"{quote(line)} has no wdl")
                    require(sum(shares or ()) == 1000, f"{quote(line)}: wdl is not 1000 in all")
    for line in engine.search("depth 1").infos:
        require(parse_info(line).wdl is None, f"{quote(line)} has wdl, and UCI_ShowWDL is off")


def _check_form(line: str) -> None:
    if INFO.fullmatch(line) is None:
        known = " ".join(WORDS)
        raise ConformanceError(f"{quote(line)}: only {known} with whole numbers may be said")


def _check_numbers(search: Search, count: int) -> None:
    """Whether the last lines of each number are all there, and begin with different turns."""
    last = {info.multipv: info.pv[:1] for info in map(parse_info, search.infos) if info.pv}
    expected = list(range(1, count + 1))
    require(sorted(last) == expected, f"best turns {sorted(last)} are shown, not {expected}")
    require(len(set(last.values())) == count, "the same turn is shown twice")


def _check_claim(engine: Candidate, line: str, info: Info) -> None:
    assert info.score is not None
    position = engine.game.position
    if info.score.mate == 1:
        turn = engine.read_turn("pv", info.pv[0], engine.game) if info.pv else None
        wins = _wins(position, turn) if turn else any(engine.rules.wins(position.draft))
        require(wins, f"{quote(line)}: that does not win in one, in {position}")
    if info.score.mate == -1 and info.multipv == 1 and len(position.legal_turns) <= FEW:
        escape = next((turn for turn in position.legal_turns if _escapes(engine, turn)), None)
        require(escape is None, f"{quote(line)}: {escape} does not lose so, in {position}")


def _wins(position: Position, turn: object) -> bool:
    outcome = position.play(turn).outcome
    return outcome is not None and outcome.winner == position.player


def _escapes(engine: Candidate, turn: object) -> bool:
    """Whether the opponent has not won after a turn, and has no win in one either."""
    after = engine.game.position.play_unchecked(turn)
    if after.outcome is not None:
        return bool(after.outcome.winner == engine.game.position.player)
    return not any(True for _ in engine.rules.wins(after.draft))
