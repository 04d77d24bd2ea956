"""The reference: a small JMESPath, written from the specification. Standard library only; it runs as an adapter too.

An expression is parsed by the binding power of its tokens into nested tuples, `(kind, ...)`, and these are evaluated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

Json = Any
Node = tuple[Any, ...]

TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<quoted>\"(?:\\.|[^\"\\])*\")|(?P<raw>'(?:\\.|[^'\\])*')"
    r"|(?P<literal>`(?:\\.|[^`\\])*`)|(?P<number>-?\d+)"
    r"|(?P<sign>\[\]|\[\?|\|\||&&|==|!=|<=|>=|[.*\[\]{}(),:@&|!<>]))",
    re.ASCII,
)
POWER = {"|": 1, "||": 2, "&&": 3, **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), 5)}
POWER |= {"[]": 9, "*": 20, "[?": 21, ".": 40, "!": 45, "{": 50, "[": 55, "(": 60}
PROJECTION_ENDS = 10
ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class Refusal(Exception):  # noqa: N818 - it is what the contract asks for, not a failure
    """An expression, or an argument, that is refused; its word is the kind."""


class Parser:
    """Reads one expression."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, Any]] = []
        at = 0
        while at < len(text.rstrip()):
            found = TOKEN.match(text, at)
            if found is None or found.lastgroup is None:
                raise Refusal("syntax")
            self.tokens.append((found.lastgroup, _token(found.lastgroup, found[found.lastgroup])))
            at = found.end()
        self.tokens.append(("end", ""))

    def whole(self) -> Node:
        """Return the tree of all that there is."""
        tree = self.expression(0)
        return tree if self.tokens[0][0] == "end" else self.refuse()

    def refuse(self) -> Any:
        """Refuse what stands there."""
        raise Refusal("syntax")

    def sees(self, *signs: str, at: int = 0) -> bool:
        """Tell whether one of these signs comes next."""
        return len(self.tokens) > at and self.tokens[at][0] == "sign" and self.tokens[at][1] in signs

    def take(self, *signs: str) -> Any:
        """Return the next token's value; with signs, it has to be one of them."""
        if signs and not self.sees(*signs):
            self.refuse()
        return self.tokens.pop(0)[1]

    def power(self) -> int:
        """Return how strongly the next token binds to what stands before it."""
        kind, value = self.tokens[0]
        return POWER.get(value, 0) if kind == "sign" else 0

    def expression(self, power: int) -> Node:
        """Read as much as binds more strongly than that."""
        left = self.first()
        while power < self.power():
            left = self.further(self.take(), left)
        return left

    def first(self) -> Node:
        """Read what begins an expression."""
        kind, value = self.tokens.pop(0)
        if kind in ("literal", "raw"):
            return ("literal", value)
        if kind in ("name", "quoted"):
            return self.refuse() if kind == "quoted" and self.sees("(") else ("field", value, kind)
        return self.sign(value) if kind == "sign" else self.refuse()

    def sign(self, value: str) -> Node:
        """Read an expression that begins with a sign."""
        match value:
            case "@":
                return ("current",)
            case "&":
                return ("expression", self.expression(0))
            case "!":
                return ("not", self.expression(POWER["!"]))
            case "(":
                inner = self.expression(0)
                self.take(")")
                return inner
            case "{":
                return self.members()
            case "*":
                return ("values", ("current",), ("current",) if self.sees("]") else self.rest(POWER["*"]))
            case "[]" | "[?":
                return self.further(value, ("current",))
            case "[":
                if self.tokens[0][0] == "number" or self.sees(":") or (self.sees("*") and self.sees("]", at=1)):
                    return self.further("[", ("current",))
                return self.several()
        return self.refuse()

    def further(self, sign: str, left: Node) -> Node:
        """Read what follows an expression."""
        if sign == ".":
            if self.sees("*"):
                self.take()
                return ("values", left, self.rest(POWER["*"]))
            return ("pipe", left, self.after_dot(POWER["."]))
        if sign in ("|", "||", "&&"):
            return ({"|": "pipe", "||": "or", "&&": "and"}[sign], left, self.expression(POWER[sign]))
        if POWER[sign] == POWER["=="]:
            return ("compare", sign, left, self.expression(POWER[sign]))
        if sign == "(":
            return self.call(left)
        if sign == "[]":
            return ("project", ("flatten", left), self.rest(POWER["[]"]))
        if sign == "[?":
            condition = self.expression(0)
            self.take("]")
            return ("filter", left, ("current",) if self.sees("[]") else self.rest(POWER["[?"]), condition)
        if sign == "[":
            return self.index(left)
        return self.refuse()

    def call(self, left: Node) -> Node:
        """Read the arguments of a function."""
        if left[0] != "field":
            return self.refuse()
        arguments: list[Node] = []
        while not self.sees(")"):
            if arguments:
                self.take(",")
            arguments.append(self.expression(0))
        self.take(")")
        return ("call", left[1], arguments)

    def index(self, left: Node) -> Node:
        """Read what stands in brackets behind an expression."""
        if self.sees("*"):
            self.take()
            self.take("]")
            return ("project", left, self.rest(POWER["*"]))
        parts: list[int | None] = [None]
        while not self.sees("]"):
            if self.sees(":") and len(parts) < 3:
                self.take()
                parts.append(None)
            elif self.tokens[0][0] == "number" and parts[-1] is None:
                parts[-1] = self.take()
            else:
                self.refuse()
        self.take("]")
        if len(parts) > 1:
            return ("project", ("slice", left, parts), self.rest(POWER["*"]))
        return ("pipe", left, ("index", parts[0])) if parts[0] is not None else self.refuse()

    def rest(self, power: int) -> Node:
        """Read what is applied to each member of a projection."""
        if self.power() < PROJECTION_ENDS:
            return ("current",)
        if self.sees("[", "[?"):
            return self.expression(power)
        self.take(".")
        return self.after_dot(power)

    def after_dot(self, power: int) -> Node:
        """Read what may stand behind a dot."""
        if self.tokens[0][0] in ("name", "quoted") or self.sees("*"):
            return self.expression(power)
        return self.several() if self.take("[", "{") == "[" else self.members()

    def several(self) -> Node:
        """Read a list of expressions, behind its bracket."""
        found = [self.expression(0)]
        while self.take(",", "]") == ",":
            found.append(self.expression(0))
        return ("several", found)

    def members(self) -> Node:
        """Read an object of expressions, behind its brace."""
        found = []
        while True:
            key = self.take() if self.tokens[0][0] in ("name", "quoted") else self.refuse()
            self.take(":")
            found.append((key, self.expression(0)))
            if self.take(",", "}") == "}":
                return ("members", found)


