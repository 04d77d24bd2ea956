"""How long does a host wait for a worker that never answers, and what becomes of the call and of the worker?

Needs nemo-relay-plugin beside nemo-relay: `pip install nemo-relay==0.10.4 nemo-relay-plugin==0.10.4`. Takes half a
minute. Seen of 0.10.4: the call fails after 30 s, and the worker's callback is cancelled.
"""

import asyncio
import hashlib
import json
import sys
import tempfile
import time
from pathlib import Path

WORKER = """
import asyncio, pathlib
from nemo_relay_plugin import WorkerPlugin, serve_plugin

class Silent(WorkerPlugin):
    plugin_id = "probe.silent"

    def register(self, ctx, config):
        async def intercept(name, request, annotated):
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                pathlib.Path(config["told"]).write_text("the callback is cancelled")
                raise
        ctx.register_llm_request_intercept("i", intercept)

asyncio.run(serve_plugin(Silent()))
"""

MANIFEST = """manifest_version = 1
[plugin]
id = "probe.silent"
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
[plugins.dynamic.config]
told = {told}
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
    (folder / "plugins.toml").write_text(PLUGINS.format(told=json.dumps(str(folder / "told"))))
    host = await plugin.initialize({"version": 1, "components": []}, folder / "plugins.toml")

    async def provider(request: object) -> dict[str, bool]:
        print("the provider is called")
        return {"ok": True}

    began = time.monotonic()
    try:
        await llm.execute("gpt", nemo_relay.LLMRequest({}, {"messages": []}), provider)
    except RuntimeError as error:
        print(f"after {time.monotonic() - began:.0f} s the call fails: {error}")
    await asyncio.sleep(1)
    told = folder / "told"
    print(f"the worker: {told.read_text() if told.exists() else 'nothing is told'}")
    await host.close()


with tempfile.TemporaryDirectory() as name:
    asyncio.run(main(Path(name)))
