"""The page of pairs of hosts and native plugins: each pair is run, and held against what upstream's documents say.

`python docs/site/native_pairs.py` builds a plugin on each release of the crate, has each host load it, keeps what was
seen in `native_pairs.json` and writes `docs/native-pairs.md`; `--page` writes the page alone. Enters: the registries.
Leaves: the two files; exit 1 where a pair does otherwise than its documents say.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

Json = Any

KEPT: Final = Path(__file__).with_name("native_pairs.json")
PAGE: Final = Path(__file__).parents[1] / "native-pairs.md"
ADAPTERS: Final = Path(__file__).parents[2] / "adapters"

HOSTS: Final = ("0.6.0", "0.8.4", "0.9.4", "0.10.4", "0.11.0rc3", "Node 0.9.2")
"""Releases of the Python package nemo-relay, whose line 0.11 has candidates alone; that of the Node package."""

CRATES: Final = ("0.6.0", "0.8.4", "0.9.4", "0.10.4", "0.11.0")
"""Releases of the crate nemo-relay-plugin."""

RANGES: Final = ("host", "plugin")
"""Whose line is the oldest that the manifest admits."""

WIDTH: Final = 118

MANIFEST: Final = """[package]
name = "bindproof-native"
version = "1.0.0"
edition = "2024"

[lib]
name = "bindproof_native"
crate-type = ["cdylib"]

[dependencies]
nemo-relay-plugin = "={release}"
serde_json = "1"

[profile.dev]
debug = 0
incremental = false
strip = "symbols"
"""

SOURCE: Final = """use nemo_relay_plugin::{Json, LlmRequestInterceptOutcome, NativePlugin, PluginContext, Result};
use serde_json::{Map, from_value, json};

struct Pair;

impl NativePlugin for Pair {
    fn plugin_kind(&self) -> &str {
        "bindproof.native"
    }

    fn register(&mut self, _: &Map<String, Json>, context: &mut PluginContext<'_>) -> Result<()> {
        context.register_llm_request_intercept("i", 1, false, |_, request, annotated| BODY)
    }
}

fn marked(outcome: LlmRequestInterceptOutcome) -> Result<LlmRequestInterceptOutcome> {
    let mark = json!({"name": "m", "category": "custom", "category_profile": {"subtype": "a"}});
    Ok(outcome.with_pending_mark(from_value(mark).map_err(|error| error.to_string())?))
}

