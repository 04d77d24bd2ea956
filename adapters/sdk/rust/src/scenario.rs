//! A complete scenario as types, the order of its ops kept.
//!
//! Enters: JSON text as the harness sends it. Leaves: steps; one of an unknown kind is a step too, to be refused when it
//! is its turn. Must not know how steps are acted out.

use std::sync::Arc;

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Map;
use serde_json::value::RawValue;

use crate::Json;

/// What one callback does, shared by all its calls.
pub type Ops = Arc<[Op]>;

/// A program of steps.
#[derive(Debug, Deserialize)]
pub struct Scenario {
    pub steps: Vec<Step>,
}

/// One step. `Other` names the capability that a step would need which this SDK has not.
#[derive(Debug)]
pub enum Step {
    Register(Register),
    Call(Box<Call>),
    Helper(Helper),
    Flush { id: String },
    Other { kind: String },
}

/// Registers a subscriber or an intercept; `ops` are what its callback does to the natural reply.
#[derive(Debug, Deserialize)]
pub struct Register {
    /// The step's id, which is its callback's too.
    #[serde(rename = "as")]
    pub id: String,
    /// `subscriber`, `llm.request`, …
    pub family: String,
    /// The name to register under.
    pub name: String,
    /// `global`, or the step that opened the scope.
    pub scope: String,
    /// Where in the chain; lower comes first.
    pub priority: i32,
    /// Whether the chain ends here.
    pub break_chain: bool,
    #[serde(rename = "do")]
    pub(crate) ops: Ops,
}

/// A managed call.
#[derive(Debug, Deserialize)]
pub struct Call {
    #[serde(rename = "as")]
    pub(crate) id: String,
    pub(crate) kind: String,
    /// The name of the call.
    pub name: String,
    /// The model's name, where the caller gives one.
    pub model: Option<String>,
    pub(crate) request: Json,
    pub(crate) codec: Codec,
    pub(crate) provider: Ops,
}

/// A standalone helper.
#[derive(Debug, Deserialize)]
pub struct Helper {
    #[serde(rename = "as")]
    pub(crate) id: String,
    pub(crate) kind: String,
    /// The name that the intercepts are given.
    pub name: String,
    pub(crate) request: Json,
}

/// What goes to a provider: headers and body.
#[derive(Clone, Debug, Deserialize)]
pub struct Request {
    /// The headers.
    pub headers: Map<String, Json>,
    /// The body.
    pub content: Json,
}

/// The codec of a call: `"none"`, another name, or two scripted callbacks.
#[derive(Debug)]
pub enum Codec {
    Named(String),
    Scripted { decode: Ops, encode: Ops },
}

/// What a callback does to its natural reply.
#[derive(Debug)]
pub enum Op {
    Edit(Edit),
    Raise { text: String },
    Step(Step),
    Other { kind: String },
}

/// Changes to a reply, in this order.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Edit {
    pub set: Pairs<Json>,
    pub remove: Vec<String>,
    pub append: Pairs<Vec<Json>>,
}

/// An object's members in the order in which they were written.
#[derive(Debug)]
pub struct Pairs<T>(pub Vec<(String, T)>);

impl<T> Default for Pairs<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Head {
            step: String,
            kind: Option<String>,
            metadata: Option<Json>,
            parent: Option<Json>,
        }
        #[derive(Deserialize)]
        struct Named {
            #[serde(rename = "as")]
            id: String,
        }
        let raw = <&RawValue>::deserialize(source)?;
        let head = read::<Head, _>(raw)?;
        let kind = format!("{} {}", head.step, head.kind.as_deref().unwrap_or_default());
        if head.step == "call" && (head.metadata.is_some() || head.parent.is_some()) {
            return Ok(Self::Other { kind: "lifecycles".into() });
        }
        if (head.step == "call" && kind != "call llm") || (head.step == "helper" && kind != "helper llm.request") {
            return Ok(Self::Other { kind });
        }
        Ok(match head.step.as_str() {
            "register" => Self::Register(read(raw)?),
            "call" => Self::Call(Box::new(read(raw)?)),
            "helper" => Self::Helper(read(raw)?),
            "flush" => Self::Flush { id: read::<Named, _>(raw)?.id },
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
        struct Inner {
            step: Step,
        }
        let raw = <&RawValue>::deserialize(source)?;
        Ok(match read::<Head, _>(raw)?.op.as_str() {
            "edit" => Self::Edit(read(raw)?),
            "raise" => Self::Raise { text: read::<Raise, _>(raw)?.text },
            "step" => Self::Step(serde_json::from_str::<Inner>(raw.get()).map_err(D::Error::custom)?.step),
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

    fn scenario(text: &str) -> Scenario {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_step_of_another_kind_names_what_it_needs() {
        let needs = |step: &str| match &scenario(&format!(r#"{{"steps": [{step}]}}"#)).steps[0] {
            Step::Other { kind } => kind.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(needs(r#"{"step": "call", "as": "c", "kind": "tool", "name": "t", "args": {}}"#), "call tool");
        assert_eq!(needs(r#"{"step": "helper", "as": "h", "kind": "tool.request"}"#), "helper tool.request");
        assert_eq!(
            needs(r#"{"step": "call", "as": "c", "kind": "llm", "parent": "s", "metadata": null}"#),
            "lifecycles"
        );
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
                {"step": "mark", "as": "m"}]}"#,
        );
        let [Step::Register(register), Step::Call(call), Step::Helper(_), Step::Flush { id }, Step::Other { kind }] =
            &read.steps[..]
        else {
            panic!("{read:?}");
        };
        assert_eq!((register.id.as_str(), register.priority, register.break_chain), ("i", -1, true));
        assert!(matches!(&register.ops[..], [Op::Raise { text }] if text == "boom-1!"));
        assert!(matches!(call.codec, Codec::Scripted { .. }));
        assert_eq!((id.as_str(), kind.as_str()), ("f", "mark"));
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
