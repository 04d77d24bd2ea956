//! Plugins that register, and are taken back.

use super::*;

pub(super) fn step(inner: Json) -> Json {
    json!({"op": "step", "step": inner})
}

pub(super) fn install(ops: Json) -> Json {
    json!({"step": "install", "as": "p", "plugins": ["p"], "do": ops})
}

#[test]
fn a_plugin_goes_before_what_else_is_undone() {
    let fake = Fake::default();
    let asked = Arc::clone(&fake.asked);
    let steps = json!([install(json!([step(intercept("i", json!([])))])), intercept("j", json!([]))]);
    assert_eq!(run(&Actor::new(fake), steps).unwrap()["left"], json!([]));
    assert_eq!(*lock(&asked), [r#"took back ["p.i"] beside ["j"]"#]);
}

#[test]
fn a_plugin_does_nothing_but_register() {
    let list = json!({"step": "list", "as": "l", "only": null});
    let actor = Actor::new(Fake::default());
    assert!(matches!(run(&actor, json!([install(json!([step(list)]))])), Err(Stop::Fault(_))));
}
