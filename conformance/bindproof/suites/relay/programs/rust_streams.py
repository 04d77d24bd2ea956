"""The streams of programs in Rust: what hands chunks over, what collects them, who reads them.

Enters: calls that open streams, and intercepts around them. Leaves: functions of Rust, and lines that read. Must not
know other steps.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.programs.compiled import NATURAL
from bindproof.suites.relay.programs.outline import NoProgramError
from bindproof.suites.relay.programs.rust_around import Around
from bindproof.suites.relay.programs.rust_callbacks import reads
from bindproof.suites.relay.programs.rust_values import deeper, text_of
from bindproof.suites.relay.programs.rust_words import Family

_OWN: Json = [{"op": "yield", "chunks": [{"i": 0}, {"i": 1}]}]
"""What a stream's provider hands over by itself."""

_COLLECTOR = Family("chunk: Value", "()", '{"chunk": chunk}', "Ok(())", "Value::Null", "Ok(())")
_FINALIZER = Family("", "Value", "{}", 'json!({"done": true})', 'json!({"done": true})', "reply")


class Streams(Around):
    """The streams of one program."""

    def _source(self, name: str, ops: list[Json]) -> str:
        """Write the provider of a stream; return what the crate is given of it."""
        function, who = self._names.of(name), text_of(name)
        eager, late = _split(ops)
        body = self._ops(name, eager)
        if not _raises(eager):
            body += self._flowing(who, who, self._late(name, late or _OWN, []))
        lines = [*self._told(name, '{"request": request}', body, who), *body]
        self._function(f"async fn {function}(request: LlmRequest) -> Result<LlmJsonStream>", _tail(lines))
        return f"Arc::new(|request| Box::pin({function}(request)))"

    def _around_stream(self, name: str, ops: list[Json]) -> str:
        function, who = self._names.of(name), text_of(name)
        edits = [op for op in ops if op["op"] == "edit"]
        eager, late = ([op for op in part if op["op"] != "edit"] for part in _split(ops))
        if not any(op["op"] == "next" for op in ops):
            eager.insert(0, NATURAL)
        before: list[str] = []
        passed: list[str] = []
        kept = max((at for at, op in enumerate(eager) if op["op"] == "next"), default=-1)
        for at, op in enumerate(eager):
            if op["op"] == "next":
                keeps = at == kept and not _raises(eager)
                before += self._asked(name, op, keeps=keeps)
                passed = self._passing(op, edits) if keeps else []
            else:
                before += self._ops(name, [op])
        body = before
        if not _raises(eager):
            body = [*before, *self._flowing(f"{name}.stream", who, [*passed, *self._late(name, late, edits)])]
        context, typed, told = self._of_context()
        lines = [*self._told(name, f'{{"request": request{told}}}', body), *body]
        following = "next" if reads(lines, "next") else "_next"
        head = f"async fn {function}(request: LlmRequest, {typed}{following}: LlmStreamExecutionNextFn)"
        self._function(f"{head} -> Result<LlmJsonStream>", _tail(lines))
        return f"Arc::new(|_name, request, {context}next| Box::pin({function}(request, {context}next)))"

    def _flowing(self, lane: str, who: str, late: list[str]) -> list[str]:
        """Return the lines that make a stream of what is done when it is read."""
        lane = lane if lane.startswith('"') else text_of(lane)
        out = "out" if reads(late, "out") else "_out"
        return [f"Ok(flow({lane}, {who}, |{out}| async move {{", *deeper(_tail([*late, "Ok(())"])), "}))"]

    def _late(self, name: str, ops: list[Json], edits: list[Json]) -> list[str]:
        """Return the lines of what is done when a stream is read."""
        lines: list[str] = []
        for op in ops:
            match op["op"]:
                case "yield":
                    lines += [f"out.hand_over({self._value(chunk, 70)}).await;" for chunk in op["chunks"]]
                case "hang":
                    lines.append("pending::<()>().await;")
                case "next":
                    lines += [*self._asked(name, op, keeps=True), *self._passing(op, edits)]
                case _:
                    lines += self._ops(name, [op])
        return lines

    def _asked(self, name: str, op: Json, *, keeps: bool) -> list[str]:
        """Return the lines that go on with what is wrapped; a failure may be caught."""
        lines: list[str] = []
        for edit in op["edits"][:1]:
            given = 'given["request"].clone()'
            changes, argument = self._argument(edit, given)
            lines += changes
            asked = f"go_on_streaming({text_of(name)}, &next, {argument}).await"
            if keeps:
                lines.append(f"let {'' if op['catch'] else 'mut '}inner = {asked}{'' if op['catch'] else '?'};")
            else:
                lines.append(f"drop({asked});" if op["catch"] else f"drop({asked}?);")
        return lines

    def _passing(self, op: Json, edits: list[Json]) -> list[str]:
        """Return the lines that pass chunks on, changed. A failure ends them, and is caught or not."""
        if not op["edits"]:
            return []
        changes = [line for edit in edits for line in self._edit(edit, "chunk")]
        if op["catch"]:
            declared = "Some(Ok(mut chunk))" if changes else "Some(Ok(chunk))"
            loop = [
                f"while let {declared} = inner.next().await {{",
                *deeper([*changes, "out.hand_over(chunk).await;"]),
                "}",
            ]
            return ["if let Ok(mut inner) = inner {", *deeper(loop), "}"]
        if not changes:
            return ["while let Some(chunk) = inner.next().await {", "    out.hand_over(chunk?).await;", "}"]
        changes = ["let mut chunk = chunk?;", *changes, "out.hand_over(chunk).await;"]
        return ["while let Some(chunk) = inner.next().await {", *deeper(changes), "}"]

    def _ends(self, name: str, collects: list[Json], finishes: list[Json]) -> tuple[str, str]:
        """Write collector and finalizer; return what the crate is given of them."""
        collector, finalizer = (self._names.of(f"{name}.{part}") for part in ("collector", "finalizer"))
        if any(op["op"] == "raise" for op in finishes):
            raise NoProgramError("a finalizer gives JSON: it cannot fail")
        lane = text_of(f"{name}.collector")
        lines = self._body(f"{name}.collector", "collector", _COLLECTOR, collects, lane)
        self._function(f"fn {collector}(chunk: Value) -> Result<()>", lines)
        self._trying = ".unwrap()"
        lines = self._body(f"{name}.finalizer", "finalizer", _FINALIZER, finishes, lane)
        self._trying = "?"
        self._function(f"fn {finalizer}(_busy: Busy) -> Value", lines)
        return f"Box::new({collector})", f"Box::new(move || {finalizer}(busy))"

    def _stream(self, step: Json) -> list[str]:
        """Return the lines that open a stream, and read it where they should."""
        name = step["as"]
        source = self._source(f"{name}.source", step["provider"])
        collector, finalizer = self._ends(name, step["collector"], step["finalizer"])
        more = [("collector", collector), ("finalizer", finalizer)]
        lines = ["let busy = Busy::new();", *self._params(step, "LlmStreamCallExecuteParams", source, more)]
        opened = "llm_stream_call_execute(params).await"
        variable, who = self._names.of(name), text_of(name)
        fails = f"fails({who}, error);"
        if not self._outline.may_fail(name):
            lines.append(f"let mut {variable} = Reading {{ stream: {opened}?, has_ended: false }};")
            return [*lines, f"read({who}, &mut {variable}, None).await?;"] if step["drain"] else lines
        if not step["drain"]:
            return [*lines, f"if let Err(error) = {opened} {{", f"    {fails}", "}"]
        return [
            *lines,
            f"match {opened} {{",
            "    Ok(stream) => {",
            "        let mut reading = Reading { stream, has_ended: false };",
            f"        if let Err(error) = read({who}, &mut reading, None).await {{",
            f"            {fails}",
            "        }",
            "    }",
            f"    Err(error) => {fails.removesuffix(';')},",
            "}",
        ]

    def _params(self, step: Json, params: str, provider: str, more: list[tuple[str, str]]) -> list[str]:
        """Return the lines that make the parameters of a call."""
        raise NotImplementedError

    def _read(self, step: Json) -> list[str]:
        count = "None" if step["n"] is None else f"Some({step['n']})"
        return self._shown(step, f"read({text_of(step['as'])}, &mut {self._names.of(step['of'])}, {count}).await")

    def _close(self, step: Json) -> list[str]:
        variable = self._names.of(step["of"])
        if step["how"] == "close":
            return self._tried(step, f"close(&mut {variable}).await")
        return [f"drop({variable});", *self._tried(step, "settle().await")]

    def _tried(self, step: Json, call: str) -> list[str]:
        """Return the lines of a call that gives nothing."""
        raise NotImplementedError


def _split(ops: list[Json]) -> tuple[list[Json], list[Json]]:
    """Return what is done when a callback is called, and what when its stream is read."""
    first = next((at for at, op in enumerate(ops) if op["op"] in ("yield", "hang")), len(ops))
    return ops[:first], ops[first:]


def _raises(ops: list[Json]) -> bool:
    return any(op["op"] == "raise" for op in ops)


def _tail(lines: list[str]) -> list[str]:
    """Return lines up to the first that returns, which is the reply."""
    for at, line in enumerate(lines):
        if line.startswith("return "):
            return [*lines[:at], line.removeprefix("return ").removesuffix(";")]
    return lines
