"""An option that takes several words: ``--engine cmd=./mine name=mine option.Hash=64``."""

import shlex

import click

_ENGINE = "--engine"


class EngineWords(click.Command):
    """A command whose option ``--engine`` takes all words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _gather(args))


def _gather(args: list[str]) -> list[str]:
    """The arguments with the words of each engine joined to one, as a shell would write them."""
    gathered: list[str] = []
    words: list[str] | None = None
    for arg in args:
        if words is not None and not arg.startswith("-"):
            words.append(arg)
            gathered[-1] = shlex.join(words)
        elif arg == _ENGINE:
            words = []
            gathered += [_ENGINE, ""]
        elif arg.startswith(f"{_ENGINE}="):
            words = [arg.removeprefix(f"{_ENGINE}=")]
            gathered += [_ENGINE, shlex.join(words)]
        else:
            words = None
            gathered.append(arg)
    return gathered
