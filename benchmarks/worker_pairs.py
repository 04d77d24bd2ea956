"""Which host takes workers of which SDK: each pair is run, and held against what documents lead one to expect.

`python benchmarks/worker_pairs.py > docs/worker-pairs.md` installs each release in a folder of its own below the cache.
Exit 1 where a pair does otherwise than predicted.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

Json = Any

HOSTS = ("0.6.0", "0.8.4", "0.9.4", "0.10.4")
SDKS = ("0.5.0", *HOSTS)

WORKER = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
import nemo_relay_plugin as sdk

class Pair(sdk.WorkerPlugin):
    plugin_id = "bindproof.worker"

    def register(self, ctx, config):
        def request(name, request, annotated):
            marks = [sdk.PendingMarkSpec("m", category="custom", category_profile={"subtype": "a"})]
            return sdk.LlmRequestInterceptOutcome(request=request, annotated_request=annotated, pending_marks=marks)

        async def tool(*handed):  # a name, arguments and what goes on; from 0.9 on a context and what goes on
            *before, go_on = handed
            answer = await go_on.call(before[1] if len(before) == 2 else before[0].args)
            return sdk.ToolExecutionInterceptOutcome(result=getattr(answer, "result", answer))

        ctx.register_llm_request_intercept("i", request)
        ctx.register_tool_execution_intercept("t", tool)

asyncio.run(sdk.serve_plugin(Pair()))
"""

TAKEN = "taken"

ADAPTERS = Path(__file__).parents[1] / "adapters"


def predicted(host: str, sdk: str) -> dict[str, str]:
    """Return for each call of a pair what the documents lead one to expect: that it is taken, or part of an error.

    An envelope's schema is version 1 before 0.6 (docs/reference/migration-guides), and from 0.8 on a tool's result is
    a message of its own (docs/build-plugins/workers/grpc-v1-protocol): a worker of before cannot read it.
    """
    request = TAKEN if _line(sdk) >= (0, 6) else "unsupported LLM request intercept outcome schema"
    tool = TAKEN if (_line(host) >= (0, 8)) == (_line(sdk) >= (0, 8)) else "refused"
    return {"request": request, "tool": tool}


def _line(version: str) -> tuple[int, int]:
    major, minor = version.split(".")[:2]
    return int(major), int(minor)


def installed(package: str, version: str) -> Path:
    """Return the folder with a release of a package and what it needs."""
    from bindproof.targets import cache, pip  # the host's process has nothing of bindproof's
    from bindproof.targets.terms import Terms

    terms, requirement = Terms(tell=lambda text: print(text, file=sys.stderr)), f"{package}=={version}"
    remedy = f"pip download --no-deps {requirement}"

    def install(folder: Path) -> None:
        pip.install(folder, requirement, None, remedy, terms)

    return cache.ensure(cache.key_of("worker-pairs", version, package), install, terms).folder / "target"


def seen(host: str, sdk: str) -> dict[str, str]:
    """Return what became of each call of a pair, in a process of its own."""
    path = (installed("nemo-relay", host), ADAPTERS / "sdk" / "worker")
    words = [sys.executable, "-S", __file__, host, str(installed("nemo-relay-plugin", sdk))]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=True, timeout=120)
    found: dict[str, str] = json.loads(done.stdout)
    return found


async def _host(version: str, packages: str) -> dict[str, str]:
    import nemo_relay
    from bindproof_worker import Host, Launch

    host = Host(nemo_relay, version, Launch([sys.executable, "-S", "-c", WORKER, packages]))

    async def provider(_: Any) -> Json:
        return {"ok": True}

    def tool(_: Any) -> Json:  # plain, as a host of 0.6 goes on where there is no event loop
        return nemo_relay.ToolExecutionResult({"ok": True}) if hasattr(nemo_relay, "ToolExecutionResult") else {"ok": 1}

    try:
        await host.start()
        request = nemo_relay.LLMRequest({}, {"messages": []})
        return {
            "request": await _became(nemo_relay.llm.execute("gpt", request, provider)),
            "tool": await _became(nemo_relay.tools.execute("t", {}, tool)),
        }
    finally:
        await host.stop()
        host.remove()


async def _became(call: Any) -> str:
    try:
        await call
    except Exception as error:
        return str(error)
    return TAKEN


def page(pairs: dict[tuple[str, str], dict[str, str]]) -> str:
    """Return the page of what was seen."""
    text = HEAD
    for call, title in (("request", "An LLM's request intercept"), ("tool", "A tool's execution intercept")):
        text += f"\n## {title}\n\n| host | {' | '.join(f'SDK {sdk}' for sdk in SDKS)} |\n|-|{'-|' * len(SDKS)}\n"
        for host in HOSTS:
            text += f"| {host} | {' | '.join(_cell(pairs[host, sdk][call]) for sdk in SDKS)} |\n"
    return text


def _cell(found: str) -> str:
    return found if found == TAKEN else f"`{found.removeprefix('internal error: ')}`"


def as_predicted(host: str, sdk: str, found: dict[str, str]) -> bool:
    """Tell whether a pair did what was predicted of it."""
    return all(
        (found[call] == TAKEN) == (wanted == TAKEN) and (wanted in (TAKEN, "refused") or wanted in found[call])
        for call, wanted in predicted(host, sdk).items()
    )


HEAD = """# Hosts and workers of different releases

What a host, the Python package nemo-relay, says to a worker on the Python package nemo-relay-plugin of another release:
each pair was run, by `python benchmarks/worker_pairs.py`. The manifest names the host's own line as the oldest it is
for, whatever the worker is made with. One that names an older line is refused when it is loaded, where what the worker
registers has changed since: on 0.10.4 `must declare compat.relay = ">=0.9,<1.0"`.

Predicted was this. The schema of an LLM's outcome has version 1 in 0.5 and 2 from 0.6 on, so a worker of 0.5 is refused
when its intercept has answered. From 0.8 on a tool's result is a message of its own, so workers of before and hosts
since, and the other way round, do not understand each other. Everything else goes together. So it was seen.
"""


def main() -> int:
    """Run every pair and print the page."""
    if len(sys.argv) > 1:
        print(json.dumps(asyncio.run(_host(*sys.argv[1:]))))
        return 0
    pairs = {(host, sdk): seen(host, sdk) for host in HOSTS for sdk in SDKS}
    print(page(pairs), end="")
    wrong = [(pair, found) for pair, found in pairs.items() if not as_predicted(*pair, found)]
    for pair, found in wrong:
        print(f"otherwise than predicted: host {pair[0]}, SDK {pair[1]}: {found}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
