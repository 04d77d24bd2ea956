//! Calls in flight: they run beside the program, each on a thread of its own, and stand still at latches until the
//! program opens them.
//!
//! Enters: calls, callbacks that come to a latch, cancellings. Leaves: records of who waits and goes on. One thing runs at
//! a time: whoever lets a call go on waits until it stands at a latch or is over. Must not know any binding.

use std::collections::{HashMap, HashSet};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread::{self, JoinHandle};

use crate::relay::recorder::{Recorder, lock};
use crate::signals::Stop;

/// A call in the background.
#[derive(Clone, Default)]
pub struct Flight(Arc<Mutex<Option<Cancel>>>);

type Cancel = Arc<dyn Fn() + Send + Sync>;

impl Flight {
    /// Lets the call begin; `begin` returns what it likes, and what cancels the call: its future is dropped then, before the
    /// binding gives its caller an error. Nobody cancels the call before that is known, and one of which it is not never.
    pub fn begin<T, C: Fn() + Send + Sync + 'static>(&self, begin: impl FnOnce() -> (T, C)) -> T {
        let mut known = lock(&self.0);
        let (begun, cancel) = begin();
        *known = Some(Arc::new(cancel));
        begun
    }
}

/// The latches of one scenario, and the calls that stand at them.
#[derive(Default)]
pub struct Latches {
    turn: Mutex<Turn>,
    changed: Condvar,
    calls: Mutex<Vec<JoinHandle<()>>>,
    flights: Mutex<HashMap<String, Flight>>,
}

#[derive(Default)]
struct Turn {
    open: HashSet<String>,
    standing: Vec<Standing>,
    /// The calls that are over.
    over: HashSet<String>,
    /// A call in flight runs, and the program waits for it to stand or to be over.
    is_taken: bool,
    /// Who of those that stood may go on.
    next: Option<u64>,
    arrivals: u64,
}

struct Standing {
    latch: String,
    arrival: u64,
    waker: Waker,
}

impl Latches {
    /// Lets a call run beside the program, until it stands at a latch or is over. A panic of the call is lost.
    pub fn start(self: &Arc<Self>, name: &str, call: impl FnOnce(&Flight) + Send + 'static) {
        self.turn().is_taken = true;
        let flight = Flight::default();
        lock(&self.flights).insert(name.into(), flight.clone());
        let over = Over { latches: Arc::clone(self), name: name.into() };
        let flying = thread::spawn(move || {
            let _over = over;
            call(&flight);
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
            let first = turn.standing.remove(first);
            turn.next = Some(first.arrival);
            turn.is_taken = true;
            first.waker.wake();
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

    /// Cancels a call, and waits until it is over; one that is over stays as it is.
    pub fn cancel(&self, name: &str) -> Result<(), Stop> {
        let Some(flight) = lock(&self.flights).get(name).cloned() else {
            return Err(Stop::Fault(format!("no call '{name}' is in the background yet")));
        };
        let mut turn = self.turn();
        if turn.over.contains(name) {
            return Ok(());
        }
        let Some(cancel) = lock(&flight.0).clone() else {
            return Err(Stop::unsupported("cancel", "a call in flight cannot be cancelled"));
        };
        turn.is_taken = true;
        drop(turn);
        cancel();
        self.until_still(self.turn());
        Ok(())
    }

    /// Stands at a latch that is closed; a fault where the program itself would never go on.
    pub fn wait<'a>(&'a self, recorder: &'a Recorder, callback: &'a str, k: u64, latch: &'a str) -> AtLatch<'a> {
        AtLatch { latches: self, recorder, callback, k, latch, arrival: None }
    }

    fn first(&self) -> Option<String> {
        self.turn().standing.first().map(|one| one.latch.clone())
    }

    fn until_still(&self, turn: MutexGuard<'_, Turn>) {
        drop(self.changed.wait_while(turn, |turn| turn.is_taken).unwrap_or_else(PoisonError::into_inner));
    }

    fn be_still(&self, mut turn: MutexGuard<'_, Turn>) {
        turn.is_taken = false;
        self.changed.notify_all();
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        lock(&self.turn)
    }
}

/// A callback on its way through a latch. One that is dropped stands there no more.
pub struct AtLatch<'a> {
    latches: &'a Latches,
    recorder: &'a Recorder,
    callback: &'a str,
    k: u64,
    latch: &'a str,
    /// Set while it stands there.
    arrival: Option<u64>,
}

impl AtLatch<'_> {
    fn arrive(&mut self, waker: &Waker) -> Poll<Result<(), Stop>> {
        let mut turn = self.latches.turn();
        if turn.open.contains(self.latch) {
            return Poll::Ready(Ok(()));
        }
        if !turn.is_taken {
            let said = format!("callback '{}' waits at '{}', and the program waits for it", self.callback, self.latch);
            return Poll::Ready(Err(Stop::Fault(said)));
        }
        self.recorder.waiting(self.callback, self.k, self.latch);
        turn.arrivals += 1;
        let arrival = turn.arrivals;
        self.arrival = Some(arrival);
        turn.standing.push(Standing { latch: self.latch.into(), arrival, waker: waker.clone() });
        self.latches.be_still(turn);
        Poll::Pending
    }
}

impl Future for AtLatch<'_> {
    type Output = Result<(), Stop>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(arrival) = self.arrival else { return self.arrive(context.waker()) };
        let mut turn = self.latches.turn();
        if turn.next == Some(arrival) {
            turn.next = None;
            self.recorder.resumed(self.callback, self.k);
            drop(turn);
            self.arrival = None;
            return Poll::Ready(Ok(()));
        }
        if let Some(standing) = turn.standing.iter_mut().find(|one| one.arrival == arrival) {
            standing.waker.clone_from(context.waker());
        }
        Poll::Pending
    }
}

impl Drop for AtLatch<'_> {
    fn drop(&mut self) {
        if let Some(arrival) = self.arrival {
            self.latches.turn().standing.retain(|one| one.arrival != arrival);
        }
    }
}

/// Lets the program go on when a call is over, however it ends.
struct Over {
    latches: Arc<Latches>,
    name: String,
}

impl Drop for Over {
    fn drop(&mut self) {
        let mut turn = self.latches.turn();
        turn.over.insert(std::mem::take(&mut self.name));
        self.latches.be_still(turn);
    }
}
