"""Whether the manifests of a suite's adapters agree with its spec.

Enters: a spec. Leaves: Problems, each at its line. Must not know how a target is got.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.spec.files.document import parse
from bindproof.spec.files.text import read_bytes
from bindproof.spec.models import Spec
from bindproof.spec.problem import Problem
from bindproof.targets.manifest import known


def manifest_problems(spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each adapter of this suite alone whose dialect the spec does not have.

    Raises as `manifest.known`.
    """
    for manifest in known():
        if manifest.suites == (spec.name,) and manifest.dialect not in spec.dialects:
            path = manifest.folder / "adapter.toml"
            written = parse(read_bytes(path, str(path)), str(path))
            names = ", ".join(spec.dialects)
            yield written.problem(
                f"suite {spec.name} has no dialect {manifest.dialect!r}; write {names}, or add its file", "dialect"
            )
