"""Steps: positions that are set up, and positions that are refused."""

from thrive_engine.conformance import samples
from thrive_engine.conformance.candidate import Candidate, position_line
from thrive_engine.conformance.samples import CAPTURE, MIDDLE, NO_HOLE, OPENING, ROUND, START
from thrive_engine.conformance.step import Step, step

STEPS: list[Step] = []


@step(STEPS)
def position_startpos(engine: Candidate) -> None:
    """position startpos sets up the start."""
    engine.set_up(MIDDLE)
    engine.set_up(START)
    engine.expect_position()


@step(STEPS)
def position_fen(engine: Candidate) -> None:
    """position fen sets up any position."""
    for text in samples.GOING:
        engine.set_up(text)
        engine.expect_position()


@step(STEPS)
def position_moves(engine: Candidate) -> None:
    """The turns after moves are played, from the start and from any position."""
    for number in range(1, len(OPENING) + 1):
        engine.set_up(START, *OPENING[:number])
        engine.expect_position()
    engine.set_up(NO_HOLE, *ROUND[:3])
    engine.expect_position()


@step(STEPS)
def position_no_moves(engine: Candidate) -> None:
    """An empty list of moves is the same as none."""
    for text in (MIDDLE, START):
        engine.expect_silence(f"{position_line(text)} moves")
        engine.game = engine.game_of(text)
        engine.expect_position()


@step(STEPS)
def position_spellings(engine: Candidate) -> None:
    """Turns are read in every spelling that the notation allows."""
    for start, turn in (
        (START, "a1a2+a2i+a2g"),
        (START, "a1a2+f1b+a2g"),
        (START, "a1a2+a2ig"),
        (MIDDLE, "f2xf3+f3y+a1b"),
        (MIDDLE, "f2f3+f3y+a1b"),
        (samples.TWO_THREE, "a1xb2#"),
    ):
        engine.set_up(start, turn)
        engine.expect_position()
    engine.expect_silence(
        "position fen BrBrBrBrBrBr/6/6/6/6/W~abcdefgijklnopqrstuvwxyWhWhWhWhWh w 1"
    )
    engine.game = engine.game_of(START)
    engine.expect_position()


@step(STEPS)
def new_game(engine: Candidate) -> None:
    """ucinewgame goes back to the start."""
    engine.set_up(START, *OPENING[:1])
    engine.expect_silence("ucinewgame")
    engine.game = engine.game_of(START)
    engine.expect_position()


@step(STEPS)
def repetition(engine: Candidate) -> None:
    """A position that stands for the third time is a draw, and the game is over."""
    engine.set_up(NO_HOLE, *ROUND, *ROUND[:3])
    engine.expect_position()
    engine.set_up(NO_HOLE, *ROUND, *ROUND)
    engine.expect_position()


@step(STEPS)
def refused_positions(engine: Candidate) -> None:
    """What is no position is refused, and the position before it stays."""
    board = "BrBrBrBrBrBr/6/6/6/6/WhWhWhWhWhWh"
    _expect_refusals(
        engine,
        "position",
        "position nowhere",
        "position fen",
        "position fen nonsense",
        f"position fen {board} x 1",
        f"position fen {board} w",
        f"position fen {board} w 0",
        f"position fen {board} w 1 1",
        "position fen BrBrBrBrBrBr/6/6/6/WhWhWhWhWhWh w 1",
        "position fen BrBrBrBrBrBr/6/6/6/7/WhWhWhWhWhWh w 1",
        "position fen BrBrBrBrBrBr/6/6/6/33/WhWhWhWhWhW w 1",
        "position fen BrBrBrBrBrBr/6/6/6/15/WhWhWhWhWhWh w 1",
        "position fen BrBrBrBrBrBr/6/6/6/6/WmWhWhWhWhWh w 1",
        "position fen BrBrBrBrBrBr/6/6/6/6/WigWhWhWhWhWh w 1",
        "position fen BrBrBrBrBrBr/6/6/6/Wh5/WhWhWhWhWhWh w 1",
        "position fen 5B/6/6/6/6/W5 w 1",
        "position fen 6/6/6/6/6/WW4 w 1",
    )


