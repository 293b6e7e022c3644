"""Steps: perft, compared with our own counts."""

from thrive_engine.conformance import samples
from thrive_engine.conformance.candidate import AT_ONCE, Candidate, first_word, require
from thrive_engine.conformance.step import Step, step
from thrive_engine.errors import ConformanceError
from thrive_engine.games.base import Position, count_turns

STEPS: list[Step] = []


@step(STEPS, needs="isready")
def perft_start(engine: Candidate) -> None:
    """go perft 1 counts the turns of the start by movement, and of positions after it."""
    _compare(engine, 1, samples.START, samples.MIDDLE)
    for number in range(1, len(samples.OPENING) + 1):
        _compare_game(engine, 1, samples.START, *samples.OPENING[:number])


@step(STEPS, needs="isready")
def perft_skipped(engine: Candidate) -> None:
    """perft where no piece can move: 0000 and two pegs."""
    _compare(engine, 1, samples.SKIPPED)
    _compare(engine, 2, samples.SKIPPED)


@step(STEPS, needs="isready")
def perft_few_holes(engine: Candidate) -> None:
    """perft where one hole is empty, and where none is."""
    for depth in (1, 2):
        _compare(engine, depth, samples.ONE_HOLE, samples.NO_HOLE)


@step(STEPS, needs="isready")
def perft_ending_movements(engine: Candidate) -> None:
    """perft where movements end the game, by capture, own capture or two against two."""
    for depth in (1, 2):
        _compare(engine, depth, samples.OWN_CAPTURE, samples.TWO_THREE)
    _compare(engine, 1, samples.CAPTURE)


@step(STEPS, needs="isready")
def perft_two_against_two(engine: Candidate) -> None:
    """perft where pegs end the game, with either player to move."""
    for depth in (1, 2):
        _compare(engine, depth, samples.TWO_TWO, samples.TWO_TWO_BLACK)


@step(STEPS, needs="isready")
def perft_over(engine: Candidate) -> None:
    """perft counts nothing where the game is over."""
    for text in samples.OVER:
        _compare(engine, 1, text)
    _compare_game(engine, 1, samples.NO_HOLE, *samples.ROUND, *samples.ROUND)


@step(STEPS, needs="isready")
def perft_stop(engine: Candidate) -> None:
    """stop ends perft at once, with the line stopped."""
    engine.need("perft")
    engine.talk.send("go perft 6", "isready", "stop")
    engine.until("readyok", AT_ONCE)
    said = engine.until("stopped", AT_ONCE)
    require("bestmove" not in map(first_word, said), "perft is answered with a bestmove")
    engine.expect_silence()


def _compare(engine: Candidate, depth: int, *texts: str) -> None:
    for text in texts:
        _compare_game(engine, depth, text)


def _compare_game(engine: Candidate, depth: int, start: str, *turns: str) -> None:
    engine.need("perft")
    engine.set_up(start, *turns)
    position = engine.game.position
    expected = {} if engine.game.outcome is not None else divide(position, depth)
    counts = engine.perft(depth)
    for name in (*expected, *counts):
        ours, theirs = expected.get(name, 0), counts.get(name, 0)
        if ours != theirs:
            reason = f"{name} is followed by {ours}, not by {theirs}"
            raise ConformanceError(f"perft {depth} in {position}: {reason}")


def divide(position: Position, depth: int) -> dict[str, int]:
    """The sequences of some turns by the movement that begins them."""
    counts: dict[str, int] = {}
    for part in position.draft.choices:
        turns = position.draft.add(part).turns
        counts[str(part)] = (
            len(turns)
            if depth == 1
            else sum(count_turns(position.play_unchecked(turn), depth - 1) for turn in turns)
        )
    return counts
