"""Writes spec/vectors/second with tests/reference.py: ``python tests/make_vectors.py``.

The same seed gives the same files, byte for byte.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random

import reference as ref
from reference import Position, RefusedError, Turn

FOLDER = Path(__file__).parent.parent / "spec" / "vectors" / "second"
MOST_HASHED = 20_000
Case = dict[str, object]
Policy = Callable[[Position, Random], Turn]


def main() -> None:
    random = Random("thrive vectors, second set")
    FOLDER.mkdir(parents=True, exist_ok=True)
    games = list(make_games(random))
    positions = list(make_positions(random, games))
    write_lines("games.jsonl", games)
    write_lines("positions.jsonl", positions)
    write_lines("bad.jsonl", make_bad(random, positions))
    write_lines("lenient.jsonl", make_lenient(random, positions))
    perft = json.dumps(list(make_perft(random)), indent=1)
    (FOLDER / "perft.json").write_text(perft + "\n", encoding="ascii")


def write_lines(name: str, cases: Iterable[Case]) -> None:
    text = "".join(json.dumps(case) + "\n" for case in cases)
    (FOLDER / name).write_text(text, encoding="ascii")


# Games


def make_games(random: Random) -> Iterator[Case]:
    """Games by several policies until every way to end is there, some from set-ups."""
    half = ref.write_position(ref.turned(ref.parse_position(ref.START)))
    for _ in range(7):
        yield play_game("any", ref.START, random)
    for _ in range(5):
        yield play_game("taking", half, random)
    wanted: Counter[str] = Counter(
        {
            "filling, by pegs": 4,
            "filling, by movement, mover": 3,
            "filling, by movement, other": 3,
            "own capture": 3,
        }
    )
    while wanted:
        start = set_up(random, few=True)
        if ref.outcome(ref.parse_position(start)):
            continue
        game = play_game("any", start, random)
        how = str(game["how"])
        if how in wanted and len(str(game["turns"])) > 30:
            wanted[how] -= 1
            wanted += Counter()
            yield game
    for start in (ref.START, *(near_full(random) for _ in range(6))):
        yield play_game("peaceful", start, random)


def play_game(policy: str, start: str, random: Random) -> Case:
    position = ref.parse_position(start)
    seen: Counter[str] = Counter([identity(position)])
    texts = []
    how = None
    while how is None:
        turn = POLICIES[policy](position, random)
        how = ref.how_it_ended(position, turn)
        position = ref.play(position, turn)
        seen[identity(position)] += 1
        texts.append(ref.write_turn(turn))
        if how is None and seen[identity(position)] == 3:
            how = "repetition"
    return {
        "policy": policy,
        "start": start,
        "turns": texts,
        "plies": len(texts),
        "final": ref.write_position(position),
        "result": ref.outcome(position) or "1/2-1/2",
        "how": how,
    }


def identity(position: Position) -> str:
    return ref.write_position(position).rsplit(" ", 1)[0]


def any_turn(position: Position, random: Random) -> Turn:
    return with_pegs(position, random.choice(ref.movements(position)), random)


def taking_turn(position: Position, random: Random) -> Turn:
    """A turn that takes a piece of the opponent if one can."""
    foreign = [square for square, piece in position.board.items() if piece[0] != position.side]
    found = [each for each in ref.movements(position) if each and each[1] in foreign]
    return with_pegs(position, random.choice(found or ref.movements(position)), random)


def peaceful_turn(position: Position, random: Random) -> Turn:
    """A turn that takes nothing if it can; without holes left, to and fro until that repeats."""
    all_of_them = ref.movements(position)
    found = [each for each in all_of_them if not each or each[1] not in position.board]
    if ref.free_pegs(position.board, position.side):
        return with_pegs(position, random.choice(found or all_of_them), random)
    return with_pegs(position, min(filter(None, found or all_of_them)), random)


def with_pegs(position: Position, movement: ref.Movement, random: Random) -> Turn:
    board = ref.moved(position.board, movement)
    ended = ref.winner_between(board, position.side)
    free = [] if ended else ref.free_pegs(board, position.side)
    return Turn(movement, frozenset(random.sample(free, min(2, len(free)))))


POLICIES: dict[str, Policy] = {
    "any": any_turn,
    "taking": taking_turn,
    "peaceful": peaceful_turn,
}


# Positions


def make_positions(random: Random, games: list[Case]) -> Iterator[Case]:
    half = ref.write_position(ref.turned(ref.parse_position(ref.START)))
    named = [
        half,
        "6/6/2W~W~2/2W~W~2/2W~W~2/BBBBBB w 7",
        "6/1B~1B~2/2B~B~2/2B~B~2/6/W4W b 7",
        "WaWhWe3/6/6/6/6/3BtBpBr w 2",
        "6/WuWvWxWy2/6/6/BBB3/6 w 3",
        "B~a4B~y/6/6/6/6/W~a4W~y b 1",
        f"BrBr4/6/6/6/6/WhWh4 b {10**40}",
    ]
    for text in named:
        yield position_case("named", text, random)
    for _ in range(150):
        yield position_case("playout", random_stop(random, games), random)
    makers: list[tuple[str, int, Callable[[Random], str]]] = [
        ("set-up", 60, set_up),
        ("few pieces", 50, partial(set_up, few=True)),
        ("near full", 40, near_full),
        ("no movement", 18, stuck),
    ]
    for tag, number, make in makers:
        for _ in range(number):
            yield position_case(tag, make(random), random)


def position_case(tag: str, text: str, random: Random) -> Case:
    position = ref.parse_position(text)
    assert ref.write_position(position) == text
    movements = ref.counts(position)
    count = sum(movements.values())
    samples = {ref.write_turn(any_turn(position, random)) for _ in range(5 if count else 0)}
    return {
        "tag": tag,
        "position": text,
        "side": position.side,
        "outcome": ref.outcome(position),
        "count": count,
        "movements": movements,
        "sha256": turns_hash(position) if count <= MOST_HASHED else None,
        "turns": [turn_case(position, turn) for turn in sorted(samples)],
    }


def turns_hash(position: Position) -> str:
    texts = sorted(map(ref.write_turn, ref.turns(position)))
    return sha256("\n".join(texts).encode("ascii")).hexdigest()


def turn_case(position: Position, turn: str) -> Case:
    after = ref.play(position, ref.parse_turn(turn, position))
    return {"turn": turn, "position": ref.write_position(after), "outcome": ref.outcome(after)}


def random_stop(random: Random, games: list[Case]) -> str:
    """A position of one of the games, the last one included."""
    game = random.choice(games)
    turns = game["turns"]
    assert isinstance(turns, list)
    position = ref.parse_position(str(game["start"]))
    for turn in turns[: random.randint(0, min(len(turns), 60))]:
        position = ref.play(position, ref.parse_turn(turn, position))
    return ref.write_position(position)


def set_up(random: Random, few: bool = False) -> str:
    """Any pieces anywhere with any pegs; with few pieces, nearly full ones."""
    most = 3 if few else 6
    while True:
        number = {side: random.randint(1, most) for side in "wb"}
        if sum(number.values()) > 2:
            break
    squares = random.sample(ref.SQUARES, sum(number.values()))
    board = {}
    for at, square in enumerate(squares):
        pegs = random.choice([22, 23, 23, 24]) if few else random.randint(0, 24)
        holes = frozenset(random.sample(sorted(ref.HOLES), pegs))
        board[square] = ("w" if at < number["w"] else "b", holes)
    return ref.write_position(Position(board, random.choice("wb"), random.randint(1, 99)))


def near_full(random: Random) -> str:
    """Four to six pieces a side with at most three holes among those of the side to move."""
    squares = random.sample(ref.SQUARES, random.randint(8, 12))
    side = random.choice("wb")
    board = {}
    holes = random.randint(0, 3)
    for at, square in enumerate(squares):
        empty = random.randint(0, holes) if at % 2 else random.randint(0, 6)
        holes -= empty if at % 2 else 0
        pegs = ref.HOLES - set(random.sample(sorted(ref.HOLES), empty))
        board[square] = (side if at % 2 else ref.other(side), pegs)
    return ref.write_position(Position(board, side, random.randint(40, 99)))


def stuck(random: Random) -> str:
    """A position in which no piece of the side to move can move."""
    position = ref.parse_position(set_up(random))
    while ref.winner(position):
        position = ref.parse_position(set_up(random))
    board = {
        square: (owner, frozenset(hole for hole in pegs if not ref.target_of(square, hole)))
        if owner == position.side
        else (owner, pegs)
        for square, (owner, pegs) in position.board.items()
    }
    return ref.write_position(Position(board, position.side, position.number))


# Texts


def make_bad(random: Random, positions: list[Case]) -> Iterator[Case]:
    """Texts with one thing wrong, each in a position of its own."""
    cases = [case for case in positions if case["count"]]
    for why, spoil in SPOILED_POSITIONS * 2:
        text = None
        while text is None:
            text = spoil(str(random.choice(cases)["position"]), random)
        expect_refused(ref.parse_position, text)
        yield {"kind": "position", "position": None, "text": text, "why": why}
    for why, make in SPOILED_TURNS * 3:
        text = None
        while text is None:
            position = ref.parse_position(str(random.choice(cases)["position"]))
            text = make(position, random)
        expect_refused(partial(ref.parse_turn, position=position), text)
        where = ref.write_position(position)
        yield {"kind": "turn", "position": where, "text": text, "why": why}


def expect_refused(read: Callable[[str], object], text: str) -> None:
    try:
        read(text)
    except RefusedError:
        return
    raise AssertionError(f"{text} is accepted")


def replaced(old: str, new: str) -> Callable[[str, Random], str | None]:
    return lambda text, _: text.replace(old, new, 1) if old in text else None


def out_of_order(text: str, random: Random) -> str | None:
    pairs = [at for at in range(len(text) - 1) if text[at : at + 2].islower()]
    pairs = [at for at in pairs if text[at : at + 2].isalpha()]
    if not pairs:
        return None
    at = random.choice(pairs)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def seventh_piece(text: str, _: Random) -> str | None:
    position = ref.parse_position(text)
    for square in ref.SQUARES:
        if ref.count(position.board, "w") <= 6 and square not in position.board:
            position.board[square] = ("w", frozenset())
    return ref.write_position(position)


def without(side: str) -> Callable[[str, Random], str | None]:
    def spoil(text: str, _: Random) -> str | None:
        position = ref.parse_position(text)
        board = {at: piece for at, piece in position.board.items() if piece[0] != side}
        return ref.write_position(position._replace(board=board))

    return spoil


SPOILED_POSITIONS: list[tuple[str, Callable[[str, Random], str | None]]] = [
    ("no turn number", lambda text, _: text.rsplit(" ", 1)[0]),
    ("no side to move", lambda text, _: " ".join(text.split()[::2])),
    ("only the board", lambda text, _: text.split()[0]),
    ("turn number 0", lambda text, _: " ".join([*text.split()[:2], "0"])),
    ("a turn number with a sign", lambda text, _: " ".join([*text.split()[:2], "+1"])),
    ("a turn number with a point", lambda text, _: text + ".0"),
    ("upper case side", lambda text, _: text.replace(" w ", " W ").replace(" b ", " B ")),
    ("fields in another order", lambda text, _: " ".join(text.split()[::-1])),
    ("a tab between fields", replaced(" ", "\t")),
    ("a rank missing", lambda text, _: text.split("/", 1)[1]),
    ("a rank twice", lambda text, _: text.split("/", 1)[0] + "/" + text),
    ("another separator", replaced("/", "\\")),
    ("two counts side by side", replaced("/6/", "/33/")),
    ("a count of 0", replaced("/6/", "/60/")),
    ("a count too many", replaced("/6/", "/6W/")),
    ("a count too few", replaced("/6/", "/5/")),
    ("a lower case piece", replaced("W", "w")),
    ("an unknown side", replaced("B", "R")),
    ("the centre", replaced("~", "~m")),
    ("hole z", replaced("W~", "W~z")),
    ("two tildes", replaced("~", "~~")),
    ("holes out of order", out_of_order),
    ("seven pieces", seventh_piece),
    ("no white piece", without("w")),
    ("no black piece", without("b")),
    ("a comment after it", lambda text, _: text + " {even}"),
    ("quotes around it", lambda text, _: f'"{text}"'),
    ("a byte order mark", lambda text, _: "\ufeff" + text),
    ("a no-break space after it", lambda text, _: text + "\u00a0"),
]


def spoiled(change: Callable[[str], str | None]) -> Callable[[Position, Random], str | None]:
    """A change to the text of a legal turn."""
    return lambda position, random: change(ref.write_turn(any_turn(position, random)))


def fewer_pegs(position: Position, random: Random) -> str | None:
    turn = any_turn(position, random)
    if not turn.pegs:
        return None
    return ref.write_turn(Turn(turn.movement, frozenset(sorted(turn.pegs)[1:])))


def one_peg_more(position: Position, random: Random) -> str | None:
    turn = any_turn(position, random)
    free = ref.free_pegs(ref.moved(position.board, turn.movement), position.side)
    rest = sorted(set(free) - turn.pegs)
    return ref.write_turn(turn) + "+" + "".join(random.choice(rest)) if rest else None


def other_hole(position: Position, random: Random) -> str | None:
    """A peg where one is already."""
    turn = any_turn(position, random)
    board = ref.play(position, turn).board
    filled = [
        (square, hole)
        for square, (owner, pegs) in sorted(board.items())
        for hole in sorted(pegs)
        if owner == position.side and (square, hole) not in turn.pegs
    ]
    return with_other_peg(turn, filled, random)


def foreign_piece(position: Position, random: Random) -> str | None:
    turn = any_turn(position, random)
    board = ref.play(position, turn).board
    return with_other_peg(turn, sorted(ref.free_pegs(board, ref.other(position.side))), random)


def empty_square(position: Position, random: Random) -> str | None:
    turn = any_turn(position, random)
    board = ref.play(position, turn).board
    return with_other_peg(turn, [(at, "a") for at in ref.SQUARES if at not in board], random)


def with_other_peg(turn: Turn, pegs: list[ref.Peg], random: Random) -> str | None:
    if not turn.pegs or not pegs:
        return None
    kept = sorted(turn.pegs)[1:]
    return ref.write_turn(Turn(turn.movement, frozenset([*kept, random.choice(pegs)])))


def other_movement(position: Position, random: Random) -> str | None:
    """A piece of one's own to a square that no peg of it leads to."""
    turn = any_turn(position, random)
    own = sorted(at for at, piece in position.board.items() if piece[0] == position.side)
    origin, target = random.choice(own), random.choice(ref.SQUARES)
    if (origin, target) in ref.movements(position):
        return None
    return ref.write_turn(Turn((origin, target), turn.pegs))


