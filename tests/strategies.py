"""Hypothesis strategies: the things of Thrive, and the ways to spell them."""

from collections.abc import Sequence

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from thrive_engine import (
    START,
    Draft,
    Hole,
    Movement,
    Peg,
    Piece,
    Position,
    Side,
    Square,
    Turn,
    parse_position,
)
from thrive_engine.games.thrive.values import HOLES

# A busy machine fails no test.
settings.register_profile("no times", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no times")

white_space = st.text(" \t\r\n\v\f", max_size=3)
sides = st.sampled_from(Side)
squares = st.sampled_from(Square)
holes = st.sampled_from(HOLES)
pegs = st.builds(Peg, squares, holes)
movements = st.builds(Movement, squares, squares)
turns = st.builds(
    lambda movement, pegs: Turn(movement, tuple(pegs)),
    movements,
    st.lists(pegs, max_size=2, unique=True),
)
"""Well-formed turns, legal nowhere in particular."""


def _letters(holes: Sequence[Hole]) -> str:
    return "".join(map(str, holes))


few_letters = st.lists(holes, unique=True, max_size=24).map(_letters)
few_holes = st.lists(holes, unique=True, max_size=2).map(
    lambda empty: _letters([hole for hole in HOLES if hole not in empty])
)
pieces = st.builds(Piece.of, sides, few_letters | few_holes)


@st.composite
def set_ups(draw: st.DrawFn) -> Position:
    """Any position that can be written: any pieces anywhere, finished games included."""
    numbers = st.tuples(st.integers(1, 6), st.integers(1, 6)).filter(lambda pair: pair != (1, 1))
    white, black = draw(numbers | st.just((2, 2)) | st.sampled_from([(2, 3), (3, 2)]))
    total = white + black
    where = draw(st.lists(squares, min_size=total, max_size=total, unique=True))
    which = draw(st.sampled_from([few_letters, few_holes, few_letters | few_holes]))
    board = {
        square: Piece.of(Side.WHITE if number < white else Side.BLACK, draw(which))
        for number, square in enumerate(where)
    }
    return Position.of(board, draw(sides), draw(st.integers(1, 10**20)))


@st.composite
def played(draw: st.DrawFn) -> Position:
    """A position by random legal play, from the start or from few and nearly full pieces."""
    position = draw(st.sampled_from([START, NEARLY_FULL, START.turned()]))
    for _ in range(draw(st.integers(0, 25))):
        if position.outcome is not None:
            break
        position = position.play(draw(legal_turns(position)))
    return position


NEARLY_FULL = parse_position("B~abB~xy4/6/3B~2/2W~3/6/4W~cdW~ghi w 40")
positions = set_ups() | played()


def is_going_on(position: Position) -> bool:
    return position.outcome is None


open_positions = positions.filter(is_going_on)


@st.composite
def legal_turns(draw: st.DrawFn, position: Position) -> Turn:
    """A legal turn, chosen part by part."""
    draft = draw(drafts(position, whole=True))
    assert draft.turn is not None
    return draft.turn


@st.composite
def drafts(draw: st.DrawFn, position: Position, whole: bool = False) -> Draft:
    """The beginning of a turn, perhaps nothing, perhaps all of it."""
    draft = position.draft
    for _ in range(3 if whole else draw(st.integers(0, 3))):
        if draft.choices:
            draft = draft.add(draw(st.sampled_from(draft.choices)))
    return draft


@st.composite
def spelled_pieces(draw: st.DrawFn, piece: Piece) -> str:
    """A piece by its pegs or by its empty holes."""
    by_pegs, by_holes = _letters(piece.pegs), "~" + _letters(piece.free)
    return "WB"[piece.side] + draw(st.sampled_from([by_pegs, by_holes]))


@st.composite
def spelled_positions(draw: st.DrawFn, position: Position) -> str:
    """A position in any of its spellings."""
    ranks = []
    for rank in range(5, -1, -1):
        text, empty = "", 0
        for file in range(6):
            piece = position.pieces.get(Square(8 * rank + file))
            if piece is None:
                empty += 1
                continue
            text += f"{empty or ''}{draw(spelled_pieces(piece))}"
            empty = 0
        ranks.append(f"{text}{empty or ''}")
    text = f"{'/'.join(ranks)} {position.side} {position.number}"
    return draw(white_space) + text + draw(white_space)


@st.composite
def spelled_turns(draw: st.DrawFn, position: Position, turn: Turn) -> str:
    """A legal turn in any of its spellings."""
    text = str(turn.movement)
    if position.is_capture(turn.movement) and draw(st.booleans()):
        text = f"{text[:2]}x{text[2:]}"
    last = None
    for peg in draw(st.permutations(turn.pegs)):
        joined = peg.square == last and draw(st.booleans())
        text += str(peg.hole) if joined else f"+{peg}"
        last = peg.square
    outcome = position.play(turn).outcome
    if outcome is not None and outcome.winner == position.player and draw(st.booleans()):
        text += "#"
    return draw(white_space) + text + draw(white_space)


alphabet = st.sampled_from("abcdefghijmxyzWB~0123456/+x# wbn\t\n\u00b2\uff11")
texts = st.text() | st.text(alphabet, max_size=40)
"""Anything, and what looks more like notation."""
