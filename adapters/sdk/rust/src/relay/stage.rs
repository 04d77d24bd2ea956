//! One scenario while it runs: its steps, its callbacks, and what must be undone after it.
//!
//! Enters: steps. Leaves: facts in the recorder. Must not know the protocol, nor any binding beyond `Binding`.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use crate::json::Json;
use crate::relay::binding::{Beside, Binding, Undo};
use crate::relay::callback::{Act, Callback, Sink, Standing};
use crate::relay::callee::{Callee, RequestCodec};
use crate::relay::flight::{Flight, Latches};
use crate::relay::held::Held;
use crate::relay::plugin::Plugins;
use crate::relay::pointer::PlaceError;
use crate::relay::recorder::{Recorder, lock};
use crate::relay::refusal::{Failure, Refusal};
use crate::relay::scenario::{Call, Codec, End, Helper, Mark, Op, Ops, Register, Start, Step};
use crate::relay::source::{Flows, Source};
use crate::relay::stage::gates::Shut;
use crate::relay::streams::OpenStream;
use crate::relay::values::{Unresolved, resolve};
use crate::signals::Stop;

mod asking;
mod contexts;
mod gates;
mod plugins;
mod storms;
mod streams;

type Acted = Result<Json, Refusal>;

/// A running scenario.
pub struct Stage<B: Binding> {
    binding: Arc<B>,
    recorder: Arc<Recorder>,
    beside: Beside,
    contexts: Mutex<Vec<Beside>>,
    captured: Mutex<HashMap<String, Json>>,
    latches: Arc<Latches>,
    held: Held,
    undo: Mutex<Vec<Undo>>,
    registered: Mutex<HashMap<String, Undo>>,
    installed: Mutex<HashMap<String, Undo>>,
    gates: Mutex<HashMap<String, Shut>>,
    started: Mutex<HashMap<String, B::Handle>>,
    streams: Mutex<HashMap<String, OpenStream>>,
    failed: Mutex<HashSet<String>>,
    flows: Flows,
}

impl<B: Binding> Stage<B> {
    pub fn new(binding: Arc<B>, recorder: Arc<Recorder>, beside: Beside) -> Arc<Self> {
        let (undo, registered, installed, started, captured) = Default::default();
        let (streams, flows, latches, failed, contexts, gates) = Default::default();
        let held = Held::default();
        Arc::new(Self {
            binding,
            recorder,
            beside,
            contexts,
            captured,
            latches,
            held,
            undo,
            registered,
            installed,
            gates,
            started,
            streams,
            failed,
            flows,
        })
    }

    /// Acts the steps in order until they end or something stops the scenario.
    pub fn act_all(self: &Arc<Self>, steps: &[Step]) {
        for step in steps {
            if self.recorder.stopped().is_some() {
                return;
            }
            match step {
                Step::Call(call) if call.background => self.start_call(call),
                step => self.or_stop(self.act(step)),
            }
        }
    }

    fn start_call(self: &Arc<Self>, call: &Call) {
        let (stage, call) = (Arc::clone(self), call.clone());
        self.latches.start(&call.id.clone(), move |flight| {
            (stage.beside)();
            let acted = stage.call(&call, Some(flight));
            stage.or_stop(stage.ended(&call.id, acted));
        });
    }

    fn or_stop(&self, acted: Result<(), Stop>) {
        if let Err(stop) = acted {
            self.recorder.stop(stop);
        }
    }

    /// Flushes, closes the log, takes plugins back, deregisters in reverse, flushes again; what cannot be undone shows in `left`.
    pub fn clear_up(&self) -> Result<(), Refusal> {
        self.held.open_all();
        self.latches.open_all();
        lock(&self.streams).clear();
        let flushed = guarded(|| self.binding.flush());
        self.recorder.settle();
        lock(&self.registered).clear();
        lock(&self.gates).clear();
        lock(&self.started).clear();
        self.uninstall_all();
        let undo = std::mem::take(&mut *lock(&self.undo));
        for undo in undo.into_iter().rev() {
            let _ = guarded(|| undo());
        }
        flushed.and(guarded(|| self.binding.flush()))
    }

