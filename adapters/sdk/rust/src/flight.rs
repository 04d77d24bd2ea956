//! Calls in flight: they run beside the program, each on a thread of its own, and stand still at latches until the
//! program opens them.
//!
//! Enters: calls, and callbacks that come to a latch. Leaves: records of who waits and goes on. One thing runs at a time:
//! whoever lets a call go on waits until it stands at a latch or is over. Must not know any binding.

use std::collections::HashSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crate::recorder::{Recorder, lock};
use crate::signals::Stop;

/// The latches of one scenario, and the calls that stand at them.
#[derive(Default)]
pub struct Latches {
    turn: Mutex<Turn>,
    changed: Condvar,
    calls: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Default)]
struct Turn {
    open: HashSet<String>,
    standing: Vec<Standing>,
    /// A call in flight runs, and the program waits for it to stand or to be over.
    is_taken: bool,
    /// Who of those that stood may go on.
    next: Option<u64>,
    arrivals: u64,
}

struct Standing {
    latch: String,
    arrival: u64,
}

impl Latches {
    /// Lets a call run beside the program, until it stands at a latch or is over. A panic of the call is lost.
    pub fn start(self: &Arc<Self>, call: impl FnOnce() + Send + 'static) {
        self.turn().is_taken = true;
        let over = Over(Arc::clone(self));
        let flying = thread::spawn(move || {
            let _over = over;
            call();
        });
        lock(&self.calls).push(flying);
        self.until_still(self.turn());
    }

    /// Opens a latch: who stands at it goes on, in order of arrival, one after the other.
    pub fn open(&self, latch: &str) {
        self.turn().open.insert(latch.into());
        loop {
            let mut turn = self.turn();
            let Some(first) = turn.standing.iter().position(|one| one.latch == latch) else { return };
            turn.next = Some(turn.standing.remove(first).arrival);
            turn.is_taken = true;
            self.changed.notify_all();
            self.until_still(turn);
        }
    }

    /// Opens what anyone stands at, until nobody does, and waits until the calls are over.
    pub fn open_all(&self) {
        while let Some(latch) = self.first() {
            self.open(&latch);
        }
        for call in std::mem::take(&mut *lock(&self.calls)) {
            let _ = call.join();
        }
    }

    /// Stands at a latch that is closed; a fault where the program itself would never go on.
    pub fn wait(&self, recorder: &Recorder, callback: &str, k: u64, latch: &str) -> Result<(), Stop> {
        let mut turn = self.turn();
        if turn.open.contains(latch) {
            return Ok(());
        }
        if !turn.is_taken {
            let said = format!("callback '{callback}' waits at '{latch}', and the program waits for it");
            return Err(Stop::Fault(said));
        }
        recorder.waiting(callback, k, latch);
        turn.arrivals += 1;
        let arrival = turn.arrivals;
        turn.standing.push(Standing { latch: latch.into(), arrival });
        turn.is_taken = false;
        self.changed.notify_all();
        let mut turn = self.until(turn, |turn| turn.next == Some(arrival));
        turn.next = None;
        recorder.resumed(callback, k);
        Ok(())
    }

    fn first(&self) -> Option<String> {
        self.turn().standing.first().map(|one| one.latch.clone())
    }

    fn until_still(&self, turn: MutexGuard<'_, Turn>) {
        drop(self.until(turn, |turn| !turn.is_taken));
    }

    fn until<'a>(&self, turn: MutexGuard<'a, Turn>, holds: impl Fn(&Turn) -> bool) -> MutexGuard<'a, Turn> {
        self.changed.wait_while(turn, |turn| !holds(turn)).unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        lock(&self.turn)
    }
}

/// Lets the program go on when a call is over, however it ends.
struct Over(Arc<Latches>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.turn().is_taken = false;
        self.0.changed.notify_all();
    }
}
