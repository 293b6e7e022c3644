"""The search: principal variation search over the promising turns of each position.

A turn is decided in two halves. The movements of a position are tried in the order of their
promise; after each one the pegs are rated one by one, each by the one square that it changes, and
only the best are paired. Late turns are searched less deeply, and more pairs are tried the deeper
the search goes. Values are hundredths of a piece for the side to move; a value beyond DECIDED is a
win that is proven, in as many turns of both sides as it is less than WIN.
"""

try:
    import cython
except ImportError:
    from thrive_engine.search.kernel import plain as cython

if cython.compiled:
    from cython.cimports.thrive_engine.search.kernel.board import Board
    from cython.cimports.thrive_engine.search.kernel.machine import (
        CAPTURES,
        CAPTURES_WITH_PEGS,
        DECIDED,
        EXACT,
        FEW,
        FEWEST_MOVEMENTS,
        FULL,
        GONE,
        HALF_WIDTH,
        HOPELESS,
        LESS_BY_FOUR,
        LESS_BY_THREE,
        LESS_BY_TWO,
        LOWER,
        MOVEMENTS,
        MOVEMENTS_A_DEPTH,
        NOBODY,
        PAIR_MARGIN,
        PAIRS,
        PASS_DEPTH,
        PASS_LESS,
        PASS_MARGIN,
        PEGS,
        PLIES,
        PROVES,
        QUARTER_WIDTH,
        STATIC_DEPTH,
        STATIC_MARGIN,
        SUICIDE_DEPTH,
        TURN,
        UNREDUCED,
        UPPER,
        WIDENING,
        WIDTH,
        WIN,
        bit_of,
        lowest,
        popcount,
        reach_of,
    )
    from cython.cimports.thrive_engine.search.kernel.network import Network
    from cython.cimports.thrive_engine.search.kernel.proof import Proof
    from cython.cimports.thrive_engine.search.kernel.table import Table
else:
    from thrive_engine.search.kernel.board import Board
    from thrive_engine.search.kernel.machine import (
        CAPTURES,
        CAPTURES_WITH_PEGS,
        DECIDED,
        EXACT,
        FEW,
        FEWEST_MOVEMENTS,
        FULL,
        GONE,
        HALF_WIDTH,
        HOPELESS,
        LESS_BY_FOUR,
        LESS_BY_THREE,
        LESS_BY_TWO,
        LOWER,
        MOVEMENTS,
        MOVEMENTS_A_DEPTH,
        NOBODY,
        PAIR_MARGIN,
        PAIRS,
        PASS_DEPTH,
        PASS_LESS,
        PASS_MARGIN,
        PEGS,
        PLIES,
        PROVES,
        QUARTER_WIDTH,
        STATIC_DEPTH,
        STATIC_MARGIN,
        SUICIDE_DEPTH,
        TURN,
        UNREDUCED,
        UPPER,
        WIDENING,
        WIDTH,
        WIN,
        bit_of,
        lowest,
        popcount,
        reach_of,
    )
    from thrive_engine.search.kernel.network import Network
    from thrive_engine.search.kernel.proof import Proof
    from thrive_engine.search.kernel.table import Table


@cython.final
@cython.cclass
class Control:
    """Ends searches, from any thread."""

    is_over: cython.bint

    def __init__(self) -> None:
        self.is_over = False

    def halt(self) -> None:
        self.is_over = True

    def resume(self) -> None:
        """Let searches begin again."""
        self.is_over = False


