//! Plugins that register, and are taken back.

use super::*;

fn step(inner: Json) -> Json {
    json!({"op": "step", "step": inner})
}

fn install(ops: Json) -> Json {
    json!({"step": "install", "as": "p", "do": ops})
}

#[test]
fn a_plugin_registers_through_its_context() {
    let fake = Fake::default();
    let asked = Arc::clone(&fake.asked);
    let ops = json!([step(intercept("i", json!([]))), step(intercept("i", json!([])))]);
    let observed = run(&Actor::new(fake), json!([install(ops), {"step": "uninstall", "as": "u", "of": "p"}])).unwrap();
    let log = observed["log"].as_array().unwrap();
    assert_eq!(log[0], json!({"fact": "enter", "callback": "p", "k": 0, "given": {}}));
    assert_eq!(log[1], json!({"fact": "done", "step": "i", "value": null}));
    assert_eq!((&log[2]["step"], &log[2]["error"]["message"]), (&json!("i"), &json!("it is taken")));
    assert_eq!(log[3], json!({"fact": "leave", "callback": "p", "k": 0, "reply": null}));
    assert_eq!(log[4], json!({"fact": "done", "step": "p", "value": null}));
    assert_eq!(log[5], json!({"fact": "done", "step": "u", "value": null}));
    assert_eq!(*lock(&asked), [r#"took back ["i"] beside []"#]);
}

#[test]
fn a_plugin_that_raises_is_not_installed() {
    let ops = json!([step(intercept("i", json!([]))), {"op": "raise", "text": "boom-1!"}]);
    let observed =
        run(&Actor::new(Fake::default()), json!([install(ops), {"step": "uninstall", "as": "u", "of": "p"}])).unwrap();
    let log = observed["log"].as_array().unwrap();
    assert_eq!(log[2], json!({"fact": "leave", "callback": "p", "k": 0, "raised": "boom-1!"}));
    assert_eq!(log[3]["error"]["message"], "boom-1!");
    assert_eq!(log[4]["error"]["type"], "needs a step that failed");
}

#[test]
fn a_plugin_goes_before_what_else_is_undone() {
    let fake = Fake::default();
    let asked = Arc::clone(&fake.asked);
    let steps = json!([install(json!([step(intercept("i", json!([])))])), intercept("j", json!([]))]);
    assert_eq!(run(&Actor::new(fake), steps).unwrap()["left"], json!([]));
    assert_eq!(*lock(&asked), [r#"took back ["i"] beside ["j"]"#]);
}

#[test]
fn a_plugin_does_nothing_but_register() {
    let list = json!({"step": "list", "as": "l", "only": null});
    let promising = json!({"step": "register", "as": "i", "family": "llm.request", "name": "i", "scope": "global",
        "priority": 0, "break_chain": false, "async": true, "do": []});
    let actor = Actor::new(Fake::default());
    assert!(matches!(run(&actor, json!([install(json!([step(list)]))])), Err(Stop::Fault(_))));
    let stopped = run(&actor, json!([install(json!([step(promising)]))])).unwrap_err();
    assert!(matches!(&stopped, Stop::Inexpressible { path, .. } if path == "async"), "{stopped:?}");
    let inside = intercept("i", json!([step(install(json!([])))]));
    let stopped = run(&actor, json!([inside])).unwrap_err();
    assert!(matches!(&stopped, Stop::Unsupported { capability, .. } if capability == "reentrant"), "{stopped:?}");
}
