"""The environments that programs get: allow-lists, for adapters and for what builds them.

Enters: this process's environment. Leaves: whole new ones. Must not know adapters.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bindproof.core.paths import adapters_root

SDK: Final = "BINDPROOF_SDK"
"""The variable that names the folder of the SDKs, for adapters that are not beside it."""

_ALLOWED: Final = re.compile(r"PATH|HOME|LANG|TMPDIR|TZ|LC_.*")

_FOR_BUILDS: Final = re.compile(
    r"(?:https?|ftp|all|no)_proxy"  # how to reach a registry
    r"|SSL_CERT_(?:FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS|(?:NIX|GIT)_SSL_\w+"
    r"|(?:PIP|NPM_CONFIG|CARGO|RUSTUP)_.*"  # which registry, and how; where caches and toolchains are
    r"|RUST(?:C|FLAGS|C_WRAPPER)|CC|CXX|AR|LD|(?:C|CXX|CPP|LD)FLAGS|PKG_CONFIG(?:_\w+)?"
    r"|CPATH|C_INCLUDE_PATH|(?:LD_)?LIBRARY_PATH|SDKROOT|DEVELOPER_DIR|MACOSX_DEPLOYMENT_TARGET|XDG_\w+_HOME"
    r"|CGO_\w+|GO(?:111MODULE|CACHE|DEBUG|ENV|EXPERIMENT|FLAGS|INSECURE|MODCACHE|NOPROXY|NOSUMDB|PATH|PRIVATE|PROXY"
    r"|ROOT|SUMDB|TMPDIR|TOOLCHAIN|VCS|MAXPROCS|OS|ARCH|AMD64|ARM64)",
    re.IGNORECASE,
)
"""What package managers and compilers are told by. Not all that begins with GO is Go's: GOOGLE_… is somebody's key."""

_CREDENTIAL: Final = re.compile(r"TOKEN|SECRET|PASSW|AUTH|CREDENTIAL|KEY(?!RING)", re.IGNORECASE)
"""Stands in the names of variables that no program of a package's may see, such as CARGO_REGISTRY_TOKEN."""


def allowed() -> dict[str, str]:
    """Return the variables that pass: paths, language and time zone; nothing that could be a secret or a switch."""
    return {name: value for name, value in os.environ.items() if _ALLOWED.fullmatch(name)}


def for_builds() -> dict[str, str]:
    """Return the variables that a build gets: those of an adapter, and what package managers and compilers are told by.

    Builds run programs of the packages that they install. A registry's credentials belong into the package manager's
    own file, or into the address of the registry.
    """
    told = {name: value for name, value in os.environ.items() if _FOR_BUILDS.fullmatch(name)}
    return allowed() | {name: value for name, value in told.items() if not _CREDENTIAL.search(name)}


def with_python_path(folders: Sequence[Path | str]) -> Mapping[str, str]:
    """Return the allowed environment with these folders, in this order, as Python's path."""
    return {**allowed(), "PYTHONPATH": os.pathsep.join(str(folder) for folder in folders)}


def with_sdk() -> Mapping[str, str]:
    """Return the allowed environment, and where the SDKs are, of Python on its path."""
    sdk = adapters_root() / "sdk"
    return {**with_python_path([sdk / "python"]), SDK: str(sdk)}
