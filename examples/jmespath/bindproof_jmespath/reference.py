"""The reference: a small JMESPath, parsed by binding power into one function of a value. Standard library only."""

import json
import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

from bindproof_jmespath.functions import Json, Search, called, true, type_of
from bindproof_reference.functions import Refused, predicting, same
from bindproof_reference.functions import resolve as resolve
from bindproof_reference.tokens import END, Tokens

TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<quoted>\"(?:\\.|[^\"\\])*\")|(?P<raw>'(?:\\.|[^'\\])*')"
    r"|(?P<literal>`(?:\\.|[^`\\])*`)|(?P<part>\[\s*(?:-?\d+\s*)?(?::\s*(?:-?\d+\s*)?){0,2}(?<!\[)\])"
    r"|(?P<sign>\[\]|\[\?|\|\||&&|==|!=|<=|>=|[.*\[\]{}(),:@&|!<>]))",
    re.ASCII,
)
VALUES: dict[str, Callable[[str], Any]] = {
    "quoted": lambda text: json.loads(text, strict=False),
    "raw": lambda text: text[1:-1].replace("\\'", "'"),
    "literal": lambda text: json.loads(text[1:-1].replace("\\`", "`")),
    "part": lambda text: [int(one) if one.strip() else None for one in text[1:-1].split(":")],
}
NAMED = ("name", "quoted")
ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
COMPARED = (*ORDER, "==", "!=")
POWER = {"|": 1, "||": 2, "&&": 3, **dict.fromkeys(COMPARED, 5), "[]": 9, "*": 20, "[?": 21, ".": 40, "!": 45, "[": 55}


@predicting
def predict(scenario: Json, edition: str) -> Json:
    """Return what an expression takes out of what is given; raises Refused."""
    return Parser(scenario["expression"], TOKEN, VALUES, "syntax").whole()(scenario["given"])


class Parser(Tokens):
    """Reads one expression."""

    def whole(self) -> Search:
        """Return what all of it means."""
        found = self._expression(0)
        return found if self.next()[0] == END else self.refuse()

    def _power(self) -> int:
        kind, value = self.next()
        return POWER.get(value, 0) if kind == "sign" else POWER["["] if kind == "part" else 0

    def _expression(self, power: int) -> Search:
        left = self._first()
        while power < self._power():
            left = self._further(*self.take(), left)
        return left

    def _first(self) -> Search:
        kind, value = self.take()
        if kind in ("literal", "raw"):
            return lambda _: value
        if kind in NAMED and not self.sees("("):
            return lambda given: given.get(value) if isinstance(given, dict) else None
        if kind == "name":
            return self._call(value)
        if kind == "part":
            return self._further(kind, value, _current)
        return self._sign(value) if kind == "sign" else self.refuse()

    def _sign(self, sign: str) -> Search:
        match sign:
            case "@":
                return _current
            case "!":
                denied = self._expression(POWER["!"])
                return lambda given: not true(denied(given))
            case "(":
                inside = self._expression(0)
                self.take(")")
                return inside
            case "{":
                return self._members()
            case "*":
                return _projected(_current, _current if self.sees("]") else self._rest(POWER["*"]), dict, dict.values)
            case "[" if not (self.sees("*") and self.sees("]", at=1)):
                return self._several()
            case "[" | "[]" | "[?":
                return self._further("sign", sign, _current)
        return self.refuse()

    def _further(self, kind: str, sign: Any, left: Search) -> Search:
        if kind == "part" and len(sign) == 1:
            return lambda given: _at(left(given), *sign)
        if kind == "part":
            return _projected(left, self._rest(POWER["*"]), members=lambda found: _sliced(found, sign))
        match sign:
            case "." if self.sees("*"):
                self.take()
                return _projected(left, self._rest(POWER["*"]), dict, dict.values)
            case ".":
                return _joined("|", left, self._after_dot(POWER["."]))
            case "[]":
                rest = self._rest(POWER["[]"])
                return _projected(left, rest, members=lambda a: [y for x in a for y in (x if type(x) is list else [x])])
            case "[?":
                condition = self._expression(0)
                self.take("]")
                rest = _current if self.sees("[]") else self._rest(POWER["[?"])
                return _projected(left, rest, members=lambda found: [one for one in found if true(condition(one))])
            case "[":
                self.take("*")
                self.take("]")
                return _projected(left, self._rest(POWER["*"]))
        return _joined(sign, left, self._expression(POWER[sign])) if sign not in "*!" else self.refuse()

    def _call(self, name: str) -> Search:
        self.take("(")
        arguments = [] if self.sees(")") and self.take() else self._listed(")")
        return lambda given: called(name, [one(given) for one in arguments])

    def _rest(self, power: int) -> Search:
        """Read what is applied to each member of a projection."""
        if self._power() < POWER["*"]:
            return _current
        if self.sees("[", "[?") or self.next()[0] == "part":
            return self._expression(power)
        self.take(".")
        return self._after_dot(power)

    def _after_dot(self, power: int) -> Search:
        if self.next()[0] in NAMED or self.sees("*"):
            return self._expression(power)
        return self._several() if self.take("[", "{")[1] == "[" else self._members()

    def _listed(self, end: str) -> list[Search]:
        found: list[Search] = []
        while not found or self.take(",", end)[1] == ",":
            by = end == ")" and self.sees("&") and self.take()
            one = self._expression(0)
            found.append((lambda _, one=one: (one,)) if by else one)
        return found

    def _several(self) -> Search:
        found = self._listed("]")
        return lambda given: None if given is None else [one(given) for one in found]

    def _members(self) -> Search:
        found: dict[str, Search] = {}
        while not found or self.take(",", "}")[1] == ",":
            key = self.take()[1] if self.next()[0] in NAMED else self.refuse()
            self.take(":")
            found[key] = self._expression(0)
        return lambda given: None if given is None else {key: one(given) for key, one in found.items()}


def _current(given: Json) -> Json:
    return given


def _joined(sign: str, left: Search, right: Search) -> Search:
    def compared(given: Json) -> Json:
        one, other = left(given), right(given)
        if sign in ORDER:
            return ORDER[sign](one, other) if type_of(one) == type_of(other) == "number" else None
        return same(one, other) == (sign == "==")

    if sign == "|":
        return lambda given: right(left(given))
    if sign in COMPARED:
        return compared
    return lambda given: found if true(found := left(given)) == (sign == "||") else right(given)


def _projected(left: Search, right: Search, of: type = list, members: Callable[[Any], Iterable[Json]] = list) -> Search:
    """Return what applies an expression to what a list, or another type, has, and gives null for any other value."""
    return lambda given: (
        [each for one in members(found) if (each := right(one)) is not None]
        if isinstance(found := left(given), of)
        else None
    )


def _sliced(found: list[Json], parts: list[int | None]) -> list[Json]:
    if parts[2:] == [0]:
        raise Refused("invalid-value")
    return found[slice(*parts)]


def _at(found: Json, at: Any) -> Json:
    return found[at] if isinstance(found, list) and -len(found) <= at < len(found) else None
