"""The engine's side of the protocol, line by line, and as a process with pipes and signals."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from dialogue import ENGINE, PATIENCE, Talk, wait_for_end

from thrive_engine import START, parse_turn
from thrive_engine.engine import Engine
from thrive_engine.lines import LONGEST
from thrive_engine.protocol import Server

OVER = "4BrBr/6/6/6/1Wh4/W~5 b 40"
REFUSED_IN_SEARCH = [
    "position startpos",
    "go depth 1",
    "go perft 1",
    "setoption name Hash value 32",
    "ucinewgame",
    "uginewgame",
    "bench",
]


class Desk:
    """A server without a process: what it was told, and what it said."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.engine = Engine()
        self.server = Server(self.engine, self.said.append)

    def tell(self, *lines: str) -> list[str]:
        """The answers to these lines, up to now."""
        already = len(self.said)
        for line in lines:
            self.server.handle(line)
        return self.said[already:]

    def wait(self, pattern: str) -> str:
        """The first line that matches, as soon as there is one."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for line in self.said:
                if re.fullmatch(pattern, line):
                    return line
            time.sleep(0.002)
        raise AssertionError(f"no {pattern} in {self.said}")

    def state(self) -> list[str]:
        """All that a refusal must not change."""
        values = [f"{name} {self.engine.option(name)}" for name in self.engine.options]
        return [*self.tell("d"), *values]


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.server.close()


@pytest.fixture
def talk() -> Iterator[Talk]:
    with Talk() as talk:
        yield talk
        assert talk.errors == ""


def run(data: bytes, *, seconds: float = PATIENCE) -> subprocess.CompletedProcess[bytes]:
    """What the engine makes of an input that ends."""
    return subprocess.run(ENGINE, input=data, capture_output=True, timeout=seconds, check=False)


def bestmoves(output: bytes) -> list[str]:
    return re.findall(r"^bestmove (\S+)", output.decode(), re.MULTILINE)


# Every command


def test_uci_lists_every_option_and_ends_with_uciok(desk: Desk) -> None:
    lines = desk.tell("uci")
    assert lines[0].startswith("id name thrive-engine ")
    assert lines[-1] == "uciok"
    assert "option name UCI_Variant type combo default thrive var thrive" in lines
    assert [line for line in lines if line.startswith("option ")] == [
        str(option) for option in desk.engine.options.values()
    ]


def test_ugi_is_the_same_with_ugiok(desk: Desk) -> None:
    assert desk.tell("ugi") == [*desk.tell("uci")[:-1], "ugiok"]


@pytest.mark.parametrize("line", ["", " ", "\t", "\r\n", "\x1c", " \v\f "])
def test_blanks_mean_nothing(desk: Desk, line: str) -> None:
    assert desk.tell(line) == []


def test_blanks_around_and_between_words_are_skipped(desk: Desk) -> None:
    desk.tell("  setoption\tname  MultiPV \t value   3  \r\n", "\tposition   startpos   moves \r\n")
    assert desk.engine.option("MultiPV") == 3
    assert desk.tell(" \tlegal\tcount ") == ["legal count 56718"]
    assert desk.tell("legal \t check \t a1a2+a2gi ") == ["legal yes a1a2+a2gi"]
    assert desk.tell(" isready ") == ["readyok"]


def test_debug_is_on_or_off(desk: Desk) -> None:
    assert desk.tell("debug maybe") == ["info string debug: 'maybe' is not on or off"]
    desk.tell("debug on", "go depth 1")
    desk.wait("bestmove .*")
    assert "Limit(" in desk.said[1]
    desk.tell("debug off")


@pytest.mark.parametrize("command", ["ucinewgame", "uginewgame"])
def test_a_new_game_begins_at_the_start(desk: Desk, command: str) -> None:
    fresh = desk.state()
    desk.tell("position startpos moves a1a2+a2gi")
    assert desk.state() != fresh
    assert desk.tell(command) == []
    assert desk.state() == fresh


def test_position_accepts_every_spelling_and_an_empty_list(desk: Desk) -> None:
    assert desk.tell("position startpos moves") == []
    assert desk.tell(f"position fen {START} moves a1a2+a2i+a2g d6d5+d5ab") == []
    assert desk.tell("query p1turn") == ["response true"]


@pytest.mark.parametrize(
    ("position", "answers"),
    [
        ("position startpos", ["response true", "response false", "response none"]),
        (f"position fen {OVER}", ["response false", "response true", "response p1win"]),
        (
            "position fen B~B~B~3/6/6/6/6/3W~W~W~ w 70 moves" + " d1d3 a6a4 d3d1 a4a6" * 2,
            ["response true", "response true", "response draw"],
        ),
    ],
)
def test_query_tells_whose_turn_it_is_and_how_it_ended(
    desk: Desk, position: str, answers: list[str]
) -> None:
    desk.tell(position)
    assert desk.tell("query p1turn", "query gameover", "query result") == answers


def test_legal_in_a_finished_game_is_nothing(desk: Desk) -> None:
    desk.tell(f"position fen {OVER}")
    assert desk.tell("legal", "legal count") == ["legal end 0", "legal count 0"]
    for line in ("legal check b6b5+a6ab", "legal b6b5"):
        assert desk.tell(line)[0].startswith("legal no illegal turn ")


def test_no_line_of_legal_is_long_and_together_they_are_complete(desk: Desk) -> None:
    lines = desk.tell("legal a1a2")
    assert max(map(len, lines)) <= 4096
    pegs = [word for line in lines[:-1] for word in line.split()[2:]]
    assert lines[-1] == f"legal end {len(pegs)}"
    assert len(set(pegs)) == len(pegs) == 138


def test_d_draws_and_tells_the_position(desk: Desk) -> None:
    lines = desk.tell("d")
    assert all(line.isascii() for line in lines)
    assert lines[-4:] == [
        f"Fen: {START}",
        f"Key: {START.key:016x}",
        "Turns: 56718",
        "Result: *",
    ]


def test_perft_and_bench_end_with_their_sum(talk: Talk) -> None:
    assert talk.ask("go perft 1", until="Nodes searched.*")[-2:] == ["", "Nodes searched: 56718"]
    lines = talk.ask("bench", until="Nodes/second.*")
    total = sum(int(line.rpartition(": ")[2]) for line in lines if " w " in line or " b " in line)
    assert lines[-2] == f"Nodes searched: {total}"


@pytest.mark.parametrize("command", ["go perft 4", "bench"])
def test_perft_and_bench_can_be_stopped(talk: Talk, command: str) -> None:
    talk.send(command, "stop")
    assert talk.until("stopped")[-2:] == ["", "stopped"]
    assert talk.ask("go depth 1", until="bestmove .*")


# Refusals


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("fly", "unknown command 'fly'"),
        ("GO depth 1", "unknown command 'GO'"),
        ("\x00", "unknown command '\\x00'"),
        ("ünknown", "unknown command '\\xfcnknown'"),
        ("setoption", "setoption: setoption '': it is"),
        ("setoption name", "setoption: setoption 'name': it is"),
        ("setoption name Nothing value 1", "setoption: no option is called 'Nothing'"),
        ("setoption name Hash", "setoption: option Hash: a value is missing"),
        ("setoption name Hash value", "option Hash: '' is not a whole number from 1 to 4096"),
        ("setoption name Hash value 0", "option Hash: 0 is out of range, which is 1 to 4096"),
        ("setoption name Hash value 9999", "option Hash: 9999 is out of range"),
        ("setoption name Ponder value 1", "option Ponder: '1' is not true or false"),
        ("setoption name UCI_Variant value chess", "'chess' is not one of thrive"),
        ("position", "position: it is 'position startpos|fen <position> [moves <turn>...]'"),
        ("position moves a1a2+a2gi", "position: it is"),
        ("position fen", "position: bad position ''"),
        ("position fen moves a1a2+a2gi", "position: bad position ''"),
        ("position fen x", "position: bad position 'x'"),
        (f"position fen {START} moves a1a2", "illegal turn 'a1a2': end"),
        ("position startpos moves a1a2+a2gi a1a2+a2gi", "illegal turn 'a1a2+a2gi': movement"),
        ("position startpos moves \x00", "position: bad turn '\\x00'"),
        (f"position fen {OVER} moves a6a5+a5ab", "position: illegal turn"),
        ("query", "query: '' is not p1turn, gameover or result"),
        ("query who", "query: 'who' is not p1turn, gameover or result"),
        ("debug", "debug: '' is not on or off"),
    ],
)
def test_a_refusal_is_one_line_and_changes_nothing(desk: Desk, line: str, words: str) -> None:
    desk.tell("setoption name MultiPV value 2", "position startpos moves b1b2+b2gi")
    before = desk.state()
    (answer,) = desk.tell(line)
    assert answer.startswith("info string ")
    assert words in answer
    assert answer.isascii()
    assert desk.state() == before


@pytest.mark.parametrize(
    "line",
    ["go depth", "go depth x", "go movetime 1.5", "go searchmoves a1a3", "go searchmoves a1a2 ?"],
)
def test_a_refused_go_is_answered_all_the_same(desk: Desk, line: str) -> None:
    before = desk.state()
    refusal, answer = desk.tell(line)
    assert refusal.startswith("info string go: ")
    assert answer == "bestmove 0000"
    assert desk.state() == before


@pytest.mark.parametrize("text", ["a1a3", "a1a2+a2m", "x", "check", "check a1a2", "check \x00"])
def test_legal_says_no_in_place_of_a_refusal(desk: Desk, text: str) -> None:
    before = desk.state()
    (answer,) = desk.tell(f"legal {text}")
    assert answer.startswith("legal no ")
    assert desk.state() == before


@pytest.mark.parametrize("line", REFUSED_IN_SEARCH)
def test_in_the_middle_of_a_search_it_is_refused_and_the_search_goes_on(
    desk: Desk, line: str
) -> None:
    desk.tell("go infinite")
    (refusal,) = [line for line in desk.tell(line) if line.startswith("info string")]
    assert refusal.endswith("a search is running; stop it first")
    assert not any(line.startswith("bestmove") for line in desk.said)
    desk.tell("stop")
    assert parse_turn(desk.wait("bestmove .*").split()[1], START)


# Searching


def test_every_go_gets_one_bestmove_and_stop_without_a_search_nothing(talk: Talk) -> None:
    talk.send("stop", "ponderhit", "stop")
    assert talk.drained() == []
    for limit in ("depth 1", "nodes 1", "movetime 1", "wtime 1 btime 1", "wtime -5 btime 0"):
        lines = talk.ask(f"go {limit}", until="bestmove .*")
        assert parse_turn(lines[-1].split()[1], START)
        assert talk.drained() == []


def test_bestmove_has_two_words_unless_ponder_is_on(talk: Talk) -> None:
    assert len(talk.ask("go depth 3", until="bestmove .*")[-1].split()) == 2
    talk.send("setoption name Ponder value true")
    word, turn, ponder, answer = talk.ask("go depth 3", until="bestmove .*")[-1].split()
    assert (word, ponder) == ("bestmove", "ponder")
    assert parse_turn(answer, START.play(parse_turn(turn, START)))


def test_every_line_of_a_search_is_short_of_surprises(talk: Talk) -> None:
    talk.send("setoption name MultiPV value 2", "setoption name UCI_ShowWDL value true")
    for line in talk.ask("go movetime 300", until="bestmove .*")[:-1]:
        assert re.fullmatch(
            r"info depth \d+ seldepth \d+ multipv [12] score (cp -?\d+|mate -?\d+)"
            r" wdl \d+ \d+ \d+ nodes \d+ nps \d+ hashfull \d+ time \d+ pv( \S+)+",
            line,
        )


def test_isready_is_answered_in_search(talk: Talk) -> None:
    talk.send("go infinite")
    for _ in range(20):
        talk.ask("isready", until="readyok")
    assert not any(line.startswith("bestmove") for line in talk.drained())
    talk.ask("stop", until="bestmove .*")


@pytest.mark.parametrize("waiting", ["infinite", "ponder", "ponder infinite", "infinite depth 1"])
@pytest.mark.parametrize("position", ["startpos", f"fen {OVER}"])
def test_infinite_and_ponder_wait_even_when_all_is_known(waiting: str, position: str) -> None:
    with Talk() as talk:
        talk.send(f"position {position}", f"go {waiting}")
        time.sleep(0.2)
        assert not any(line.startswith("bestmove") for line in talk.drained())
        assert talk.ask("stop", until="bestmove .*")


def test_ponderhit_and_then_the_limit_ends_a_search(talk: Talk) -> None:
    talk.send("go ponder movetime 50")
    time.sleep(0.2)
    assert not any(line.startswith("bestmove") for line in talk.drained())
    talk.ask("ponderhit", until="bestmove .*")


def test_nothing_is_lost_when_all_is_sent_at_once(talk: Talk) -> None:
    played = [f"{file}1{file}2+{file}2gi" for file in "abcdef" * 3]
    for turn in played:
        talk.send("position startpos", "go infinite", "stop", "isready")
        talk.send(f"position startpos moves {turn}", "go infinite", "stop", "legal count")
    lines = []
    for turn in played:
        *before, first = talk.until("bestmove .*")
        *after, second = talk.until("bestmove .*")
        lines += before + after
        assert parse_turn(first.split()[1], START)
        assert parse_turn(second.split()[1], START.play(parse_turn(turn, START)))
    lines += talk.drained()
    assert lines.count("readyok") == len(played)
    assert sum(line.startswith("legal count ") for line in lines) == len(played)
    assert not any(line.startswith("info string") for line in lines)


def test_go_right_after_bestmove_is_never_refused(talk: Talk) -> None:
    for _ in range(100):
        talk.send("position startpos", "go nodes 1")
        assert not any(line.startswith("info string") for line in talk.until("bestmove .*"))


# Bytes


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\n",
        b"\xff\xfe\xfa\n",
        b"position fen \xc3\x28\n",
        b"setoption name \xf0\x28\x8c\x28 value \x80\n",
        b"legal \xed\xa0\x80\n",
        b"\r\n\r\r\n",
        b"\x1b[2J\x07\n",
        b"go searchmoves \xe2\x80\xa8x\n",
        "go depth ٣\n".encode(),
    ],
)
def test_any_byte_is_borne(talk: Talk, data: bytes) -> None:
    before = talk.ask("d", until="Result: .*")
    talk.send_bytes(data)
    assert all(line.isascii() and line.isprintable() for line in talk.drained())
    assert talk.ask("d", until="Result: .*") == before


def test_lines_may_end_in_carriage_return_and_newline(talk: Talk) -> None:
    talk.send_bytes(b"uci\r\nisready\r\nposition startpos moves a1a2+a2gi\r\nlegal count\r\n")
    lines = talk.until("legal count .*")
    assert "uciok" in lines
    assert not any(line.startswith("info string") for line in lines)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_of_the_longest_length_is_read_and_a_longer_one_refused(end: bytes) -> None:
    words = b"isready "
    with Talk() as talk:
        talk.send_bytes(words + b"x" * (LONGEST - len(words)) + end)
        assert talk.next() == "readyok"
        talk.send_bytes(words + b"x" * (LONGEST - len(words) + 1) + end)
        assert talk.next() == f"info string a line of over {LONGEST} bytes is refused"
        assert talk.drained() == []


def test_a_line_of_megabytes_is_refused_once_also_in_search(talk: Talk) -> None:
    talk.send("go infinite")
    for filler in (b"isready\t", b"x", b"\x00", b"quit "):
        talk.send_bytes(filler * (4_000_000 // len(filler)) + b"\n")
        lines = [line for line in talk.drained() if line.startswith("info string")]
        assert lines == [f"info string a line of over {LONGEST} bytes is refused"]
    talk.ask("stop", until="bestmove .*")


def test_a_long_line_without_an_end_is_refused_at_the_end_of_input() -> None:
    done = run(b"uci " * 1_000_000)
    assert done.stdout.decode() == f"info string a line of over {LONGEST} bytes is refused\n"
    assert (done.returncode, done.stderr) == (0, b"")


# The end


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"quit\n", b"quit", b"isready\nqui", b"\xff", b"quit\nisready\nquit\n"],
)
def test_the_end_of_input_or_quit_ends_the_process(data: bytes) -> None:
    done = run(data)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"readyok") == data.startswith(b"isready")


def test_a_last_line_without_its_end_is_read() -> None:
    assert run(b"uci\nisready").stdout.endswith(b"uciok\nreadyok\n")


@pytest.mark.parametrize("end", [b"quit\n", b"", b"quit", b"isrea"])
@pytest.mark.parametrize("go", [b"go infinite\n", b"go ponder\n", b"go movetime 100000\n"])
def test_a_search_under_way_is_answered_at_the_end(go: bytes, end: bytes) -> None:
    begin = time.monotonic()
    done = run(b"isready\n" + go + end)
    (turn,) = bestmoves(done.stdout)
    assert parse_turn(turn, START)
    assert (done.returncode, done.stderr) == (0, b"")
    assert time.monotonic() - begin < PATIENCE / 2


@pytest.mark.parametrize("go", ["go perft 5", "bench"])
def test_counting_under_way_does_not_delay_the_end(go: str) -> None:
    with Talk() as talk:
        talk.ask("isready", until="readyok")
        talk.send(go, "quit")
        assert wait_for_end(talk, PATIENCE / 2)
        assert talk.process.returncode == 0


@pytest.mark.parametrize("lines", ["isready\n", "go infinite\n", "d\n"])
def test_an_output_that_nobody_reads_any_more_ends_the_process(lines: str) -> None:
    process = subprocess.Popen(
        ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdin, process.stderr:
        process.stdout.close()
        process.stdin.write(lines.encode())
        process.stdin.flush()
        assert process.wait(PATIENCE) == 1
        assert process.stderr.read() == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_ends_the_process_quietly() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            ENGINE,
            input=b"uci\n",
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_input_or_output_is_said_in_one_line(closed: str) -> None:
    command = f'exec "{sys.executable}" -m thrive_engine {closed}'
    done = subprocess.run(
        ["sh", "-c", command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == [
        "thrive-engine: it speaks on standard input and output, and one of them is closed"
    ]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("go", [[], ["go infinite"]])
def test_an_interrupt_ends_the_process_quietly(go: list[str]) -> None:
    with Talk() as talk:
        talk.ask(*go, "isready", until="readyok")
        talk.process.send_signal(signal.SIGINT)
        assert wait_for_end(talk, PATIENCE)
        talk.end()
        assert (talk.process.returncode, talk.errors) == (0, "")


def test_the_locale_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii:strict")
    done = run("ünknown\nlegal \u2028x\nisready\n".encode())
    assert done.stdout.endswith(b"readyok\n")
    assert done.stderr == b""


# Searchers that other packages bring

FOREIGN = """
import sys, time
from thrive_engine.search.base import Info
from thrive_engine.search.greedy import GreedySearcher

