"""What programs are told by the environment: adapters nearly nothing, builds what package managers go by."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bindproof.targets import building
from bindproof.targets.environment import allowed, for_builds

TOLD = (
    "PATH", "HOME", "LC_ALL", "https_proxy", "NO_PROXY", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE",
    "PIP_INDEX_URL", "PIP_CONFIG_FILE", "PIP_KEYRING_PROVIDER", "NPM_CONFIG_REGISTRY", "npm_config_cache", "CARGO_HOME",
    "CARGO_REGISTRIES_MINE_INDEX", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "CC", "CFLAGS", "GOPROXY", "GOCACHE",
    "GOFLAGS", "CGO_CFLAGS", "XDG_CACHE_HOME",
)  # fmt: skip
UNTOLD = (
    "GITHUB_TOKEN", "NPM_TOKEN", "NODE_AUTH_TOKEN", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "PYTHONPATH",
    "LD_PRELOAD", "NODE_OPTIONS", "CARGO_REGISTRY_TOKEN", "CARGO_REGISTRIES_MINE_TOKEN", "NPM_CONFIG__AUTH",
    "NPM_CONFIG_//registry.example/:_authToken", "PIP_PASSWORD", "GOOGLE_APPLICATION_CREDENTIALS", "GOPHER",
    "SSH_AUTH_SOCK",
)  # fmt: skip


@pytest.fixture(autouse=True)
def everything(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*TOLD, *UNTOLD):
        monkeypatch.setenv(name, name)


@pytest.mark.parametrize("name", TOLD)
def test_what_package_managers_go_by_passes_to_builds(name: str) -> None:
    assert for_builds()[name] == name


@pytest.mark.parametrize("name", UNTOLD)
def test_a_credential_or_a_switch_passes_to_nobody(name: str) -> None:
    assert name not in for_builds()
    assert name not in allowed()


def test_a_build_gets_no_more_than_its_environment(tmp_path: Path) -> None:
    script = "import os; print(sorted(os.environ))"
    seen = building.run([sys.executable, "-c", script], tmp_path, "")
    assert seen == str(sorted({*for_builds(), "LC_CTYPE"} if "LC_CTYPE" in seen else for_builds()))
