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

fn flying(id: &str, name: &str, latches: &[&str]) -> Json {
    let mut step = call(name, json!(1));
    (step["as"], step["background"]) = (json!(id), json!(true));
    step["provider"] = latches.iter().map(|latch| json!({"op": "wait", "latch": latch})).collect();
    step
}

fn open(latch: &str) -> Json {
    json!({"step": "open", "as": format!("open {latch}"), "latch": latch})
}

/// Each fact of the log but the last, with whose it is.
fn told(steps: Json) -> Vec<String> {
    let observed = run(&Actor::new(Fake::default()), steps).unwrap();
    let whose = |record: &Json| {
        let whose = record.get("callback").or(record.get("step")).and_then(Json::as_str).unwrap_or_default();
        format!("{} {whose}", record["fact"].as_str().unwrap())
    };
    let log = observed["log"].as_array().unwrap();
    log[..log.len() - 1].iter().map(whose).collect()
}

#[test]
fn the_program_goes_on_while_a_call_stands() {
    let steps = json!([flying("a", "gpt", &["x"]), call("gpt", json!(1)), open("x")]);
    let expected = [
        "enter a.provider",
        "wait a.provider",
        "enter c.provider",
        "leave c.provider",
        "done c",
        "resume a.provider",
        "leave a.provider",
        "done a",
        "done open x",
    ];
    assert_eq!(told(steps), expected);
}

#[test]
fn who_came_first_goes_on_first_until_it_stands_again() {
    let steps = json!([flying("a", "gpt", &["x", "y"]), flying("b", "gpt", &["x"]), open("x")]);
    let expected =
        ["resume a.provider", "wait a.provider", "resume b.provider", "leave b.provider", "done b", "done open x"];
    assert_eq!(told(steps)[4..10], expected);
}

#[test]
fn what_stays_closed_is_opened_at_the_end() {
    let steps = json!([flying("a", "gpt", &["x"]), flying("b", "gpt", &["y"])]);
    let expected =
        ["resume a.provider", "leave a.provider", "done a", "resume b.provider", "leave b.provider", "done b"];
    assert_eq!(told(steps)[4..], expected);
}

#[test]
fn at_an_open_latch_nobody_stands() {
    let steps = json!([open("x"), flying("a", "gpt", &["x"])]);
    assert_eq!(told(steps), ["done open x", "enter a.provider", "leave a.provider", "done a"]);
}

#[test]
fn a_call_in_flight_is_made_beside_the_program_and_may_panic() {
    let actor = Actor::new(Fake::default());
    let observed = run(&actor, json!([flying("a", "panics", &[])])).unwrap();
    assert_eq!(observed["log"][0]["error"]["type"], "panic");
    assert_eq!(*lock(&actor.binding.asked), ["beside"]);
}

#[test]
fn a_program_that_would_hang_is_at_fault() {
    let mut waited = flying("a", "gpt", &["x"]);
    waited["background"] = json!(false);
    let said = "callback 'a.provider' waits at 'x', and the program waits for it";
    assert_eq!(run(&Actor::new(Fake::default()), json!([waited])).unwrap_err(), Stop::Fault(said.into()));
}

fn cancel(of: &str) -> Json {
    json!({"step": "cancel", "as": format!("cancel {of}"), "of": of})
}

#[test]
fn who_is_cancelled_is_told_and_stands_nowhere() {
    let steps = json!([flying("a", "gpt", &["x"]), flying("b", "gpt", &["x"]), cancel("a"), open("x")]);
    let expected = [
        "enter a.provider",
        "wait a.provider",
        "enter b.provider",
        "wait b.provider",
        "cancelled a.provider",
        "done a",
        "done cancel a",
        "resume b.provider",
        "leave b.provider",
        "done b",
        "done open x",
    ];
    assert_eq!(told(steps), expected);
}

#[test]
fn a_call_that_is_over_stays_as_it_is() {
    let steps = json!([flying("a", "gpt", &[]), cancel("a")]);
    assert_eq!(told(steps), ["enter a.provider", "leave a.provider", "done a", "done cancel a"]);
}

#[test]
fn what_cannot_be_cancelled_is_unsupported() {
    let steps = json!([flying("a", "stubborn", &["x"]), cancel("a")]);
    let stopped = run(&Actor::new(Fake::default()), steps).unwrap_err();
    assert!(matches!(&stopped, Stop::Unsupported { capability, .. } if capability == "cancel"), "{stopped:?}");
}

#[test]
fn a_call_that_is_not_there_is_named() {
    let said = Stop::Fault("no call 'a' is in the background yet".into());
    assert_eq!(run(&Actor::new(Fake::default()), json!([cancel("a")])).unwrap_err(), said);
}
