"""What does a host say whose worker has ended, and can another one be started after it?

Needs nemo-relay-plugin beside nemo-relay: `pip install nemo-relay==0.10.4 nemo-relay-plugin==0.10.4`. Seen of 0.10.4:
both calls fail, `close` raises, and the host is closed all the same.
"""

import asyncio
import hashlib
import sys
import tempfile
from pathlib import Path

WORKER = """
import asyncio, os
from nemo_relay_plugin import WorkerPlugin, serve_plugin

class Ending(WorkerPlugin):
    plugin_id = "probe.ending"

    def register(self, ctx, config):
        ctx.register_llm_request_intercept("i", lambda name, request, annotated: os._exit(1))

asyncio.run(serve_plugin(Ending()))
"""

MANIFEST = """manifest_version = 1
[plugin]
id = "probe.ending"
kind = "worker"
[compat]
relay = ">=0.8.0,<1.0"
worker_protocol = "grpc-v1"
[defaults]
enabled = false
[capabilities]
items = ["plugin_worker"]
[source]
artifact = "worker"
[integrity]
sha256 = "sha256:{digest}"
[load]
runtime = "command"
entrypoint = "worker"
"""

PLUGINS = """version = 1
[[plugins.dynamic]]
manifest = "relay-plugin.toml"
[plugins.policy.defaults]
startup = "required"
attestation = "integrity_only"
"""


async def main(folder: Path) -> None:
    """Print what is seen, one fact a line."""
    import nemo_relay
    from nemo_relay import llm, plugin

    worker = folder / "worker"
    worker.write_text(f"#!{sys.executable}\n{WORKER}")
    worker.chmod(0o700)
    digest = hashlib.sha256(worker.read_bytes()).hexdigest()
    (folder / "relay-plugin.toml").write_text(MANIFEST.format(digest=digest))
    (folder / "plugins.toml").write_text(PLUGINS)
    host = await plugin.initialize({"version": 1, "components": []}, folder / "plugins.toml")

    async def provider(request: object) -> dict[str, bool]:
        print("the provider is called")
        return {"ok": True}

    for call in ("first", "second"):
        try:
            await llm.execute(call, nemo_relay.LLMRequest({}, {"messages": []}), provider)
        except RuntimeError as error:
            print(f"the {call} call fails: {error}")
    try:
        await host.close()
    except RuntimeError as error:
        print(f"close raises: {error}")
    print("active:", host.is_active)


with tempfile.TemporaryDirectory() as name:
    asyncio.run(main(Path(name)))
