"""An attribute that is worked out when it is first asked for, and then kept.

Enters: a method without arguments. Leaves: its result, as an attribute of the object. For objects that no longer change
when they are asked. Unlike `functools.cached_property` of Python 3.11 it takes no lock: this runs for every scenario.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Result = TypeVar("Result")


class cached(Generic[Result]):  # noqa: N801 - read as a decorator
    """Decorates a method of a class with a dictionary; the result lands in the object's own dictionary."""

    def __init__(self, method: Callable[[Any], Result]) -> None:
        self._method = method
        self._name = method.__name__
        self.__doc__ = method.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> cached[Result]: ...

    @overload
    def __get__(self, owner: object, kind: type) -> Result: ...

    def __get__(self, owner: Any, kind: type) -> Any:
        if owner is None:
            return self
        result = owner.__dict__[self._name] = self._method(owner)
        return result
