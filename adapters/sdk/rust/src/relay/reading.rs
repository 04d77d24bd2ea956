//! How a scenario is written: what tells a kind of step, an op or a codec, and the order of edits, which is kept.
//!
//! Enters: JSON text as the harness sends it. Leaves: steps; one of an unknown kind is a step too, to be refused when it
//! is its turn. Must not know how steps are acted out.

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::json::Json;
use crate::relay::scenario::{Codec, Op, Ops, Pairs, Step};

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Head {
            step: String,
            #[serde(default)]
            block: bool,
        }
        #[derive(Deserialize)]
        struct Named {
            #[serde(rename = "as")]
            id: String,
        }
        #[derive(Deserialize)]
        struct Referring {
            #[serde(rename = "as")]
            id: String,
            of: String,
        }
        #[derive(Deserialize)]
        struct Opening {
            #[serde(rename = "as")]
            id: String,
            latch: String,
        }
        #[derive(Deserialize)]
        struct Storming {
            #[serde(rename = "as")]
            id: String,
            on: String,
            programs: Vec<Vec<Step>>,
        }
        #[derive(Deserialize)]
        struct Installing {
            #[serde(rename = "as")]
            id: String,
            plugins: Vec<String>,
            #[serde(rename = "do")]
            ops: Ops,
        }
        let raw = <&RawValue>::deserialize(source)?;
        let Head { step, block } = read(raw)?;
        Ok(match step.as_str() {
            _ if block => Self::Other { kind: "block".into() },
            "register" => Self::Register(read(raw)?),
            "deregister" => {
                let Referring { id, of } = read(raw)?;
                Self::Deregister { id, of }
            }
            "list" => Self::List(read(raw)?),
            "context" => Self::Context(read(raw)?),
            "capture" => Self::Capture(read(raw)?),
            "back" => Self::Back { id: read::<Named, _>(raw)?.id },
            "current" => Self::Current { id: read::<Named, _>(raw)?.id },
            "handle" => {
                let Referring { id, of } = read(raw)?;
                Self::Handle { id, of }
            }
            "build" => Self::Build(read(raw)?),
            "decode" => Self::Decode(read(raw)?),
            "encode" => Self::Encode(read(raw)?),
            "gate" => Self::Gate(read(raw)?),
            "ungate" => {
                let Referring { id, of } = read(raw)?;
                Self::Ungate { id, of }
            }
            "call" => Self::Call(Box::new(read(raw)?)),
            "read" => Self::Read(read(raw)?),
            "close" => Self::Close(read(raw)?),
            "start" => Self::Start(Box::new(read(raw)?)),
            "end" => Self::End(read(raw)?),
            "mark" => Self::Mark(read(raw)?),
            "helper" => Self::Helper(read(raw)?),
            "install" => {
                let Installing { id, plugins, ops } = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
                Self::Install { id, plugins, ops }
            }
            "uninstall" => {
                let Referring { id, of } = read(raw)?;
                Self::Uninstall { id, of }
            }
            "flush" => Self::Flush { id: read::<Named, _>(raw)?.id },
            "open" => {
                let Opening { id, latch } = read(raw)?;
                Self::Open { id, latch }
            }
            "cancel" => {
                let Referring { id, of } = read(raw)?;
                Self::Cancel { id, of }
            }
            "storm" => {
                let Storming { id, on, programs } = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
                Self::Storm { id, on, programs }
            }
            other => Self::Other { kind: other.into() },
        })
    }
}