def _token(kind: str, text: str) -> Any:
    try:
        if kind == "quoted":
            return json.loads(text, strict=False)
        if kind == "literal":
            return json.loads(text[1:-1].replace("\\`", "`"))
    except ValueError:
        raise Refusal("syntax") from None
    if kind == "raw":
        return text[1:-1].replace("\\'", "'")
    return int(text) if kind == "number" else text


def search(node: Node, value: Json) -> Json:
    """Return what a tree takes out of a value; raises Refusal."""
    kind, *rest = node
    return _KINDS[kind](value, *rest)


def true(value: Json) -> bool:
    """Tell whether a value counts as true: all do but null, false and what is empty."""
    return value is not None and value is not False and value not in ("", [], {})


def same(one: Json, other: Json) -> bool:
    """Tell whether two JSON values are equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return type_of(one) == type_of(other) and bool(one == other)


def type_of(value: Json) -> str:
    """Return a value's type in the words of the specification."""
    if isinstance(value, tuple):
        return "expression"
    names = {bool: "boolean", str: "string", list: "array", dict: "object", type(None): "null"}
    return names.get(type(value), "number")


def _each(members: Json, right: Node) -> Json:
    if not isinstance(members, list):
        return None
    return [found for one in members if (found := search(right, one)) is not None]


def _values(value: Json, left: Node, right: Node) -> Json:
    members = search(left, value)
    return _each(list(members.values()), right) if isinstance(members, dict) else None


def _filter(value: Json, left: Node, right: Node, condition: Node) -> Json:
    members = search(left, value)
    kept = [one for one in members if true(search(condition, one))] if isinstance(members, list) else None
    return _each(kept, right)