@cython.final
@cython.cclass
class Search:
    """One thread's search of a position: its board, its network, and what it has learned."""

    board: Board
    network: Network
    proof: Proof
    table: Table
    control: Control
    nodes: cython.ulonglong
    most_nodes: cython.ulonglong
    deepest: cython.int
    ended: cython.bint
    """Whether the search was ended: values are void from then on."""
    knobs: cython.int[20]
    """What the search is tuned with; see tuning.py."""
    history: cython.int[8192]
    peg_history: cython.int[8192]
    killers: cython.int[132]
    moves: cython.int[9504]
    """MOVEMENTS a ply, with the promise of each."""
    promises: cython.int[9504]
    singles: cython.int[9504]
    """PEGS a ply, with the worth of each."""
    worths: cython.int[9504]
    firsts: cython.int[4356]
    """PAIRS a ply: the pairs of pegs, best first."""
    seconds: cython.int[4356]
    sums: cython.int[4356]
    line: cython.ulonglong[4356]
    """The best line from each ply on, 66 turns a ply."""
    lengths: cython.int[66]
    before: cython.ulonglong[1024]
    """The keys of the positions that were there before the search, where they can come again."""
    past: cython.int

    def __init__(self, table: Table, control: Control, knobs: list) -> None:
        self.board = Board()
        self.network = Network()
        self.proof = Proof()
        self.table = table
        self.control = control
        self.knobs = [0] * 20
        for i, knob in enumerate(knobs):
            self.knobs[i] = knob
        self.history = [0] * 8192
        self.peg_history = [0] * 8192
        self.killers = [0] * 132
        self.moves = [0] * 9504
        self.promises = [0] * 9504
        self.singles = [0] * 9504
        self.worths = [0] * 9504
        self.firsts = [0] * 4356
        self.seconds = [0] * 4356
        self.sums = [0] * 4356
        self.line = [0] * 4356
        self.lengths = [0] * 66
        self.before = [0] * 1024
        self.past = 0
        self.nodes = 0
        self.most_nodes = 0
        self.deepest = 0
        self.ended = False

    def set_up(self, white: list, black: list, side: int, before: list) -> None:
        """The position to search, and the keys of those before it, the newest last."""
        self.board.set_up(white, black, side)
        self.network.look(self.board)
        self.past = min(len(before), 1024)
        for i in range(self.past):
            self.before[i] = before[len(before) - self.past + i]
        self.nodes = 0
        self.deepest = 0
        self.ended = False
        for i in range(132):
            self.killers[i] = 0

    def forget(self) -> None:
        """Forget what turns were good."""
        for i in range(8192):
            self.history[i] = 0
            self.peg_history[i] = 0

    def limit(self, nodes: int) -> None:
        """End the search after so many nodes; 0 is without limit."""
        self.most_nodes = nodes

    @property
    def is_over(self) -> bool:
        return self.ended

    @property
    def node_count(self) -> int:
        return self.nodes

    @property
    def height(self) -> int:
        """The most turns that were looked ahead."""
        return self.deepest

    def static(self) -> int:
        """The evaluation of the position."""
        return self.network.evaluate(self.board)

    def find_win(self) -> int:
        """A turn that wins at once, or 0."""
        return self.proof.win(self.board)

    def movements_list(self) -> list:
        """The legal movements of the position."""
        return self.board.list_movements()

    def candidates(self, movement: int, width: int) -> list:
        """The most promising turns that begin with a movement, and what they are worth."""
        found = []
        step: cython.int = movement
        self.board.make(step)
        self.network.moved(self.board, step)
        if self.board.is_over():
            won = self.board.winner(self.board.side) == self.board.side
            found.append((self.turn_of(step, 0, 0), WIN - 1 if won else 1 - WIN))
        else:
            count = self.pair_up(0, min(width, PAIRS))
            for i in range(count):
                first, second = self.firsts[i], self.seconds[i]
                self.board.place(first, second)
                self.network.placed(self.board, first, second)
                worth = -self.network.evaluate(self.board)
                if self.board.is_over():
                    worth = WIN - 1
                found.append((self.turn_of(step, first, second), worth))
                self.network.close_frame()
                self.board.remove(first, second)
        self.network.close_frame()
        self.board.unmake(step)
        return found

    def try_turn(self, turn: int, depth: int, alpha: int, beta: int) -> int:
        """The value of a turn of the position, searched so many turns ahead."""
        code: cython.ulonglong = turn
        left: cython.int = depth
        low: cython.int = alpha
        high: cython.int = beta
        value: cython.int
        if cython.compiled:
            with cython.nogil:
                value = self.try_root(code, left, low, high)
        else:
            value = self.try_root(code, left, low, high)
        return value

    def best_line(self) -> list:
        """The turns that are expected after the one that was tried last."""
        return [self.line[66 + i] for i in range(self.lengths[1])]

    # Everything below runs without the interpreter.

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def turn_of(
        self, movement: cython.int, first: cython.int, second: cython.int
    ) -> cython.ulonglong:
        turn: cython.ulonglong = movement
        pegs: cython.ulonglong
        if first > second:
            pegs = first
            return turn << 26 | pegs << 13 | second
        pegs = second
        return turn << 26 | pegs << 13 | first

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def try_root(
        self, turn: cython.ulonglong, depth: cython.int, alpha: cython.int, beta: cython.int
    ) -> cython.int:
        movement: cython.int = turn >> 26
        first: cython.int = turn >> 13 & 8191
        second: cython.int = turn & 8191
        value: cython.int
        self.lengths[1] = 0
        self.board.make(movement)
        self.network.moved(self.board, movement)
        if self.board.is_over():
            value = WIN - 1 if self.board.winner(self.board.side) == self.board.side else 1 - WIN
        else:
            value = self.try_pegs(first, second, depth, alpha, beta, 0)
        self.network.close_frame()
        self.board.unmake(movement)
        return value

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def try_pegs(
        self,
        first: cython.int,
        second: cython.int,
        depth: cython.int,
        alpha: cython.int,
        beta: cython.int,
        ply: cython.int,
    ) -> cython.int:
        """The value of placing two pegs after a movement, for the side that does it."""
        value: cython.int
        side: cython.int = self.board.side
        self.board.place(first, second)
        self.network.placed(self.board, first, second)
        if self.board.is_over():
            self.lengths[ply + 1] = 0
            value = WIN - ply - 1 if self.board.winner(side) == side else ply + 1 - WIN
        else:
            value = -self.search(depth - 1, -beta, -alpha, ply + 1)
        self.network.close_frame()
        self.board.remove(first, second)
        return value

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def must_end(self) -> cython.bint:
        if self.control.is_over or (self.most_nodes and self.nodes >= self.most_nodes):
            self.ended = True
        return self.ended

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search(
        self, depth: cython.int, alpha: cython.int, beta: cython.int, ply: cython.int
    ) -> cython.int:
        """The value of the position, exact between alpha and beta, else a bound."""
        key: cython.ulonglong = self.board.key
        side: cython.int = self.board.side
        data: cython.ulonglong
        known: cython.ulonglong = 0
        best: cython.int
        value: cython.int
        old: cython.int
        static: cython.int
        is_wide: cython.bint = beta - alpha > 1
        self.lengths[ply] = 0
        if self.must_end():
            return 0
        self.nodes += 1
        if ply > self.deepest:
            self.deepest = ply
        # 1. What is known without a search.
        if self.repeats():
            return 0
        data = self.proof.win(self.board)
        if data:
            self.line[66 * ply] = data
            self.lengths[ply] = 1
            return WIN - ply - 1
        if depth <= 0 or ply >= PLIES - 2:
            return self.settle(alpha, beta, ply, 0)
        # 2. What was found before.
        data = self.table.get(key)
        if data:
            known = data & TURN
            old = self.from_table(data, ply)
            if not is_wide and (data >> 54 & 63) >= depth:
                if data >> 60 & 3 == EXACT:
                    return old
                if data >> 60 & 3 == LOWER and old >= beta:
                    return old
                if data >> 60 & 3 == UPPER and old <= alpha:
                    return old
        # 3. Proven ends.
        if self.board.count[side] == 2 and self.proof.is_lost(self.board):
            return ply + 2 - WIN
        if self.board.count[1 - side] < 4 and self.knobs[PROVES]:
            data = self.proof.win_in_two(self.board)
            if data:
                self.line[66 * ply] = data
                self.lengths[ply] = 1
                value = WIN - ply - 3
                self.table.put(key, data, self.to_table(value, ply), 63, LOWER)
                return value
        # 4. Positions that are far better than needed.
        static = self.network.evaluate(self.board)
        if not is_wide and beta < DECIDED and beta > -DECIDED:
            if (
                depth <= self.knobs[STATIC_DEPTH]
                and static - self.knobs[STATIC_MARGIN] * depth >= beta
            ):
                return static
            if self.may_pass(depth, static - beta):
                value = self.pass_on(depth, beta, ply)
                if self.ended:
                    return 0
                if value >= beta:
                    return value if value < DECIDED else beta
        # 5. Turns.
        best = self.try_movements(depth, alpha, beta, ply, known, static)
        if self.ended:
            return 0
        return best

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def may_pass(self, depth: cython.int, margin: cython.int) -> cython.bint:
        """Whether it is worth a look what happens if the side does nothing; not twice in a line."""
        return (
            self.knobs[PASS_DEPTH] > 0
            and depth >= self.knobs[PASS_DEPTH]
            and margin >= self.knobs[PASS_MARGIN]
            and self.past >= 0
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pass_on(self, depth: cython.int, beta: cython.int, ply: cython.int) -> cython.int:
        """The value, or a bound, if the side does nothing in its turn."""
        value: cython.int
        past: cython.int = self.past
        self.past = -1
        self.board.make(0)
        self.network.moved(self.board, 0)
        self.board.place(0, 0)
        self.network.placed(self.board, 0, 0)
        value = -self.search(depth - 1 - self.knobs[PASS_LESS], -beta, 1 - beta, ply + 1)
        self.network.close_frame()
        self.board.remove(0, 0)
        self.network.close_frame()
        self.board.unmake(0)
        self.past = past
        return value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def try_movements(
        self,
        depth: cython.int,
        alpha: cython.int,
        beta: cython.int,
        ply: cython.int,
        known: cython.ulonglong,
        static: cython.int,
    ) -> cython.int:
        """The best value of the position's turns, which is kept in the table."""
        side: cython.int = self.board.side
        at: cython.int = MOVEMENTS * ply
        count: cython.int
        number: cython.int
        movement: cython.int
        known_movement: cython.int = known >> 26
        best: cython.int = -WIN
        value: cython.int
        floor: cython.int = alpha
        tried: cython.int = 0
        turn: cython.ulonglong = 0
        pair: cython.int
        pairs: cython.int
        width: cython.int
        less: cython.int
        first: cython.int = 0
        second: cython.int = 0
        here: cython.int
        is_capture: cython.bint
        count = self.list_movements(ply, known_movement if known else -1)
        for number in range(count):
            movement = self.next_movement(at, number, count)
            is_capture = (self.board.occupied[1 - side] & bit_of(movement & 63)) != 0
            if self.is_late(movement, depth, number, is_capture) and best > -DECIDED:
                continue
            self.board.make(movement)
            self.network.moved(self.board, movement)
            if self.board.is_over():
                # A win would have been seen before.
                value = ply + 1 - WIN
                pairs = 0
                if value > best:
                    best = value
            else:
                width = self.width(depth, number)
                pairs = self.pair_up(ply, width)
            here = -WIN
            for pair in range(-1, pairs):
                if pair < 0:
                    # The turn that was best before comes first.
                    if not (known and movement == known_movement):
                        continue
                    first = known >> 13 & 8191
                    second = known & 8191
                else:
                    first = self.firsts[PAIRS * ply + pair]
                    second = self.seconds[PAIRS * ply + pair]
                    if known and self.turn_of(movement, first, second) == known:
                        continue
                    if pair > 0 and here > -WIN and here < floor - self.knobs[PAIR_MARGIN]:
                        break
                less = 0
                if tried >= self.knobs[UNREDUCED] and depth >= 2:
                    less = self.reduction(depth, tried, number, pair)
                    if is_capture and less > 0:
                        less -= 1
                if tried == 0:
                    value = self.try_pegs(first, second, depth, floor, beta, ply)
                else:
                    value = self.try_pegs(first, second, depth - less, floor, floor + 1, ply)
                    if value > floor and less > 0 and not self.ended:
                        value = self.try_pegs(first, second, depth, floor, floor + 1, ply)
                    if value > floor and value < beta and not self.ended:
                        value = self.try_pegs(first, second, depth, floor, beta, ply)
                if self.ended:
                    break
                tried += 1
                if value > here:
                    here = value
                if value > best:
                    best = value
                    if value > floor:
                        floor = value
                        turn = self.turn_of(movement, first, second)
                        self.keep_line(ply, turn)
                        if value >= beta:
                            break
            self.network.close_frame()
            self.board.unmake(movement)
            if self.ended:
                return 0
            if best >= beta:
                self.praise(movement, first, second, depth, ply)
                break
        # Other turns are left untried, so that nothing is proven lost.
        if best <= -DECIDED:
            best = ply - HOPELESS
        self.table.put(
            self.board.key,
            turn if turn else known,
            self.to_table(best, ply),
            depth,
            LOWER if best >= beta else EXACT if best > alpha else UPPER,
        )
        return best

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def is_late(
        self,
        movement: cython.int,
        depth: cython.int,
        number: cython.int,
        is_capture: cython.bint,
    ) -> cython.bint:
        """Whether a movement is left out: it captures an own piece, or too many were tried."""
        if movement and self.board.occupied[self.board.side] & bit_of(movement & 63):
            return depth < self.knobs[SUICIDE_DEPTH]
        if is_capture:
            return False
        return number >= self.knobs[FEWEST_MOVEMENTS] + self.knobs[MOVEMENTS_A_DEPTH] * depth

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def width(self, depth: cython.int, number: cython.int) -> cython.int:
        """How many pairs of pegs are tried after a movement."""
        width: cython.int = self.knobs[WIDTH] + self.knobs[WIDENING] * depth
        if number >= self.knobs[HALF_WIDTH]:
            width = (width + 1) // 2
        if number >= self.knobs[QUARTER_WIDTH]:
            width = (width + 1) // 2
        return width if width < PAIRS else PAIRS

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def reduction(
        self, depth: cython.int, tried: cython.int, number: cython.int, pair: cython.int
    ) -> cython.int:
        """By how much less deep a late turn is searched."""
        less: cython.int = 1
        if tried >= self.knobs[LESS_BY_TWO]:
            less += 1
        if tried >= self.knobs[LESS_BY_THREE]:
            less += 1
        if depth >= 6 and tried >= self.knobs[LESS_BY_FOUR]:
            less += 1
        return less

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_movements(self, ply: cython.int, known: cython.int) -> cython.int:
        """List the movements with their promise."""
        side: cython.int = self.board.side
        at: cython.int = MOVEMENTS * ply
        count: cython.int = self.board.movements(self.moves, at)
        ours: cython.int = 96 * self.network.frame + 48 * side
        theirs: cython.int = 96 * self.network.frame + 48 * (1 - side)
        i: cython.int
        movement: cython.int
        origin: cython.int
        target: cython.int
        victim: cython.int
        filled: cython.int
        promise: cython.int
        for i in range(count):
            movement = self.moves[at + i]
            origin = movement >> 6
            target = movement & 63
            promise = self.history[4096 * side + movement]
            if movement == known:
                promise = 1 << 30
            elif movement:
                victim = self.board.who[target]
                filled = popcount(self.board.pegs[self.board.who[origin]])
                if victim != NOBODY:
                    if (victim >= 6) == side:
                        promise = -(1 << 30)
                    else:
                        promise = 1 << 24
                        promise += (popcount(self.board.pegs[victim]) + 8) << 16
                        if self.network.attackers[theirs + target]:
                            promise -= (filled + 8) << 16
                else:
                    if self.network.attackers[theirs + origin]:
                        promise += 2000 + 200 * filled
                    if self.network.attackers[theirs + target]:
                        promise -= 2000 + 400 * filled
                        if self.network.attackers[ours + target] > 1:
                            promise += 1500
                if movement == self.killers[2 * ply] or movement == self.killers[2 * ply + 1]:
                    promise += 6000
            self.promises[at + i] = promise
        return count

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def next_movement(self, at: cython.int, number: cython.int, count: cython.int) -> cython.int:
        """The most promising movement that was not tried yet."""
        i: cython.int
        best: cython.int = at + number
        movement: cython.int
        promise: cython.int
        for i in range(at + number + 1, at + count):
            if self.promises[i] > self.promises[best]:
                best = i
        movement = self.moves[best]
        promise = self.promises[best]
        self.moves[best] = self.moves[at + number]
        self.promises[best] = self.promises[at + number]
        self.moves[at + number] = movement
        self.promises[at + number] = promise
        return movement

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pair_up(self, ply: cython.int, width: cython.int) -> cython.int:
        """List the best pairs of pegs after a movement; how many there are."""
        at: cython.int = PEGS * ply
        to: cython.int = PAIRS * ply
        count: cython.int
        few: cython.int
        i: cython.int
        j: cython.int
        pairs: cython.int = 0
        count = self.rate_pegs(at)
        if count < 2:
            self.firsts[to] = self.singles[at] if count else 0
            self.seconds[to] = 0
            return 1
        few = FEW
        if width <= 2:
            few = 4
        elif width <= 8:
            few = 7
        if few > count:
            few = count
        self.sort_pegs(at, few, count)
        for j in range(1, few):
            for i in range(j):
                self.add_pair(to, pairs, at + i, at + j)
                pairs += 1
        return self.sort_pairs(to, pairs, width)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def rate_pegs(self, at: cython.int) -> cython.int:
        """List every peg that the side can place, with its worth; how many there are."""
        side: cython.int = self.board.side
        base: cython.int = self.network.raw(1 - side)
        count: cython.int = 0
        fullest: cython.int = self.board.fullest(side)
        race: cython.int = 0
        i: cython.int
        s: cython.int
        square: cython.int
        bit: cython.int
        worth: cython.int
        extra: cython.int
        empty: cython.ulonglong
        seen: cython.ulonglong = 0
        target: cython.ulonglong
        if self.board.count[0] + self.board.count[1] < 8:
            race = self.network.race_gain(self.board, base, 1)
        for i in range(6 * side, 6 * side + 6):
            square = self.board.square[i]
            if square == GONE:
                continue
            extra = race if popcount(self.board.pegs[i]) == fullest else 0
            empty = FULL & ~self.board.pegs[i]
            while empty:
                bit = lowest(empty)
                empty &= empty - 1
                worth = extra - self.network.spot(1 - side, i, square, bit)
                worth += self.peg_history[4096 * side + (square << 6 | bit)] >> 4
                target = reach_of(bit_of(bit), square)
                if target:
                    s = lowest(target)
                    if not seen & target:
                        seen |= target
                        self.network.gains[s] = self.network.gain(self.board, s, base)
                    worth += self.network.gains[s]
                self.singles[at + count] = 4096 | square << 6 | bit
                self.worths[at + count] = worth
                count += 1
        return count

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def sort_pegs(self, at: cython.int, few: cython.int, count: cython.int) -> cython.void:
        """Bring the best few pegs to the front."""
        i: cython.int
        j: cython.int
        best: cython.int
        peg: cython.int
        worth: cython.int
        for i in range(at, at + few):
            best = i
            for j in range(i + 1, at + count):
                if self.worths[j] > self.worths[best]:
                    best = j
            peg = self.singles[best]
            worth = self.worths[best]
            self.singles[best] = self.singles[i]
            self.worths[best] = self.worths[i]
            self.singles[i] = peg
            self.worths[i] = worth

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def add_pair(
        self, to: cython.int, pairs: cython.int, first: cython.int, second: cython.int
    ) -> cython.void:
        """Note a pair; two pegs to the same square are worth less than each alone."""
        a: cython.int = self.singles[first]
        b: cython.int = self.singles[second]
        total: cython.int = self.worths[first] + self.worths[second]
        target: cython.int = (a >> 6 & 63) + (a & 63)
        if target == (b >> 6 & 63) + (b & 63):
            total -= self.network.gains[target - 18] if self.is_on_board(a) else 0
        self.firsts[to + pairs] = a
        self.seconds[to + pairs] = b
        self.sums[to + pairs] = total

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def is_on_board(self, peg: cython.int) -> cython.bint:
        """Whether a peg leads to a square of the self.board."""
        return reach_of(bit_of(peg & 63), peg >> 6 & 63) != 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def sort_pairs(self, to: cython.int, pairs: cython.int, width: cython.int) -> cython.int:
        """Bring the best pairs to the front; how many are wanted."""
        i: cython.int
        j: cython.int
        best: cython.int
        first: cython.int
        second: cython.int
        total: cython.int
        if width > pairs:
            width = pairs
        for i in range(to, to + width):
            best = i
            for j in range(i + 1, to + pairs):
                if self.sums[j] > self.sums[best]:
                    best = j
            first = self.firsts[best]
            second = self.seconds[best]
            total = self.sums[best]
            self.firsts[best] = self.firsts[i]
            self.seconds[best] = self.seconds[i]
            self.sums[best] = self.sums[i]
            self.firsts[i] = first
            self.seconds[i] = second
            self.sums[i] = total
        return width

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(
        self, alpha: cython.int, beta: cython.int, ply: cython.int, so_far: cython.int
    ) -> cython.int:
        """The value of a position in which only captures are played on."""
        best: cython.int = self.network.evaluate(self.board)
        at: cython.int = MOVEMENTS * ply
        count: cython.int
        number: cython.int
        movement: cython.int
        value: cython.int
        first: cython.int
        second: cython.int
        if best >= beta or so_far >= self.knobs[CAPTURES] or ply >= PLIES - 2:
            return best
        if best > alpha:
            alpha = best
        count = self.list_captures(at)
        for number in range(count):
            movement = self.next_movement(at, number, count)
            self.board.make(movement)
            self.network.moved(self.board, movement)
            if self.board.is_over():
                value = ply + 1 - WIN
            else:
                first = 0
                second = 0
                if self.knobs[CAPTURES_WITH_PEGS] > so_far:
                    self.pair_up(ply, 1)
                    first = self.firsts[PAIRS * ply]
                    second = self.seconds[PAIRS * ply]
                value = self.settle_on(first, second, alpha, beta, ply, so_far)
            self.network.close_frame()
            self.board.unmake(movement)
            if self.ended:
                return 0
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        break
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle_on(
        self,
        first: cython.int,
        second: cython.int,
        alpha: cython.int,
        beta: cython.int,
        ply: cython.int,
        so_far: cython.int,
    ) -> cython.int:
        """The value of a capture with its pegs, for the side that plays it."""
        value: cython.int
        side: cython.int = self.board.side
        self.board.place(first, second)
        self.network.placed(self.board, first, second)
        if self.must_end():
            value = 0
        elif self.board.is_over():
            value = WIN - ply - 1 if self.board.winner(side) == side else ply + 1 - WIN
        else:
            self.nodes += 1
            if ply + 1 > self.deepest:
                self.deepest = ply + 1
            if self.proof.win(self.board):
                # Other turns than captures were not looked at, so that nothing is proven.
                value = ply + 2 - HOPELESS
            else:
                value = -self.settle(-beta, -alpha, ply + 1, so_far + 1)
        self.network.close_frame()
        self.board.remove(first, second)
        return value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_captures(self, at: cython.int) -> cython.int:
        """List the captures of enemies with their promise."""
        side: cython.int = self.board.side
        theirs: cython.int = 96 * self.network.frame + 48 * (1 - side)
        count: cython.int = 0
        i: cython.int
        target: cython.int
        promise: cython.int
        hit: cython.ulonglong
        for i in range(6 * side, 6 * side + 6):
            if self.board.square[i] == GONE:
                continue
            hit = reach_of(self.board.pegs[i], self.board.square[i]) & self.board.occupied[1 - side]
            while hit:
                target = lowest(hit)
                hit &= hit - 1
                promise = (popcount(self.board.pegs[self.board.who[target]]) + 8) << 4
                if self.network.attackers[theirs + target]:
                    promise -= (popcount(self.board.pegs[i]) + 8) << 4
                self.moves[at + count] = self.board.square[i] << 6 | target
                self.promises[at + count] = promise
                count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep_line(self, ply: cython.int, turn: cython.ulonglong) -> cython.void:
        """The line from a ply on: a turn, and the line that follows it."""
        i: cython.int
        count: cython.int = self.lengths[ply + 1]
        if count > 64 - ply:
            count = 64 - ply
        self.line[66 * ply] = turn
        for i in range(count):
            self.line[66 * ply + 1 + i] = self.line[66 * ply + 66 + i]
        self.lengths[ply] = count + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def praise(
        self,
        movement: cython.int,
        first: cython.int,
        second: cython.int,
        depth: cython.int,
        ply: cython.int,
    ) -> cython.void:
        """Remember a turn that was good enough."""
        side: cython.int = self.board.side
        at: cython.int = 4096 * side
        bonus: cython.int = depth * depth * 8
        i: cython.int
        if self.killers[2 * ply] != movement:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = movement
        self.history[at + movement] += bonus
        if first:
            self.peg_history[at + (first & 4095)] += bonus
        if second:
            self.peg_history[at + (second & 4095)] += bonus
        if self.history[at + movement] > 4000:
            for i in range(4096):
                self.history[at + i] >>= 1
        if self.peg_history[at + (first & 4095)] > 4000 or (
            self.peg_history[at + (second & 4095)] > 4000
        ):
            for i in range(4096):
                self.peg_history[at + i] >>= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def repeats(self) -> cython.bint:
        """Whether the position was there before, which only full pieces can bring about."""
        i: cython.int
        key: cython.ulonglong = self.board.key
        if self.past < 0 or self.board.holes(0) or self.board.holes(1):
            return False
        for i in range(self.board.height):
            if self.board.keys[i] == key:
                return True
        for i in range(self.past):
            if self.before[i] == key:
                return True
        return False

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def to_table(self, value: cython.int, ply: cython.int) -> cython.int:
        """A value as the table keeps it: a win counted from the position, not from the root."""
        if value >= DECIDED:
            return value + ply
        if value <= -DECIDED:
            return value - ply
        return value

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def from_table(self, data: cython.ulonglong, ply: cython.int) -> cython.int:
        value: cython.int = data >> 38 & 0xFFFF
        value -= 32768
        if value >= DECIDED:
            return value - ply
        if value <= -DECIDED:
            return value + ply
        return value
