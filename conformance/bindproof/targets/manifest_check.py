"""Whether the manifests of a suite's adapters agree with its spec.

Enters: a spec. Leaves: Problems, each at its line. Must not know how a target is got.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.spec.files.document import Document, parse
from bindproof.spec.files.text import read_bytes
from bindproof.spec.models import Spec
from bindproof.spec.problem import Problem
from bindproof.targets.manifest import Manifest, known


def manifest_problems(spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each dialect, of adapters of this suite alone, and each claimed class that the spec has not.

    Raises as `manifest.known`.
    """
    for manifest in known():
        if manifest.suites == (spec.name,) and manifest.dialect not in spec.dialects:
            names = ", ".join(spec.dialects)
            yield _written(manifest).problem(
                f"suite {spec.name} has no dialect {manifest.dialect!r}; write {names}, or add its file", "dialect"
            )
        classes = [one.name for one in spec.classes]
        for number, name in enumerate(manifest.claims.get(spec.name, ())):
            if name not in classes:
                text = f"suite {spec.name} has no class {name!r}; write {', '.join(classes) or 'none'}"
                yield _written(manifest).problem(text, "claims", spec.name, number)


def _written(manifest: Manifest) -> Document:
    path = manifest.folder / "adapter.toml"
    return parse(read_bytes(path, str(path)), str(path))
