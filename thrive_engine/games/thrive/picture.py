"""Pictures of a position: text for a terminal, and SVG. Nothing here knows the rules.

With a turn, the picture shows the position after it, so that the new pegs stand where they were
placed. The turn is marked on it: the square that was left, the square that was reached, what was
captured there, and the new pegs. White's side of the board is always below.

In text a peg is ``○`` or ``●`` (``o`` and ``#`` in ASCII), a new one ``☆`` or ``★`` (``+``), an
empty hole a dot, and the centre the letter of its side. In SVG a piece is a lotus: White's has
broad petals and a light pod with dark pegs, Black's narrow petals and a dark pod with light pegs.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from math import atan2, degrees, hypot
from typing import NamedTuple

from thrive_engine.games.base import Outcome
from thrive_engine.games.thrive.values import HOLE_BITS, HOLES, Hole, Peg, Piece, Side, Square, Turn

Pieces = Mapping[Square, Piece]


def draw_text(
    pieces: Pieces,
    side: Side,
    turn: Turn | None = None,
    *,
    outcome: Outcome | None = None,
    unicode: bool = True,
) -> str:
    """The board in 76 columns and 39 lines; ``outcome`` is that of the position which is drawn."""
    scene = _scene(pieces, turn)
    glyphs = _UNICODE if unicode else _ASCII
    lines = [glyphs.border(0)]
    for rank in range(5, -1, -1):
        cells = [_cell(scene, Square(8 * rank + file), glyphs) for file in range(6)]
        for number, row in enumerate(zip(*cells, strict=True)):
            label = str(rank + 1) if number == 2 else " "
            lines.append(f" {label} {glyphs.bar}{glyphs.bar.join(row)}{glyphs.bar}")
        lines.append(glyphs.border(1 if rank else 2))
    lines.append("    " + "".join(f"{letter:^12}" for letter in "abcdef").rstrip())
    lines.append(f"   {_caption(side, turn, outcome)}")
    return "\n".join(lines)


def draw_svg(
    pieces: Pieces, side: Side, turn: Turn | None = None, *, outcome: Outcome | None = None
) -> str:
    """The board as an SVG document in ASCII that needs nothing else and takes any size."""
    scene = _scene(pieces, turn)
    caption = _caption(side, turn, outcome)
    listed = ", ".join(f"{square} {scene.pieces[square]}" for square in sorted(scene.pieces))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        ' style="max-width: 42rem">',
        f"<title>Thrive: {caption}</title>",
        f"<desc>{listed}</desc>",
        _definitions(),
        *_pond(caption),
        *_squares_of_turn(scene),
        *(line for square in scene.pieces for line in _lotus(scene, square)),
        *_arrow(scene),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


class _Scene(NamedTuple):
    """What is drawn: the pieces after the turn, and what the turn did."""

    pieces: Pieces
    origin: Square | None = None
    target: Square | None = None
    captured: Piece | None = None
    pegs: tuple[Peg, ...] = ()


def _scene(pieces: Pieces, turn: Turn | None) -> _Scene:
    if turn is None:
        return _Scene(pieces)
    after = dict(pieces)
    origin, target = turn.movement.origin, turn.movement.target
    captured = None
    if origin is not None and target is not None:
        captured = after.get(target)
        after[target] = after.pop(origin)
    for peg in turn.pegs:
        piece = after[peg.square]
        after[peg.square] = Piece(piece.side, piece.mask | HOLE_BITS[peg.hole])
    return _Scene(after, origin, target, captured, turn.pegs)


def _caption(side: Side, turn: Turn | None, outcome: Outcome | None) -> str:
    state = f"{_NAMES[side if turn is None else side.other]} to move"
    if outcome is not None:
        state = f"game over, {outcome}"
    return state if turn is None else f"{_NAMES[side]} plays {turn}; {state}"


_NAMES = ("White", "Black")


# Text


class _Glyphs(NamedTuple):
    """The characters of a text picture; pairs are White's and Black's, or left and right."""

    pegs: str
    new: str
    hole: str
    bar: str
    line: str
    joints: tuple[str, str, str]
    origin: str
    target: str
    arrow: str

    def border(self, number: int) -> str:
        left, middle, right = tuple(self.joints[number])
        return f"   {left}{middle.join([self.line * 11] * 6)}{right}"


_UNICODE = _Glyphs("○●", "☆★", "·", "│", "─", ("┌┬┐", "├┼┤", "└┴┘"), "┊┊", "▐▌", "→")
_ASCII = _Glyphs("o#", "++", ".", "|", "-", ("+++", "+++", "+++"), "::", "[]", "-")


def _cell(scene: _Scene, square: Square, glyphs: _Glyphs) -> list[str]:
    """A square as five lines of eleven characters."""
    sides, rows = "  ", _holes(scene, square, glyphs)
    if square == scene.origin:
        arrow = "x" if scene.captured else glyphs.arrow
        sides = glyphs.origin
        rows[2] = f"{scene.origin}{arrow}{scene.target}".center(9)
    elif square == scene.target:
        sides = glyphs.target
    return [f"{sides[0]}{row}{sides[1]}" for row in rows]


def _holes(scene: _Scene, square: Square, glyphs: _Glyphs) -> list[str]:
    piece = scene.pieces.get(square)
    if piece is None:
        return [" " * 9] * 5
    marks = [glyphs.hole] * 25
    marks[Hole.M] = "WB"[piece.side]
    for hole in piece.pegs:
        marks[hole] = glyphs.pegs[piece.side]
    for peg in scene.pegs:
        if peg.square == square:
            marks[peg.hole] = glyphs.new[piece.side]
    return [" ".join(marks[row : row + 5]) for row in range(0, 25, 5)]


# SVG: a square is 100 units wide, a piece is drawn around its centre

_MARGIN = 34
_WIDTH = 600 + 2 * _MARGIN
_HEIGHT = _WIDTH + 36
_PITCH = 10.6
_BANK, _WATER, _SHALLOW, _FOAM = "#2c443f", "#5f9791", "#6aa29b", "#eef3e6"
_ACCENT, _SHADE = "#ffb02e", "#5a2a00"
_ROUND = "M0 -20C13 -26 17 -41 0 -49.5C-17 -41 -13 -26 0 -20Z"
_NARROW = "M0 -18C10 -26 8 -38 0 -49.5C-8 -38 -10 -26 0 -18Z"


class _Look(NamedTuple):
    """How a side's lotus looks."""

    name: str
    petals: int
    petal: str
    bloom: str
    edge: str
    pod: str
    rim: str
    hole: str
    peg: str
    centre: str


