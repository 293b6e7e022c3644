"""``thrive check``: does an engine keep the protocol and the rules?"""

import json
from collections import Counter
from collections.abc import Iterable
from contextlib import closing

import click

from thrive_engine.cli import COMMANDS
from thrive_engine.cli.types import Misuse
from thrive_engine.client.process import split_command
from thrive_engine.conformance import STEPS, Status, StepResult, run
from thrive_engine.errors import quote, shorten

HELP = f"""{COMMANDS["check"]}

ENGINE is a command line, quoted where it has more than one word: "stockfish",
"python3 my_engine.py --fast". It is started without a shell.

A line is printed for each step: ok; FAIL, with the reason and the dialogue that led to it; or skip,
where the engine does not offer what the step tests, which is no failure. In a dialogue ">" is what
the engine was sent, "<" what it said, and "!" what it wrote to standard error.

The exit code is 0 where no step failed, and else 1.
"""
MARKS = {Status.OK: "ok  ", Status.FAIL: "FAIL", Status.SKIP: "skip"}
SUMS = {Status.OK: "ok", Status.FAIL: "failed", Status.SKIP: "skipped"}


@click.command("check", help=HELP)
@click.argument("engines", metavar="ENGINE...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each step.")
@click.option("--list", "lists", is_flag=True, help="List the steps, and test nothing.")
def command(engines: tuple[str, ...], as_json: bool, lists: bool) -> None:
    if lists:
        _list_steps(as_json)
        return
    if not engines:
        raise click.UsageError("Missing argument 'ENGINE...'.")
    commands = [_split(engine) for engine in engines]
    show = _show_json if as_json else _show_text
    failed = False
    for engine, words in zip(engines, commands, strict=True):
        with closing(run(words)) as results:
            failed |= show(engine, results)
    if failed:
        raise SystemExit(1)


def _list_steps(as_json: bool) -> None:
    width = max(len(step.name) for step in STEPS)
    for step in STEPS:
        if as_json:
            click.echo(json.dumps({"step": step.name, "description": step.description}))
        else:
            click.echo(f"{step.name:{width}}  {step.description}")


def _split(engine: str) -> list[str]:
    try:
        return split_command(engine)
    except ValueError as error:
        raise Misuse(f"engine {quote(engine)}: {error}") from None


def _show_text(engine: str, results: Iterable[StepResult]) -> bool:
    """Print a line a step, and the sums; whether any failed."""
    counts: Counter[Status] = Counter()
    seconds = 0.0
    for result in results:
        counts[result.status] += 1
        seconds += result.seconds
        reason = f": {result.reason}" if result.reason else ""
        click.echo(f"{MARKS[result.status]} {result.name}{reason}")
        if result.status is Status.FAIL:
            for line in result.dialogue:
                click.echo(f"       {line}")
    sums = ", ".join(f"{counts[status]} {word}" for status, word in SUMS.items())
    click.echo(f"{shorten(engine)}: {sums}, in {seconds:.1f} s")
    return counts[Status.FAIL] > 0


def _show_json(engine: str, results: Iterable[StepResult]) -> bool:
    """Print an object a step; whether any failed."""
    failed = False
    for result in results:
        failed |= result.status is Status.FAIL
        shown = {
            "engine": engine,
            "step": result.name,
            "status": result.status.value,
            "reason": result.reason,
            "dialogue": result.dialogue,
            "seconds": round(result.seconds, 3),
        }
        click.echo(json.dumps(shown))
    return failed