    fn act(self: &Arc<Self>, step: &Step) -> Result<(), Stop> {
        let (id, acted) = match step {
            Step::Call(call) => (&call.id, self.call(call, None)),
            Step::Read(read) => (&read.id, self.read(read)),
            Step::Close(close) => (&close.id, self.close(close)),
            Step::Helper(helper) => (&helper.id, self.helper(helper)),
            Step::Install { id, plugins, ops } => (id, self.install(id, plugins, ops)),
            Step::Uninstall { id, of } => (id, self.uninstall(id, of)),
            Step::Gate(gate) => (&gate.id, self.gate(gate)),
            Step::Ungate { id, of } => (id, self.ungate(id, of)),
            Step::Flush { id } => (id, guarded(|| self.binding.flush()).map(|()| Json::Null)),
            Step::Open { id, latch } => {
                if !self.held.open(latch) {
                    self.latches.open(latch);
                }
                (id, Ok(Json::Null))
            }
            Step::Storm { id, on, programs } => (id, self.storm(on, programs)),
            Step::Context(context) => (&context.id, self.begin(context)),
            Step::Back { id } => {
                self.back();
                (id, Ok(Json::Null))
            }
            Step::Cancel { id, of } => (id, self.latches.cancel(of).map(|()| Json::Null).map_err(Refusal::from)),
            other => return self.act_now(other),
        };
        self.ended(id, acted)
    }

    /// Acts a step that can also be done inside a callback.
    fn act_now(self: &Arc<Self>, step: &Step) -> Result<(), Stop> {
        let (id, acted) = match step {
            Step::Register(register) => (&register.id, self.register(register)),
            Step::Deregister { id, of } => (id, self.deregister(id, of)),
            Step::List(list) => (&list.id, self.list(list)),
            Step::Current { id } => (id, self.current()),
            Step::Handle { id, of } => (id, self.told(id, of)),
            Step::Capture(capture) => (&capture.id, self.capture(capture)),
            Step::Build(build) => (&build.id, guarded(|| self.binding.build(build))),
            Step::Decode(decode) => (&decode.id, guarded(|| self.binding.decode(decode))),
            Step::Encode(encode) => (&encode.id, guarded(|| self.binding.encode(encode))),
            Step::Start(start) => (&start.id, self.start(start)),
            Step::End(end) => (&end.id, self.end(end)),
            Step::Mark(mark) => (&mark.id, self.mark(mark)),
            Step::Other { kind } => return Err(Stop::unsupported(kind.as_str(), "this step is not built yet")),
            Step::Call(_)
            | Step::Read(_)
            | Step::Close(_)
            | Step::Helper(_)
            | Step::Install { .. }
            | Step::Uninstall { .. }
            | Step::Gate(_)
            | Step::Ungate { .. }
            | Step::Flush { .. }
            | Step::Context(_)
            | Step::Back { .. }
            | Step::Open { .. }
            | Step::Storm { .. }
            | Step::Cancel { .. } => {
                let reason = "calls, streams, helpers, plugins, flushes and latches are not built inside a callback";
                return Err(Stop::unsupported("reentrant", reason));
            }
        };
        self.ended(id, acted)
    }

    fn ended(&self, id: &str, acted: Acted) -> Result<(), Stop> {
        let outcome = match acted {
            Ok(value) => Ok(value),
            Err(Refusal::Failed(failure)) => {
                lock(&self.failed).insert(id.into());
                Err(failure)
            }
            Err(Refusal::Stopped(stop)) => return Err(stop),
        };
        self.recorder.done(id, outcome);
        Ok(())
    }

    fn register(self: &Arc<Self>, step: &Register) -> Acted {
        let callee = self.callee(step)?;
        let scope = match step.scope.as_str() {
            "global" => None,
            scope => Some(self.handle(&step.id, scope)?),
        };
        let undo = guarded(|| self.binding.register(step, scope.as_ref(), callee))?;
        lock(&self.registered).insert(step.id.clone(), Arc::clone(&undo));
        lock(&self.undo).push(undo);
        Ok(Json::Null)
    }

