"""The command line, ``thrive``: a module here for each command, loaded when it is called."""

from importlib import import_module

import click

from thrive_engine.errors import ThriveEngineError
from thrive_engine.search.life import life
from thrive_engine.version import VERSION

COMMANDS = {
    "show": "Print a position, how the game stands, and the number of turns.",
    "convert": "Check record files and write them canonically.",
    "play": "Play a game in the terminal against an engine.",
    "analyze": "Show the best turns of positions.",
    "bench": "Search fixed positions, and tell the signature and the speed.",
    "check": "Test whether engines keep the protocol and the rules.",
    "arena": "Let engines compete, and keep all that they did.",
}
"""Every command with the first line of its help, so that --help need not load them."""


class Commands(click.Group):
    """The commands by name; any error of ours ends one with a line on stderr and exit code 1."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"{__name__}.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (ThriveEngineError, OSError) as error:
            if isinstance(error, BrokenPipeError):
                raise
            raise click.ClickException(str(error)) from None


def _print_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(f"thrive-engine {VERSION} ({life()})")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Thrive, the board game: show positions, play, analyse, and run engines."""
