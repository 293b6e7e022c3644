"""Steps: options, and what is refused as their value."""

from collections.abc import Iterator

from thrive_engine.conformance.candidate import Candidate, require, set_to_default
from thrive_engine.conformance.step import Step, step
from thrive_engine.errors import NotOfferedError
from thrive_engine.lines import Option, parse_info

STEPS: list[Step] = []


@step(STEPS, needs="isready")
def option_unknown(engine: Candidate) -> None:
    """An option that there is not is refused, and so is a line that names none."""
    engine.expect_refusal("setoption name No Such Option value 1")
    engine.expect_refusal("setoption")


@step(STEPS, needs="isready")
def option_defaults(engine: Candidate) -> None:
    """Every option takes its own default, by its name in lower case too."""
    for option in engine.options.values():
        # A string may be the name of a file, which would be written.
        if option.type in ("check", "spin", "combo"):
            engine.expect_silence(set_to_default(option).lower(), set_to_default(option))


@step(STEPS, needs="isready")
def option_range(engine: Candidate) -> None:
    """A number out of an option's range is refused."""
    for option in _of_type(engine, "spin"):
        for value in (_below(option), _above(option), 10**17):
            engine.expect_refusal(f"setoption name {option.name} value {value}")


@step(STEPS, needs="isready")
def option_number(engine: Candidate) -> None:
    """What is no whole number is refused as the value of a spin."""
    for option in _of_type(engine, "spin"):
        for value in ("many", "1.5", "0x10", "1e3", ""):
            engine.expect_refusal(f"setoption name {option.name} value {value}")
        engine.expect_refusal(f"setoption name {option.name}")


@step(STEPS, needs="isready")
def option_check(engine: Candidate) -> None:
    """A check is true or false, and nothing else."""
    for option in _of_type(engine, "check"):
        name = option.name
        engine.expect_silence(f"setoption name {name} value true")
        engine.expect_silence(f"setoption name {name} value false")
        for value in ("maybe", "1"):
            engine.expect_refusal(f"setoption name {name} value {value}")
        engine.expect_silence(set_to_default(option))


@step(STEPS, needs="isready")
def option_combo(engine: Candidate) -> None:
    """A combo takes each of its words, in upper and lower case, and no other."""
    for option in _of_type(engine, "combo"):
        for choice in option.choices:
            engine.expect_silence(f"setoption name {option.name} value {choice.upper()}")
        engine.expect_refusal(f"setoption name {option.name} value no such choice")
        engine.expect_silence(set_to_default(option))


@step(STEPS, needs="isready")
def option_button(engine: Candidate) -> None:
    """The button Clear Hash can be pressed."""
    option = engine.option("Clear Hash")
    require(option.type == "button", "Clear Hash is no button")
    engine.expect_silence("setoption name Clear Hash")


@step(STEPS)
def option_kept(engine: Candidate) -> None:
    """After a refusal the old value stays: MultiPV is neither bent nor forgotten."""
    option = engine.option("MultiPV")
    with engine.setting("MultiPV", 2):
        for value in (_above(option), _below(option), "two"):
            engine.expect_refusal(f"setoption name MultiPV value {value}")
            numbers = {parse_info(line).multipv for line in engine.search("depth 1").infos}
            shown = ", ".join(map(str, sorted(numbers)))
            require(max(numbers, default=0) == 2, f"MultiPV was 2, but {shown} are shown")


def _of_type(engine: Candidate, kind: str) -> Iterator[Option]:
    options = [option for option in engine.options.values() if option.type == kind]
    if not options:
        raise NotOfferedError(f"there is no option of type {kind}")
    yield from options


def _below(option: Option) -> int:
    return (option.min or 0) - 1


def _above(option: Option) -> int:
    return (option.max or 0) + 1
