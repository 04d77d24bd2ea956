//! One scenario while it runs: its steps, its callbacks, and what must be undone after it.
//!
//! Enters: steps. Leaves: facts in the recorder. Must not know the protocol, nor any binding beyond `Binding`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use serde::Deserialize;

use crate::Json;
use crate::actor::{Binding, Undo};
use crate::callback::{Act, Callback, Sink};
use crate::pointer::PlaceError;
use crate::recorder::{Recorder, lock};
use crate::scenario::{Call, Codec, Helper, Ops, Register, Request, Step};
use crate::signals::{Failure, Stop};
use crate::values::{Unresolved, resolve};

/// A running scenario.
pub struct Stage<B> {
    binding: Arc<B>,
    recorder: Arc<Recorder>,
    undo: Mutex<Vec<Undo>>,
}

impl<B: Binding> Stage<B> {
    pub fn new(binding: Arc<B>, recorder: Arc<Recorder>) -> Arc<Self> {
        Arc::new(Self { binding, recorder, undo: Mutex::default() })
    }

    /// Acts the steps in order until they end or something stops the scenario.
    pub fn act_all(self: &Arc<Self>, steps: &[Step]) {
        for step in steps {
            if self.recorder.stopped().is_some() {
                return;
            }
            if let Err(stop) = self.act(step) {
                self.recorder.stop(stop);
            }
        }
    }

    /// Flushes, closes the log, deregisters in reverse, flushes again; what cannot be undone shows in `left`.
    pub fn clear_up(&self) -> Result<(), Failure> {
        let flushed = guarded(|| self.binding.flush());
        self.recorder.settle();
        let undo = std::mem::take(&mut *lock(&self.undo));
        for undo in undo.into_iter().rev() {
            let _ = guarded(|| {
                undo();
                Ok(())
            });
        }
        flushed.and(guarded(|| self.binding.flush()))
    }

    fn act(self: &Arc<Self>, step: &Step) -> Result<(), Stop> {
        match step {
            Step::Register(register) => self.register(register),
            Step::Call(call) => self.call(call),
            Step::Helper(helper) => self.helper(helper),
            Step::Flush { id } => {
                let flushed = guarded(|| self.binding.flush());
                self.recorder.done(id, flushed.map(|()| Json::Null));
                Ok(())
            }
            Step::Other { kind } => Err(Stop::unsupported(kind.as_str(), "this step is not built yet")),
        }
    }

    fn register(self: &Arc<Self>, step: &Register) -> Result<(), Stop> {
        if step.scope != "global" {
            return Err(Stop::unsupported("scope_local", "registrations on a scope are not built yet"));
        }
        let undo = match step.family.as_str() {
            "subscriber" => {
                let sink = Sink::new(&step.id, Arc::clone(&self.recorder));
                guarded(|| self.binding.register_subscriber(step, sink))
            }
            "llm.request" => {
                let callback = self.callback(&step.id, &step.ops);
                guarded(|| self.binding.register_llm_request(step, callback))
            }
            other => return Err(Stop::unsupported(other, "this family is not built yet")),
        };
        self.recorder.done(
            &step.id,
            undo.map(|undo| {
                lock(&self.undo).push(undo);
                Json::Null
            }),
        );
        Ok(())
    }

    fn call(self: &Arc<Self>, step: &Call) -> Result<(), Stop> {
        if step.kind != "llm" {
            return Err(not_built("call", &step.kind));
        }
        let request = self.request(&step.id, &step.request)?;
        let provider = self.callback(&format!("{}.provider", step.id), &step.provider);
        let codec = match &step.codec {
            Codec::Named(name) if name == "none" => None,
            Codec::Named(name) => {
                return Err(Stop::unsupported("codec", format!("the built-in codec '{name}' is not built yet")));
            }
            Codec::Scripted { decode, encode } => Some((
                self.callback(&format!("{}.decode", step.id), decode),
                self.callback(&format!("{}.encode", step.id), encode),
            )),
        };
        self.recorder.done(&step.id, guarded(|| self.binding.call_llm(step, request, provider, codec)));
        Ok(())
    }

    fn helper(self: &Arc<Self>, step: &Helper) -> Result<(), Stop> {
        if step.kind != "llm.request" {
            return Err(not_built("helper", &step.kind));
        }
        let request = self.request(&step.id, &step.request)?;
        self.recorder.done(&step.id, guarded(|| self.binding.helper_llm_request(step, request)));
        Ok(())
    }

    fn request(&self, step: &str, request: &Json) -> Result<Request, Stop> {
        let known = |name: &str| self.recorder.value(name);
        let request = resolve(request, &known).map_err(|error| match error {
            Unresolved::Place(PlaceError(missing)) => Stop::Fault(format!("step '{step}': {missing}")),
            Unresolved::Stop(stop) => stop,
        })?;
        Request::deserialize(&request).map_err(|error| Stop::Fault(format!("step '{step}': its request: {error}")))
    }

    fn callback(self: &Arc<Self>, name: &str, ops: &Ops) -> Callback {
        let stage: Arc<dyn Act> = Arc::clone(self) as Arc<dyn Act>;
        Callback::new(name, Arc::clone(ops), Arc::clone(&self.recorder), stage)
    }
}

impl<B: Binding> Act for Stage<B> {
    fn act_inside(self: Arc<Self>, step: &Step) -> Result<(), Stop> {
        match step {
            Step::Register(register) => self.register(register),
            _ => Err(Stop::unsupported("reentrant", "only registrations are built inside a callback")),
        }
    }
}

fn not_built(step: &str, kind: &str) -> Stop {
    Stop::unsupported(format!("{step} {kind}"), "this step is not built yet")
}

/// A panic of the binding is what it gave its caller.
fn guarded<T>(act: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        Err(Failure { kind: "panic".into(), message: text.unwrap_or("a panic without a text").into(), code: None })
    })
}
