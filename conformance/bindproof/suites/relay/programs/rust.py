"""Programs in Rust, which drive the crate nemo-relay.

Enters: an outline. Leaves: source text. Must not know how it is judged.
"""

from __future__ import annotations

import re

from bindproof.suites.relay.programs.python_words import KINDS
from bindproof.suites.relay.programs.rust_source import limit_of, needs, says, uses
from bindproof.suites.relay.programs.rust_steps import Steps
from bindproof.suites.relay.programs.rust_values import ROOM, deeper, entry, expression, listed, text_of
from bindproof.suites.relay.programs.rust_words import CRATES, MATCHERS
from bindproof.suites.relay.programs.writer import WIDEST
from bindproof.suites.relay.programs.writing import seen

_MAIN = """
#[tokio::main(worker_threads = 1)]
async fn main() -> ExitCode {
    if let Err(error) = program().await {
        println!("the program ended early: {error}");
        report();
        return ExitCode::FAILURE;
    }
    if report() > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
"""

_TYPES = {"scope": "ScopeHandle", "llm": "LlmHandle", "tool": "ToolHandle"}


class Rust(Steps):
    """One program for Rust."""

    def text(self) -> str:
        """Return the whole program."""
        outline = self._outline
        steps = [line for step in outline.steps for line in self._step(step)]
        if any(step.get("background") for step in outline.steps):
            steps.append("open_all().await;")
        steps += [f"drop({name});" for name in self._open_streams()]
        steps += ["flush_subscribers()?;", "Ok(())"]
        outline.name_families(KINDS)
        declared = [self._declared(key) for key in sorted(self._statics)]
        head = "async fn program() -> std::result::Result<(), Box<dyn Error>>"
        body = "\n".join([f"{head} {{", *deeper(steps), "}"])
        program = "\n\n".join([*declared, *self._functions, body])
        expectation = self._expectation()
        decides = "decide(" if "maybe" in expectation else ""
        parts = self.parts.needed("\n".join([program, expectation, _MAIN, decides]))
        at = next(at for at, part in enumerate(parts) if part.startswith("// -- what may be seen"))
        title = "// -- the program ".ljust(WIDEST, "-")
        source = "\n\n".join([*parts[:at], title, program, *parts[at:-1], expectation, parts[-1], _MAIN.strip()])
        if decides:
            wanted = "let wanted = wanted.remove(&lane).unwrap_or_default();"
            source = source.replace(wanted, "let wanted = decide(wanted.remove(&lane).unwrap_or_default(), &got);")
        if "flow(" in program and "hand_over(" not in program:
            source = re.sub(
                r"^(struct Out\(|impl Out \{)", r"#[allow(dead_code)] // nothing is handed over\n\1", source, flags=re.M
            )
        steps_down = limit_of("\n\n".join([program, expectation]))
        limit = f'#![recursion_limit = "{steps_down}"]\n\n' if steps_down > 128 else ""
        comment = "\n".join(f"// {line}".rstrip() for line in seen(self._head(source)).split("\n"))
        return f"{comment}\n\n{limit}{uses(source)}\n\n{source}\n"

    def _head(self, source: str) -> str:
        name, version = self._outline.file.removesuffix(".rs"), self._outline.version
        crates = [line for crate, line in CRATES.items() if says(source, rf"{crate}(?:::|\b)") or needs(source, crate)]
        features = [name for name, word in (("sync", "Notify"), ("time", "tokio::time")) if says(source, word)]
        features = ["macros", "rt-multi-thread", *features]
        asked = f'{{ version = "={version}", default-features = false }}' if version else '"*"'
        told = [
            "It needs Rust 1.88 or newer, and beside it this Cargo.toml:",
            "",
            "    [package]",
            f'    name = "{name.replace("_", "-")}"',
            '    edition = "2024"',
            "",
            "    [[bin]]",
            f'    name = "{name.replace("_", "-")}"',
            f'    path = "{self._outline.file}"',
            "",
            "    [dependencies]",
            *(f"    {line}" for line in sorted([
                *crates,
                f"nemo-relay = {asked}",
                'serde_json = "1"',
                f'tokio = {{ version = "1", features = [{", ".join(map(text_of, features))}] }}',
            ])),
        ]  # fmt: skip
        return self._outline.heading("cargo run --quiet", needs="\n".join(told))

    def _declared(self, key: str) -> str:
        name, step = self._names.of(key).upper(), key.removesuffix(" value")
        of = self._outline.step(step)
        kind = "Value" if key.endswith(" value") else _TYPES[of["kind"]]
        return f"static {name}: Shared<{kind}> = Shared::new();"

    def _open_streams(self) -> list[str]:
        forgotten = {step["of"] for step in self._outline.steps if step["step"] == "close" and step["how"] != "close"}
        calls = [step["as"] for step in self._outline.steps if step.get("kind") == "llm_stream"]
        return [self._names.of(one) for one in calls if one not in forgotten and not self._outline.may_fail(one)]

    # -- what is expected ----------------------------------------------------------------------------------------------

    def _expectation(self) -> str:
        common, lanes = self._outline.common()
        made: list[str] = []
        if common:
            lines = [
                f"let mut event = {expression(common, ROOM - 20)};",
                "event.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());",
                "event",
            ]
            made.append("\n".join([
                "/// An event: what all of them have in common, and its own.",
                "fn event_with(own: Value) -> Value {", *deeper(lines), "}",
            ]))  # fmt: skip
        due = [
            f"({text_of(lane)}.into(), {listed('vec![', [entry(one, ROOM - 12) for one in entries], ']', ROOM - 20)})"
            for lane, entries in lanes.items()
        ]
        body = ["Lanes::from([", *deeper(f"{one}," for one in due), "])"] if due else ["Lanes::new()"]
        made.append("\n".join(["/// What is due.", "fn expected() -> Lanes {", *deeper(body), "}"]))
        said = "\n".join(made)
        arms = [
            f'"{key}" => {how},' for name, (key, how) in MATCHERS.items() if says(said, _CALLED.get(name, rf"{name}\("))
        ]
        if arms:
            lines = [
                "let (matcher, given) = expected.as_object()?.iter().next()?;",
                "Some(match matcher.as_str() {", *deeper([*arms, "_ => return None,"]), "})",
            ]  # fmt: skip
        made.append("\n".join([
            "/// Whether what stands for a value accepts one; nothing where it is a value itself.",
            f"fn accepts({'expected' if arms else '_'}: &Value, {_value_named(arms)}: &Value) -> Option<bool> {{",
            *deeper(lines if arms else ["None"]), "}",
        ]))  # fmt: skip
        return "\n\n".join(made)


_CALLED = {"failure": r"failure(_with)?\("}
"""Matcher → what calls it, where that is not its name."""


def _value_named(arms: list[str]) -> str:
    return "value" if any("value" in arm for arm in arms) else "_"
