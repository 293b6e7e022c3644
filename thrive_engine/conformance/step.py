"""What a step of the conformance test is, and how a module makes its list of them."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from thrive_engine.conformance.candidate import Candidate

Check = Callable[[Candidate], None]


class Status(Enum):
    """How a step ended; a step is skipped where the engine does not offer what it tests."""

    OK = "ok"
    FAIL = "fail"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is tested. It needs the step of a name: where that fails, it is skipped."""

    name: str
    description: str
    needs: str
    check: Check


@dataclass(frozen=True, slots=True)
class StepResult:
    """How a step ended, and why; the dialogue is bounded and printable anywhere."""

    name: str
    status: Status
    reason: str
    dialogue: tuple[str, ...]
    seconds: float


def step(steps: list[Step], needs: str = "go-depth") -> Callable[[Check], Check]:
    """Adds a function to a list of steps: its name, and the first line of its docstring."""

    def add(check: Check) -> Check:
        description = (check.__doc__ or "").partition("\n")[0]
        steps.append(Step(check.__name__.replace("_", "-"), description, needs, check))
        return check

    return add
