"""Tests whether an engine, anyone's, keeps spec/protocol.md and the rules.

``run`` starts the engine and takes it through STEPS, one after the other. A step that fails ends
the engine's process, and the next begins with a new one; what an engine does not offer is skipped.
"""

import asyncio
from collections.abc import Generator, Sequence
from time import perf_counter

from thrive_engine.client.process import Command, split_command
from thrive_engine.conformance import (
    counting,
    ending,
    grammar,
    handshake,
    infos,
    legality,
    options,
    positions,
    searching,
    ugi,
)
from thrive_engine.conformance.candidate import Candidate, Deadlines
from thrive_engine.conformance.step import Status, Step, StepResult
from thrive_engine.errors import ConformanceError, NotOfferedError, ProtocolError, TextError

STEPS: tuple[Step, ...] = (
    *handshake.STEPS,
    *searching.STEPS,
    *infos.STEPS,
    *grammar.STEPS,
    *options.STEPS,
    *positions.STEPS,
    *counting.STEPS,
    *legality.STEPS,
    *ugi.STEPS,
    *ending.STEPS,
)
"""Every step in its order; what a step needs comes before it."""


def run(
    command: Command, *, steps: Sequence[Step] = STEPS, deadlines: Deadlines | None = None
) -> Generator[StepResult, None, None]:
    """Take an engine through the steps; ValueError for a command that is none.

    At the end, and also when the iterator is closed, no process is left.
    """
    words = split_command(command)
    unmet: set[str] = set()
    with asyncio.Runner() as runner:
        engine = Candidate(words, runner, deadlines or Deadlines())
        try:
            for step in steps:
                result = _skipped(step) if step.needs in unmet else _run(step, engine)
                if result.status is Status.FAIL or step.needs in unmet:
                    unmet.add(step.name)
                yield result
        finally:
            engine.close()


def _skipped(step: Step) -> StepResult:
    return StepResult(step.name, Status.SKIP, f"it needs {step.needs}", (), 0.0)


def _run(step: Step, engine: Candidate) -> StepResult:
    began = perf_counter()
    status, reason = Status.OK, ""
    try:
        if step.needs:
            engine.begin()
        step.check(engine)
    except NotOfferedError as error:
        status, reason = Status.SKIP, str(error)
    except (ConformanceError, ProtocolError, TextError) as error:
        status, reason = Status.FAIL, str(error)
    dialogue = engine.record()
    if status is Status.FAIL:
        engine.close()
    return StepResult(step.name, status, reason, dialogue, perf_counter() - began)


__all__ = ["STEPS", "Deadlines", "Status", "Step", "StepResult", "run"]
