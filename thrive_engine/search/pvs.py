"""The strongest searcher: the kernel's principal variation search, for Thrive alone.

This is its root in Python, and all that a player needs besides: proofs at the root, time, threads,
and what is told on the way. The table and what turns were good are kept until ``forget``.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import Any

from thrive_engine.errors import SearcherError
from thrive_engine.search import kernel
from thrive_engine.search.appraisal import explain
from thrive_engine.search.base import Info, Request, Score, Stop, root_drafts, wdl
from thrive_engine.search.bridge import can_come_again, code_of, setup_of, turn_of
from thrive_engine.search.kernel.tuning import knobs
from thrive_engine.search.root import DECIDED, WIN, Line, Root

GAME = "thrive"
WIN_SCALE = 150.0
"""The logistic curve from values to games won."""
SLOW = "the search runs interpreted, some 200 times slower than compiled"
DEEPEST = 60
MOST_CP = 9_999
STEADY = 3
FALL = 40
"""The iterations without another best turn after which it is steady, and a fall of its value."""


class PvsSearcher:
    """Principal variation search in the kernel, with one thread or more."""

    def __init__(self) -> None:
        _load_weights()
        self._control = kernel.Control()
        self._megabytes = 0
        self._table: Any = None
        self._kernels: list[Any] = []
        self._has_warned = kernel.COMPILED

    def search(self, request: Request, stop: Stop) -> Iterator[Info]:
        if request.rules.name != GAME:
            raise SearcherError(f"searcher 'pvs' plays {GAME}, not {request.rules.name}")
        self._allocate(request.hash_mb, request.threads)
        if not self._has_warned:
            self._has_warned = True
            yield Info(string=SLOW)
        self._control.resume()
        self._table.grow_old()
        run = _Run(request, stop, self._table, self._kernels[: request.threads])
        with stop.halting(self._control.halt):
            try:
                yield from run.infos()
            finally:
                self._control.halt()
                run.join()
        yield from run.snapshot()

    def explain(self, position: Any) -> list[tuple[str, tuple[int, ...]]]:
        """The parts of the network's evaluation by name, for White and for Black."""
        return explain(_weights(), setup_of(position.identity))

    def forget(self) -> None:
        if self._table is not None:
            self._table.clear()
        for each in self._kernels:
            each.forget()

    def _allocate(self, megabytes: int, threads: int) -> None:
        if megabytes != self._megabytes:
            self._table, self._kernels, self._megabytes = None, [], 0
            try:
                self._table = kernel.Table(megabytes)
            except MemoryError:
                raise SearcherError(f"there is no memory for {megabytes} MB of Hash") from None
            self._megabytes = megabytes
        while len(self._kernels) < threads:
            self._kernels.append(kernel.Search(self._table, self._control, knobs()))


