"""Reading records, against python-chess reading PGN in the same run."""

import random
from collections.abc import Callable
from io import StringIO
from time import perf_counter

import chess.pgn

from thrive_engine.game import Game
from thrive_engine.games.thrive import Position, Turn
from thrive_engine.record import Record, read_records, write_record

GAMES = 40
LONGEST = 120
ROUNDS = 5


def main() -> None:
    """Print how many turns, and moves of chess, are read in a second, and the ratio."""
    rng = random.Random(1)
    records, turns = _thrive_games(rng)
    pgn, moves = _chess_games(rng)
    ours = theirs = 0.0
    for _ in range(ROUNDS):  # in turns, so that a busy machine slows both
        ours = max(ours, _rate(_read_thrive, records, turns))
        theirs = max(theirs, _rate(_read_chess, pgn, moves))
    print(f"record: {ours:,.0f} turns/s, chess.pgn {theirs:,.0f} moves/s, {ours / theirs:.2f}x")
    written = max(_write_rate(records) for _ in range(ROUNDS))
    print(f"record: {written:,.0f} turns/s written")


def _rate(read: Callable[[str], int], text: str, count: int) -> float:
    begin = perf_counter()
    read_count = read(text)
    seconds = perf_counter() - begin
    assert read_count == count, f"{read_count} read, {count} written"
    return count / seconds


def _read_thrive(text: str) -> int:
    count = 0
    for record in read_records(StringIO(text)):
        assert not record.errors, record.errors
        count += len(record.turns)
    return count


def _read_chess(text: str) -> int:
    count = 0
    stream = StringIO(text)
    while game := chess.pgn.read_game(stream):
        assert not game.errors, game.errors
        count += sum(1 for _ in game.mainline_moves())
    return count


def _write_rate(records: str) -> float:
    games = list(read_records(StringIO(records)))
    begin = perf_counter()
    text = "\n".join(map(write_record, games))
    seconds = perf_counter() - begin
    assert text == records, "written otherwise than it was read"
    return sum(len(game.turns) for game in games) / seconds


def _thrive_games(rng: random.Random) -> tuple[str, int]:
    texts, count = [], 0
    for _ in range(GAMES):
        game = Game()
        while game.outcome is None and len(game.turns) < LONGEST:
            game.play(_random_turn(game.position, rng))
        texts.append(write_record(Record.from_game(game)))
        count += len(game.turns)
    return "\n".join(texts), count


def _random_turn(position: Position, rng: random.Random) -> Turn:
    draft = position.draft
    while draft.turn is None:
        draft = draft.add(rng.choice(draft.choices))
    return draft.turn


def _chess_games(rng: random.Random) -> tuple[str, int]:
    texts, count = [], 0
    for _ in range(GAMES):
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < LONGEST:
            board.push(rng.choice(list(board.legal_moves)))
        texts.append(str(chess.pgn.Game.from_board(board)))
        count += len(board.move_stack)
    return "\n\n".join(texts), count


if __name__ == "__main__":
    main()
