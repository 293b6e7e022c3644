"""Dialogues nobody would think of, held with a real engine and a model of what it must know."""

from dialogue import Talk
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from strategies import legal_turns, positions, turns

from thrive_engine.errors import TextError
from thrive_engine.game import Game
from thrive_engine.games.thrive import Position

ENDING = [
    "depth 1",
    "nodes 20",
    "movetime 5",
    "wtime 10 btime 10 winc 1",
    "mate 1 nodes 50",
    "wtime -1 btime 0",
]
WAITING = ["infinite", "ponder", "infinite depth 1", "ponder movetime 5", "ponder infinite nodes 3"]
BAD_GO = ["depth x", "nodes", "movetime 1e3", "searchmoves ??", "searchmoves a1a2+z9z", "perft -"]
GOOD_OPTIONS = ["MultiPV value 3", "MultiPV value 1", "Hash value 1", "Ponder value true"]
GOOD_OPTIONS += ["UCI_ShowWDL value true", "Searcher value mcts", "Searcher value greedy"]
GOOD_OPTIONS += ["Searcher value random", "Searcher value alphabeta", "Clear Hash", "Seed value 9"]
BAD_OPTIONS = ["MultiPV value 0", "Hash value x", "Hash", "x value 1", "value", "Searcher value y"]
ELSEWHERE = ["fly", "POSITION startpos", "query", "query x", "debug", "position", "position fen"]
HARMLESS = ["", "eval", "legal", "legal a1", "legal check 0000", "uci", "ugi", "query result"]


class Dialogue(RuleBasedStateMachine):
    """The engine answers, keeps what it was told, and says one bestmove for each go."""

    def __init__(self) -> None:
        super().__init__()
        self.talk = Talk()
        self.game = Game()
        self.is_searching = False
        self.holds = False

    # Setting up

    @rule(position=positions, data=st.data(), count=st.integers(0, 4))
    def set_position(self, position: Position, data: st.DataObject, count: int) -> None:
        game = Game(position)
        played: list[str] = []
        while game.outcome is None and len(played) < count:
            turn = data.draw(legal_turns(game.position))
            game.play(turn)
            played.append(str(turn))
        self.talk.send(" ".join([f"position fen {position} moves", *played]))
        if not self.is_searching:
            self.game = game
        self._expect_refusals(1 if self.is_searching else 0)

    @rule(turn=turns)
    def play_any_turn(self, turn: object) -> None:
        game = Game(self.game.position)
        try:
            game.play(str(turn))
            is_legal = True
        except TextError:
            is_legal = False
        self.talk.send(f"position fen {self.game.position} moves {turn}")
        if is_legal and not self.is_searching:
            self.game = game
        self._expect_refusals(0 if is_legal and not self.is_searching else 1)

    @rule(text=st.text(max_size=30) | st.sampled_from([f"fen {'x' * 70_000}", "startpos x"]))
    def set_a_bad_position(self, text: str) -> None:
        self.talk.send(f"position ? {' '.join(text.split())}")
        self._expect_refusals(1)

    @rule()
    def begin_a_new_game(self) -> None:
        self.talk.send("ucinewgame")
        if not self.is_searching:
            self.game = Game()
        self._expect_refusals(1 if self.is_searching else 0)

    @rule(option=st.sampled_from(GOOD_OPTIONS))
    def set_an_option(self, option: str) -> None:
        self.talk.send(f"setoption name {option}")
        self._expect_refusals(1 if self.is_searching else 0)

    @rule(option=st.sampled_from(BAD_OPTIONS))
    def set_a_bad_option(self, option: str) -> None:
        self.talk.send(f"setoption name {option}")
        self._expect_refusals(1)

    # Searching

    @rule(limit=st.sampled_from(ENDING))
    def search(self, limit: str) -> None:
        self.talk.send(f"go {limit}")
        if self.is_searching:
            self._expect_refusals(1)
        else:
            self._expect_bestmove()

    @rule(limit=st.sampled_from(WAITING))
    def begin_to_search(self, limit: str) -> None:
        self.talk.send(f"go {limit}")
        self._expect_refusals(1 if self.is_searching else 0)
        if not self.is_searching:
            self.is_searching = True
            self.holds = "infinite" in limit

    @rule(limit=st.sampled_from(BAD_GO))
    def search_badly(self, limit: str) -> None:
        self.talk.send(f"go {limit}")
        said = self.talk.drained()
        assert sum(line.startswith("info string ") for line in said) == 1
        assert said.count("bestmove 0000") == (0 if self.is_searching else 1)

    @precondition(lambda self: self.is_searching)
    @rule()
    def stop(self) -> None:
        self.is_searching = False
        self.talk.send("stop")
        self._expect_bestmove()

    @precondition(lambda self: self.is_searching and not self.holds)
    @rule()
    def ponderhit(self) -> None:
        self.talk.send("ponderhit")
        self.talk.send("stop")
        self.is_searching = False
        self._expect_bestmove()

    @precondition(lambda self: not self.is_searching)
    @rule(word=st.sampled_from(["stop", "ponderhit"]))
    def end_nothing(self, word: str) -> None:
        self.talk.send(word)
        assert self.talk.drained() == []

    # Noise

    @rule(line=st.sampled_from(ELSEWHERE))
    def ask_what_is_refused(self, line: str) -> None:
        self.talk.send(line)
        self._expect_refusals(1)

    @rule(line=st.sampled_from(HARMLESS))
    def ask_something(self, line: str) -> None:
        self.talk.send(f"  {line}\t\r")
        self._expect_refusals(0)

    @rule(data=st.binary(max_size=200))
    def send_bytes(self, data: bytes) -> None:
        self.talk.send_bytes(b"?" + data.replace(b"\n", b"").replace(b"\r", b"") + b"\n")
        self._expect_refusals(1)

    # What always holds

    @invariant()
    def it_knows_the_position(self) -> None:
        lines = self.talk.ask("d", until="Result: .*")  # lines of a search may be among them
        told = dict(line.split(": ", 1) for line in lines if ": " in line)
        position, outcome = self.game.position, self.game.outcome
        assert told["Fen"] == str(position)
        assert told["Key"] == f"{position.key:016x}"
        assert told["Turns"] == str(len(position.legal_turns) if outcome is None else 0)
        assert told["Result"] == str(outcome or "*")
        assert not any(line.startswith("bestmove") for line in lines)

    def teardown(self) -> None:
        with self.talk:
            self.talk.send("quit")
            assert self.talk.end() == 0
            assert self.talk.errors == ""

    def _expect_refusals(self, count: int) -> None:
        said = self.talk.drained()
        refusals = [line for line in said if line.startswith("info string ")]
        assert len(refusals) == count, said
        assert not any(line.startswith("bestmove") for line in said)

    def _expect_bestmove(self) -> None:
        answer = self.talk.until("bestmove .*")[-1].split()
        if self.game.outcome is not None:
            assert answer == ["bestmove", "0000"]
            return
        game = Game(self.game.position)
        game.play(answer[1])
        assert str(game.turns[0]) == answer[1], "the turn is canonical"
        assert self.talk.drained() == []


TestDialogue = Dialogue.TestCase
TestDialogue.settings = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
