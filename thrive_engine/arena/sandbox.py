"""What keeps a stranger's engine from harm: limits of the system, or a world of its own.

``limits`` is for all engines: every one runs in a session of its own and dies with the arena, with
all that it started (client/supervisor.py does that), and its memory, its files and their size are
limited. ``bwrap`` is more, by bubblewrap: no network, no home, processes of its own, and of the
file system only the system's programs and the engine's own folder, which it can't write.
"""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path

from thrive_engine.errors import ArenaError, shorten

KINDS = ("limits", "bwrap")
MOST_FILES = 256
LARGEST_FILE = 1 << 30

_PACKAGE = Path(__file__).parent.parent
_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache",
    "/etc/localtime",
)  # fmt: skip
_OWN = "/tmp"  # noqa: S108 it is the sandbox's own
_WORLD = (
    "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
    "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", _OWN,
    "--proc", "/proc", "--dev", "/dev", "--tmpfs", _OWN,
)  # fmt: skip
_SECONDS = 10.0
_HOPS = 20


def confine(command: tuple[str, ...], kind: str, cwd: str | None = None) -> tuple[str, ...]:
    """The command that runs a command within a sandbox, or ArenaError. See also ``limits``."""
    if kind == "limits":
        return command
    if kind != "bwrap":
        raise ArenaError(f"sandbox {kind!r}: it is one of {', '.join(KINDS)}")
    bwrap = _find_bwrap()
    folder = Path(cwd).absolute() if cwd is not None else None
    program = _find_program(command[0], folder)
    seen = list(dict.fromkeys(map(str, _seen(program, command[1:], folder))))
    binds = [word for path in seen for word in ("--ro-bind-try", path, path)]
    where = str(folder) if folder is not None and str(folder) in seen else _OWN
    return (bwrap, *_WORLD, *_python(), *binds, "--chdir", where, "--", program, *command[1:])


def limits(memory: int) -> Mapping[int, int]:
    """The limits of an engine's processes; ``memory`` is in megabytes."""
    return {
        resource.RLIMIT_AS: memory << 20,
        resource.RLIMIT_NOFILE: MOST_FILES,
        resource.RLIMIT_FSIZE: LARGEST_FILE,
        resource.RLIMIT_CORE: 0,
    }


def _python() -> tuple[str, ...]:
    """Where Python looks for modules, if it was told: our own engine may be found only there."""
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    path = os.pathsep.join(os.path.abspath(folder) for folder in given if folder)
    return ("--setenv", "PYTHONPATH", path) if path else ()


def _find_bwrap() -> str:
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise ArenaError("sandbox bwrap: bubblewrap (bwrap) is not installed")
    trouble = _try(bwrap)
    if trouble:
        raise ArenaError(f"sandbox bwrap: bubblewrap can't run here: {trouble}")
    return bwrap


@lru_cache
def _try(bwrap: str) -> str:
    """Why bubblewrap can't make a sandbox: some systems let only root do so, or nobody."""
    binds = [word for path in _SYSTEM for word in ("--ro-bind-try", path, path)]
    try:
        done = subprocess.run(  # noqa: S603
            [bwrap, *_WORLD, *binds, "--", "true"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return shorten(str(error))
    if done.returncode == 0:
        return ""
    words = done.stderr.decode(errors="replace").split("\n")[0]
    return shorten(words) or f"exit code {done.returncode}"


def _find_program(word: str, folder: Path | None) -> str:
    """The program's path: the sandbox has another PATH than we have."""
    if "/" not in word:
        return shutil.which(word) or word
    return str((folder or Path.cwd()) / word)


def _seen(program: str, arguments: tuple[str, ...], folder: Path | None) -> Iterator[Path]:
    """What can be read in the sandbox, the widest first."""
    yield from map(Path, _SYSTEM)
    yield from (Path(sys.base_prefix), Path(sys.prefix), _PACKAGE)
    if folder is not None and not _is_too_wide(folder):
        yield folder
    files = (Path(folder or Path.cwd()) / word for word in arguments)
    named = chain([Path(program)], (path for path in files if path.is_file()))
    for path in chain.from_iterable(map(_hops, named)):
        prefix = path.parent.parent
        if path.parent.name == "bin" and not _is_too_wide(prefix):
            yield prefix
        else:
            yield path if _is_too_wide(path.parent) else path.parent


def _hops(path: Path) -> Iterator[Path]:
    """A path, and what it leads to: the python of a virtual environment is a link to another."""
    for _ in range(_HOPS):
        yield path
        if not path.is_symlink():
            return
        path = Path(os.path.normpath(path.parent.resolve() / path.readlink()))


def _is_too_wide(folder: Path) -> bool:
    """Whether a folder has the home in it, or everybody's files: no more is shown than must be."""
    folder = folder.resolve()
    return any(folder in (inner, *inner.parents) for inner in (Path.home().resolve(), Path(_OWN)))
