//! The log of one scenario, with the instants of its clock.
//!
//! Enters: what was seen. Leaves: records. Must not know the crate that is driven.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use bindproof_adapter::{Json, object};
use tokio::time::Instant;

thread_local! {
    /// The call whose turn it is, where several are made at once. One thread runs them all.
    static TURN: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What was seen so far. Clones share it.
#[derive(Clone)]
pub struct Recorder(Arc<Mutex<Seen>>);

struct Seen {
    zero: Instant,
    log: Vec<Json>,
    entered: HashMap<(Option<String>, String), usize>,
}

impl Recorder {
    /// Begins a log; its clock shows 0. Has to be called inside the runtime.
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(Seen { zero: Instant::now(), log: Vec::new(), entered: HashMap::new() })))
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().expect("no record is written by code that panics")
    }

    /// Writes a record with the present instant, and with the call whose turn it is.
    pub fn put<const N: usize>(&self, fact: &str, call: Option<&str>, members: [(&str, Json); N]) {
        let mut record = object(members);
        let mut seen = self.seen();
        record["fact"] = fact.into();
        record["at"] = (Instant::now().duration_since(seen.zero).as_millis() as u64).into();
        if let Some(call) = call {
            record["call"] = call.into();
        }
        seen.log.push(record);
    }

    /// Writes a record as it is.
    pub fn put_plain<const N: usize>(&self, members: [(&str, Json); N]) {
        self.seen().log.push(object(members));
    }

    /// Begins a step: its entries are counted from 0.
    pub fn begin(&self) {
        self.seen().entered.clear();
    }

    /// Writes that something of the scenario's own was entered.
    pub fn enter(&self, callback: &str, given: Json) -> Entry {
        let call = turn();
        let k = {
            let mut seen = self.seen();
            let count = seen.entered.entry((call.clone(), callback.to_owned())).or_default();
            *count += 1;
            *count - 1
        };
        let members = [("callback", callback.into()), ("k", k.into()), ("given", given)];
        self.put("enter", call.as_deref(), members);
        Entry { recorder: self.clone(), callback: callback.to_owned(), k, call, left: false }
    }

    /// Returns the records so far and forgets them.
    pub fn take(&self) -> Vec<Json> {
        std::mem::take(&mut self.seen().log)
    }
}

/// Something that was entered and has not ended. Where it ends without a reply it was dropped.
pub struct Entry {
    recorder: Recorder,
    callback: String,
    /// How often it had been entered before.
    pub k: usize,
    call: Option<String>,
    left: bool,
}

impl Entry {
    /// Writes the reply.
    pub fn leave(mut self, reply: Json) {
        self.left = true;
        let members = [("callback", self.callback.as_str().into()), ("k", self.k.into()), ("reply", reply)];
        self.recorder.put("leave", self.call.as_deref(), members);
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if !self.left {
            let members = [("callback", self.callback.as_str().into()), ("k", self.k.into())];
            self.recorder.put("dropped", self.call.as_deref(), members);
        }
    }
}

/// Returns the call whose turn it is.
pub fn turn() -> Option<String> {
    TURN.with_borrow(Clone::clone)
}

/// While this lives it is the turn of a call.
pub struct Turn(Option<String>);

impl Turn {
    /// Begins the turn of a call, or of none.
    pub fn of(call: Option<&str>) -> Self {
        Self(TURN.replace(call.map(str::to_owned)))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        TURN.set(self.0.take());
    }
}
