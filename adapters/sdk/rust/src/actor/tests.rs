//! The actor with a binding that only remembers what it was asked.

use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use super::*;
use crate::binding::{Beside, Undo};
use crate::callback::Callback;
use crate::callee::{Callee, RequestCodec};
use crate::flight::Flight;
use crate::plugin::Plugin;
use crate::scenario::{Call, End, Helper, Mark, Register, Start};
use crate::signals::Failure;
use crate::source::Flow;
use crate::streams::{Collector, Finalizer, Parts, Reader};
use futures_core::Stream;
use serde_json::json;

mod flight;
mod manual;
mod plugins;

/// A binding that only remembers what it was asked; the name `stuck` cannot be deregistered.
#[derive(Default)]
struct Fake {
    names: Arc<Mutex<Vec<String>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Fake {
    fn note(&self, asked: String) {
        lock(&self.asked).push(asked);
    }
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

    fn registered(&self, family: Option<&str>) -> Result<Vec<(String, String)>, Refusal> {
        let asked = family.is_none_or(|family| family == "llm.request");
        Ok(lock(&self.names).iter().filter(|_| asked).map(|name| ("llm.request".into(), name.clone())).collect())
    }

    fn flush(&self) -> Result<(), Refusal> {
        Ok(())
    }

    fn register(&self, step: &Register, scope: Option<&String>, callee: Callee) -> Result<Undo, Refusal> {
        match callee {
            Callee::Sink(sink) => sink.put(Ok(json!({"kind": "hello"}))),
            Callee::Source(_) => return Err(Stop::unsupported("llm.stream", "this one wraps no streams").into()),
            Callee::Callback(callback) => drop(callback.play::<Json>(&json!({}), json!({}))),
        }
        if let Some(scope) = scope {
            self.note(format!("{} on {scope}", step.name));
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

    fn install(&self, plugin: Plugin) -> Result<Undo, Refusal> {
        let mut installed: Vec<String> = Vec::new();
        let played = plugin.play(|step, _| {
            if installed.contains(&step.name) {
                return Err(failed("it is taken".into()).into());
            }
            installed.push(step.name.clone());
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

    fn call_llm(
        &self,
        step: &Call,
        _: Option<&String>,
        provider: Callback,
        codec: Option<RequestCodec>,
        flight: Option<&Flight>,
    ) -> Result<Json, Refusal> {
        if let Some(RequestCodec::BuiltIn(name)) = codec {
            return Err(Stop::no_codec(&name).into());
        }
        assert_ne!(step.name, "panics", "boom");
        let failed = |raised| Failure { kind: "E".into(), message: format!("{raised:?}"), code: None };
        let given = json!({"request": step.request});
        let playing = provider.answer(&given, json!({"ok": true}));
        match flight::to_its_end(playing, flight.filter(|_| step.name != "stubborn")) {
            Some(answer) => Ok(answer.map_err(failed)?),
            None => Err(Failure { kind: "E".into(), message: "cancelled".into(), code: None }.into()),
        }
    }

    fn open_stream(&self, step: &Call, _: Option<&String>, parts: Parts) -> Result<Box<dyn Reader>, Refusal> {
        let Parts { source, collector, finalizer, .. } = parts;
        let flow = source.open(json!({"request": step.request}), |text| text).map_err(failed)?;
        Ok(Box::new(Opened { flow: Some(flow), collector, finalizer: Some(finalizer) }))
    }

    fn call_tool(&self, _: &Call, _: Option<&String>, _: Callback, _: Option<&Flight>) -> Result<Json, Refusal> {
        Err(Stop::inexpressible("args", "this one has no tools").into())
    }

    fn helper(&self, step: &Helper) -> Result<Json, Refusal> {
        Ok(step.request["content"].clone())
    }

    fn start(&self, step: &Start, parent: Option<&String>) -> Result<String, Refusal> {
        if step.name == "refused" {
            return Err(failed("no such start".into()).into());
        }
        self.note(format!("start {} in {parent:?} with {:?}", step.name, step.input));
        Ok(format!("handle of {}", step.name))
    }

    fn end(&self, step: &End, of: &String) -> Result<(), Refusal> {
        self.note(format!("end {of} with {}", step.output));
        Ok(())
    }

    fn current(&self) -> Result<(String, String), Refusal> {
        Ok(("u".into(), "n".into()))
    }

    fn mark(&self, step: &Mark, parent: Option<&String>) -> Result<(), Refusal> {
        self.note(format!("mark {} in {parent:?}", step.name));
        Ok(())
    }
}

/// A stream that is collected when it is read.
struct Opened {
    flow: Option<Flow<String>>,
    collector: Collector,
    finalizer: Option<Finalizer>,
}

impl Opened {
    fn end(&mut self) {
        self.flow = None;
        if let Some(finalizer) = self.finalizer.take() {
            finalizer.finish().unwrap();
        }
    }
}

impl Reader for Opened {
    fn next(&mut self) -> Result<Option<Json>, Refusal> {
        let Some(flow) = &mut self.flow else { return Ok(None) };
        match Pin::new(flow).poll_next(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Some(chunk)) => {
                let chunk = chunk.map_err(failed)?;
                let collected = self.collector.take(chunk.clone());
                if collected.is_err() {
                    self.end();
                }
                Ok(collected.map(|()| Some(chunk)).map_err(failed)?)
            }
            Poll::Ready(None) => {
                self.end();
                Ok(None)
            }
            Poll::Pending => panic!("it waits"),
        }
    }

    fn close(&mut self) -> Result<(), Refusal> {
        self.end();
        Ok(())
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.end();
    }
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
fn facts_come_in_order_and_end_settled() {
    let observed =
        run(&Actor::new(Fake::default()), json!([intercept("i", json!([])), call("gpt", json!(1))])).unwrap();
    let facts: Vec<&Json> = observed["log"].as_array().unwrap().iter().map(|record| &record["fact"]).collect();
    assert_eq!(facts, ["enter", "leave", "done", "enter", "leave", "done", "settled"]);
    assert_eq!((&observed["left"], &observed["stray"]), (&json!([]), &json!([])));
}

#[test]
fn what_cannot_be_undone_is_left_once() {
    let actor = Actor::new(Fake::default());
    let observed = run(&actor, json!([intercept("i", json!([])), intercept("stuck", json!([]))])).unwrap();
    assert_eq!(observed["left"], json!([{"family": "llm.request", "name": "stuck"}]));
    assert_eq!(run(&actor, json!([call("gpt", json!(1))])).unwrap()["left"], json!([]));
}

#[test]
fn a_registration_inside_a_callback_is_undone_too() {
    let inner = json!([{"op": "step", "step": intercept("j", json!([]))}]);
    let observed = run(&Actor::new(Fake::default()), json!([intercept("i", inner)])).unwrap();
    assert_eq!(observed["left"], json!([]));
    let done: Vec<&Json> =
        observed["log"].as_array().unwrap().iter().filter(|record| record["fact"] == "done").collect();
    assert_eq!((&done[0]["step"], &done[1]["step"]), (&json!("j"), &json!("i")));
}

#[test]
fn a_panic_is_an_error_of_the_step() {
    let observed = run(&Actor::new(Fake::default()), json!([call("panics", json!(1))])).unwrap();
    assert_eq!(observed["log"][0]["error"]["type"], "panic");
}

#[test]
fn later_steps_see_earlier_values() {
    let mut second = call("gpt", json!({"$get": "c/ok"}));
    second["as"] = json!("d");
    let observed = run(&Actor::new(Fake::default()), json!([call("gpt", json!(1)), second])).unwrap();
    assert_eq!(observed["log"][3]["given"]["request"]["content"], json!(true));
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
fn deregistering_answers_what_the_binding_says() {
    let take = |id: &str| json!({"step": "deregister", "as": id, "of": "i"});
    let steps = json!([intercept("i", json!([])), take("d"), take("e")]);
    let observed = run(&Actor::new(Fake::default()), steps).unwrap();
    let values: Vec<&Json> = observed["log"].as_array().unwrap().iter().map(|fact| &fact["value"]).collect();
    assert_eq!(values[3..5], [&json!(true), &json!(false)]);
}

#[test]
fn a_listing_is_of_all_families_or_of_one() {
    let list = |id: &str, only: Json| json!({"step": "list", "as": id, "only": only});
    let steps = json!([intercept("i", json!([])), list("all", json!(null)), list("none", json!("subscriber"))]);
    let observed = run(&Actor::new(Fake::default()), steps).unwrap();
    let values: Vec<&Json> = observed["log"].as_array().unwrap().iter().map(|fact| &fact["value"]).collect();
    assert_eq!(values[3..5], [&json!([{"family": "llm.request", "name": "i"}]), &json!([])]);
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
        (intercept("i", json!([{"op": "mutate", "at": "/args/x", "text": "t!"}])), "mutate"),
        (built_in, "codec.builtin"),
    ] {
        let stopped = run(&actor, json!([step])).unwrap_err();
        assert!(matches!(&stopped, Stop::Unsupported { capability, .. } if capability == what), "{stopped:?}");
    }
}

fn stream(provider: Json, collector: Json, drain: bool) -> Json {
    let mut step = call("gpt", json!(1));
    (step["kind"], step["provider"], step["drain"]) = (json!("llm_stream"), provider, json!(drain));
    (step["collector"], step["finalizer"]) = (collector, json!([]));
    step
}

fn facts(observed: &Json) -> Vec<&str> {
    observed["log"].as_array().unwrap().iter().map(|record| record["fact"].as_str().unwrap()).collect()
}

#[test]
fn a_stream_is_read_to_its_end() {
    let yielding = json!([{"op": "yield", "chunks": [1]}]);
    let observed = run(&Actor::new(Fake::default()), json!([stream(yielding, json!([]), true)])).unwrap();
    let expected = ["enter", "leave", "chunk", "enter", "leave", "read", "over", "enter", "leave", "done", "settled"];
    assert_eq!(facts(&observed), expected);
    assert_eq!(observed["log"][9], json!({"fact": "done", "step": "c", "value": null}));
}

#[test]
fn a_stream_is_read_in_parts_and_closed_or_forgotten() {
    for how in ["close", "drop"] {
        let hanging = json!([{"op": "yield", "chunks": [1, 2]}, {"op": "hang"}]);
        let steps = json!([
            stream(hanging, json!([]), false),
            {"step": "read", "as": "r", "of": "c", "n": 1},
            {"step": "close", "as": "d", "of": "c", "how": how},
        ]);
        let observed = run(&Actor::new(Fake::default()), steps).unwrap();
        assert_eq!(observed["log"][7], json!({"fact": "done", "step": "r", "value": {"ended": false}}));
        assert_eq!(observed["log"][8], json!({"fact": "over", "callback": "c.source", "k": 0, "how": "closed"}));
        assert_eq!(facts(&observed)[9..], ["enter", "leave", "done", "settled"]);
    }
}

#[test]
fn a_collector_fails_in_one_entry() {
    let failing = json!([{"op": "each", "ops": [[], [{"op": "raise", "text": "boom-1!"}]]}]);
    let observed = run(&Actor::new(Fake::default()), json!([stream(json!([]), failing, true)])).unwrap();
    let log = observed["log"].as_array().unwrap();
    assert_eq!(log[8], json!({"fact": "leave", "callback": "c.collector", "k": 1, "raised": "boom-1!"}));
    assert_eq!(log[log.len() - 2]["error"]["message"], "boom-1!");
}

#[test]
fn a_stream_that_is_not_there_is_named() {
    let actor = Actor::new(Fake::default());
    for step in [
        json!({"step": "read", "as": "e", "of": "c", "n": null}),
        json!({"step": "close", "as": "e", "of": "c", "how": "close"}),
    ] {
        let said = Stop::Fault("step 'e': 'c' has opened no stream yet".into());
        assert_eq!(run(&actor, json!([step])).unwrap_err(), said);
    }
}
