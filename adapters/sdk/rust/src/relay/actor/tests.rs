//! The actor with a binding that only remembers what it was asked.

use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use super::*;
use crate::relay::binding::{Beside, Decide, Undo};
use crate::relay::callback::Callback;
use crate::relay::callee::{Callee, RequestCodec, no_codec};
use crate::relay::flight::Flight;
use crate::relay::plugin::Plugins;
use crate::relay::refusal::Failure;
use crate::relay::scenario::{Build, Call, Decode, Encode, End, Gate, Helper, Mark, Register, Start};
use crate::relay::streams::{Parts, Reader};
use serde_json::json;

mod cases;
mod flight;
mod gates;
mod plugins;
mod toy;

/// A binding that only remembers what it was asked; the name `stuck` cannot be deregistered. What begins with `p.` is
/// of the second component of the plugin `p`.
#[derive(Default)]
struct Fake {
    names: Arc<Mutex<Vec<String>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Binding for Fake {
    type Handle = String;

    fn describe(&self) -> Json {
        json!({})
    }

    fn fresh_scope(&self) -> Beside {
        let asked = Arc::clone(&self.asked);
        Arc::new(move || lock(&asked).push("beside".into()))
    }

    fn registered(&self, family: Option<&str>) -> Result<Vec<Listed>, Refusal> {
        let asked = family.is_none_or(|family| family == "llm.request");
        let entry = |name: &String| match name.strip_prefix("p.") {
            None => Listed::own("llm.request", name),
            Some(local) => {
                let (effective, plugin) = (name.clone(), Some("p".into()));
                Listed { effective, plugin, number: Some(2), ..Listed::own("llm.request", local) }
            }
        };
        Ok(lock(&self.names).iter().filter(|_| asked).map(entry).collect())
    }

    fn flush(&self) -> Result<(), Refusal> {
        Ok(())
    }

    fn register(&self, step: &Register, _: Option<&String>, callee: Callee) -> Result<Undo, Refusal> {
        match callee {
            Callee::Sink(sink) => sink.put(Ok(json!({"kind": "hello"}))),
            Callee::Source(_) => return Err(Stop::unsupported("llm.stream", "this one wraps no streams").into()),
            Callee::Callback(callback) => drop(callback.play::<Json>(&json!({}), json!({}))),
        }
        lock(&self.names).push(step.name.clone());
        let (names, name) = (Arc::clone(&self.names), step.name.clone());
        Ok(Arc::new(move || {
            assert_ne!(name, "stuck", "it is stuck");
            let mut names = lock(&names);
            let before = names.len();
            names.retain(|other| *other != name);
            Ok(names.len() < before)
        }))
    }

    fn install(&self, plugins: Plugins) -> Result<Undo, Refusal> {
        let mut installed: Vec<String> = Vec::new();
        let played = plugins.play("p", |step, _| {
            let effective = format!("p.{}", step.name);
            if installed.contains(&effective) {
                return Err(failed("it is taken".into()).into());
            }
            installed.push(effective);
            Ok(())
        });
        played.map_err(failed)?;
        lock(&self.names).extend(installed.iter().cloned());
        let (names, asked) = (Arc::clone(&self.names), Arc::clone(&self.asked));
        Ok(Arc::new(move || {
            lock(&names).retain(|name| !installed.contains(name));
            lock(&asked).push(format!("took back {installed:?} beside {:?}", lock(&names)));
            Ok(true)
        }))
    }

    /// A gate is asked when it is taken back: about its target and about another name.
    fn gate(&self, step: &Gate, decide: Decide) -> Result<Undo, Refusal> {
        let target = step.target.clone();
        lock(&self.asked).push(format!("gate about {target}"));
        Ok(Arc::new(move || {
            for name in [&target, "another", &target] {
                let _ = decide(&["subscriber", "llm.request"], name);
            }
            Ok(true)
        }))
    }

    fn call_llm(
        &self,
        step: &Call,
        _: Option<&String>,
        provider: Callback,
        codec: Option<RequestCodec>,
        flight: Option<&Flight>,
    ) -> Result<Json, Refusal> {
        if let Some(RequestCodec::BuiltIn(name)) = codec {
            return Err(no_codec(&name).into());
        }
        assert_ne!(step.name, "panics", "boom");
        let failed = |raised| Failure { kind: "E".into(), message: format!("{raised:?}"), code: None };
        let given = json!({"request": step.request});
        let playing = provider.answer(&given, json!({"ok": true}));
        match flight::to_its_end(playing, flight) {
            Some(answer) => Ok(answer.map_err(failed)?),
            None => Err(Failure { kind: "E".into(), message: "cancelled".into(), code: None }.into()),
        }
    }

    fn open_stream(&self, _: &Call, _: Option<&String>, _: Parts) -> Result<Box<dyn Reader>, Refusal> {
        Err(Stop::unsupported("llm.stream", "this one has no streams").into())
    }

    fn call_tool(&self, _: &Call, _: Option<&String>, _: Callback, _: Option<&Flight>) -> Result<Json, Refusal> {
        Err(Stop::inexpressible("args", "this one has no tools").into())
    }

    fn helper(&self, step: &Helper) -> Result<Json, Refusal> {
        Ok(step.request["content"].clone())
    }

    fn start(&self, _: &Start, _: Option<&String>) -> Result<String, Refusal> {
        Err(no_lifecycles())
    }

    fn end(&self, _: &End, _: &String) -> Result<(), Refusal> {
        Err(no_lifecycles())
    }

    fn current(&self) -> Result<(String, String), Refusal> {
        Err(no_lifecycles())
    }

    fn mark(&self, _: &Mark, _: Option<&String>) -> Result<(), Refusal> {
        Err(no_lifecycles())
    }
}

fn no_lifecycles() -> Refusal {
    Stop::unsupported("lifecycles", "this one has none").into()
}

fn failed(message: String) -> Failure {
    Failure { kind: "E".into(), message, code: None }
}

fn run(actor: &Actor<Fake>, steps: Json) -> Result<Json, Stop> {
    let text = json!({"steps": steps}).to_string();
    actor.run("relay", &RawValue::from_string(text).unwrap())
}

fn intercept(name: &str, ops: Json) -> Json {
    json!({"step": "register", "as": name, "family": "llm.request", "name": name, "scope": "global", "priority": 0,
        "break_chain": false, "do": ops})
}

fn call(name: &str, content: Json) -> Json {
    json!({"step": "call", "as": "c", "kind": "llm", "name": name, "model": null, "codec": "none", "provider": [],
        "request": {"headers": {}, "content": content}})
}

#[test]
fn what_cannot_be_undone_is_left_once() {
    let actor = Actor::new(Fake::default());
    let observed = run(&actor, json!([intercept("i", json!([])), intercept("stuck", json!([]))])).unwrap();
    assert_eq!(observed["left"], json!([{"family": "llm.request", "name": "stuck"}]));
    assert_eq!(run(&actor, json!([call("gpt", json!(1))])).unwrap()["left"], json!([]));
}

#[test]
fn a_panic_is_an_error_of_the_step() {
    let observed = run(&Actor::new(Fake::default()), json!([call("panics", json!(1))])).unwrap();
    assert_eq!(observed["log"][0]["error"]["type"], "panic");
}

#[test]
fn what_rust_cannot_say_is_inexpressible() {
    let actor = Actor::new(Fake::default());
    for (content, place) in
        [(r#"{"$none": true}"#, "$none"), ("18446744073709551616", "$wide"), (r#""\ud800""#, "$surrogate")]
    {
        let text = json!({"steps": [call("gpt", json!("HERE"))]}).to_string().replace("\"HERE\"", content);
        let stopped = actor.run("relay", &RawValue::from_string(text).unwrap()).unwrap_err();
        assert!(matches!(&stopped, Stop::Inexpressible { path, .. } if path == place), "{stopped:?}");
    }
}

#[test]
fn what_is_nested_too_deeply_to_be_read_is_unsupported() {
    let deep = (0..130).fold(json!(1), |inner, _| json!([inner]));
    let text = json!({"steps": [call("gpt", deep)]}).to_string();
    let stopped = Actor::new(Fake::default()).run("relay", &RawValue::from_string(text).unwrap()).unwrap_err();
    assert!(matches!(&stopped, Stop::Unsupported { capability, .. } if capability == "nesting"), "{stopped:?}");
}

#[test]
fn what_a_binding_cannot_say_stops() {
    let (mut tool, mut promising) = (call("t", json!(1)), intercept("i", json!([])));
    (tool["kind"], promising["async"]) = (json!("tool"), json!(true));
    for (step, what) in [(tool, "args"), (promising, "async")] {
        let stopped = run(&Actor::new(Fake::default()), json!([step])).unwrap_err();
        assert!(matches!(&stopped, Stop::Inexpressible { path, .. } if path == what), "{stopped:?}");
    }
}

#[test]
fn what_is_not_built_is_unsupported() {
    let actor = Actor::new(Fake::default());
    let flush = json!({"step": "flush", "as": "f"});
    let inside = intercept("i", json!([{"op": "step", "step": flush}]));
    let helper = json!({"step": "helper", "as": "h", "kind": "dance", "name": "d"});
    let mut built_in = call("gpt", json!(1));
    built_in["codec"] = json!("openai_chat");
    for (step, what) in [
        (json!({"step": "dance"}), "dance"),
        (helper, "helper dance"),
        (inside, "reentrant"),
        (json!({"step": "decode", "as": "d", "codec": "own", "side": "request", "payload": null}), "codec.asked"),
        (json!({"step": "encode", "as": "e", "codec": "own", "annotation": {}, "payload": null}), "codec.asked"),
        (intercept("i", json!([{"op": "mutate", "at": "/args/x", "text": "t!"}])), "mutate"),
        (built_in, "codec.builtin"),
    ] {
        let stopped = run(&actor, json!([step])).unwrap_err();
        assert!(matches!(&stopped, Stop::Unsupported { capability, .. } if capability == what), "{stopped:?}");
    }
}
