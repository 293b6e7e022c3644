"""Reading and writing a position, against python-chess doing so with a FEN."""

from random import Random

import chess

from benchmarks.timing import compare, random_positions, verdict
from thrive_engine import parse_position
from thrive_engine.games.thrive import rules, text, values

NUMBER = 2000


def main() -> None:
    ours = [str(position) for position in random_positions(NUMBER)]
    theirs = _chess_positions(NUMBER)

    def read_ours() -> None:
        for each in ours:
            assert str(parse_position(each)) == each

    def read_anew() -> None:
        _forget()
        read_ours()

    def read_theirs() -> None:
        for each in theirs:
            assert chess.Board(each).fen() == each

    warm, cold, chess_time = compare(read_ours, read_anew, read_theirs)
    for name, seconds in (("caches empty at first", cold), ("again", warm)):
        ratio = chess_time / seconds
        print(
            f"notation: {NUMBER / seconds:,.0f} positions/s read and written, {name}; "
            f"chess.Board(fen).fen() {NUMBER / chess_time:,.0f}/s; "
            f"{ratio:.2f}x (target 1x: {verdict(ratio >= 1)})"
        )


def _forget() -> None:
    for cached in (
        values.piece_text, values.letters_of, values.holes_of, rules._rank_text, text._mask,
    ):  # fmt: skip
        cached.cache_clear()


def _chess_positions(number: int) -> list[str]:
    random, found = Random(1), list[str]()
    while len(found) < number:
        board = chess.Board()
        while not board.is_game_over() and len(found) < number:
            board.push(random.choice(list(board.legal_moves)))
            if board.ply() >= 8:
                found.append(board.fen())
    return found


if __name__ == "__main__":
    main()
