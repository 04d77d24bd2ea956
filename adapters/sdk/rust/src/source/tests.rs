//! Sources, polled by hand.

use std::pin::pin;
use std::task::Waker;

use super::*;
use crate::callback::tests::callback;
use crate::recorder::Recorder;

fn source(ops: Json) -> (Source, Arc<Recorder>) {
    let (callback, recorder) = callback(ops);
    (Source { callback, flows: Flows::default() }, recorder)
}

fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
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

/// Wraps a provider of these ops, which fails at once where they are null.
fn wrapped(ops: Json) -> Wrapped<String> {
    let proceed = move |argument: Json| -> Result<Opening<String>, Stop> {
        let opened = match &ops {
            Json::Null => Err("boom-2!".to_owned()),
            ops => source(ops.clone()).0.open(argument, |text| text),
        };
        Ok(Box::pin(async { opened.map(|flow| Box::pin(flow) as Chunks<String>) }))
    };
    let said = |error: &String| Failure { kind: "E".into(), message: error.clone(), code: None };
    Wrapped { argument: json!({"a": 1}), proceed: Box::new(proceed), said }
}

fn intercept(ops: Json, inner: Json) -> (Result<Flow<String>, String>, Arc<Recorder>) {
    let (source, recorder) = source(ops);
    (now(source.wrap(json!({}), wrapped(inner), |text| text)), recorder)
}

fn facts(recorder: &Recorder) -> Vec<Json> {
    recorder.take_log().into_iter().map(|fact| fact["fact"].clone()).collect()
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
fn chunks_come_before_the_error_that_ends_them() {
    let (source, recorder) =
        source(json!([{"op": "yield", "chunks": [{"$get": "given/x"}]}, {"op": "raise", "text": "boom-1!"}]));
    let mut flow = source.open(json!({"x": 5}), |text| text).unwrap();
    assert_eq!(drain(&mut flow), [Ok(json!(5)), Err("boom-1!".into())]);
    assert_eq!(recorder.take_log()[3], json!({"fact": "over", "callback": "i", "k": 0, "raised": "boom-1!"}));
}

#[test]
fn what_is_before_the_first_chunk_is_done_when_it_is_called() {
    let (source, recorder) = source(json!([{"op": "raise", "text": "boom-1!"}]));
    assert_eq!(source.open(json!({}), |text| text).err(), Some("boom-1!".into()));
    assert_eq!(facts(&recorder), ["enter", "leave"]);
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
fn an_intercept_changes_what_is_passed_on_and_adds_to_it() {
    let ops = json!([{"op": "edit", "set": {"/seen": true}}, {"op": "yield", "chunks": [2]}]);
    let (flow, recorder) = intercept(ops, json!([{"op": "yield", "chunks": [{"n": 1}]}]));
    assert_eq!(drain(&mut flow.unwrap()), [Ok(json!({"n": 1, "seen": true})), Ok(json!(2))]);
    assert_eq!(facts(&recorder), ["enter", "next", "answer", "leave", "chunk", "chunk", "over"]);
}

#[test]
fn an_intercept_may_go_on_late() {
    let ops = json!([{"op": "yield", "chunks": [1]}, {"op": "next", "edits": [{}], "catch": false}]);
    let (flow, recorder) = intercept(ops, json!([{"op": "yield", "chunks": [2]}]));
    assert_eq!(drain(&mut flow.unwrap()), [Ok(json!(1)), Ok(json!(2))]);
    assert_eq!(facts(&recorder), ["enter", "leave", "chunk", "next", "answer", "chunk", "over"]);
}

#[test]
fn a_failure_of_what_is_wrapped_passes_or_is_caught() {
    let failing = json!([{"op": "yield", "chunks": [1]}, {"op": "raise", "text": "boom-1!"}]);
    let (flow, recorder) = intercept(json!([]), failing.clone());
    assert_eq!(drain(&mut flow.unwrap()), [Ok(json!(1)), Err("boom-1!".into())]);
    assert_eq!(recorder.take_log()[5]["raised"], "boom-1!");
    let catching = json!([{"op": "next", "edits": [{}], "catch": true}, {"op": "yield", "chunks": [2]}]);
    let (flow, _) = intercept(catching.clone(), failing);
    assert_eq!(drain(&mut flow.unwrap()), [Ok(json!(1)), Ok(json!(2))]);
    let (flow, recorder) = intercept(catching, Json::Null);
    assert_eq!(drain(&mut flow.unwrap()), [Ok(json!(2))]);
    assert_eq!(recorder.take_log()[2]["error"]["message"], "boom-2!");
}

#[test]
fn without_a_stream_the_intercept_fails() {
    let (flow, recorder) = intercept(json!([]), Json::Null);
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
