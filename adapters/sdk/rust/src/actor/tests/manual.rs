//! What steps start, and what later ones need of it.

use super::*;

fn start(name: &str, parent: Json, input: Json) -> Json {
    json!({"step": "start", "as": name, "kind": "scope", "name": name, "type": "agent", "input": input,
        "metadata": null, "parent": parent})
}

#[test]
fn handles_go_where_a_step_names_what_was_started() {
    let actor = Actor::new(Fake::default());
    let mut owned = intercept("i", json!([]));
    owned["scope"] = json!("B");
    let steps = json!([
        call("gpt", json!(1)),
        start("A", json!(null), json!({"$get": "c/ok"})),
        start("B", json!("A"), json!(null)),
        owned,
        {"step": "mark", "as": "m", "name": "m", "data": null, "metadata": null, "data_schema": null,
         "severity": null, "parent": "A"},
        {"step": "end", "as": "e", "of": "B", "output": {"$get": "c"}, "annotation": null, "metadata": null},
    ]);
    run(&actor, steps).unwrap();
    assert_eq!(
        *lock(&actor.binding.asked),
        [
            "start A in None with Some(Bool(true))",
            "start B in Some(\"handle of A\") with None",
            "i on handle of B",
            "mark m in Some(\"handle of A\")",
            "end handle of B with {\"ok\":true}",
        ]
    );
}

#[test]
fn a_step_that_did_nothing_yet_is_named() {
    let actor = Actor::new(Fake::default());
    let end = json!({"step": "end", "as": "e", "of": "A", "output": null, "metadata": null});
    for (step, did) in [(end, "started"), (json!({"step": "deregister", "as": "e", "of": "A"}), "registered")] {
        let said = format!("step 'e': 'A' has {did} nothing yet");
        assert_eq!(run(&actor, json!([step])).unwrap_err(), Stop::Fault(said));
    }
}

#[test]
fn what_needs_a_step_that_failed_fails_too() {
    let end = json!({"step": "end", "as": "e", "of": "refused", "output": null, "metadata": null});
    let steps = json!([start("refused", json!(null), json!(null)), end, start("B", json!("refused"), json!(null))]);
    let observed = run(&Actor::new(Fake::default()), steps).unwrap();
    let said: Vec<&Json> = observed["log"].as_array().unwrap().iter().map(|fact| &fact["error"]["message"]).collect();
    assert_eq!(said[..3], ["no such start", "step 'e': 'refused' has failed", "step 'B': 'refused' has failed"]);
}

#[test]
fn the_current_scope_is_told_by_uuid_and_name() {
    let observed = run(&Actor::new(Fake::default()), json!([{"step": "current", "as": "s"}])).unwrap();
    assert_eq!(observed["log"][0]["value"], json!({"uuid": "u", "name": "n"}));
}
