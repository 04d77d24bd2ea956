//! Sources, polled by hand.

use std::task::Waker;

use super::*;
use crate::relay::callback::tests::{at_once, callback};
use crate::relay::recorder::Recorder;

fn source(ops: Json) -> (Source, Arc<Recorder>) {
    let (callback, recorder) = callback(ops);
    (Source { callback, flows: Flows::default() }, recorder)
}

fn poll(flow: &mut Flow<String>) -> Poll<Option<Result<Json, String>>> {
    Pin::new(flow).poll_next(&mut Context::from_waker(Waker::noop()))
}

/// Every chunk and error until the stream ends or waits.
fn drain(flow: &mut Flow<String>) -> Vec<Result<Json, String>> {
    let mut got = Vec::new();
    while let Poll::Ready(Some(item)) = poll(flow) {
        got.push(item);
    }
    got
}

#[test]
fn a_provider_hands_over_two_chunks_of_its_own() {
    let (source, recorder) = source(json!([]));
    let mut flow = source.open(json!({}), |text| text).unwrap();
    assert_eq!(source.flows.load(Ordering::SeqCst), 1);
    assert_eq!(drain(&mut flow), [Ok(json!({"i": 0})), Ok(json!({"i": 1}))]);
    drop(flow);
    assert_eq!(source.flows.load(Ordering::SeqCst), 0);
    assert_eq!(recorder.take_log()[4], json!({"fact": "over", "callback": "i", "k": 0, "how": "ended"}));
}

#[test]
fn what_hangs_is_closed_when_it_is_dropped() {
    let (source, recorder) = source(json!([{"op": "yield", "chunks": [1]}, {"op": "hang"}]));
    let mut flow = source.open(json!({}), |text| text).unwrap();
    assert_eq!(drain(&mut flow), [Ok(json!(1))]);
    assert!(poll(&mut flow).is_pending());
    drop(flow);
    assert_eq!(recorder.take_log()[3], json!({"fact": "over", "callback": "i", "k": 0, "how": "closed"}));
}

#[test]
fn without_a_stream_the_intercept_fails() {
    let (source, recorder) = source(json!([]));
    let proceed = |_| -> Result<Opening<String>, Stop> { Ok(Box::pin(async { Err("boom-2!".to_owned()) })) };
    let said = |error: &String| Failure { kind: "E".into(), message: error.clone(), code: None };
    let wrapped = Wrapped { argument: json!({"a": 1}), proceed: Box::new(proceed), said };
    let flow = at_once(source.wrap(json!({}), wrapped, |text| text));
    assert_eq!(flow.err(), Some("boom-2!".into()));
    assert_eq!(recorder.take_log()[3], json!({"fact": "leave", "callback": "i", "k": 0, "raised": "boom-2!"}));
}

#[test]
fn what_rust_cannot_say_stops() {
    let (source, recorder) = source(json!([{"op": "yield", "chunks": [{"$none": true}]}]));
    let mut flow = source.open(json!({}), |text| text).unwrap();
    assert!(drain(&mut flow)[0].is_err());
    assert!(matches!(recorder.stopped(), Some(Stop::Inexpressible { .. })));
}