def _flatten(value: Json, left: Node) -> Json:
    members = search(left, value)
    if not isinstance(members, list):
        return None
    return [inner for one in members for inner in (one if isinstance(one, list) else [one])]


def _slice(value: Json, left: Node, parts: list[int | None]) -> Json:
    members = search(left, value)
    if not isinstance(members, list):
        return None
    if parts[2:] == [0]:
        raise Refusal("invalid-value")
    return members[slice(*parts)]


def _index(value: Json, at: int) -> Json:
    return value[at] if isinstance(value, list) and -len(value) <= at < len(value) else None


def _compare(value: Json, sign: str, left: Node, right: Node) -> Json:
    one, other = search(left, value), search(right, value)
    if sign in ("==", "!="):
        return same(one, other) == (sign == "==")
    return ORDER[sign](one, other) if type_of(one) == type_of(other) == "number" else None


def _first(value: Json, left: Node, right: Node, *, wanted: bool) -> Json:
    found = search(left, value)
    return found if true(found) == wanted else search(right, value)


def _call(value: Json, name: str, arguments: list[Node]) -> Json:
    from bindproof_jmespath.functions import FUNCTIONS

    if name not in FUNCTIONS:
        raise Refusal("unknown-function")
    types, function = FUNCTIONS[name]
    given = [search(one, value) for one in arguments]
    least = len(types) - (types[-1:] == ("...",))
    if len(given) < least or (len(given) > least and types[-1:] != ("...",)):
        raise Refusal("invalid-arity")
    for at, one in enumerate(given):
        if not _fits(one, types[min(at, least - 1)]):
            raise Refusal("invalid-type")
    return function(*given)


def _fits(value: Json, wanted: str) -> bool:
    if wanted == "any":
        return type_of(value) != "expression"
    for word in wanted.split("|"):
        kind, _, member = word.partition(" of ")
        if kind == type_of(value) and (not member or all(type_of(one) == member for one in value)):
            return True
    return False


_KINDS: dict[str, Callable[..., Json]] = {
    "literal": lambda value, what: what,
    "field": lambda value, name, *_: value.get(name) if isinstance(value, dict) else None,
    "current": lambda value: value,
    "expression": lambda value, inner: (inner,),
    "not": lambda value, inner: not true(search(inner, value)),
    "pipe": lambda value, left, right: search(right, search(left, value)),
    "or": lambda value, left, right: _first(value, left, right, wanted=True),
    "and": lambda value, left, right: _first(value, left, right, wanted=False),
    "project": lambda value, left, right: _each(search(left, value), right),
    "several": lambda value, inner: None if value is None else [search(one, value) for one in inner],
    "members": lambda value, inner: None if value is None else {key: search(one, value) for key, one in inner},
    "values": _values,
    "filter": _filter,
    "flatten": _flatten,
    "slice": _slice,
    "index": _index,
    "compare": _compare,
    "call": _call,
}


def predict(scenario: Json, edition: str, dialect: Json) -> Json:
    """Return the one record that is allowed."""
    try:
        value = whole(search(Parser(scenario["expression"]).whole(), scenario["given"]))
        record: Json = {"fact": "result", "value": {"$literal": value}}
    except Refusal as refusal:
        record = {"fact": "result", "error": {"$contains": {"kind": str(refusal)}}}
    return {"lanes": {"program": [record]}, "after": []}


def resolve(prediction: Json, seed: int, dialect: Json) -> list[Json]:
    """Return the record, with an error in the dialect's own words."""
    (record,) = prediction["lanes"]["program"]
    if "value" in record:
        return [{**record, "value": record["value"]["$literal"]}]
    kind = record["error"]["$contains"]["kind"]
    examples = (one["example"] for one in dialect["error"] if one["kind"] == kind and one.get("example"))
    name, _, message = next(examples, ": ").partition(": ")
    return [{**record, "error": {"type": name, "message": message}}]


def whole(value: Json) -> Json:
    """Return a value in which a number without a fraction is a whole one."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, list):
        return [whole(one) for one in value]
    return {key: whole(one) for key, one in value.items()} if isinstance(value, dict) else value