_LOOKS = (
    _Look(
        *("white", 8, _ROUND, "#fdeef1", "#b0708a", "#f0f0cf", "#6f7a45", "#b4b886", "#33291a"),
        centre='<circle r="6" fill="#33291a"/><circle r="2.8" fill="#f0f0cf"/>',
    ),
    _Look(
        *("black", 11, _NARROW, "#6b2a5c", "#260d21", "#2a2f26", "#c9b58d", "#6a705c", "#fbf3d6"),
        centre='<path d="M0 -6.8L6.8 0L0 6.8L-6.8 0Z" fill="#fbf3d6"/>'
        '<circle r="2.4" fill="#2a2f26"/>',
    ),
)


@cache
def _definitions() -> str:
    """The drawings that the pictures use, by name."""
    new_peg = (
        f'<g id="thrive-new-peg" fill="{_SHADE}"><circle r="5.4" fill="{_ACCENT}"'
        f' stroke="{_SHADE}" stroke-width="1.6"/><circle r="1.9"/></g>'
    )
    lotuses = [line for look in _LOOKS for line in _define(look)]
    return "\n".join(["<defs>", *lotuses, new_peg, "</defs>"])


def _define(look: _Look) -> Iterator[str]:
    yield f'<g id="thrive-{look.name}">'
    yield f'<g fill="{look.bloom}" stroke="{look.edge}" stroke-width="1.2">'
    for number in (*range(1, 2 * look.petals, 2), *range(0, 2 * look.petals, 2)):
        yield f'<path d="{look.petal}" transform="rotate({180 * number / look.petals:g})"/>'
    yield "</g>"
    yield f'<circle r="35.5" fill="{look.pod}" stroke="{look.rim}" stroke-width="1.6"/>'
    yield f'<g fill="{look.hole}">'
    for hole in HOLES:
        x, y = _place(hole)
        yield f'<circle cx="{x:g}" cy="{y:g}" r="2"/>'
    yield f"</g>{look.centre}</g>"
    yield f'<circle id="thrive-{look.name}-peg" r="4.6" fill="{look.peg}"/>'


def _place(hole: Hole) -> tuple[float, float]:
    """Where a hole is on its piece; north is up."""
    files, ranks = hole.step
    return round(files * _PITCH, 1), round(-ranks * _PITCH, 1)


