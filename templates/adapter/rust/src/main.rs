//! Drives the toy in Rust: acts scenarios out and says what it saw. It judges nothing.

use std::process::ExitCode;
use std::sync::Arc;

use bindproof_adapter::relay::{
    Actor, Beside, Binding, Call, Callback, Callee, End, Failure, Flight, Helper, Listed, Mark, Parts, Raised, Reader,
    Refusal, Register, RequestCodec, Start, Undo,
};
use bindproof_adapter::{Json, Stop, serve};
use serde_json::json;
use toy::Toy;

/// The toy's calls; `Binding` says what each is for.
struct Relay {
    toy: Arc<Toy>,
}

impl Binding for Relay {
    type Handle = ();

    /// Which release is driven, how it spells, and which edition of the contract it is meant to keep.
    fn describe(&self) -> Json {
        let target = json!({"name": "starling", "version": toy::VERSION, "language": "rust", "runtime": "cargo"});
        json!({"target": target, "suites": {"relay": {"dialect": "wire", "edition": "0.11"}}})
    }

    fn fresh_scope(&self) -> Beside {
        Arc::new(|| ()) // the toy has no scopes
    }

    fn registered(&self, family: Option<&str>) -> Result<Vec<Listed>, Refusal> {
        let asked = family.is_none_or(|family| family == "llm.request");
        let names = if asked { self.toy.registered() } else { vec![] };
        Ok(names.iter().map(|name| Listed::own("llm.request", name)).collect())
    }

    fn flush(&self) -> Result<(), Refusal> {
        Ok(()) // the toy has no events
    }

    fn register(&self, step: &Register, scope: Option<&()>, callee: Callee) -> Result<Undo, Refusal> {
        let (Callee::Callback(callback), "llm.request", None) = (callee, step.family.as_str(), scope) else {
            return Err(not_yet(&step.family));
        };
        let intercept = move |name: &str, request: Json| {
            let given = json!({"name": name, "request": request, "annotated_request": null});
            let natural = json!({"request": request, "annotated_request": null, "pending_marks": []});
            callback.play(&given, natural).map(|mut outcome: Json| outcome["request"].take()).map_err(text)
        };
        self.toy.register(&step.name, step.priority, step.break_chain, Box::new(intercept)).map_err(failed)?;
        let (toy, name) = (Arc::clone(&self.toy), step.name.clone());
        Ok(Arc::new(move || Ok(toy.deregister(&name))))
    }

    fn call_llm(
        &self,
        step: &Call,
        _parent: Option<&()>,
        provider: Callback,
        codec: Option<RequestCodec>,
        flight: Option<&Flight>,
    ) -> Result<Json, Refusal> {
        if codec.is_some() || flight.is_some() {
            return Err(not_yet(if codec.is_some() { "codec" } else { "in_flight" }));
        }
        let answer = |request: Json| provider.play(&json!({"request": request}), json!({"ok": true})).map_err(text);
        self.toy.call(&step.name, step.request.clone(), answer).map_err(failed)
    }

    fn helper(&self, step: &Helper) -> Result<Json, Refusal> {
        Err(not_yet(&format!("helper {}", step.kind)))
    }

    fn open_stream(&self, _: &Call, _: Option<&()>, _: Parts) -> Result<Box<dyn Reader>, Refusal> {
        Err(not_yet("stream"))
    }

    fn call_tool(&self, _: &Call, _: Option<&()>, _: Callback, _: Option<&Flight>) -> Result<Json, Refusal> {
        Err(not_yet("call tool"))
    }

    fn start(&self, _: &Start, _: Option<&()>) -> Result<(), Refusal> {
        Err(not_yet("start"))
    }

    fn end(&self, _: &End, (): &()) -> Result<(), Refusal> {
        Err(not_yet("end"))
    }

    fn current(&self) -> Result<(String, String), Refusal> {
        Err(not_yet("current"))
    }

    fn mark(&self, _: &Mark, _: Option<&()>) -> Result<(), Refusal> {
        Err(not_yet("mark"))
    }
}

fn not_yet(capability: &str) -> Refusal {
    Stop::unsupported(capability, "this is not built yet").into()
}

fn text(raised: Raised) -> String {
    match raised {
        Raised::Scripted(text) | Raised::Refused(text) => text,
    }
}

fn failed(message: String) -> Refusal {
    Failure { kind: "String".into(), message, code: None }.into()
}

fn main() -> ExitCode {
    serve("starling", "1", || Ok(Actor::new(Relay { toy: Arc::default() })))
}