@step(STEPS)
def refused_movements(engine: Candidate) -> None:
    """A movement that no peg allows, or of a piece that is not one's own, is refused."""
    _expect_refused_turns(engine, START, "a1a3+a3gi", "a2a3+a3gi", "a6a5+a5gi", "a1a1+a1gi")
    _expect_refused_turns(engine, START, "g1g2+a1gi", "a1a7+a1gi", "a1", "a1a2a3+a3gi")


@step(STEPS)
def refused_pegs(engine: Candidate) -> None:
    """A peg into a full hole, a missing, foreign or moved piece is refused."""
    _expect_refused_turns(engine, START, "a1a2+a2hi", "a1a2+a2mi", "a1a2+c3gi", "a1a2+a6gi")
    _expect_refused_turns(engine, START, "a1a2+a1gi", "a1a2+a2gg", "a1a2+a2zi", "a1a2+a2")


@step(STEPS)
def refused_peg_counts(engine: Candidate) -> None:
    """As many pegs are placed as can be, up to two: neither fewer nor more."""
    _expect_refused_turns(engine, START, "a1a2", "a1a2+a2g", "a1a2+a2gij", "a1a2+a2gi+b1a")
    _expect_refused_turns(engine, samples.ONE_HOLE, "a1a2", "a1a2+c1ab")
    _expect_refused_turns(engine, NO_HOLE, "a1a2+a2a")
    _expect_refused_turns(engine, samples.TWO_THREE, "a1b2+f1cw")


@step(STEPS)
def refused_skips(engine: Candidate) -> None:
    """0000 begins a turn only where no piece can move, and is none alone."""
    _expect_refused_turns(engine, START, "0000+a1gi", "0000", "0000+a1g")
    _expect_refused_turns(engine, samples.SKIPPED, "0000", "0000+a1c", "a1a2+a1cd")


@step(STEPS)
def refused_marks(engine: Candidate) -> None:
    """x where nothing is captured, and # where nothing is won, are refused."""
    _expect_refused_turns(engine, START, "a1xa2+a2gi", "a1a2+a2gi#")
    _expect_refused_turns(engine, samples.OWN_CAPTURE, "a1a2#")


@step(STEPS)
def refused_spellings(engine: Candidate) -> None:
    """Turns in upper case, or with strange signs, are refused."""
    _expect_refused_turns(engine, START, "A1A2+A2GI", "a1-a2+a2gi", "a1a2+a2gi!", "a1a2,a2gi")


@step(STEPS)
def refused_after_the_end(engine: Candidate) -> None:
    """A turn after the end of the game is refused."""
    _expect_refusals(
        engine,
        f"{position_line(CAPTURE, 'd4e5', 'f6f5+f5ab')}",
        f"{position_line(samples.WHITE_CAPTURED, 'f6f5+f5ab')}",
        f"{position_line(NO_HOLE, *ROUND, *ROUND, 'a1a2')}",
    )


@step(STEPS)
def refused_whole(engine: Candidate) -> None:
    """One bad turn at the end of a long list refuses all of it."""
    _expect_refusals(
        engine,
        position_line(START, *OPENING, "a1a2+a2gi"),
        position_line(START, *OPENING[:1], OPENING[0]),
        position_line(MIDDLE, "f2f3+a1b+f3y", "f3f4+f4ab"),
    )


def _expect_refused_turns(engine: Candidate, start: str, *turns: str) -> None:
    _expect_refusals(engine, *(position_line(start, turn) for turn in turns))


def _expect_refusals(engine: Candidate, *lines: str) -> None:
    """Whether lines are refused, and the position stays: one with other turns than any of them."""
    engine.set_up(START, "f1f2+f2gi")
    for line in lines:
        engine.expect_refusal(line)
        engine.expect_position()
