//! A scripted callback and a subscriber's sink: what an adapter's closures hand their arguments to.
//!
//! Enters: what the binding gave, as JSON. Leaves: the reply, as JSON or read into the binding's own type. Must not know
//! any binding's types.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::de::DeserializeOwned;

use crate::json::Json;
use crate::relay::recorder::Recorder;
use crate::relay::scenario::{Op, Ops, Step};
use crate::relay::script::{self, Halt, apply, of_entry, perform, place};
use crate::signals::Stop;

/// What a callback can do beside its reply. A stop says why that cannot be.
pub trait Act: Send + Sync {
    /// Acts one step.
    fn act_inside(self: Arc<Self>, step: &Step) -> Result<(), Stop>;

    /// Stands at a latch until it is open; `callback` and `k` say who.
    fn wait<'a>(&'a self, callback: &'a str, k: u64, latch: &'a str) -> Standing<'a>;

    /// Stands at a latch of what runs when an event is published, until it is open.
    fn hold_up(&self, callback: &str, k: u64, latch: &str) -> Result<(), Stop>;
}

/// What is over when a latch is open.
pub type Standing<'a> = Pin<Box<dyn Future<Output = Result<(), Stop>> + Send + 'a>>;

/// Why a callback has to end with an error, with its text.
#[derive(Clone, Debug, PartialEq)]
pub enum Raised {
    /// The script says so.
    Scripted(String),
    /// The binding's own type refused the reply.
    Refused(String),
}

/// One callback of one scenario.
#[derive(Clone)]
pub struct Callback {
    pub(crate) name: Arc<str>,
    pub(crate) ops: Ops,
    pub(crate) recorder: Arc<Recorder>,
    pub(crate) stage: Arc<dyn Act>,
}

impl Callback {
    pub(crate) fn new(name: &str, ops: Ops, recorder: Arc<Recorder>, stage: Arc<dyn Act>) -> Self {
        Self { name: name.into(), ops, recorder, stage }
    }

    /// Records the entry, lets the ops change `natural`, reads the reply into `T`, records it and returns it.
    ///
    /// A reply that `T` refuses is recorded as refused, and its refusal is the error to end with.
    pub fn play<T: DeserializeOwned>(&self, given: &Json, natural: Json) -> Result<T, Raised> {
        let (k, reply) = self.reply(given, natural, &|op: &Op| self.act_inside(op)).map_err(Raised::Scripted)?;
        self.hand_over(k, reply)
    }

    /// Plays the callback as `play` does, where nothing but `T` can be said: any other reply is inexpressible at `path`.
    ///
    /// The error is the text to end with.
    pub fn say<T: DeserializeOwned>(&self, path: &str, given: &Json, natural: Json) -> Result<T, String> {
        let (k, reply) = self.reply(given, natural, &|op: &Op| self.act_inside(op))?;
        self.said(path, k, reply)
    }

    /// Plays the callback as `say` does, and stands at latches meanwhile.
    pub async fn say_in_time<T: DeserializeOwned>(&self, path: &str, given: &Json, reply: Json) -> Result<T, String> {
        let (k, reply) = self.reply_in_time(given, reply).await?;
        self.said(path, k, reply)
    }

    fn said<T: DeserializeOwned>(&self, path: &str, k: u64, reply: Json) -> Result<T, String> {
        match T::deserialize(&reply) {
            Ok(said) => {
                self.recorder.leave(&self.name, k, reply);
                Ok(said)
            }
            Err(error) => Err(self.halted(k, Halt::Stop(Stop::inexpressible(path, error.to_string())))),
        }
    }

    /// Plays the callback of a plugin as `play` does; `act` acts its steps.
    ///
    /// The error is the text to end with.
    pub(crate) fn install(&self, given: &Json, natural: Json, act: script::Act<'_>) -> Result<(), String> {
        let (k, reply) = self.reply(given, natural, act)?;
        self.recorder.leave(&self.name, k, reply);
        Ok(())
    }

    /// Plays the callback as `play` does, and stands at latches meanwhile.
    pub async fn answer<T: DeserializeOwned>(&self, given: &Json, reply: Json) -> Result<T, Raised> {
        let (k, reply) = self.reply_in_time(given, reply).await.map_err(Raised::Scripted)?;
        self.hand_over(k, reply)
    }