    /// What a step registers.
    fn callee(self: &Arc<Self>, step: &Register) -> Result<Callee, Refusal> {
        if step.asynchronous {
            return Err(Stop::inexpressible("async", "no callback is plain: each is a future, which is awaited").into());
        }
        if step.odd.is_some() {
            return Err(Stop::inexpressible("odd", "the compiler takes a function of the right type alone").into());
        }
        Ok(match step.family.as_str() {
            "subscriber" => Callee::Sink(self.sink(step)?),
            "llm.stream" => Callee::Source(self.source(&step.id, &step.ops)),
            "event.metadata" => Callee::Callback(self.published(step, "inject")),
            family if family.contains("sanitize") => Callee::Callback(self.published(step, "sanitize")),
            _ => Callee::Callback(self.callback(&step.id, &step.ops)),
        })
    }

    /// Where the events of a subscriber go, which may wait at latches, and does nothing else.
    fn sink(self: &Arc<Self>, step: &Register) -> Result<Sink, Stop> {
        let at = self.expects(step);
        if at.len() < step.ops.len() {
            return Err(Stop::inexpressible("subscriber", "a subscriber returns nothing: it cannot fail"));
        }
        Ok(Sink::new(&step.id, at, Arc::clone(&self.recorder), Arc::clone(self) as Arc<dyn Act>))
    }

    /// What runs when an event is published; `part` follows the step's id in its own.
    fn published(self: &Arc<Self>, step: &Register, part: &str) -> Callback {
        self.expects(step);
        self.callback(&format!("{}.{part}", step.id), &step.ops)
    }

    /// The latches at which what a step registers stands; from here on they hold up what is told.
    fn expects(&self, step: &Register) -> Vec<String> {
        step.ops.iter().filter_map(Op::latch).inspect(|latch| self.held.expect(latch)).collect()
    }

    fn deregister(&self, id: &str, of: &str) -> Acted {
        let undo = lock(&self.registered).get(of).cloned();
        let undo = undo.ok_or_else(|| self.missing(id, of, "registered nothing"))?;
        guarded(|| undo()).map(Json::Bool)
    }

    fn start(&self, step: &Start) -> Acted {
        let step = Start {
            input: self.optional(&step.id, step.input.as_ref())?,
            request: self.value(&step.id, &step.request)?,
            args: self.value(&step.id, &step.args)?,
            ..step.clone()
        };
        let parent = self.parent(&step.id, step.parent.as_deref())?;
        let handle = guarded(|| self.binding.start(&step, parent.as_ref()))?;
        lock(&self.started).insert(step.id, handle);
        Ok(Json::Null)
    }

    fn end(&self, step: &End) -> Acted {
        let of = self.handle(&step.id, &step.of)?;
        let step = End { output: self.value(&step.id, &step.output)?, ..step.clone() };
        guarded(|| self.binding.end(&step, &of)).map(|()| Json::Null)
    }

    fn mark(&self, step: &Mark) -> Acted {
        let parent = self.parent(&step.id, step.parent.as_deref())?;
        guarded(|| match &step.measurements {
            None => self.binding.mark(step, parent.as_ref()),
            Some(measurements) => self.binding.metric(step, measurements, parent.as_ref()),
        })
        .map(|()| Json::Null)
    }

    fn call(self: &Arc<Self>, step: &Call, flight: Option<&Flight>) -> Acted {
        let (request, args) = (self.value(&step.id, &step.request)?, self.value(&step.id, &step.args)?);
        let step = Call { request, args, ..step.clone() };
        let parent = self.parent(&step.id, step.parent.as_deref())?;
        if step.kind == "llm_stream" {
            return self.stream(&step, parent.as_ref());
        }
        let provider = self.callback(&format!("{}.provider", step.id), &step.provider);
        match step.kind.as_str() {
            "llm" => {
                let codec = self.codec(&step);
                guarded(|| self.binding.call_llm(&step, parent.as_ref(), provider, codec, flight))
            }
            "tool" => guarded(|| self.binding.call_tool(&step, parent.as_ref(), provider, flight)),
            kind => Err(not_built("call", kind).into()),
        }
    }

