"""A whole suite in a few lines, for tests that break one thing of it."""

from __future__ import annotations

from pathlib import Path

from bindproof.spec.check import accept

DRAFT = "https://json-schema.org/draft/2020-12/schema"

FILES = {
    "suite.toml": """\
name = "small"
title = "A small suite"
error_kinds = ["broken", "unknown"]

[[edition]]
name = "9"
state = "open"
[edition.releases]
thing = [">=0.9,<0.10"]

[[edition]]
name = "10"
state = "open"
[edition.releases]
thing = [">=0.10,<0.11"]

[[object]]
name = "thing"
schema = "thing.json"
keys = ["size", "colour"]
""",
    "01-first.md": """\
# First

What a newcomer has to know.

## FST-001 A thing is a thing
MUST · editions 9– · dialects all · source book "One" ¶1; observed A1

A thing is
a thing.

More words.

```markdown
## this is no heading
```

## FST-002 A thing may be red
SHOULD · editions 9 · dialects wire, dutch · source observed A2

A thing is red.

## FST-003 A thing is loved
MAY · editions 9– · dialects all · source book "One" ¶2
UNTESTABLE: nobody can see it
RETIRED in 10: nobody asked

A thing is loved.
""",
    "sources.toml": """\
[[document]]
id = "book"
title = "The book"
what = "A book."

[[document]]
id = "observed"
title = "Probes"
what = "What was seen."

[[rule]]
document = "book"
place = "One"
gist = "Things are things, and loved."
requirements = ["FST-001", "FST-003"]

[[rule]]
document = "observed"
place = "A1 A2"
gist = "Things are, and are red."
requirements = ["FST-001", "FST-002"]
open = "how red"
""",
    "dialects/wire.toml": """\
name = "wire"
title = "Canonical"
""",
    "dialects/dutch.toml": """\
name = "dutch"
title = "Dutch"

[spelling.thing]
colour = { own = "kleur", sides = ["reply"], refuses = ["colour"] }

[[error]]
kind = "broken"
pattern = '^kapot: '
editions = "9–"
""",
    "changes/9--10.toml": """\
[[note]]
title = "Things are not red any more"
what = "Nobody asked."
requirements = ["FST-002", "FST-003"]
vectors = ["small/first/red"]

[[note.act]]
dialects = ["all"]
who = "Whoever has red things"
must = "Paint them."
""",
    "vectors/first/plain.json": """\
{
  "title": "a plain thing",
  "exercises": ["FST-001"],
  "scenario": {"steps": [{"do": 1}]}
}
""",
    "vectors/first/red.json": """\
{
  "title": "a red thing",
  "exercises": ["FST-002"],
  "editions": "9",
  "dialects": ["dutch"],
  "scenario": {"steps": [{"do": 1}]},
  "defect": {"at": "/steps/0/do", "put": null, "breaks": "FST-002", "kind": "broken"}
}
""",
    "expectations/dutch.toml": """\
[[divergence]]
requirement = "FST-002"
target = "thing"
versions = [">=0.9,<0.10"]
vectors = ["small/first/*"]
reason = "It is orange."
source = "seen"
observed = "orange"
""",
}


def schema(edition: str) -> str:
    return f"""\
{{
  "$schema": "{DRAFT}",
  "$id": "https://bindproof.example/small/{edition}/thing.json",
  "title": "Thing",
  "description": "A thing.",
  "type": "object",
  "properties": {{
    "size": {{"$ref": "#/$defs/size"}},
    "colour": {{"type": "string"}}
  }},
  "$defs": {{"size": {{"type": "integer"}}}}
}}
"""


def write(root: Path) -> Path:
    """The small suite below `root`, accepted and without a problem; gives its folder."""
    folder = root / "spec" / "small"
    files = FILES | {f"schemas/{edition}/thing.json": schema(edition) for edition in ("9", "10")}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    accept(root, "small", ["all"])
    return folder
