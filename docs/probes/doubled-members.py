"""What does a host of workers take of an object that states a member twice?

Needs nemo-relay-plugin beside nemo-relay: `pip install nemo-relay==0.10.4 nemo-relay-plugin==0.10.4`; its SDK is made
to send the texts below. Seen of 0.10.4: two requests and two names of a mark are refused, of headers and contents the
last one is taken.
"""

import asyncio
import hashlib
import json
import sys
import tempfile
from pathlib import Path

REQUEST = '{"headers": {}, "content": {}}'
TEXTS = {
    "requests": f'{{"request": {REQUEST}, "request": {REQUEST}}}',
    "names of a mark": f'{{"request": {REQUEST}, "pending_marks": [{{"name": "a", "name": "b"}}]}}',
    "headers": '{"request": {"headers": {"h": "1", "h": "2"}, "content": {}}}',
    "members of a content": '{"request": {"headers": {}, "content": {"c": 1, "c": 2}}}',
}

WORKER = """
import asyncio, json
from nemo_relay_plugin import _api, LlmRequestInterceptOutcome, WorkerPlugin, serve_plugin

TEXTS = json.loads(%r)
own = _api._json_envelope

def envelope(schema, value):
    made = own(schema, value)
    said = value["request"]["content"] if schema.startswith("nemo.relay.LlmRequestInterceptOutcome") else None
    if said in TEXTS:
        made.json = TEXTS[said].encode()
    return made

_api._json_envelope = envelope

class Doubling(WorkerPlugin):
    plugin_id = "probe.doubling"

    def register(self, ctx, config):
        def intercept(name, request, annotated):
            return LlmRequestInterceptOutcome(request={**request, "content": name})
        ctx.register_llm_request_intercept("i", intercept)

asyncio.run(serve_plugin(Doubling()))
"""

MANIFEST = """manifest_version = 1
[plugin]
id = "probe.doubling"
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
    worker.write_text(f"#!{sys.executable}\n{WORKER % json.dumps(TEXTS)}")
    worker.chmod(0o700)
    digest = hashlib.sha256(worker.read_bytes()).hexdigest()
    (folder / "relay-plugin.toml").write_text(MANIFEST.format(digest=digest))
    (folder / "plugins.toml").write_text(PLUGINS)
    host = await plugin.initialize({"version": 1, "components": []}, folder / "plugins.toml")
    sent = []

    async def provider(request: nemo_relay.LLMRequest) -> dict[str, bool]:
        sent.append({"headers": {k: v for k, v in request.headers.items() if k == "h"}, "content": request.content})
        return {"ok": True}

    for what in TEXTS:
        try:
            await llm.execute(what, nemo_relay.LLMRequest({}, {"messages": []}), provider)
            print(f"two {what}: {sent[-1]}")
        except RuntimeError as error:
            print(f"two {what}: {error}")
    await host.close()


with tempfile.TemporaryDirectory() as name:
    asyncio.run(main(Path(name)))