def foreign_movement(position: Position, random: Random) -> str | None:
    turn = any_turn(position, random)
    moves = ref.movements(position._replace(side=ref.other(position.side)))
    if moves in ([], [None]):
        return None
    return ref.write_turn(Turn(random.choice(moves), turn.pegs))


def skipped(position: Position, random: Random) -> str | None:
    turn = any_turn(position, random)
    return ref.write_turn(Turn(None, turn.pegs)) if turn.movement else None


def false_capture(position: Position, random: Random) -> str | None:
    turn = any_turn(position, random)
    if not turn.movement or turn.movement[1] in position.board:
        return None
    text = ref.write_turn(turn)
    return text[:2] + "x" + text[2:]


def false_win(position: Position, random: Random) -> str | None:
    turn = any_turn(position, random)
    wins = ref.winner(ref.play(position, turn)) == position.side
    return None if wins else ref.write_turn(turn) + "#"


def pegs_after_the_end(position: Position, random: Random) -> str | None:
    turn = any_turn(position, random)
    after = ref.play(position, turn)
    free = sorted(ref.free_pegs(after.board, position.side))
    if turn.pegs or not ref.winner(after) or not free:
        return None
    return ref.write_turn(turn) + "+" + "".join(free[0])


SPOILED_TURNS: list[tuple[str, Callable[[Position, Random], str | None]]] = [
    ("a peg too few", fewer_pegs),
    ("a peg too many", one_peg_more),
    ("a peg where one is", other_hole),
    ("a peg into the opponent's piece", foreign_piece),
    ("a peg into an empty square", empty_square),
    ("no peg leads there", other_movement),
    ("a piece of the opponent moves", foreign_movement),
    ("0000 where a piece can move", skipped),
    ("x where nothing is captured", false_capture),
    ("# where the turn does not win", false_win),
    ("pegs after a movement that ends the game", pegs_after_the_end),
    ("a hyphen", spoiled(lambda text: text[:2] + "-" + text[2:])),
    ("a space inside", spoiled(lambda text: text.replace("+", " +") if "+" in text else None)),
    ("a plus at the end", spoiled(lambda text: text + "+")),
    ("upper case", spoiled(lambda text: text.upper() if text[0] != "0" else None)),
    ("the centre", spoiled(lambda text: text[:-1] + "m" if "+" in text else None)),
    ("half a movement", spoiled(lambda text: text[:2])),
    ("a bare 0000", lambda position, _: "0000"),
]


