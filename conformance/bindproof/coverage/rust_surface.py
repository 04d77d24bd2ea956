"""What a Rust crate offers: parameters of functions, methods and builders, members of structs, variants of enums.

Enters: the folder of its source. Leaves: names such as `api.llm.LlmCallParams:model_name`. Must not know what any of
them is for.

The source is parsed by tree-sitter. What a macro of the same file makes is read too: its names are put where its
pattern has variables, and what comes of that is parsed as any other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.core.errors import UsageError
from bindproof.coverage.naming import of_parameters

if TYPE_CHECKING:
    from tree_sitter import Node

EXTRA = "to read what a crate offers it needs a parser of Rust: pip install 'bindproof[rust]'"

HIDDEN = "doc(hidden)"
BUILDER = "TypedBuilder"
"""What derives a builder: its methods are named as the members are, and so each is a parameter."""

_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
_VARIABLE = re.compile(r"\$(\w+):\w+")
_REPEATED = re.compile(r"\$\([^()]*(?:\([^()]*\)[^()]*)*\)[*+?]")


def names(folder: Path) -> list[str]:
    """Return the names, each once and sorted, with the path of the module that they are written in before them.

    Raises UsageError where the parser is not installed.
    """
    found: set[str] = set()
    for file in sorted(folder.rglob("*.rs")):
        module = ".".join(part for part in file.relative_to(folder).with_suffix("").parts if part not in ("mod", "lib"))
        found.update(f"{module}.{name}" if module else name for name in of_text(file.read_text(encoding="utf-8")))
    return sorted(found)


def of_text(text: str) -> list[str]:
    """Return what the text of one module offers; raises UsageError as `names`."""
    return list(_of_items(_parsed(text), {}))


def _parsed(text: str) -> Node:
    try:
        import tree_sitter_rust
        from tree_sitter import Language, Parser
    except ImportError:
        raise UsageError(EXTRA) from None
    return Parser(Language(tree_sitter_rust.language())).parse(text.encode()).root_node


def _of_items(items: Node, macros: dict[str, str]) -> Iterator[str]:
    """Yield what the items of a module or a block offer; macros: name → text, of those that were defined before."""
    attributes = ""
    for item in items.named_children:
        if item.type == "attribute_item":
            attributes += _text(item)
            continue
        if item.type in ("line_comment", "block_comment"):
            continue
        if HIDDEN not in attributes and not _is_test(item):
            yield from _of_item(item, macros, built=BUILDER in attributes)
        attributes = ""


def _of_item(item: Node, macros: dict[str, str], *, built: bool) -> Iterator[str]:
    name = _field(item, "name")
    match item.type:
        case "macro_definition":
            macros[name] = _text(item)
        case "macro_invocation" | "expression_statement":
            yield from _of_macro(item, macros)
        case "impl_item" if item.child_by_field_name("trait") is None:
            yield from _of_methods(item)
        case _ if _is_public(item):
            yield from _of_public(name, item, built=built)


def _of_public(name: str, item: Node, *, built: bool) -> Iterator[str]:
    match item.type:
        case "function_item" | "function_signature_item":
            yield from _of_function(name, item)
        case "struct_item":
            yield from _of_members(name, item, ":" if built else ".")
        case "enum_item":
            yield from _of_variants(name, item)
        case "trait_item":
            for one in _inside(item, "function_item", "function_signature_item"):
                yield from _of_function(f"{name}.{_field(one, 'name')}", one)


def _of_methods(item: Node) -> Iterator[str]:
    owner = re.split(r"[<\s]", _field(item, "type"))[0]
    for one in _inside(item, "function_item"):
        if _is_public(one):
            yield from _of_function(f"{owner}.{_field(one, 'name')}", one)


def _of_macro(item: Node, macros: dict[str, str]) -> Iterator[str]:
    called = item if item.type == "macro_invocation" else item.named_children[0]
    if called.type == "macro_invocation" and _field(called, "macro") in macros:
        made = _made(macros[_field(called, "macro")], _text(called.named_children[-1]))
        yield from _of_items(_parsed(made), {})


def _of_function(name: str, item: Node) -> list[str]:
    parameters = item.child_by_field_name("parameters")
    given = [] if parameters is None else [one for one in parameters.named_children if one.type == "parameter"]
    return of_parameters(name, [_field(one, "pattern").removeprefix("mut ").lstrip("_") for one in given])


def _of_members(owner: str, item: Node, sign: str) -> Iterator[str]:
    for one in _inside(item, "field_declaration"):
        if _is_public(one):
            yield f"{owner}{sign}{_field(one, 'name')}"


def _of_variants(owner: str, item: Node) -> Iterator[str]:
    for one in _inside(item, "enum_variant"):
        yield f"{owner}.{_field(one, 'name')}"
        yield from (f"{owner}.{_field(one, 'name')}.{_field(of, 'name')}" for of in _inside(one, "field_declaration"))


def _inside(item: Node, *kinds: str) -> list[Node]:
    """Return the parts of an item's body of some kinds, but what documentation hides."""
    body, hidden, found = item.child_by_field_name("body"), False, []
    for one in [] if body is None else body.named_children:
        if one.type == "attribute_item":
            hidden = hidden or HIDDEN in _text(one)
        elif one.type in kinds:
            found += [] if hidden else [one]
            hidden = False
    return found


def _made(macro: str, given: str) -> str:
    """Return what a macro of one rule makes of its arguments, without what it repeats: that is documentation."""
    pattern, _, body = macro.partition("=>")
    variables = _VARIABLE.findall(_REPEATED.sub("", pattern))
    words = [word.strip() for word in _COMMENT.sub("", given).strip()[1:-1].split(",")]
    text = _REPEATED.sub("", body.strip().removeprefix("{").rstrip("};\n "))
    for variable, word in zip(variables, words, strict=False):
        text = re.sub(rf"\${variable}\b", word, text)
    return text + "}"


def _is_public(item: Node) -> bool:
    return any(one.type == "visibility_modifier" and _text(one) == "pub" for one in item.children)


def _is_test(item: Node) -> bool:
    return item.type == "mod_item"  # a module inside a file is one of tests, or is read from its own file


def _field(node: Node, name: str) -> str:
    found = node.child_by_field_name(name)
    return "" if found is None else _text(found)


def _text(node: Node) -> str:
    return (node.text or b"").decode()