class _Run:
    """One search: its root, and what was told of it."""

    def __init__(self, request: Request, stop: Stop, table: Any, kernels: list[Any]) -> None:
        self.request = request
        self.stop = stop
        self.table = table
        self.kernels = kernels
        self.depth = 1
        self.fullness = 0
        """How full the table was when the iteration began: to look takes a while."""
        self.steady = 0
        self.fall = 0
        self.helpers: list[Thread] = []
        self._set_up()
        self.root = Root(kernels[0], request)

    def infos(self) -> Iterator[Info]:
        """Deepen until a limit is reached or all is known, telling the best lines."""
        certain = list(self._wins())
        self.root.gather(self.stop, certain)
        yield from self.snapshot()
        self._start_helpers()
        for depth in range(1, self._deepest() + 1):
            if self._is_known() or self._is_late():
                break
            self.depth = depth
            self.fullness = self.table.fullness()
            before = self.root.lines[0]
            for _ in self.root.deepen(depth):
                yield from self.snapshot()
            if self.root.kernel.is_over:
                break
            self._compare(before, self.root.lines[0])

    def join(self) -> None:
        """Wait for the other threads, which were halted."""
        for helper in self.helpers:
            helper.join()

    def _set_up(self) -> None:
        history = [each for each in self.request.history if can_come_again(each)]
        board = kernel.Board()
        keys = []
        for identity in history:
            board.set_up(*setup_of(identity))
            keys.append(board.identity)
        nodes = self.request.nodes
        for number, each in enumerate(self.kernels):
            each.set_up(*setup_of(self.request.position.identity), keys)
            each.limit(0 if nodes is None else _share(nodes, number, len(self.kernels)))

    def _start_helpers(self) -> None:
        """Let other threads search the same turns; what they find is in the table."""
        if self._is_known():
            return
        for number, each in enumerate(self.kernels[1:]):
            root = self.root.copy(each)
            self.helpers.append(Thread(target=_help, args=(root, number), daemon=True))
        for helper in self.helpers:
            helper.start()

    def _wins(self) -> Iterator[Line]:
        """Turns that are proven to win without a search."""
        board, proof = kernel.Board(), kernel.Proof()
        board.set_up(*setup_of(self.request.position.identity))
        if proof.find_win(board):
            for draft in root_drafts(self.request):
                for won in islice(self.request.rules.wins(draft), self.request.multipv):
                    yield WIN - 1, (code_of(won.turn),)
        elif turn := proof.find_win_in_two(board):
            yield WIN - 3, (code_of(turn_of(turn)),)

    def _deepest(self) -> int:
        depths = [DEEPEST]
        if self.request.depth is not None:
            depths.append(self.request.depth)
        if self.request.mate is not None:
            depths.append(2 * self.request.mate)
        return min(depths)

    def _is_known(self) -> bool:
        """Whether no line can change any more, or the win that was asked for is found."""
        values = [value for value, _ in self.root.lines]
        mate = self.request.mate
        if mate is not None and values[0] >= max(WIN - 2 * mate + 1, DECIDED):
            return True
        if all(value >= DECIDED for value in values):
            return True
        return self.root.is_solved

    def _is_late(self) -> bool:
        """Whether no new iteration is worth its time."""
        share = 1.0
        if self.steady >= STEADY:
            share = 0.7
        if self.fall >= FALL:
            share = 1.6
        return self.stop.is_late_by(share)

    def _compare(self, before: Line, after: Line) -> None:
        """What an iteration changed."""
        self.steady = self.steady + 1 if before[1][:1] == after[1][:1] else 0
        self.fall = before[0] - after[0]

    def snapshot(self) -> Iterator[Info]:
        """The lines as they stand."""
        elapsed = self.stop.elapsed
        nodes = sum(each.node_count for each in self.kernels)
        lines = self.root.lines
        is_sure = lines[0][0] > -DECIDED or self.root.is_solved
        for number, (value, line) in enumerate(lines, start=1):
            score = _score(value, is_sure=is_sure)
            yield Info(
                depth=self.depth,
                seldepth=max(self.root.kernel.height, len(line)),
                multipv=number,
                score=score,
                wdl=wdl(score, WIN_SCALE),
                nodes=nodes,
                nps=int(nodes / elapsed) if elapsed > 0 else 0,
                hashfull=self.fullness,
                time=elapsed,
                pv=tuple(map(turn_of, line)),
            )


def _help(root: Root, number: int) -> None:
    """Deepen until halted, each second thread a turn ahead of the first."""
    for depth in range(2 - number % 2, DEEPEST + 1):
        for _ in root.deepen(depth):
            pass
        if root.kernel.is_over or not root.turns:
            return


def _share(nodes: int, number: int, threads: int) -> int:
    """A thread's part of all nodes; 0 would be without limit."""
    return max(nodes // threads + (number < nodes % threads), 1)


def _score(value: int, *, is_sure: bool) -> Score:
    if value >= DECIDED:
        return Score(mate=(WIN - value + 1) // 2)
    if value <= -DECIDED and is_sure:
        return Score(mate=-((WIN + value + 1) // 2))
    return Score(cp=max(-MOST_CP, min(MOST_CP, value)))


@cache
def _load_weights() -> None:
    kernel.load_weights(_weights())


def _weights() -> bytes:
    return (Path(kernel.__file__).parent / "weights.bin").read_bytes()


Searcher = PvsSearcher
