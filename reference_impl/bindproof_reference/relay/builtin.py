"""Chapter *Request authority* (AUT), built-in codecs: what they read of a provider's request, and what they write back.

Enters: a codec's name, a request's content, an annotation. Leaves: an annotation, or a content. It knows the parts of a
request that the chapter names; what else a scenario asks for is a ScenarioError.
"""

from __future__ import annotations

from bindproof_reference.relay.provider_forms import (
    FORMS,
    UNKNOWN,
    UnreadableError,
    beyond,
    body,
    parts,
    put_settings,
    say,
    turns,
)
from bindproof_reference.relay.values import Json, copy, strictly_equal

__all__ = ["FORMS", "UnreadableError", "decode", "encode"]


def decode(codec: str, content: Json) -> dict[str, Json]:
    """Return the annotation of a content (AUT-012, AUT-023); raises UnreadableError."""
    content = copy(content)
    try:
        annotation: dict[str, Json] = {"messages": turns(codec, content)}
        for name, value in parts(codec, content):
            if name in FORMS[codec].settings:
                annotation.setdefault("params", {})[name] = value
            else:
                annotation[name] = value
    except (AttributeError, KeyError, TypeError, ValueError):
        raise beyond(codec, FORMS[codec].turns) from None
    return annotation


def encode(codec: str, annotation: Json, content: Json) -> Json:
    """Return a content in which what was edited is changed, and nothing else (AUT-010), and which says it (AUT-011).

    Raises UnreadableError for what the provider's requests cannot say (AUT-013, AUT-025).
    """
    after = _edited(codec, annotation, content)
    if not _says(codec, after, annotation):
        raise beyond(codec, "annotated_request")
    return after


def _edited(codec: str, annotation: Json, content: Json) -> Json:
    before, after = decode(codec, content), copy(content)
    for name in {**before, **annotation}:
        if name not in before or name not in annotation or not strictly_equal(before[name], annotation[name]):
            _edit(codec, after, name, before, annotation)
    return after


def _edit(codec: str, content: Json, name: str, before: Json, annotation: Json) -> None:
    """Change a part of a content to what the annotation says; raises UnreadableError."""
    form, value = FORMS[codec], annotation.get(name)
    if name == "messages" and isinstance(value, list):
        say(codec, content, value)
    elif name == "instructions":
        if form.instructions is None:
            raise UnreadableError
        content[form.instructions] = value
    elif name == "params" and isinstance(value, dict) and set(before.get(name, ())) <= set(value):
        put_settings(codec, content, value)
    elif name == "model" and form.enclosed is not None:
        raise UnreadableError
    elif name == "model" and name in annotation:
        content[name] = value
    elif name.startswith(UNKNOWN):
        inner = body(codec, content)
        inner |= {name: value}
        if name not in annotation:
            del inner[name]
    else:
        raise beyond(codec, name)


def _says(codec: str, content: Json, annotation: Json) -> bool:
    try:
        return strictly_equal(decode(codec, content), annotation)
    except UnreadableError:
        return False
