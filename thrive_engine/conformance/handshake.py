"""Steps: the beginning of a dialogue."""

from thrive_engine.conformance.candidate import Candidate, first_word, is_remark, require
from thrive_engine.conformance.step import Step, step
from thrive_engine.errors import quote
from thrive_engine.lines import Option, parse_option

STEPS: list[Step] = []


@step(STEPS, needs="")
def uci(engine: Candidate) -> None:
    """The engine starts, and answers uci with uciok."""
    engine.restart()


@step(STEPS, needs="uci")
def isready(engine: Candidate) -> None:
    """isready is answered with readyok, and nothing else."""
    engine.expect_silence()


@step(STEPS, needs="isready")
def uci_id(engine: Candidate) -> None:
    """Lines id name and id author say who it is and who made it."""
    for key in ("name", "author"):
        told = [line.split(maxsplit=2) for line in engine.greeting if line.startswith("id ")]
        require(any(words[1:2] == [key] and len(words) == 3 for words in told), f"no id {key}")


@step(STEPS, needs="isready")
def uci_lines(engine: Candidate) -> None:
    """Nothing but id, option and info string comes before uciok."""
    for line in engine.greeting:
        known = first_word(line) in ("id", "option") or is_remark(line)
        require(known, f"{quote(line)} is no line that uci is answered with")


@step(STEPS, needs="isready")
def uci_options(engine: Candidate) -> None:
    """Every option has a name of its own, a known type, and a default that it can have."""
    names: set[str] = set()
    for line in engine.greeting:
        if first_word(line) == "option":
            option = parse_option(line)
            require(option.name.lower() not in names, f"option {option.name} is declared twice")
            names.add(option.name.lower())
            _check_option(option)


def _check_option(option: Option) -> None:
    if option.type == "spin":
        least, most = option.min, option.max
        require(
            least is not None and most is not None and least <= most,
            f"option {option.name}: a spin has a min and a max",
        )
    if option.type == "combo":
        require(bool(option.choices), f"option {option.name}: a combo has choices")
    if option.type != "button":
        require(option.default is not None, f"option {option.name}: there is no default")


@step(STEPS, needs="isready")
def uci_variant(engine: Candidate) -> None:
    """The option UCI_Variant is a combo that lists the game."""
    name = engine.rules.name
    option = engine.options.get("uci_variant")
    if option is None or option.type != "combo" or name not in option.choices:
        require(False, f"no option UCI_Variant of type combo with var {name}")


@step(STEPS, needs="isready")
def uci_again(engine: Candidate) -> None:
    """uci can be sent again, and is answered alike."""
    engine.talk.send("uci")
    again = engine.until("uciok")[:-1]
    declared = [line for line in engine.greeting if first_word(line) in ("id", "option")]
    said = [line for line in again if first_word(line) in ("id", "option")]
    require(said == declared, "the second answer to uci differs from the first")


@step(STEPS, needs="isready")
def isready_many(engine: Candidate) -> None:
    """A hundred isready in one piece are answered with a hundred readyok."""
    engine.talk.send(*["isready"] * 100)
    for _ in range(100):
        engine.settle()
    engine.expect_silence()


@step(STEPS, needs="isready")
def debug(engine: Candidate) -> None:
    """debug on and debug off are understood."""
    engine.expect_silence("debug on")
    engine.expect_silence("debug off")
