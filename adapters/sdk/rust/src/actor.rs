//! Acts one scenario after the other through a binding, on a clean slate each time.
//!
//! Enters: a complete scenario in the binding's own spelling. Leaves: the observation. Must not know the protocol, nor
//! any binding beyond `Binding`.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::json;
use serde_json::value::RawValue;

use crate::Json;
use crate::callback::{Callback, Sink};
use crate::numbers;
use crate::object::object;
use crate::recorder::{Recorder, Strays, lock};
use crate::scenario::{Call, Helper, Register, Request, Scenario};
use crate::serve::Target;
use crate::signals::{Failure, Stop};
use crate::stage::Stage;

/// Deregisters one thing.
pub type Undo = Box<dyn FnOnce() + Send>;

/// The API calls of one binding of the `relay` suite. A failure is what the binding gave its caller.
pub trait Binding: Send + Sync + 'static {
    /// Returns `target` and `suites` of the answer to `initialize`.
    fn describe(&self) -> Json;

    /// Begins on a new scope stack; called before each scenario, on the thread that acts it.
    fn fresh_scope(&self);

    /// Returns (family, name) of everything registered now, from the binding's own listing.
    fn registered(&self) -> Result<Vec<(String, String)>, Failure>;

    /// Waits until every event so far is delivered.
    fn flush(&self) -> Result<(), Failure>;

    /// Registers a subscriber that puts every event into `sink`; returns what deregisters it.
    fn register_subscriber(&self, step: &Register, sink: Sink) -> Result<Undo, Failure>;

    /// Registers an LLM request intercept that plays `callback`; returns what deregisters it.
    fn register_llm_request(&self, step: &Register, callback: Callback) -> Result<Undo, Failure>;

    /// Makes a managed LLM call with a provider and, where there is one, a codec of decode and encode; returns what the
    /// caller gets.
    fn call_llm(
        &self,
        step: &Call,
        request: Request,
        provider: Callback,
        codec: Option<(Callback, Callback)>,
    ) -> Result<Json, Failure>;

    /// Runs the standalone helper; returns its outcome as JSON.
    fn helper_llm_request(&self, step: &Helper, request: Request) -> Result<Json, Failure>;
}

/// A target of `serve` that acts scenarios out with a binding, one at a time.
pub struct Actor<B> {
    binding: Arc<B>,
    strays: Strays,
}

impl<B: Binding> Actor<B> {
    /// Acts with this binding.
    pub fn new(binding: B) -> Self {
        Self { binding: Arc::new(binding), strays: Strays::default() }
    }

    fn registered(&self) -> Result<Vec<(String, String)>, Stop> {
        self.binding.registered().map_err(|failure| Stop::Fault(format!("what is registered: {}", failure.message)))
    }
}

impl<B: Binding> Target for Actor<B> {
    fn describe(&self) -> Json {
        self.binding.describe()
    }

    fn run(&self, _suite: &str, scenario: &RawValue) -> Result<Json, Stop> {
        let scenario = read(scenario)?;
        let recorder = Arc::new(Recorder::new(Arc::clone(&self.strays)));
        let stage = Stage::new(Arc::clone(&self.binding), Arc::clone(&recorder));
        let before = self.registered()?;
        self.binding.fresh_scope();
        stage.act_all(&scenario.steps);
        let cleared = stage.clear_up();
        let left = without(self.registered()?, &before);
        if let Some(stop) = recorder.stopped() {
            return Err(stop);
        }
        cleared.map_err(|failure| Stop::Fault(format!("the final flush: {}", failure.message)))?;
        let left: Vec<Json> = left.iter().map(|(family, name)| json!({"family": family, "name": name})).collect();
        let stray = std::mem::take(&mut *lock(&self.strays));
        Ok(object([("log", recorder.take_log().into()), ("left", left.into()), ("stray", stray.into())]))
    }
}

fn read(text: &RawValue) -> Result<Scenario, Stop> {
    if let Some(literal) = numbers::too_wide(text.get()) {
        return Err(Stop::inexpressible("$wide", format!("a JSON value of Rust holds 64-bit integers, not {literal}")));
    }
    serde_json::from_str(text.get()).map_err(|error| {
        let error = error.to_string();
        if error.contains("surrogate") || error.contains("hex escape") {
            return Stop::inexpressible("$surrogate", "Rust's text is Unicode, which has no half of a surrogate pair");
        }
        Stop::Fault(format!("not a scenario: {error}"))
    })
}

/// What is in `after` more often than in `before`.
fn without(after: Vec<(String, String)>, before: &[(String, String)]) -> Vec<(String, String)> {
    let mut known: HashMap<&(String, String), usize> = HashMap::new();
    for one in before {
        *known.entry(one).or_default() += 1;
    }
    let mut left = Vec::new();
    for one in after {
        match known.get_mut(&one) {
            Some(count) if *count > 0 => *count -= 1,
            _ => left.push(one),
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// A binding that only remembers what is registered; the name `stuck` cannot be deregistered.
    #[derive(Default)]
    struct Fake {
        names: Arc<Mutex<Vec<String>>>,
    }

    impl Fake {
        fn register(&self, name: &str) -> Result<Undo, Failure> {
            lock(&self.names).push(name.into());
            let (names, name) = (Arc::clone(&self.names), name.to_owned());
            Ok(Box::new(move || {
                if name == "stuck" {
                    panic!("it is stuck");
                }
                lock(&names).retain(|other| *other != name);
            }))
        }
    }

    impl Binding for Fake {
        fn describe(&self) -> Json {
            json!({})
        }

        fn fresh_scope(&self) {}

        fn registered(&self) -> Result<Vec<(String, String)>, Failure> {
            Ok(lock(&self.names).iter().map(|name| ("llm.request".into(), name.clone())).collect())
        }

        fn flush(&self) -> Result<(), Failure> {
            Ok(())
        }

        fn register_subscriber(&self, step: &Register, sink: Sink) -> Result<Undo, Failure> {
            sink.put(Ok(json!({"kind": "hello"})));
            self.register(&step.name)
        }

        fn register_llm_request(&self, step: &Register, callback: Callback) -> Result<Undo, Failure> {
            let _ = callback.play::<Json>(&json!({}), json!({}));
            self.register(&step.name)
        }

        fn call_llm(
            &self,
            step: &Call,
            request: Request,
            provider: Callback,
            _: Option<(Callback, Callback)>,
        ) -> Result<Json, Failure> {
            assert_ne!(step.name, "panics", "boom");
            let given = json!({"request": {"headers": request.headers, "content": request.content}});
            let failed = |raised| Failure { kind: "E".into(), message: format!("{raised:?}"), code: None };
            provider.play(&given, json!({"ok": true})).map_err(failed)
        }

        fn helper_llm_request(&self, _: &Helper, request: Request) -> Result<Json, Failure> {
            Ok(request.content)
        }
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
    fn what_is_not_built_is_unsupported() {
        let actor = Actor::new(Fake::default());
        let mut scoped = intercept("i", json!([]));
        scoped["scope"] = json!("a");
        let flush = json!({"step": "flush", "as": "f"});
        let inside = intercept("i", json!([{"op": "step", "step": flush}]));
        for (step, what) in [(json!({"step": "mark"}), "mark"), (scoped, "scope_local"), (inside, "reentrant")] {
            let stopped = run(&actor, json!([step])).unwrap_err();
            assert!(matches!(&stopped, Stop::Unsupported { capability, .. } if capability == what), "{stopped:?}");
        }
    }
}
