//! Calls in flight.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Wake;
use std::thread::{self, Thread};

use super::*;

/// Wakes a thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// What a future gives on this thread, or nothing where it is cancelled before.
pub(super) fn to_its_end<T>(future: impl Future<Output = T>, flight: Option<&Flight>) -> Option<T> {
    let (here, cancelled) = (thread::current(), Arc::new(AtomicBool::new(false)));
    if let Some(flight) = flight {
        let (here, cancelled) = (here.clone(), Arc::clone(&cancelled));
        let cancel = move || {
            cancelled.store(true, Ordering::SeqCst);
            here.unpark();
        };
        flight.begin(|| ((), cancel));
    }
    let (waker, mut future) = (Arc::new(Unpark(here)).into(), pin!(future));
    while !cancelled.load(Ordering::SeqCst) {
        if let Poll::Ready(given) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(given);
        }
        thread::park();
    }
    None
}

#[test]
fn a_call_in_flight_is_made_beside_the_program_and_may_panic() {
    let actor = Actor::new(Fake::default());
    let mut flying = call("panics", json!(1));
    flying["background"] = json!(true);
    let observed = run(&actor, json!([flying])).unwrap();
    assert_eq!(observed["log"][0]["error"]["type"], "panic");
    assert_eq!(*lock(&actor.binding.asked), ["beside"]);
}