    fn codec(self: &Arc<Self>, step: &Call) -> Option<RequestCodec> {
        match &step.codec {
            Codec::Named(name) if name == "none" => None,
            Codec::Named(name) => Some(RequestCodec::BuiltIn(name.clone())),
            Codec::Scripted { decode, encode } => Some(RequestCodec::Scripted(
                self.callback(&format!("{}.decode", step.id), decode),
                self.callback(&format!("{}.encode", step.id), encode),
            )),
        }
    }

    fn helper(&self, step: &Helper) -> Acted {
        if !["llm.request", "llm.conditional", "tool.request", "tool.conditional"].contains(&step.kind.as_str()) {
            return Err(not_built("helper", &step.kind).into());
        }
        let (request, args) = (self.value(&step.id, &step.request)?, self.value(&step.id, &step.args)?);
        guarded(|| self.binding.helper(&Helper { request, args, ..step.clone() }))
    }

    // -- what steps refer to ------------------------------------------------------------------------------------------

    fn value(&self, step: &str, value: &Json) -> Result<Json, Stop> {
        resolve(value, &|name: &str| self.recorder.value(name)).map_err(|error| match error {
            Unresolved::Place(PlaceError(missing)) => Stop::Fault(format!("step '{step}': {missing}")),
            Unresolved::Stop(stop) => stop,
        })
    }

    fn optional(&self, step: &str, value: Option<&Json>) -> Result<Option<Json>, Stop> {
        let found = value.map(|value| self.value(step, value)).transpose()?;
        Ok(found.filter(|value| !value.is_null()))
    }

    fn parent(&self, step: &str, parent: Option<&str>) -> Result<Option<B::Handle>, Refusal> {
        parent.map(|parent| self.handle(step, parent)).transpose()
    }

    fn handle(&self, step: &str, of: &str) -> Result<B::Handle, Refusal> {
        let found = lock(&self.started).get(of).cloned();
        found.ok_or_else(|| self.missing(step, of, "started nothing"))
    }

    /// Why a step cannot have what the step `of` made. Where the binding failed that, so does what needs it.
    fn missing(&self, step: &str, of: &str, did: &str) -> Refusal {
        if lock(&self.failed).contains(of) {
            let message = format!("step '{step}': '{of}' has failed");
            return Failure { kind: "needs a step that failed".into(), message, code: None }.into();
        }
        Stop::Fault(format!("step '{step}': '{of}' has {did} yet")).into()
    }

    fn source(self: &Arc<Self>, name: &str, ops: &Ops) -> Source {
        Source { callback: self.callback(name, ops), flows: Arc::clone(&self.flows) }
    }

    fn callback(self: &Arc<Self>, name: &str, ops: &Ops) -> Callback {
        let stage: Arc<dyn Act> = Arc::clone(self) as Arc<dyn Act>;
        Callback::new(name, Arc::clone(ops), Arc::clone(&self.recorder), stage)
    }
}

impl<B: Binding> Act for Stage<B> {
    fn act_inside(self: Arc<Self>, step: &Step) -> Result<(), Stop> {
        self.act_now(step)
    }

    fn wait<'a>(&'a self, callback: &'a str, k: u64, latch: &'a str) -> Standing<'a> {
        Box::pin(self.latches.wait(&self.recorder, callback, k, latch))
    }

    fn hold_up(&self, callback: &str, k: u64, latch: &str) -> Result<(), Stop> {
        if self.held.stand(&self.recorder, callback, k, latch) {
            return Ok(());
        }
        Err(Stop::Fault(format!("callback '{callback}' waits at '{latch}', where nobody can")))
    }
}

fn not_built(step: &str, kind: &str) -> Stop {
    Stop::unsupported(format!("{step} {kind}"), "this step is not built yet")
}

/// A panic of the binding is what it gave its caller.
fn guarded<T>(act: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        let message = text.unwrap_or("a panic without a text").into();
        Err(Failure { kind: "panic".into(), message, code: None }.into())
    })
}