impl<'de> Deserialize<'de> for Op {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Head {
            op: String,
        }
        #[derive(Deserialize)]
        struct Raise {
            text: String,
        }
        #[derive(Deserialize)]
        struct Yield {
            chunks: Vec<Json>,
        }
        #[derive(Deserialize)]
        struct Wait {
            latch: String,
        }
        #[derive(Deserialize)]
        struct Inner {
            step: Step,
        }
        #[derive(Deserialize)]
        struct Each {
            ops: Vec<Vec<Op>>,
        }
        let raw = <&RawValue>::deserialize(source)?;
        Ok(match read::<Head, _>(raw)?.op.as_str() {
            "edit" => Self::Edit(read(raw)?),
            "raise" => Self::Raise { text: read::<Raise, _>(raw)?.text },
            "yield" => Self::Yield { chunks: read::<Yield, _>(raw)?.chunks },
            "hang" => Self::Hang,
            "wait" => Self::Wait { latch: read::<Wait, _>(raw)?.latch },
            "next" => Self::Next(read(raw)?),
            "step" => Self::Step(serde_json::from_str::<Inner>(raw.get()).map_err(D::Error::custom)?.step),
            "each" => {
                let Each { ops } = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
                Self::Each { ops }
            }
            other => Self::Other { kind: other.into() },
        })
    }
}

impl<'de> Deserialize<'de> for Codec {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Scripted {
            decode: Ops,
            encode: Ops,
        }
        let raw = <&RawValue>::deserialize(source)?;
        if raw.get().starts_with('"') {
            return Ok(Self::Named(read(raw)?));
        }
        let Scripted { decode, encode } = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        Ok(Self::Scripted { decode, encode })
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct Members<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Pairs<T>;

            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("an object of pointers")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Pairs<T>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = members.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        source.deserialize_map(Members(std::marker::PhantomData))
    }
}

