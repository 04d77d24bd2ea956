//! The log of one scenario, in the order in which things were seen, under one lock.
//!
//! Enters: facts from any thread. Leaves: the log, the values of finished steps, what stopped the scenario, and facts
//! that came too late. Must not know any binding, nor what the facts mean.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;

use crate::json::{Json, object};
use crate::relay::refusal::Failure;
use crate::signals::Stop;

/// Facts that arrived after their scenario was over, of all scenarios so far.
pub type Strays = Arc<Mutex<Vec<Json>>>;

/// Takes the facts of one scenario; after `settle` everything goes to the strays.
#[derive(Debug)]
pub struct Recorder {
    seen: Mutex<Seen>,
    strays: Strays,
}

/// How a callback's stream is over.
#[derive(Clone, Copy, Debug)]
pub enum Over<'a> {
    /// By itself.
    Ended,
    /// It was closed.
    Closed,
    /// It failed with this text.
    Raised(&'a str),
}

#[derive(Debug, Default)]
struct Seen {
    log: Vec<Json>,
    values: HashMap<String, Json>,
    entries: HashMap<String, u64>,
    stopped: Option<Stop>,
    settled: bool,
}

impl Recorder {
    /// An empty log.
    pub fn new(strays: Strays) -> Self {
        Self { seen: Mutex::default(), strays }
    }

    /// Records that a callback was called; returns which call of it this is, counted from 0.
    pub fn enter(&self, callback: &str, given: &Json) -> u64 {
        let mut seen = lock(&self.seen);
        let entries = seen.entries.entry(callback.into()).or_insert(0);
        let k = *entries;
        *entries += 1;
        let given = ("given", given.clone());
        self.append(&mut seen, object([fact("enter"), ("callback", callback.into()), ("k", k.into()), given]));
        k
    }

    /// Records the reply that is about to be handed to the binding.
    pub fn leave(&self, callback: &str, k: u64, reply: Json) {
        self.add(object([fact("leave"), ("callback", callback.into()), ("k", k.into()), ("reply", reply)]));
    }

    /// Records that the callback is about to fail with this text.
    pub fn raising(&self, callback: &str, k: u64, text: &str) {
        self.add(object([fact("leave"), ("callback", callback.into()), ("k", k.into()), ("raised", text.into())]));
    }

    /// Records that the binding's own type refused the callback's reply.
    pub fn refused(&self, callback: &str, k: u64, reply: Json, kind: &str, message: &str) {
        let error = object([("type", kind.into()), ("message", message.into())]);
        let (callback, k) = (("callback", callback.into()), ("k", k.into()));
        self.add(object([fact("refused"), callback, k, ("reply", reply), ("error", error)]));
    }

    /// Records that a callback is about to go on with what it wraps.
    pub fn asking(&self, callback: &str, k: u64, argument: Json) {
        self.add(object([fact("next"), ("callback", callback.into()), ("k", k.into()), ("given", argument)]));
    }

    /// Records what going on gave: a value, or an error.
    pub fn answered(&self, callback: &str, k: u64, outcome: Result<Json, Failure>) {
        let ended = match outcome {
            Ok(value) => ("value", value),
            Err(failure) => ("error", described(failure)),
        };
        self.add(object([fact("answer"), ("callback", callback.into()), ("k", k.into()), ended]));
    }

    /// Records that a callback stands at a closed latch.
    pub fn waiting(&self, callback: &str, k: u64, latch: &str) {
        self.add(object([fact("wait"), ("callback", callback.into()), ("k", k.into()), ("latch", latch.into())]));
    }

    /// Records that a callback that stood at a latch goes on.
    pub fn resumed(&self, callback: &str, k: u64) {
        self.add(object([fact("resume"), ("callback", callback.into()), ("k", k.into())]));
    }

    /// Records that a callback is told that its call is cancelled.
    pub fn cancelled(&self, callback: &str, k: u64) {
        self.add(object([fact("cancelled"), ("callback", callback.into()), ("k", k.into())]));
    }

    /// Records a chunk that is about to be handed to the binding.
    pub fn chunk(&self, callback: &str, k: u64, value: Json) {
        self.add(object([fact("chunk"), ("callback", callback.into()), ("k", k.into()), ("value", value)]));
    }

    /// Records the end of a callback's stream.
    pub fn over(&self, callback: &str, k: u64, end: Over<'_>) {
        let how = match end {
            Over::Ended => ("how", "ended".into()),
            Over::Closed => ("how", "closed".into()),
            Over::Raised(text) => ("raised", text.into()),
        };
        self.add(object([fact("over"), ("callback", callback.into()), ("k", k.into()), how]));
    }

