"""Steps: what an engine says of its position: legal, d and eval; and bench."""

import re
from typing import Any

from thrive_engine.conformance import samples
from thrive_engine.conformance.candidate import Candidate, first_word, is_remark, require
from thrive_engine.conformance.samples import MIDDLE, NO_HOLE, OPENING, ROUND, START
from thrive_engine.conformance.step import Step, step
from thrive_engine.errors import NotOfferedError, quote

STEPS: list[Step] = []
BENCHES = 6
"""How much longer a bench may take than any other answer."""
LONGEST = 4096
"""The characters of a line that ``legal`` is answered with."""


@step(STEPS, needs="isready")
def legal_movements(engine: Candidate) -> None:
    """legal lists the movements."""
    engine.need("legal")
    for text in samples.GOING:
        engine.set_up(text)
        _compare(engine, "")


@step(STEPS, needs="isready")
def legal_pegs(engine: Candidate) -> None:
    """legal with a movement lists the pegs, and with a peg the other ones."""
    engine.need("legal")
    for text in (START, MIDDLE, *samples.SMALL):
        engine.set_up(text)
        draft = engine.game.position.draft
        for part in draft.choices[:4]:
            moved = draft.add(part)
            _compare(engine, str(moved))
            for peg in moved.choices[:2]:
                _compare(engine, str(moved.add(peg)))


@step(STEPS, needs="isready")
def legal_turn(engine: Candidate) -> None:
    """legal with a whole turn says so, in its canonical spelling."""
    engine.need("legal")
    for text in (START, *samples.SMALL):
        engine.set_up(text)
        turn = next(iter(engine.game.position.legal_turns))
        _compare(engine, str(turn))
    engine.set_up(START)
    said = engine.ask("legal a1a2+b1b+a2g")
    require(said[:1] == ["legal turn a1a2+a2g+b1b"], f"{quote('|'.join(said))} is not canonical")


@step(STEPS, needs="isready")
def legal_count(engine: Candidate) -> None:
    """legal count says how many turns there are, and none where the game is over."""
    engine.need("legal")
    for text in (*samples.GOING, *samples.OVER):
        engine.set_up(text)
        _expect(engine, "legal count", f"legal count {len(engine.game.position.legal_turns)}")
    engine.set_up(NO_HOLE, *ROUND, *ROUND)
    _expect(engine, "legal count", "legal count 0")


@step(STEPS, needs="isready")
def legal_check(engine: Candidate) -> None:
    """legal check says yes to legal turns, with the canonical spelling."""
    engine.need("legal")
    _expect(engine, "legal check a1a2+b1b+a2g", "legal yes a1a2+a2g+b1b")
    for text in samples.SMALL:
        engine.set_up(text)
        for turn in list(engine.game.position.legal_turns)[:20]:
            _expect(engine, f"legal check {turn}", f"legal yes {turn}")


@step(STEPS, needs="isready")
def legal_check_no(engine: Candidate) -> None:
    """legal check says no to illegal turns, in one line, and so does legal."""
    engine.need("legal")
    for turn in ("a1a3+a3gi", "a1a2+a2hi", "a1a2+a2g", "0000+a1gi", "a1xa2+a2gi", "nonsense", ""):
        _expect_no(engine, f"legal check {turn}")
    for draft in ("a1a3", "a1a2+a2h", "a1a2+a2gij", "nonsense"):
        _expect_no(engine, f"legal {draft}")
    engine.set_up(samples.WHITE_CAPTURED)
    _expect_no(engine, "legal check f6f5+f5ab")


@step(STEPS, needs="isready")
def legal_over(engine: Candidate) -> None:
    """legal lists nothing where the game is over."""
    engine.need("legal")
    for start, turns in ((samples.WHITE_CAPTURED, ()), (NO_HOLE, ROUND * 2)):
        engine.set_up(start, *turns)
        _expect(engine, "legal", "legal end 0")


@step(STEPS, needs="isready")
def d_position(engine: Candidate) -> None:
    """d says the position, its key and the number of its turns."""
    engine.need("d")
    for start, turns in (*((text, ()) for text in samples.GOING), (START, OPENING)):
        engine.set_up(start, *turns)
        said, position = engine.read_fields("d"), engine.game.position
        _expect_field(said, "Fen", str(position))
        _expect_field(said, "Turns", str(len(position.legal_turns)))
        key = said.get("Key", "")
        require(bool(re.fullmatch("[0-9a-fA-F]+", key)), f"Key: {quote(key)} is not hexadecimal")