fn read<T: DeserializeOwned, E: Error>(raw: &RawValue) -> Result<T, E> {
    serde_json::from_str(raw.get()).map_err(E::custom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relay::scenario::{How, Kind, Scenario};
    use serde_json::json;

    fn scenario(text: &str) -> Scenario {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn reads_every_step() {
        let read = scenario(
            r#"{"steps": [
                {"step": "register", "as": "i", "family": "llm.request", "name": "i", "scope": "global", "priority": -1,
                 "break_chain": true, "do": [{"op": "raise", "text": "boom-1!"}]},
                {"step": "call", "as": "c", "kind": "llm", "name": "gpt", "request": {"headers": {}, "content": {}},
                 "model": null, "codec": {"decode": [], "encode": []}, "provider": []},
                {"step": "helper", "as": "h", "kind": "llm.request", "name": "gpt", "request": {}},
                {"step": "flush", "as": "f"},
                {"step": "dance", "as": "m"}]}"#,
        );
        let [Step::Register(register), Step::Call(call), Step::Helper(_), Step::Flush { id }, Step::Other { kind }] =
            &read.steps[..]
        else {
            panic!("{read:?}");
        };
        assert_eq!((register.id.as_str(), register.priority, register.break_chain), ("i", -1, true));
        assert!(matches!(&register.ops[..], [Op::Raise { text }] if text == "boom-1!"));
        assert!(matches!(call.codec, Codec::Scripted { .. }));
        assert_eq!((id.as_str(), kind.as_str()), ("f", "dance"));
    }

    #[test]
    fn reads_what_starts_and_ends() {
        let read = scenario(
            r#"{"steps": [
                {"step": "start", "as": "S", "kind": "scope", "name": "S", "type": "agent", "input": {"$get": "c"},
                 "metadata": null, "parent": null},
                {"step": "start", "as": "T", "kind": "tool", "name": "t", "args": [1], "tool_call_id": "x",
                 "metadata": {"m": 1}, "parent": "S"},
                {"step": "end", "as": "e", "of": "T", "output": null, "annotation": 3, "metadata": null},
                {"step": "mark", "as": "m", "name": "m", "data": 1, "metadata": null, "data_schema": null,
                 "severity": "warn", "parent": null},
                {"step": "deregister", "as": "d", "of": "i"}]}"#,
        );
        let [Step::Start(scope), Step::Start(tool), Step::End(end), Step::Mark(mark), Step::Deregister { of, .. }] =
            &read.steps[..]
        else {
            panic!("{read:?}");
        };
        assert_eq!((scope.kind, &scope.input, &scope.metadata), (Kind::Scope, &Some(json!({"$get": "c"})), &None));
        assert_eq!((tool.kind, &tool.args, tool.parent.as_deref()), (Kind::Tool, &json!([1]), Some("S")));
        assert_eq!((end.of.as_str(), &end.output, &end.annotation), ("T", &Json::Null, &json!(3)));
        assert_eq!((&mark.data, &mark.severity, of.as_str()), (&Some(json!(1)), &json!("warn"), "i"));
    }

    #[test]
    fn reads_what_streams_have() {
        let read = scenario(
            r#"{"steps": [
                {"step": "call", "as": "c", "kind": "llm_stream", "name": "gpt", "request": {}, "model": null,
                 "provider": [{"op": "yield", "chunks": [1]}, {"op": "hang"}], "finalizer": [], "drain": false,
                 "collector": [{"op": "each", "ops": [[], [{"op": "raise", "text": "boom-1!"}]]}]},
                {"step": "read", "as": "r", "of": "c", "n": 1},
                {"step": "close", "as": "d", "of": "c", "how": "drop"}]}"#,
        );
        let [Step::Call(call), Step::Read(part), Step::Close(close)] = &read.steps[..] else {
            panic!("{read:?}");
        };
        assert!(matches!(&call.provider[..], [Op::Yield { chunks }, Op::Hang] if *chunks == [json!(1)]));
        let [Op::Each { ops }] = &call.collector[..] else { panic!("{call:?}") };
        assert!(matches!(&ops[..], [first, last] if first.is_empty() && matches!(last[..], [Op::Raise { .. }])));
        assert_eq!((part.n, close.how), (Some(1), How::Drop));
    }

    #[test]
    fn reads_calls_in_flight() {
        let read = scenario(
            r#"{"steps": [
                {"step": "call", "as": "c", "kind": "llm", "name": "gpt", "request": {}, "model": null, "background": true,
                 "provider": [{"op": "wait", "latch": "x"}]},
                {"step": "open", "as": "o", "latch": "x"}]}"#,
        );
        let [Step::Call(call), Step::Open { id, latch }] = &read.steps[..] else { panic!("{read:?}") };
        assert!(matches!(&call.provider[..], [Op::Wait { latch }] if latch == "x"));
        assert!(call.background);
        assert_eq!((id.as_str(), latch.as_str()), ("o", "x"));
    }

    #[test]
    fn reads_plugins() {
        let read = scenario(
            r#"{"steps": [
                {"step": "install", "as": "p", "plugins": ["b", "a"], "do": [
                    {"op": "step", "step": {"step": "register", "as": "i", "family": "tool.request", "name": "i",
                        "scope": "global", "priority": 1, "break_chain": false, "do": []}},
                    {"op": "raise", "text": "boom-1!"}]},
                {"step": "uninstall", "as": "u", "of": "p"}]}"#,
        );
        let [Step::Install { id, plugins, ops }, Step::Uninstall { of, .. }] = &read.steps[..] else {
            panic!("{read:?}")
        };
        assert!(matches!(&ops[..], [Op::Step(Step::Register(_)), Op::Raise { .. }]));
        assert_eq!((id.as_str(), of.as_str()), ("p", "p"));
        assert_eq!(*plugins, ["b", "a"]);
    }

    #[test]
    fn keeps_the_order_of_edits() {
        let op: Op =
            serde_json::from_str(r#"{"op": "edit", "set": {"/b": 1, "/a": 2}, "append": {"/z": [1]}}"#).unwrap();
        let Op::Edit(edit) = op else { panic!("{op:?}") };
        let order: Vec<&str> = edit.set.0.iter().map(|(pointer, _)| pointer.as_str()).collect();
        assert_eq!(order, ["/b", "/a"]);
        assert_eq!((edit.append.0.len(), edit.remove.len()), (1, 0));
    }

    #[test]
    fn says_what_is_wrong() {
        let error = serde_json::from_str::<Scenario>(r#"{"steps": [{"step": "flush"}]}"#).unwrap_err();
        assert!(error.to_string().contains("missing field `as`"), "{error}");
    }
}