def make_lenient(random: Random, positions: list[Case]) -> Iterator[Case]:
    cases = [case for case in positions if case["count"]]
    for case in random.sample(cases, 20):
        text = str(case["position"])
        spelled = around(other_spelling(ref.parse_position(text), random), random)
        assert ref.write_position(ref.parse_position(spelled)) == text
        yield {"kind": "position", "position": None, "text": spelled, "canonical": text}
    for case in random.sample(cases, 40):
        where = str(case["position"])
        position = ref.parse_position(where)
        turn = any_turn(position, random)
        spelled = around(other_turn(position, turn, random), random)
        assert ref.parse_turn(spelled, position) == turn
        canonical = ref.write_turn(turn)
        yield {"kind": "turn", "position": where, "text": spelled, "canonical": canonical}


def other_spelling(position: Position, random: Random) -> str:
    """Each piece, perhaps, by its other letters."""
    text = ref.write_position(position)
    for side, pegs in dict.fromkeys(position.board.values()):
        free = "".join(sorted(ref.HOLES - pegs))
        letters = "~" + free if len(pegs) <= 12 else "".join(sorted(pegs))
        written = ref.write_piece(side, pegs)
        for end in "WB123456/ ":
            if random.random() < 0.7:
                text = text.replace(written + end, side.upper() + letters + end)
    return text


