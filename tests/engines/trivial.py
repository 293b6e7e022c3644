"""An engine that knows nothing but a book, so that it starts at once: python -I -S trivial.py BOOK.

A line of the book is the rest of a ``position`` command, a tab, and the turn to answer with. With a
second argument it waits so many seconds before each answer.
"""

import sys
import time


def main(book: str, delay: float) -> None:
    with open(book, encoding="ascii") as file:
        turns = dict(line.rstrip("\n").split("\t") for line in file)
    position = ""
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "uci":
            answer = "id name trivial\nuciok"
        elif word == "isready":
            answer = "readyok"
        elif word == "position":
            position = rest
            continue
        elif word == "go":
            time.sleep(delay)
            answer = f"bestmove {turns[position]}"
        elif word == "quit":
            return
        else:
            continue
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 0.0)
