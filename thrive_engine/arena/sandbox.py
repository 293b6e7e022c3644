"""What keeps a stranger's engine from harm: limits of the system, or a world of its own."""

import resource
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from thrive_engine.errors import ArenaError

KINDS = ("limits", "bwrap")
MOST_FILES = 256
LARGEST_FILE = 1 << 30


def confine(command: tuple[str, ...], kind: str) -> tuple[str, ...]:
    """The command that runs a command within a sandbox, or ArenaError."""
    if kind == "limits":
        return command
    if kind != "bwrap":
        raise ArenaError(f"sandbox {kind!r}: it is one of {', '.join(KINDS)}")
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise ArenaError("--sandbox bwrap: bubblewrap (bwrap) is not installed")
    return (bwrap, *_world(command), "--", *command)


def _world(command: tuple[str, ...]) -> list[str]:
    """No network, no home, own processes; the system and the engine's own folder, to be read."""
    seen = ["/usr", "/etc/alternatives", "/bin", "/lib", "/lib64", "/lib32", "/sbin", "/opt"]
    seen += [sys.prefix, sys.base_prefix]
    words = (shutil.which(command[0]) or command[0], *command[1:])
    seen += [
        str(Path(word).resolve().parent) for word in words if "/" in word and Path(word).is_file()
    ]
    options = ["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
    options += ["--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HOME", "/tmp"]  # noqa: S108
    options += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]  # noqa: S108
    for path in dict.fromkeys(seen):
        options += ["--ro-bind-try", path, path]
    return [*options, "--chdir", "/tmp"]  # noqa: S108


def limits(memory: int) -> Mapping[int, int]:
    """The limits of an engine's processes; ``memory`` is in megabytes."""
    return {
        resource.RLIMIT_AS: memory << 20,
        resource.RLIMIT_NOFILE: MOST_FILES,
        resource.RLIMIT_FSIZE: LARGEST_FILE,
        resource.RLIMIT_CORE: 0,
    }
