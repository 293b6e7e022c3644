"""Stands in for the package ``cython`` where it is missing: the kernel then runs as it is written.

Of Cython the kernel uses only names of types, and decorators that change nothing in Python.
"""

from collections.abc import Callable
from typing import Any, TypeVar

compiled = False
T = TypeVar("T")


class _Type:
    """A name for a C type; ``int[12]`` is one too."""

    def __getitem__(self, size: object) -> "_Type":
        return self


int = uint = short = uchar = bint = ulonglong = void = _Type()
p_int = p_short = p_uchar = p_ulonglong = _Type()


def cclass(thing: T) -> T:
    return thing


final = cfunc = ccall = nogil = inline = cclass


def exceptval(*_: Any, **__: Any) -> Callable[[T], T]:
    return cclass