nemo_relay_plugin::nemo_relay_plugin!(nemo_relay_register_plugin, || Pair);
"""

BODY: Final = "marked(LlmRequestInterceptOutcome::new(request, annotated))"
"""What the intercept does: in its place in the source, as a function of 0.6 or as an async one of later lines."""


def main(words: Sequence[str]) -> int:
    """Run every pair and keep what was seen, unless the page alone is asked for; write the page."""
    if words and words[0] == "--pair":
        sys.stdout.write(f"{json.dumps(asyncio.run(_hosted(*words[1:])))}\n")
        return 0
    if words != ["--page"]:
        libraries = {crate: built(crate) for crate in CRATES}
        pairs = [
            {
                "host": host,
                "plugin": crate,
                "range": range_,
                **seen(host, libraries[crate], _admitted(range_, host, crate)),
            }
            for range_ in RANGES
            for host in HOSTS
            for crate in CRATES
        ]
        KEPT.write_text(written(pairs), encoding="utf-8")
    pairs = json.loads(KEPT.read_text(encoding="utf-8"))["pairs"]
    PAGE.write_text(page(pairs), encoding="utf-8")
    wrong = [one for one in pairs if not as_documented(one)]
    for one in wrong:
        _tell(f"otherwise than documented: {one}")
    return 1 if wrong else 0


def documented(host: str, plugin: str) -> bool | None:
    """Tell whether upstream's documents have a host take a plugin whose manifest admits it; None where they are silent.

    From the crate's README, of 0.8, 0.9, 0.10 and 0.11: a host of 0.10 rejects the tables of before, and plugins on
    0.10 admit no host of before; hosts of 0.9 keep the table of 0.8, and what takes no context may run on 0.8; plugins
    on 0.8 admit no host of before, and 0.11 preserves the callbacks of 0.10. That plugins of before 0.8 must be rebuilt
    stands beside tables that are kept for those which were compiled, and of newer plugins on 0.10 it says nothing.
    """
    hosts, plugins = _line(host), _line(plugin)
    if (hosts >= (0, 10)) != (plugins >= (0, 10)) or hosts < (0, 8) <= plugins:
        return False
    if plugins < (0, 8) <= hosts or (0, 10) <= hosts < plugins:
        return None
    return True


def as_documented(pair: Json) -> bool:
    """Tell whether a pair did what documents say of it, and whether what was not taken was refused at load."""
    is_late = pair["load"] is None and not is_taken(pair)
    wanted = documented(pair["host"], pair["plugin"])
    if pair["range"] == "plugin" and _line(pair["plugin"]) > _line(pair["host"]):
        wanted = False  # the manifest does not admit the host
    return not is_late and wanted in (None, is_taken(pair))


def is_taken(pair: Json) -> bool:
    """Tell whether a plugin was loaded, and its outcome had its effect."""
    return pair["load"] is None and pair["call"] is None and pair["marks"] == ["m"]


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _line(version: str) -> tuple[int, int]:
    major, minor = _release(version).split(".")[:2]
    return int(major), int(minor)


def _release(host: str) -> str:
    return host.rpartition(" ")[2]


def _admitted(range_: str, host: str, plugin: str) -> str:
    return _release(host if range_ == "host" else plugin)


def built(release: str) -> Path:
    """Return the library on a release of the crate, built once and kept."""
    from bindproof.targets import cache, cargo, crate_lock  # the host's process has nothing of bindproof's
    from bindproof.targets.terms import Terms

    terms = Terms(tell=_tell)
    is_plain = _line(release) < (0, 8)
    source = SOURCE.replace("BODY", BODY if is_plain else f"async move {{ {BODY} }}")
    lock = ADAPTERS / "native" / "plugin" / crate_lock.LOCK

    def build(entry: Path) -> None:
        crate = entry / "plugin"
        (crate / "src").mkdir(parents=True)
        (crate / "src" / "lib.rs").write_text(source, "utf-8")
        (crate / "Cargo.toml").write_text(MANIFEST.format(release=release), "utf-8")
        (crate / crate_lock.LOCK).write_bytes(lock.read_bytes())  # cargo takes what goes with the release
        with cargo.shared() as common:
            cargo.build(crate, entry, locked=False, target=common, progress=terms.tell)
            cargo.take(entry, "libbindproof_native.so", common)

    key = cache.key_of("native-pairs", release, source, MANIFEST, lock.read_text("utf-8"), cargo.toolchain())
    return cache.ensure(key, build, terms).folder / "libbindproof_native.so"


def seen(host: str, library: Path, admitted: str) -> Json:
    """Return what became of a pair, in a process of its own. admitted: the release whose line the manifest names."""
    is_node = host != _release(host)
    words, env = _in_node(_release(host)) if is_node else _in_python(host)
    words = [*words, admitted, str(library)]
    done = subprocess.run(words, env={**os.environ, **env}, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode < 0:
        return {"load": f"the host's process ended by signal {-done.returncode}", "call": None, "marks": []}
    done.check_returncode()
    return json.loads(done.stdout.splitlines()[-1])


def _in_node(release: str) -> tuple[list[str], dict[str, str]]:
    """Return what starts a pair in the Node package, and its environment."""
    from bindproof.targets import node_target
    from bindproof.targets.manifest import manifest_of
    from bindproof.targets.terms import Terms

    runtime, _, package = node_target.command_for("node", manifest_of("node"), release, Terms(tell=_tell)).argv
    return [runtime, str(Path(__file__).with_name("native_pair.mjs")), package], {}


def _in_python(release: str) -> tuple[list[str], dict[str, str]]:
    """Return what starts a pair in the Python package, and its environment."""
    from bindproof.targets import cache, pip
    from bindproof.targets.terms import Terms

    terms, wanted = Terms(tell=_tell), f"nemo-relay=={release}"

    def install(folder: Path) -> None:
        pip.install(folder, wanted, None, f"pip download --no-deps {wanted}", terms)

    package = cache.ensure(cache.key_of("native-pairs-host", release), install, terms).folder / "target"
    path = (package, ADAPTERS / "sdk" / "worker", ADAPTERS / "sdk" / "python")
    return [sys.executable, "-S", __file__, "--pair"], {"PYTHONPATH": os.pathsep.join(map(str, path))}


async def _hosted(admitted: str, library: str) -> Json:
    """Load the plugin and make one call; return the errors of each, and the marks that were told."""
    import nemo_relay
    from bindproof_worker import Host, Library

    host = Host(nemo_relay, admitted, Library(Path(library)))
    told: list[Json] = []
    found: Json = {"load": None, "call": None, "marks": []}

    async def provider(_: Any) -> Json:
        return {"ok": True}

    nemo_relay.get_scope_stack()
    try:
        await host.start()
    except (RuntimeError, ValueError) as error:
        found["load"] = plain(str(error), host.folder)
    nemo_relay.subscribers.register("bindproof", lambda event: told.append(json.loads(event.to_json())))
    try:
        await nemo_relay.llm.execute("gpt", nemo_relay.LLMRequest({}, {"messages": []}), provider)
    except RuntimeError as error:
        found["call"] = plain(str(error), host.folder)
    flush = getattr(nemo_relay.subscribers, "flush_async", None)
    await (flush() if flush else asyncio.to_thread(nemo_relay.subscribers.flush))
    nemo_relay.subscribers.deregister("bindproof")
    await host.stop()
    host.remove()
    return {**found, "marks": [event["name"] for event in told if event["kind"] == "mark"]}


def plain(text: str, folder: Path) -> str:
    """Return an error's text without what differs from run to run: the folder."""
    return re.sub(r"\s+", " ", text.replace(str(folder), "FOLDER")).strip()


