"""The small process between a client and an engine: it starts the engine and ends its whole tree.

process.py runs this file as a script: ``supervisor.py CONTROL PARENT LIMITS CPUS COMMAND...``. The
engine inherits the three standard streams, so that not a byte of the dialogue passes through here.
CONTROL is a socket to the client, which is told ``started <pid>`` or ``failed <errno>``, then
``exited <code>``; it is closed when the last process of the tree is gone. The client says ``T`` to
terminate the tree and ``K`` to kill it. When it closes the socket, or when the process PARENT is no
more, even by SIGKILL, the tree is terminated and shortly afterwards killed.

On Linux the supervisor adopts what the engine leaves behind (processes that forked twice or left
the engine's group included), and the engine dies with it. Elsewhere only the engine's process group
is ended. Nothing is imported from the package, and little else: every engine waits for this.
"""

import ctypes
import os
import resource
import select
import signal
import sys
from collections.abc import Callable, Iterator
from time import monotonic

GRACE = 0.5
"""The seconds between TERM and KILL where there is no client any more."""
_SET_DEATH_SIGNAL = 1
_SET_CHILD_SUBREAPER = 36


def main(control: int, parent: int, limits: str, cpus: str, *command: str) -> None:
    """Run the command until the last process of its tree has ended."""
    os.set_inheritable(control, False)
    waker = _wake_on_child()
    prctl = _find_prctl()
    prctl(_SET_CHILD_SUBREAPER, 1)
    engine, failure = _spawn(command, limits, cpus, prctl)
    _leave_streams()
    if failure:
        os.write(control, b"failed %d\n" % failure)
        return
    tree = Tree(engine, control)
    tree.tell(b"started %d\n" % engine)
    tree.watch(waker, parent)


class Tree:
    """An engine and all that it started."""

    def __init__(self, engine: int, control: int) -> None:
        self._engine = engine
        self._control = control

    def tell(self, message: bytes) -> None:
        """Tell the client; one that is gone shows when the control is read."""
        try:
            os.write(self._control, message)
        except OSError:
            return

    def watch(self, waker: int, parent: int) -> None:
        """Reap, and obey the client, until nothing is left."""
        poll = select.poll()
        for source in (self._control, waker, *_watch_process(parent)):
            poll.register(source, select.POLLIN)
        while self._reap(os.WNOHANG):
            ready = [source for source, _ in poll.poll()]
            if ready == [waker]:
                os.read(waker, 4096)
                continue
            order = self._order() if self._control in ready else b""
            if order != b"K":
                self._signal(signal.SIGTERM)
            if not order:
                self._outlive(waker)
            if order != b"T":
                self._kill()

    def _order(self) -> bytes:
        try:
            return os.read(self._control, 1)
        except ConnectionError:
            return b""

    def _outlive(self, waker: int) -> None:
        """Give the tree of a client that is gone a moment to end by itself."""
        poll = select.poll()
        poll.register(waker, select.POLLIN)
        end = monotonic() + GRACE
        while self._reap(os.WNOHANG) and (left := end - monotonic()) > 0:
            if poll.poll(left * 1000):
                os.read(waker, 4096)

    def _kill(self) -> None:
        """Kill until nothing is left: whoever loses its parent becomes a child of ours."""
        self._signal(signal.SIGKILL)
        while self._reap(0):
            self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        """To the engine's group, and to our children, whose pids are theirs until we reap them."""
        for send, target in ((os.killpg, self._engine), *((os.kill, pid) for pid in _children())):
            try:
                send(target, number)
            except (ProcessLookupError, PermissionError):
                continue

    def _reap(self, flags: int) -> bool:
        """Collect what has ended, at least one process without WNOHANG; whether any is left."""
        try:
            pid, status = os.waitpid(-1, flags)
            while pid:
                if pid == self._engine:
                    self.tell(b"exited %d\n" % os.waitstatus_to_exitcode(status))
                pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        return True


Prctl = Callable[[int, int], object]


def _spawn(command: tuple[str, ...], limits: str, cpus: str, prctl: Prctl) -> tuple[int, int]:
    """The engine's pid, and the errno of what kept it from starting, or 0."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            _become(command, limits, cpus, prctl)
        except OSError as error:
            os.write(writing, b"%d" % (error.errno or 0))
        finally:
            os._exit(127)
    os.close(writing)
    failure = int(os.read(reading, 16) or 0)
    os.close(reading)
    return pid, failure


def _become(command: tuple[str, ...], limits: str, cpus: str, prctl: Prctl) -> None:
    """In the child: a session of its own, no way to outlive us, the limits, and the engine."""
    os.setsid()
    prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    if limits:
        _limit(limits)
    if cpus:
        _pin(cpus)
    os.execvp(command[0], command)  # noqa: S606


def _limit(limits: str) -> None:
    """Set the limits ``<number>=<value>,...``; none can be raised above what holds already."""
    for entry in limits.split(","):
        number, value = map(int, entry.split("="))
        most = resource.getrlimit(number)[1]
        least = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(number, (least, least))


def _pin(cpus: str) -> None:
    """Run on these processors ``<number>,...``, where the system has that and has them."""
    if sys.platform != "linux":
        return
    try:
        os.sched_setaffinity(0, map(int, cpus.split(",")))
    except OSError:
        return


def _find_prctl() -> Prctl:
    """Linux's prctl, or a function that does nothing."""
    if sys.platform != "linux":
        return lambda _option, _value: None
    prctl: Prctl = ctypes.CDLL(None).prctl
    return prctl


def _wake_on_child() -> int:
    """A pipe that can be read after a child has ended."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    return reading


def _leave_streams() -> None:
    """Let go of the engine's streams: their ends must be seen when the engine closes them."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def _watch_process(pid: int) -> list[int]:
    """What can be read after the process has ended, where the system has that.

    The client's socket is closed with it, unless the client has forked: a fork holds it too.
    """
    if sys.platform != "linux":
        return []
    try:
        return [os.pidfd_open(pid)]
    except OSError:
        return []


def _children() -> Iterator[int]:
    """Our children, as /proc shows them; none where there is no /proc."""
    me = str(os.getpid())
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    stat = file.read().decode("latin-1")
            except OSError:
                continue
            if stat.rpartition(")")[2].split()[1] == me:
                yield int(name)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
    os._exit(0)