    async fn reply_in_time(&self, given: &Json, mut reply: Json) -> Result<(u64, Json), String> {
        let k = self.recorder.enter(&self.name, given);
        let known = |name: &str| if name == "given" { Some(given.clone()) } else { self.recorder.value(name) };
        let at_work = self.at_work(k);
        let mut played = Ok(());
        for (index, op) in of_entry(&self.ops, k).into_iter().enumerate() {
            played = match op {
                Op::Wait { latch } => self.stand(k, latch).await,
                op => apply(op, &mut reply, &known, &|op: &Op| self.act_inside(op), &place(&self.name, index)),
            };
            if played.is_err() {
                break;
            }
        }
        at_work.over();
        played.map(|()| (k, reply)).map_err(|halt| self.halted(k, halt))
    }

    /// Waits at a latch; `k` says in which entry.
    pub(crate) async fn stand(&self, k: u64, latch: &str) -> Result<(), Halt> {
        self.stage.wait(&self.name, k, latch).await.map_err(Halt::Stop)
    }

    /// Has entry `k` recorded as cancelled unless it is over before what this returns is dropped.
    pub(crate) fn at_work(&self, k: u64) -> AtWork<'_> {
        AtWork { callback: self, k }
    }

    fn reply(&self, given: &Json, natural: Json, act: script::Act<'_>) -> Result<(u64, Json), String> {
        let k = self.recorder.enter(&self.name, given);
        let known = |name: &str| if name == "given" { Some(given.clone()) } else { self.recorder.value(name) };
        let acting = |op: &Op| match op {
            Op::Wait { latch } => self.stage.hold_up(&self.name, k, latch),
            other => act(other),
        };
        let played = perform(&self.name, &of_entry(&self.ops, k), natural, &known, &acting);
        played.map(|reply| (k, reply)).map_err(|halt| self.halted(k, halt))
    }

    /// Acts a step from inside this callback.
    pub(crate) fn act_inside(&self, op: &Op) -> Result<(), Stop> {
        match op {
            Op::Step(step) => Arc::clone(&self.stage).act_inside(step),
            other => Err(Stop::Fault(format!("callback '{}': no step is {other:?}", self.name))),
        }
    }

    /// Records why there is no reply; returns the text to end with.
    pub(crate) fn halted(&self, k: u64, halt: Halt) -> String {
        match halt {
            Halt::Raised(text) => {
                self.recorder.raising(&self.name, k, &text);
                text
            }
            Halt::Stop(stop) => {
                self.recorder.stop(stop.clone());
                stop.to_string()
            }
        }
    }

    pub(crate) fn hand_over<T: DeserializeOwned>(&self, k: u64, reply: Json) -> Result<T, Raised> {
        match T::deserialize(&reply) {
            Ok(built) => {
                self.recorder.leave(&self.name, k, reply);
                Ok(built)
            }
            Err(refusal) => {
                let text = refusal.to_string();
                self.recorder.refused(&self.name, k, reply, "serde_json::Error", &text);
                Err(Raised::Refused(text))
            }
        }
    }
}

/// An entry of a callback whose future may be dropped.
pub(crate) struct AtWork<'a> {
    callback: &'a Callback,
    k: u64,
}

impl AtWork<'_> {
    /// The callback has come to its end.
    pub(crate) fn over(self) {
        std::mem::forget(self);
    }
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.callback.recorder.cancelled(&self.callback.name, self.k);
        }
    }
}

/// Where the events of one subscriber go.
#[derive(Clone)]
pub struct Sink {
    name: Arc<str>,
    recorder: Arc<Recorder>,
    /// The latches at which it waits, and who knows them.
    at: Arc<[String]>,
    stage: Arc<dyn Act>,
    told: Arc<AtomicU64>,
}

impl Sink {
    pub(crate) fn new(name: &str, at: Vec<String>, recorder: Arc<Recorder>, stage: Arc<dyn Act>) -> Self {
        Self { name: name.into(), recorder, at: at.into(), stage, told: Arc::default() }
    }

