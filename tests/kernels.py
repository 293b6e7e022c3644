"""The search kernel in both its lives, side by side in one process."""

import sys
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from thrive_engine import Position, Turn
from thrive_engine.search.bridge import code_of

NAME = "thrive_engine.search.kernel"
MODULES = ("board", "network", "proof", "search", "table")
LIVES = ("compiled", "interpreted")


@cache
def kernel_in(life: str) -> ModuleType:
    """The kernel in one of its lives, with the weights that it plays with."""
    if life == "interpreted":
        with _without_popcount():
            kernel = import_module(NAME)
        assert not kernel.COMPILED
    else:
        kernel = import_module(NAME)
        if not kernel.COMPILED:
            pytest.skip("the kernel is not compiled here")
    kernel.load_weights(weights())
    return kernel


@cache
def weights() -> bytes:
    folder = import_module(NAME).__path__[0]
    return (Path(folder) / "weights.bin").read_bytes()


@contextmanager
def _without_popcount() -> Iterator[None]:
    """The kernel is imported anew, on a processor that seems unfit, and as if without Cython."""
    import_module(NAME)
    parent = import_module(NAME.rpartition(".")[0])
    (folder,) = sys.modules[NAME].__path__
    loaded = {name: module for name, module in sys.modules.items() if name.startswith(NAME)}
    finder = sys.path_importer_cache.get(folder)
    hidden = sys.modules.get("cython")
    for name in loaded:
        del sys.modules[name]
    modules: dict[str, Any] = sys.modules
    modules["cython"] = None  # so that it cannot be imported
    modules[f"{NAME}.board"] = SimpleNamespace(CAN_RUN=False, __name__=f"{NAME}.board")
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name.startswith(NAME)]:
            del sys.modules[name]
        sys.modules.update(loaded)
        vars(parent)["kernel"] = loaded[NAME]
        if hidden is None:
            del sys.modules["cython"]
        else:
            sys.modules["cython"] = hidden
        if finder is None:
            del sys.path_importer_cache[folder]
        else:
            sys.path_importer_cache[folder] = finder


@contextmanager
def random_weights(kernel: ModuleType, seed: int) -> Iterator[None]:
    """Every weight is something, and small enough that no sum overflows."""
    random = Random(seed)
    machine = kernel_in("interpreted").machine
    numbers = array("h", [random.randint(-20, 20) for _ in range(len(weights()) // 2)])
    # The last input stands for none.
    last = machine.INPUTS - 1
    numbers[last * machine.UNITS : machine.INPUTS * machine.UNITS] = array("h", [0] * machine.UNITS)
    numbers[machine.INPUTS * machine.UNITS + last] = 0
    kernel.load_weights(numbers.tobytes())
    try:
        yield
    finally:
        kernel.load_weights(weights())


def board_of(kernel: ModuleType, position: Position) -> Any:
    """A board of the kernel with a position set up."""
    board = kernel.Board()
    board.set_up(list(position.white), list(position.black), int(position.side))
    return board


def contents(board: Any) -> tuple[Any, ...]:
    """What a board tells of its position."""
    return (
        tuple(board.pieces(0)),
        tuple(board.pieces(1)),
        board.to_move,
        board.identity,
        board.state,
    )


def state_of(position: Position) -> int:
    """A position's state as the kernel has it: 1 where White has won, 2 for Black, else 0."""
    outcome = position.outcome
    return 0 if outcome is None or outcome.winner is None else 1 + outcome.winner


def random_turn(position: Position, random: Random) -> Turn:
    draft = position.draft
    while draft.turn is None:
        draft = draft.add(random.choice(draft.choices))
    return draft.turn


def random_game(position: Position, random: Random) -> Iterator[tuple[Position, int]]:
    """Random play to the end: each position, and the kernel's integer of the turn played in it."""
    while position.outcome is None:
        turn = random_turn(position, random)
        yield position, code_of(turn)
        position = position.play(turn)