def other_turn(position: Position, turn: Turn, random: Random) -> str:
    movement = "0000" if turn.movement is None else "".join(turn.movement)
    if turn.movement and turn.movement[1] in position.board:
        movement = movement[:2] + "x" + movement[2:]
    pegs = sorted(turn.pegs)
    random.shuffle(pegs)
    if len({square for square, _ in pegs}) == 1 and random.random() < 0.5:
        groups = "+" + pegs[0][0] + "".join(hole for _, hole in pegs)
    else:
        groups = "".join(f"+{square}{hole}" for square, hole in pegs)
    wins = ref.winner(ref.play(position, turn)) == position.side
    return movement + groups + ("#" if wins else "")


def around(text: str, random: Random) -> str:
    return random.choice(["", " ", "\t", "\n"]) + text + random.choice(["", "  ", "\r\n", "\v\f"])


# Perft


def make_perft(random: Random) -> Iterator[Case]:
    yield perft_case("half", ref.write_position(ref.turned(ref.parse_position(ref.START))), 1)
    yield perft_case("no movement", stuck(random), 1)
    wanted: list[tuple[str, Callable[[Random], str], int, int]] = [
        ("few pieces", partial(set_up, few=True), 3, 100),
        ("near full", near_full, 2, 200),
    ]
    for tag, make, depth, most in wanted:
        for _ in range(8):
            text = make(random)
            while not 20 < sum(ref.counts(ref.parse_position(text)).values()) < most:
                text = make(random)
            yield perft_case(tag, text, depth)


def perft_case(tag: str, text: str, depth: int) -> Case:
    position = ref.parse_position(text)
    divides = {}
    for plies in range(1, depth + 1):
        divide: dict[str, int] = {}
        for turn in ref.turns(position):
            name = ref.write_turn(Turn(turn.movement, frozenset()))
            divide[name] = divide.get(name, 0) + perft(ref.play(position, turn), plies - 1)
        divides[str(plies)] = divide
    totals = {plies: sum(divide.values()) for plies, divide in divides.items()}
    return {"tag": tag, "position": text, "perft": totals, "divide": divides}


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return sum(ref.counts(position).values())
    return sum(perft(ref.play(position, turn), depth - 1) for turn in ref.turns(position))


if __name__ == "__main__":
    main()
