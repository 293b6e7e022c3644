"""Steps: lines that are odd, too long, or no text at all."""

from thrive_engine.conformance.candidate import Candidate, require
from thrive_engine.conformance.samples import MIDDLE, OPENING, START
from thrive_engine.conformance.step import Step, step
from thrive_engine.errors import quote
from thrive_engine.lines import LONGEST

STEPS: list[Step] = []


@step(STEPS, needs="isready")
def unknown_command(engine: Candidate) -> None:
    """A command that nobody knows is refused."""
    engine.expect_refusal("fly to the moon")
    engine.expect_refusal("xyzzy")


@step(STEPS, needs="isready")
def blank_lines(engine: Candidate) -> None:
    """Empty lines and lines of blanks mean nothing."""
    said = engine.ask("", "   ", "\t", "\r", "")
    require(not said, "something was said to an empty line")


@step(STEPS)
def carriage_returns(engine: Candidate) -> None:
    """Lines may end in CR LF."""
    engine.talk.send_bytes(f"position fen {MIDDLE}\r\nisready\r\n".encode())
    engine.settle()
    engine.game = engine.game_of(MIDDLE)
    engine.expect_position()
    engine.go("depth 1\r")


@step(STEPS)
def extra_blanks(engine: Candidate) -> None:
    """Words may be separated by more than one blank, and blanks may surround a line."""
    engine.expect_silence(f"  position \t startpos   moves  {'   '.join(OPENING)}  ")
    engine.game = engine.game_of(START, *OPENING)
    engine.expect_position()
    engine.go("  depth \t 1  ")


@step(STEPS)
def unknown_words(engine: Candidate) -> None:
    """Words that a command does not know are skipped."""
    engine.go("softly depth 1 please")


@step(STEPS, needs="isready")
def split_line(engine: Candidate) -> None:
    """A line may arrive in pieces."""
    for piece in (b"is", b"rea", b"dy"):
        engine.talk.send_bytes(piece)
        line = engine.talk.poll(0.01)
        require(line is None, f"half a line is answered with {quote(line or '')}")
    engine.talk.send_bytes(b"\n")
    engine.settle()


@step(STEPS)
def longest_line(engine: Candidate) -> None:
    """A line of 64 KiB is read."""
    line = f"position fen {MIDDLE}"
    engine.expect_silence(line + " " * (LONGEST - len(line)))
    engine.game = engine.game_of(MIDDLE)
    engine.expect_position()


@step(STEPS)
def overlong_line(engine: Candidate) -> None:
    """A line that is much longer is refused, and changes nothing."""
    engine.set_up(START, *OPENING)
    engine.expect_refusal(f"position fen {MIDDLE} moves {'x' * 4 * LONGEST}")
    engine.expect_position()


@step(STEPS)
def zero_bytes(engine: Candidate) -> None:
    """Bytes of zero do no harm."""
    _survives(engine, b"\0\n\0\0\0\nis\0ready\n\0quit\n")


@step(STEPS)
def invalid_bytes(engine: Candidate) -> None:
    """Bytes that are no UTF-8 do no harm."""
    _survives(
        engine, b"\xff\xfe\n\xc3(\nposition fen \xff w 1\nsetoption name \xed\xa0\x80\n\x1b[2J\n"
    )


@step(STEPS)
def foreign_letters(engine: Candidate) -> None:
    """Letters and digits of other scripts are not taken for our own."""
    _survives(engine, "position fen ＢｒＢｒ/6 w １\ngo２\nquıt\nｑｕｉｔ\n".encode())


def _survives(engine: Candidate, data: bytes) -> None:
    engine.set_up(START, *OPENING)
    engine.talk.send_bytes(data)
    engine.expect_silence()
    engine.expect_position()
