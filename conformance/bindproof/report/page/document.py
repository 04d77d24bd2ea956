"""What every page of ours is made with: templates, what goes into them as it is, and the page's own policy.

Enters: nothing. Leaves: Jinja's environment with autoescape, so that every text, ours too, is text, and what cannot be
seen is spelled out first; a policy that lets nothing run but what it names, and nothing be fetched. Must not know what
a page shows.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bindproof.core.counting import plural
from bindproof.core.visible import visible

if TYPE_CHECKING:
    from jinja2 import Environment


def environment() -> Environment:
    """Return where templates come from; what they show is made visible and escaped, whatever it is."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def seen(value: Any) -> Any:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    made = Environment(
        loader=PackageLoader("bindproof.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=seen,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["slug"] = lambda text: text.replace(" ", "-")
    made.globals["plural"] = plural
    return made


def part(name: str) -> str:
    """Return a file beside the templates, as it is."""
    return files("bindproof.report").joinpath("page", name).read_text(encoding="utf-8")


def policy(style: str, script: str | None = None) -> str:
    """Return a page's content security policy: this style, this script or none, and nothing from anywhere."""
    scripts = "'none'" if script is None else _digest(script)
    return (
        f"default-src 'none'; script-src {scripts}; "
        f"style-src {_digest(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