    /// Records one event as JSON, and waits where the subscriber does; an event that cannot be serialised is a fault.
    pub fn put(&self, event: Result<Json, serde_json::Error>) {
        match event {
            Ok(event) => self.recorder.event(&self.name, event),
            Err(error) => self.recorder.stop(Stop::Fault(format!("an event for '{}' is no JSON: {error}", self.name))),
        }
        let k = self.told.fetch_add(1, Ordering::Relaxed);
        for latch in self.at.iter() {
            if let Err(stop) = self.stage.hold_up(&format!("{}.told", self.name), k, latch) {
                self.recorder.stop(stop);
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;
    use crate::relay::recorder::Strays;
    use serde_json::json;

    struct Nowhere;

    impl Act for Nowhere {
        fn act_inside(self: Arc<Self>, _: &Step) -> Result<(), Stop> {
            Err(Stop::unsupported("reentrant", "not here"))
        }

        fn wait<'a>(&'a self, callback: &'a str, _: u64, latch: &'a str) -> Standing<'a> {
            Box::pin(async move { Err(Stop::Fault(format!("{callback} at {latch}"))) })
        }

        fn hold_up(&self, callback: &str, _: u64, latch: &str) -> Result<(), Stop> {
            Err(Stop::Fault(format!("{callback} at {latch}")))
        }
    }

    pub(crate) fn callback(ops: Json) -> (Callback, Arc<Recorder>) {
        let recorder = Arc::new(Recorder::new(Strays::default()));
        let ops = serde_json::from_str(&ops.to_string()).unwrap();
        (Callback::new("i", ops, Arc::clone(&recorder), Arc::new(Nowhere)), recorder)
    }

    /// What a future gives that waits for nothing.
    pub(crate) fn at_once<T>(future: impl Future<Output = T>) -> T {
        let Poll::Ready(given) = pin!(future).poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("it waits");
        };
        given
    }

    #[test]
    fn a_reply_is_recorded_and_handed_over() {
        let (callback, recorder) = callback(json!([{"op": "edit", "set": {"": {"$get": "given/n"}}}]));
        assert_eq!(callback.play::<u8>(&json!({"n": 5}), json!(null)), Ok(5));
        assert_eq!(recorder.take_log()[1], json!({"fact": "leave", "callback": "i", "k": 0, "reply": 5}));
    }

    #[test]
    fn a_refusal_is_recorded_with_the_reply() {
        let (callback, recorder) = callback(json!([]));
        let Err(Raised::Refused(text)) = callback.play::<u8>(&json!({}), json!("text")) else {
            panic!("it was accepted")
        };
        let error = json!({"type": "serde_json::Error", "message": text});
        let refused = json!({"fact": "refused", "callback": "i", "k": 0, "reply": "text", "error": error});
        assert_eq!(recorder.take_log()[1], refused);
    }

    #[test]
    fn what_alone_can_be_said_is_no_refusal() {
        let (callback, recorder) = callback(json!([]));
        assert_eq!(callback.say::<Option<String>>("verdict", &json!({}), json!("no")), Ok(Some("no".into())));
        assert!(callback.say::<Option<String>>("verdict", &json!({}), json!(5)).is_err());
        assert!(matches!(recorder.stopped(), Some(Stop::Inexpressible { path, .. }) if path == "verdict"));
    }

    #[test]
    fn what_waits_where_nobody_can_is_stopped_there() {
        let (callback, recorder) = callback(json!([{"op": "wait", "latch": "x"}]));
        assert!(at_once(callback.say_in_time::<Option<String>>("verdict", &json!({}), json!(null))).is_err());
        assert_eq!(recorder.stopped(), Some(Stop::Fault("i at x".into())));
    }

    #[test]
    fn a_subscriber_waits_behind_what_it_is_told() {
        let recorder = Arc::new(Recorder::new(Strays::default()));
        let sink = Sink::new("s", vec!["x".into()], Arc::clone(&recorder), Arc::new(Nowhere));
        sink.put(Ok(json!({})));
        assert_eq!(recorder.take_log(), [json!({"fact": "event", "subscriber": "s", "event": {}})]);
        assert_eq!(recorder.stopped(), Some(Stop::Fault("s.told at x".into())));
    }

    #[test]
    fn a_stop_outlives_the_callback() {
        let (callback, recorder) = callback(json!([{"op": "edit", "set": {"": {"$none": true}}}]));
        assert!(callback.play::<Json>(&json!({}), json!(null)).is_err());
        assert!(matches!(recorder.stopped(), Some(Stop::Inexpressible { .. })));
    }
}