def _pond(caption: str) -> Iterator[str]:
    """The board, its coordinates and the caption."""
    yield f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="18" fill="{_BANK}"/>'
    yield f'<rect x="{_MARGIN}" y="{_MARGIN}" width="600" height="600" fill="{_WATER}"/>'
    yield f'<g fill="{_SHALLOW}">'
    for square in Square:
        if (square.file + square.rank) % 2:
            x, y = _centre(square)
            yield f'<rect x="{x - 50}" y="{y - 50}" width="100" height="100"/>'
    yield f'</g><g fill="none" stroke="{_FOAM}" stroke-opacity=".16" stroke-width="1.4">'
    for square in Square:
        x, y = _centre(square)
        yield f'<circle cx="{x}" cy="{y}" r="16"/><circle cx="{x}" cy="{y}" r="30"/>'
    yield f'</g><g fill="{_FOAM}" font-family="Georgia, serif" font-size="18" text-anchor="middle">'
    for number in range(6):
        x, y = _centre(Square(9 * number))
        yield f'<text x="{x}" y="{_MARGIN + 622}">{"abcdef"[number]}</text>'
        yield f'<text x="17" y="{y + 6}">{number + 1}</text>'
    yield f'<text x="{_WIDTH // 2}" y="{_HEIGHT - 18}">{caption}</text></g>'


def _centre(square: Square) -> tuple[int, int]:
    return _MARGIN + 50 + 100 * square.file, _MARGIN + 550 - 100 * square.rank


def _squares_of_turn(scene: _Scene) -> Iterator[str]:
    """The squares of a movement, lit; on the one that was left, the shadow of the piece."""
    if scene.origin is None or scene.target is None:
        return
    for square in (scene.origin, scene.target):
        x, y = _centre(square)
        yield (
            f'<rect x="{x - 48.5}" y="{y - 48.5}" width="97" height="97" rx="6"'
            f' fill="{_ACCENT}" fill-opacity=".22" stroke="{_ACCENT}" stroke-width="3"/>'
        )
    look = _LOOKS[scene.pieces[scene.target].side]
    x, y = _centre(scene.origin)
    yield f'<use href="#thrive-{look.name}" x="{x}" y="{y}" opacity=".3"/>'


def _lotus(scene: _Scene, square: Square) -> Iterator[str]:
    piece = scene.pieces[square]
    name = _LOOKS[piece.side].name
    new = {peg.hole for peg in scene.pegs if peg.square == square}
    x, y = _centre(square)
    yield f'<g transform="translate({x} {y})"><title>{square} {piece}</title>'
    yield f'<use href="#thrive-{name}"/>'
    for hole in piece.pegs:
        if hole not in new:
            yield '<use href="#thrive-{}-peg" x="{:g}" y="{:g}"/>'.format(name, *_place(hole))
    for hole in sorted(new):
        yield '<use href="#thrive-new-peg" x="{:g}" y="{:g}"/>'.format(*_place(hole))
    yield "</g>"


def _arrow(scene: _Scene) -> Iterator[str]:
    """From the middle of the square that was left to the rim of the piece; what it took, beside."""
    if scene.origin is None or scene.target is None:
        return
    (x, y), (to_x, to_y) = _centre(scene.origin), _centre(scene.target)
    length = hypot(to_x - x, to_y - y)
    angle = degrees(atan2(to_y - y, to_x - x))
    tip = length - 35
    yield (
        f'<path transform="translate({x} {y}) rotate({angle:.2f})"'
        f' d="M0 -1.8H{tip - 19:.1f}V-10L{tip:.1f} 0L{tip - 19:.1f} 10V1.8H0Z" fill="{_ACCENT}"'
        f' fill-opacity=".8" stroke="{_SHADE}" stroke-width=".8" stroke-linejoin="round"/>'
    )
    if scene.captured is not None:
        name = _LOOKS[scene.captured.side].name
        yield (
            f'<g transform="translate({to_x + 36} {to_y - 36})"><title>captured:'
            f' {scene.captured}</title><use href="#thrive-{name}" transform="scale(.38)"/>'
            f'<path d="M-9 -9L9 9M9 -9L-9 9" stroke="{_SHADE}" stroke-width="5"/>'
            f'<path d="M-9 -9L9 9M9 -9L-9 9" stroke="{_ACCENT}" stroke-width="2.8"/></g>'
        )
