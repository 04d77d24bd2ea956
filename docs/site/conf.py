"""The documents as a site: what Sphinx is told. `tox -e docs` builds it from the repository as it stands.

Enters: the Markdown files of the repository, the installed package. Leaves: HTML. Must not know what any page says.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import frame
import pages

from bindproof import __version__

project = "bindproof"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_argparse_cli"]
html_theme = "furo"
html_title = "bindproof"
html_show_copyright = False
html_copy_source = False
html_theme_options = {"top_of_page_buttons": []}
html_extra_path = ["root"]

root_doc = "docs/site/index"
include_patterns = [
    "*.md",
    "adapters/README.md",
    "adapters/*/README.md",
    "adapters/sdk/cases/README.md",
    "changelog.d/README.md",
    "docs/*.md",
    "docs/probes/README.md",
    "docs/site/*.md",
    "examples/*/README.md",
    "spec/README.md",
    "spec/*/*.md",
]

myst_heading_anchors = 4
autodoc_typehints = "description"
autodoc_default_options = {"members": True, "imported-members": True, "undoc-members": True}


def setup(app):  # type: ignore[no-untyped-def]
    """Have pages and docstrings made ready, and the frame of each page mended."""
    app.connect("build-finished", lambda app, fault: fault or frame.mend_all(Path(app.outdir)))
    app.connect("source-read", lambda _, page, source: source.__setitem__(0, pages.ready(page, source[0])))
    app.connect("autodoc-process-docstring", lambda *given: given[-1].__setitem__(slice(None), pages.told(given[-1])))