class Good(GreedySearcher):
    def __init__(self):
        print("hello from a package")

class Raising:
    def search(self, request, stop):
        raise RuntimeError("out of \\u00e4ther \\ud800")
        yield
    def forget(self):
        raise RuntimeError("never")

class Leaving(Raising):
    def search(self, request, stop):
        sys.exit(7)

class Deaf(Raising):
    def search(self, request, stop):
        yield from GreedySearcher().search(request, stop)
        time.sleep(60)

class Illegal(Raising):
    def search(self, request, stop):
        yield Info(depth=1, pv=("a1f6+f6gi",))

class Wild(Raising):
    def search(self, request, stop):
        yield Info(depth=None, time="soon", pv=(None,))

class Recursive(Raising):
    def search(self, request, stop):
        return self.search(request, stop)

class Unbuildable:
    def __init__(self):
        raise KeyError("licence")
"""
ENTRIES = """[thrive_engine.searchers]
good = foreign_searchers:Good
raising = foreign_searchers:Raising
leaving = foreign_searchers:Leaving
deaf = foreign_searchers:Deaf
illegal = foreign_searchers:Illegal
wild = foreign_searchers:Wild
recursive = foreign_searchers:Recursive
unbuildable = foreign_searchers:Unbuildable
missing = foreign_searchers:Missing
absent = no_such_package:Thing
"""


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Talk]:
    """An engine beside which a package with searchers of all kinds is installed."""
    info = tmp_path / "foreign_searchers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign-searchers\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    (tmp_path / "foreign_searchers.py").write_text(FOREIGN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Talk() as talk:
        yield talk


def test_a_searcher_of_another_package_is_listed_and_plays(foreign: Talk) -> None:
    (option,) = [line for line in foreign.ask("uci", until="uciok") if "name Searcher" in line]
    assert option.split(" var ")[1:6] == ["pvs", "alphabeta", "mcts", "greedy", "random"]
    assert {"good", "raising", "absent"} <= set(option.split(" var "))
    foreign.send("setoption name Searcher value good")
    lines = foreign.ask("go", until="bestmove .*")
    assert parse_turn(lines[-1].split()[1], START)
    assert all(line.startswith(("info depth 1", "bestmove")) for line in lines)
    assert foreign.errors == "hello from a package\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("raising", "RuntimeError: out of \\xe4ther \\ud800"),
        ("leaving", "SystemExit: 7"),
        ("illegal", "ValueError: turn 'a1f6+f6gi' is not legal"),
        ("wild", "TypeError: depth is None, no whole number"),
        ("recursive", "RecursionError: maximum recursion depth exceeded"),
    ],
)
def test_a_searcher_that_fails_is_said_to_and_the_engine_plays_on(
    foreign: Talk, name: str, reason: str
) -> None:
    foreign.send(f"setoption name Searcher value {name}")
    *_, said, answer = foreign.ask("go movetime 50", until="bestmove .*")
    assert said.startswith(f"info string searcher '{name}' failed: {reason}")
    assert parse_turn(answer.split()[1], START)
    said = foreign.ask("bench", until="stopped")[-3]
    assert said.startswith("info string bench: searcher ")
    (said,) = foreign.ask("ucinewgame", until="info string .*")
    assert said == f"info string ucinewgame: searcher '{name}' failed: RuntimeError: never"
    foreign.send("setoption name Searcher value alphabeta")
    assert len(foreign.ask("go depth 1", until="bestmove .*")) >= 2
    assert foreign.errors == ""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("unbuildable", "KeyError: 'licence'"),
        ("missing", "has no attribute 'Missing'"),
        ("absent", "No module named 'no_such_package'"),
    ],
)
def test_a_searcher_that_cannot_be_loaded_is_refused(foreign: Talk, name: str, reason: str) -> None:
    foreign.send("setoption name Searcher value greedy", f"setoption name Searcher value {name}")
    (said,) = foreign.drained()
    assert said.startswith(f"info string setoption: searcher '{name}' of foreign-searchers cannot")
    assert reason in said
    assert foreign.ask("go", until="bestmove .*")[0].startswith("info depth 1 ")


def test_a_searcher_that_is_deaf_to_stop_silences_nothing_else(foreign: Talk) -> None:
    foreign.send("setoption name Searcher value deaf", "go infinite", "stop", "isready")
    assert not any(line.startswith("bestmove") for line in foreign.until("readyok"))
    foreign.send("position startpos moves a1a2+a2gi", "go depth 1", "legal count")
    *refusals, count = foreign.until("legal count .*")
    assert refusals[-2:] == [
        f"info string {command}: a search is running; it was told to stop, and goes on"
        for command in ("position", "go")
    ]
    assert count == "legal count 56718"
    foreign.send("quit")
    assert wait_for_end(foreign, PATIENCE / 2)