def written(pairs: Sequence[Json]) -> str:
    """Return the text of the file that is kept: a line for each pair."""
    return '{\n "pairs": [\n' + ",\n".join(f"  {json.dumps(one)}" for one in pairs) + "\n ]\n}\n"


def page(pairs: Sequence[Json]) -> str:
    """Return the page of what was seen."""
    texts = list(dict.fromkeys(text for one in pairs for text in (one["load"], one["call"]) if text))
    parts = [HEAD]
    for range_, title, about in TABLES:
        rows = {(one["host"], one["plugin"]): _cell(one, texts) for one in pairs if one["range"] == range_}
        parts.append(f"## {title}\n\n{about}\n")
        parts.append(f"| host | {' | '.join(f'plugin {crate}' for crate in CRATES)} |\n|-|{'-|' * len(CRATES)}")
        parts += [f"| {host} | {' | '.join(rows[host, crate] for crate in CRATES)} |" for host in HOSTS]
        parts.append("")
    parts.append("## What hosts said\n")
    parts += [_item(number, text) for number, text in enumerate(texts, 1)]
    return "\n".join([*parts, "", _calls(pairs)])


def _cell(pair: Json, texts: Sequence[str]) -> str:
    """Return what was seen of a pair, and in brackets what documents say."""
    if pair["load"]:
        found = f"refused at load: {texts.index(pair['load']) + 1}"
    elif pair["call"]:
        found = f"fails at call: {texts.index(pair['call']) + 1}"
    else:
        found = "taken" if is_taken(pair) else "loaded, and not asked"
    if pair["range"] == "plugin":
        return found
    words = {True: "taken", False: "refused", None: "unstated"}
    return f"{found} ({words[documented(pair['host'], pair['plugin'])]})"


def _item(number: int, text: str) -> str:
    return textwrap.fill(
        f"`{text}`", WIDTH, initial_indent=f"{number}. ", subsequent_indent="   ", break_on_hyphens=False
    )


def _calls(pairs: Sequence[Json]) -> str:
    """Return the sentence on calls after a refusal."""
    refused = [one for one in pairs if one["load"]]
    unharmed = sum(one["call"] is None and not one["marks"] for one in refused)
    late = sum(one["load"] is None and one["call"] is not None for one in pairs)
    text = (
        f"Of {len(pairs)} tries {len(refused)} were refused when the plugin was loaded, and in {unharmed} of them the "
        f"next call went on without the plugin. {late} were found out in a call only."
    )
    return f"{textwrap.fill(text, WIDTH)}\n"


TABLES: Final = (
    (
        "host",
        "The manifest admits the host",
        "It names the host's own line as the oldest it is for, whatever the plugin is made with: only the ABI is in\n"
        "question. In brackets stands what documents say.",
    ),
    (
        "plugin",
        "The manifest names the plugin's line",
        "As the crate's documents ask for: a host of before is not admitted, and a newer one is.",
    ),
)

HEAD: Final = """# Hosts and native plugins of different releases

What a host, the Python package nemo-relay or the Node package, does with a native plugin on the crate
nemo-relay-plugin of another release: each pair was run, by `python docs/site/native_pairs.py`, which builds each plugin
once and keeps it. The plugin has an intercept of LLM requests with one mark. **Taken** means that it was loaded, and
that its mark was told in a call.

The README of the crate says which tables of functions a host takes. Hosts of 0.10 reject those of before, and plugins
on 0.10 are for no host of before; 0.11 preserves the callbacks of 0.10. Hosts of 0.9 keep the table of 0.8, and what
needs no context of a tool's execution is for 0.8 too. Plugins on 0.8 are for no host of before. Whether hosts since
take those of before it leaves open, as it does with plugins on 0.11 for hosts of 0.10.
"""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
