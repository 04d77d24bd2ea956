//! Latches at which what runs when an event is published stands: what is told behind it waits, and the program does not.
//!
//! Enters: callbacks that come to such a latch, the step that opens it. Leaves: records of who waits and goes on. Nobody
//! says when an event is published, so who opens a latch waits until somebody stands there, but not for long.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::relay::recorder::{Recorder, lock};

/// How long who opens a latch waits for somebody to stand there, and who stands there for it to be opened.
const LONGEST: Duration = Duration::from_secs(8);

/// Such latches of one scenario.
#[derive(Default)]
pub struct Held {
    gates: Mutex<HashMap<String, Gate>>,
    changed: Condvar,
}

#[derive(Default)]
struct Gate {
    came: bool,
    open: bool,
}

impl Held {
    /// Makes a latch one that holds up what is told.
    pub fn expect(&self, latch: &str) {
        lock(&self.gates).entry(latch.into()).or_default();
    }

    /// Stands at a latch where it is closed; whether it is such a latch.
    pub fn stand(&self, recorder: &Recorder, callback: &str, k: u64, latch: &str) -> bool {
        match lock(&self.gates).get(latch) {
            None => return false,
            Some(gate) if gate.open => return true,
            Some(_) => recorder.waiting(callback, k, latch),
        }
        self.change(latch, |gate| gate.came = true);
        self.until(latch, |gate| gate.open);
        self.change(latch, |gate| gate.open = true);
        recorder.resumed(callback, k);
        true
    }

    /// Opens a latch when somebody stands there; whether it is such a latch.
    pub fn open(&self, latch: &str) -> bool {
        if !lock(&self.gates).contains_key(latch) {
            return false;
        }
        self.until(latch, |gate| gate.came);
        self.change(latch, |gate| gate.open = true);
        true
    }

    /// Opens what is closed still.
    pub fn open_all(&self) {
        lock(&self.gates).values_mut().for_each(|gate| gate.open = true);
        self.changed.notify_all();
    }

    fn change(&self, latch: &str, change: impl FnOnce(&mut Gate)) {
        lock(&self.gates).get_mut(latch).map(change);
        self.changed.notify_all();
    }

    fn until(&self, latch: &str, is_so: impl Fn(&Gate) -> bool) {
        let waits = |gates: &mut HashMap<String, Gate>| gates.get(latch).is_some_and(|gate| !is_so(gate));
        let waited = self.changed.wait_timeout_while(lock(&self.gates), LONGEST, waits);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;
    use crate::relay::recorder::Strays;

    fn facts(recorder: &Recorder) -> Vec<String> {
        recorder.take_log().iter().map(|record| record["fact"].as_str().unwrap_or_default().into()).collect()
    }

    #[test]
    fn who_opens_a_latch_waits_until_someone_stands_there() {
        let held = Arc::new(Held::default());
        let recorder = Arc::new(Recorder::new(Strays::default()));
        held.expect("x");
        let (there, told) = (Arc::clone(&held), Arc::clone(&recorder));
        let publishing = thread::spawn(move || there.stand(&told, "z.sanitize", 0, "x"));
        assert!(held.open("x"));
        assert!(publishing.join().expect("it stands there and goes on"));
        assert!(held.stand(&recorder, "z.sanitize", 1, "x"), "it is open");
        assert_eq!(facts(&recorder), ["wait", "resume"]);
    }

    #[test]
    fn no_other_latch_is_such() {
        let held = Held::default();
        assert!(!held.open("y"));
        assert!(!held.stand(&Recorder::new(Strays::default()), "i", 0, "y"));
    }
}
