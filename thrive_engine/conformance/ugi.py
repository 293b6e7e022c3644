"""Steps: the words of UGI, for match runners that know no rules."""

from thrive_engine.conformance import samples
from thrive_engine.conformance.candidate import LAG, Candidate, first_word, require
from thrive_engine.conformance.samples import NO_HOLE, OPENING, ROUND, START
from thrive_engine.conformance.step import Step, step
from thrive_engine.errors import quote
from thrive_engine.games.base import Outcome

STEPS: list[Step] = []


@step(STEPS, needs="isready")
def ugi(engine: Candidate) -> None:
    """ugi is answered like uci, and ends with ugiok."""
    engine.need("ugi")
    engine.talk.send("ugi")
    said = engine.until("ugiok")[:-1]
    options = [line for line in engine.greeting if first_word(line) == "option"]
    require([line for line in said if first_word(line) == "option"] == options, "other options")


@step(STEPS)
def ugi_new_game(engine: Candidate) -> None:
    """uginewgame goes back to the start."""
    engine.need("ugi")
    engine.set_up(START, *OPENING[:1])
    engine.expect_silence("uginewgame")
    engine.game = engine.game_of(START)
    engine.expect_position()


@step(STEPS)
def ugi_clocks(engine: Candidate) -> None:
    """p1time, p2time, p1inc and p2inc are the clocks."""
    engine.need("ugi")
    engine.go("p1time 1000 p2time 3600000 p1inc 10 p2inc 10", 1.0 + LAG)


@step(STEPS, needs="isready")
def query_turn(engine: Candidate) -> None:
    """query p1turn says whether White is to move."""
    engine.need("query")
    for number in range(3):
        engine.set_up(START, *OPENING[:number])
        _expect(engine, "p1turn", "false" if number % 2 else "true")


@step(STEPS, needs="isready")
def query_over(engine: Candidate) -> None:
    """query gameover and query result say whether and how the game ended."""
    engine.need("query")
    games = [(text, ()) for text in (START, *samples.OVER)]
    for start, turns in (*games, (samples.CAPTURE, ("d4e5",)), (NO_HOLE, ROUND * 2)):
        engine.set_up(start, *turns)
        outcome = engine.game.outcome
        _expect(engine, "gameover", "false" if outcome is None else "true")
        _expect(engine, "result", _result(outcome))


@step(STEPS, needs="isready")
def query_unknown(engine: Candidate) -> None:
    """A question that there is not is refused."""
    engine.need("query")
    engine.expect_refusal("query weather")


def _result(outcome: Outcome | None) -> str:
    if outcome is None:
        return "none"
    return "draw" if outcome.winner is None else f"p{outcome.winner + 1}win"


def _expect(engine: Candidate, question: str, answer: str) -> None:
    said = engine.ask(f"query {question}")
    where = f"query {question} in {engine.game.position}"
    require(said == [f"response {answer}"], f"{where}: {quote('|'.join(said))}, not {answer}")