@step(STEPS, needs="isready")
def d_result(engine: Candidate) -> None:
    """d says how the game ended."""
    engine.need("d")
    _expect_result(engine, START)
    for text in samples.OVER:
        _expect_result(engine, text)
    _expect_result(engine, samples.OWN_CAPTURE, "a1a2")
    _expect_result(engine, samples.TWO_THREE, "a1b2")
    _expect_result(engine, samples.TWO_TWO, "a1a2+a2cw")
    _expect_result(engine, NO_HOLE, *ROUND, *ROUND)


@step(STEPS, needs="isready")
def eval_answered(engine: Candidate) -> None:
    """eval is answered in any position, also where the game is over."""
    engine.need("eval")
    for text in (*samples.GOING, *samples.OVER):
        engine.set_up(text)
        require(bool(engine.ask("eval")), f"nothing is said to eval in {text}")


@step(STEPS, needs="unknown-command")
def bench_counts(engine: Candidate) -> None:
    """bench says how many nodes it searched."""
    engine.talk.send("bench", "isready")
    said = engine.until("readyok")[:-1]
    if said and all(map(is_remark, said)):
        raise NotOfferedError("bench is not offered")
    if not any(first_word(line) == "Nodes" for line in said):
        said += engine.until("Nodes", BENCHES * engine.deadlines.answer)
    counts = [line for line in said if re.fullmatch(r"Nodes searched: [0-9]+", line)]
    require(len(counts) == 1, "no line 'Nodes searched:' with a number")
    engine.ask()


def _compare(engine: Candidate, text: str) -> None:
    """What is listed after a half-built turn must be what the rules allow."""
    draft = engine.rules.parse_draft(text, engine.game.position)
    said = engine.ask(f"legal {text}".strip())
    where = f"legal {text}".strip() + f" in {engine.game.position}"
    require(all(len(line) <= LONGEST for line in said), f"{where}: a line is over 4 KiB long")
    listed = [word for line in said[:-1] for word in line.split()[2:]]
    kinds = {tuple(line.split()[:2]) for line in said[:-1]}
    _compare_parts(where, draft, listed, kinds)
    end = f"legal end {len(draft.choices)}"
    require(said[-1:] == [end], f"{where}: the last line is not {end}")


def _compare_parts(where: str, draft: Any, listed: list[str], kinds: set[tuple[str, ...]]) -> None:
    expected = sorted(map(str, draft.choices)) if draft.turn is None else [str(draft.turn)]
    kind = draft.stage or "turn"
    require(kinds == {("legal", kind)}, f"{where}: every line but the last begins legal {kind}")
    for name, parts in (
        ("missing", set(expected) - set(listed)),
        ("wrong", set(listed) - set(expected)),
    ):
        require(not parts, f"{where}: {name}: {quote(' '.join(sorted(parts)))}")
    require(len(listed) == len(expected), f"{where}: something is listed twice")


def _expect(engine: Candidate, sent: str, expected: str) -> None:
    said = engine.ask(sent)
    where = f"{sent} in {engine.game.position}"
    require(said == [expected], f"{where}: {quote('|'.join(said))}, not {quote(expected)}")


def _expect_no(engine: Candidate, sent: str) -> None:
    said = engine.ask(sent)
    is_no = len(said) == 1 and said[0].startswith("legal no ")
    require(is_no, f"{sent}: {quote('|'.join(said))} is not one line 'legal no' and why")


def _expect_field(said: dict[str, str], name: str, expected: str) -> None:
    require(name in said, f"d has no line '{name}:'")
    require(said[name] == expected, f"{name}: {quote(said[name])}, not {expected}")


def _expect_result(engine: Candidate, start: str, *turns: str) -> None:
    engine.set_up(start, *turns)
    outcome = engine.game.outcome
    expected = "*" if outcome is None else outcome.result
    said = engine.read_fields("d").get("Result", "")
    require(said.split()[:1] == [expected], f"Result: {quote(said)}, not {expected}")
