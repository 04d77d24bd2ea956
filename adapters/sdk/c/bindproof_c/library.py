"""A loaded C library: strings in and out, statuses as exceptions, and Python objects that it holds for us.

Enters: cffi's declarations and the library's conventions. Leaves: calls that raise. Must not know which functions the
library has, but for the few that its conventions are made of.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable as Function
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bindproof_c.texts import c_string, json_of, plain

Json = Any
Pointer = Any


@dataclass(frozen=True)
class Conventions:
    """How a library names what such libraries have."""

    prefix: str
    """Of all functions, among them `last_error`, `set_last_error_message` and `string_free`."""
    status: str
    """Its enum, in which 0 is OK."""
    free: str
    """The type of `free_fn`."""
    failed: str
    """The status of a callback that fails, without the enum's prefix."""


class StatusError(Exception):
    """A call that did not answer OK; `code` is its status, if it has one, the text its last error on this thread."""

    def __init__(self, code: str | None, message: str) -> None:
        super().__init__(message)
        self.code = code


class Library:
    """The library in `path`, by the declarations of `ffi`; `calls` has its functions."""

    def __init__(self, ffi: Any, path: Path, conventions: Conventions) -> None:
        self.ffi = ffi
        self.null = ffi.NULL
        self.libc = ffi.dlopen(None)
        self.calls = ffi.dlopen(str(path))
        self._symbols = ctypes.CDLL(str(path))
        self.free = ffi.callback(conventions.free, self._released)
        self._last_error = getattr(self.calls, f"{conventions.prefix}last_error")
        self._say = getattr(self.calls, f"{conventions.prefix}set_last_error_message")
        self._string_free = getattr(self.calls, f"{conventions.prefix}string_free")
        names: dict[int, str] = ffi.typeof(f"enum {conventions.status}").elements
        shared = next(name for number, name in names.items() if number == 0).removesuffix("OK")
        self._statuses = {number: name.removeprefix(shared) for number, name in names.items()}
        self._failed = next(number for number, name in self._statuses.items() if name == conventions.failed)
        self._held: dict[int, Any] = {}

    # -- calls --------------------------------------------------------------------------------------------------------

    def check(self, status: int) -> None:
        """Raise what a status other than OK means. Reads the last error: call it before anything else is called."""
        if status:
            raise StatusError(self.name_of(status), self.last_error() or "")

    def name_of(self, status: int) -> str:
        """Return a status's name."""
        return self._statuses.get(status, str(status))

    def last_error(self) -> str | None:
        """Return this thread's last error; the text stays the library's."""
        return self.text(self._last_error())

    def answer(self, function: Function[..., int], *arguments: Any) -> Json:
        """Call a function whose last argument is where it puts a JSON text; return the JSON."""
        out = self.ffi.new("char **")
        self.check(function(*arguments, out))
        return self.own(out[0])

    def function(self, name: str, undeclared: str) -> Function[..., int] | None:
        """Return a function of the library, or None where it has none of this name.

        One that the header does not declare has the type `undeclared`, as C writes a pointer to it.
        """
        declared: Function[..., int] | None = getattr(self.calls, name, None)
        return declared or self.cast(name, undeclared)

    def cast(self, name: str, kind: str) -> Function[..., int] | None:
        """Return a function of the library with a type that the header does not give it, or None where it has none."""
        symbol = getattr(self._symbols, name, None)
        found: Function[..., int] | None = None
        if symbol is not None:
            found = self.ffi.cast(kind, ctypes.cast(symbol, ctypes.c_void_p).value)
        return found

    # -- texts --------------------------------------------------------------------------------------------------------

    def text(self, borrowed: Pointer) -> str | None:
        """Return a copy of a text that stays the library's."""
        return self.ffi.string(borrowed).decode("utf-8") if borrowed else None

    def json(self, borrowed: Pointer) -> Json:
        """Return the JSON in a text that stays the library's."""
        return json_of(self.text(borrowed))

    def own(self, owned: Pointer) -> Json:
        """Return the JSON in a text that is ours, and free it."""
        try:
            return json_of(self.text(owned))
        finally:
            self._string_free(owned)

    def owned(self, owned: Pointer) -> str:
        """Return a text that is ours, and free it."""
        try:
            return self.text(owned) or ""
        finally:
            self._string_free(owned)

    def length(self, owned: Pointer) -> int:
        """Return how many bytes a text has that is ours, and free it."""
        try:
            return int(self.libc.strlen(owned)) if owned else 0
        finally:
            self._string_free(owned)

    def give(self, text: bytes | None) -> Pointer:
        """Return a text for the library to own; none is the null pointer."""
        return self.null if text is None else self.libc.strdup(text)

    def stated(self, step: Json, name: str) -> Any:
        """Return a member of a step as an argument that is JSON text: of null, the null pointer."""
        return self.null if step[name] is None else plain(step[name])

    def said(self, step: Json, name: str) -> Any:
        """Return a member of a step as an argument that is a text: of null, the null pointer."""
        return self.null if step[name] is None else c_string(name, step[name])

    def made(self, function: Function[..., int], kind: str, free: str, *arguments: Any) -> Pointer:
        """Call a function whose last argument is where it puts a handle; return that, freed when it is forgotten."""
        out = self.ffi.new(f"struct {kind} **")
        self.check(function(*arguments, out))
        return self.ffi.gc(out[0], getattr(self.calls, free))

    # -- user data ----------------------------------------------------------------------------------------------------

    def hold(self, thing: Any) -> tuple[Pointer, Pointer]:
        """Return user data that stands for `thing`, and its `free_fn`: it is kept alive until that is called."""
        handle = self.ffi.new_handle(thing)
        self._held[self._address(handle)] = handle
        return handle, self.free

    def held(self, user_data: Pointer) -> Any:
        """Return what user data stands for."""
        return self.ffi.from_handle(user_data)

    def _released(self, user_data: Pointer) -> None:
        if self._held.pop(self._address(user_data), None) is None:
            sys.stderr.write("free_fn was called for user data that is not held\n")

    def _address(self, pointer: Pointer) -> int:
        return int(self.ffi.cast("uintptr_t", pointer))

    # -- callbacks ----------------------------------------------------------------------------------------------------

    def callback(self, kind: str, function: Function[..., Any]) -> Pointer:
        """Return a C function of type `kind` that calls `function` with what the user data stands for, and the rest.

        It has to live as long as the library may call it. No exception may leave it: see `answering` and `writing`.
        """
        return self.ffi.callback(kind, lambda user_data, *rest: function(self.held(user_data), *rest))

    def bare(self, kind: str, function: Function[..., Any]) -> Pointer:
        """Return a C function of type `kind` that calls `function`, where the library hands over no user data."""
        return self.ffi.callback(kind, function)

    def answering(self, function: Function[..., bytes | None]) -> Function[..., Pointer]:
        """Make a callback that answers with a text: null, and the reason as the last error, where `function` raises."""
        return self.pointing(lambda *arguments: self.give(function(*arguments)))

    def pointing(self, function: Function[..., Pointer]) -> Function[..., Pointer]:
        """Make a callback that answers with a pointer: null, and the reason as the last error, where that raises."""

        def answer(*arguments: Any) -> Pointer:
            try:
                return function(*arguments)
            except BaseException as error:  # nothing may be thrown into C
                self._say(str(error).encode("utf-8", "replace"))
                return self.null

        return answer

    def writing(self, function: Function[..., bytes]) -> Function[..., int]:
        """Make a callback that puts its text where its last argument points, and answers with a status."""
        answer = self.answering(function)

        def write(*arguments: Any) -> int:
            out = arguments[-1]
            out[0] = answer(*arguments[:-1])
            return 0 if out[0] else self._failed

        return write

    def reporting(self, function: Function[..., None]) -> Function[..., int]:
        """Make a callback that answers with a status: one that says so, and the reason as the last error, where
        `function` raises."""

        def report(*arguments: Any) -> int:
            try:
                function(*arguments)
            except BaseException as error:  # nothing may be thrown into C
                return self.fail(str(error))
            return 0

        return report

    def fail(self, reason: str) -> int:
        """Set the last error inside a callback; return the status that says so."""
        self._say(reason.encode("utf-8", "replace"))
        return self._failed