    /// Records a chunk that a reader got.
    pub fn read(&self, step: &str, value: Json) {
        self.add(object([fact("read"), ("step", step.into()), ("value", value)]));
    }

    /// Records an event as the binding serialised it.
    pub fn event(&self, subscriber: &str, event: Json) {
        self.add(object([fact("event"), ("subscriber", subscriber.into()), ("event", event)]));
    }

    /// Records what a step gave: a value, or the binding's error.
    pub fn done(&self, step: &str, outcome: Result<Json, Failure>) {
        let mut seen = lock(&self.seen);
        let ended = match outcome {
            Ok(value) => {
                seen.values.insert(step.into(), value.clone());
                ("value", value)
            }
            Err(failure) => ("error", described(failure)),
        };
        self.append(&mut seen, object([fact("done"), ("step", step.into()), ended]));
    }

    /// Keeps the first reason why the scenario cannot go on; it outlives whatever the binding makes of it.
    pub fn stop(&self, stop: Stop) {
        lock(&self.seen).stopped.get_or_insert(stop);
    }

    /// Returns that reason.
    pub fn stopped(&self) -> Option<Stop> {
        lock(&self.seen).stopped.clone()
    }

    /// Returns the value of a finished step.
    pub fn value(&self, step: &str) -> Option<Json> {
        lock(&self.seen).values.get(step).cloned()
    }

    /// Records the end; nothing follows it.
    pub fn settle(&self) {
        let mut seen = lock(&self.seen);
        self.append(&mut seen, object([fact("settled")]));
        seen.settled = true;
    }

    /// Takes the log out.
    pub fn take_log(&self) -> Vec<Json> {
        std::mem::take(&mut lock(&self.seen).log)
    }

    fn add(&self, fact: Json) {
        self.append(&mut lock(&self.seen), fact);
    }

    fn append(&self, seen: &mut Seen, fact: Json) {
        if seen.settled {
            lock(&self.strays).push(fact);
        } else {
            seen.log.push(fact);
        }
    }
}

/// An error as the log has it. Rust's errors are values, not objects: `same_as` is null.
fn described(Failure { kind, message, code }: Failure) -> Json {
    json!({"type": kind, "message": message, "code": code, "same_as": null})
}

fn fact(name: &str) -> (&'static str, Json) {
    ("fact", name.into())
}

/// Locks; a thread that panicked while it held the lock leaves facts that still hold.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_entries_and_keeps_the_order() {
        let recorder = Recorder::new(Strays::default());
        assert_eq!(recorder.enter("i", &json!(1)), 0);
        assert_eq!(recorder.enter("j", &json!(1)), 0);
        assert_eq!(recorder.enter("i", &json!(2)), 1);
        recorder.raising("i", 1, "boom-1!");
        let log = recorder.take_log();
        assert_eq!(log[2], json!({"fact": "enter", "callback": "i", "k": 1, "given": 2}));
        assert_eq!(log[3], json!({"fact": "leave", "callback": "i", "k": 1, "raised": "boom-1!"}));
    }

    #[test]
    fn what_comes_late_is_a_stray() {
        let strays = Strays::default();
        let recorder = Recorder::new(strays.clone());
        recorder.settle();
        recorder.event("s", json!({}));
        assert_eq!(recorder.take_log(), [json!({"fact": "settled"})]);
        assert_eq!(*lock(&strays), [json!({"fact": "event", "subscriber": "s", "event": {}})]);
    }

    #[test]
    fn the_first_stop_stays() {
        let recorder = Recorder::new(Strays::default());
        recorder.stop(Stop::Fault("first".into()));
        recorder.stop(Stop::Fault("second".into()));
        assert_eq!(recorder.stopped(), Some(Stop::Fault("first".into())));
    }

    #[test]
    fn errors_are_data() {
        let recorder = Recorder::new(Strays::default());
        recorder.done("c", Err(Failure { kind: "E".into(), message: "m".into(), code: None }));
        recorder.done("d", Ok(json!(1)));
        let error = json!({"type": "E", "message": "m", "code": null, "same_as": null});
        assert_eq!(recorder.take_log()[0], json!({"fact": "done", "step": "c", "error": error}));
        assert_eq!((recorder.value("c"), recorder.value("d")), (None, Some(json!(1))));
    }
}
