"""Steps: how an engine ends."""

from thrive_engine.client.process import describe_exit
from thrive_engine.conformance.candidate import AT_ONCE, PAUSE, Candidate, first_word, require
from thrive_engine.conformance.step import Step, step
from thrive_engine.errors import ConformanceError

STEPS: list[Step] = []


@step(STEPS, needs="isready")
def quit_idle(engine: Candidate) -> None:
    """quit ends the process."""
    engine.talk.send("quit")
    _expect_exit(engine)


@step(STEPS)
def quit_in_search(engine: Candidate) -> None:
    """quit in a search has it answered, and ends the process."""
    engine.begin_go("infinite")
    engine.talk.poll(PAUSE)
    engine.talk.send("quit")
    _expect_exit(engine)
    _expect_said(engine, "bestmove")


@step(STEPS, needs="isready")
def end_of_input(engine: Candidate) -> None:
    """The end of input ends the process."""
    engine.talk.close_input()
    _expect_exit(engine)


@step(STEPS)
def end_of_input_in_search(engine: Candidate) -> None:
    """The end of input in a search has it answered, and ends the process."""
    engine.begin_go("infinite")
    engine.talk.poll(PAUSE)
    engine.talk.close_input()
    _expect_exit(engine)
    _expect_said(engine, "bestmove")


@step(STEPS, needs="isready")
def end_of_input_in_line(engine: Candidate) -> None:
    """A last line without a line end is still read."""
    engine.talk.send_bytes(b"isready")
    engine.talk.close_input()
    _expect_exit(engine)
    _expect_said(engine, "readyok")


def _expect_exit(engine: Candidate) -> None:
    if not engine.talk.wait_for_exit(AT_ONCE):
        raise ConformanceError(f"it still runs after {AT_ONCE:g} s")
    code = engine.talk.code
    assert code is not None
    require(code >= 0, f"it {describe_exit(code)}")


def _expect_said(engine: Candidate, word: str) -> None:
    said = []
    while (line := engine.talk.poll(0.0)) is not None:
        said.append(first_word(line))
    require(word in said, f"no {word} before it ended")
