//! Gates, about what the program registered and about what a plugin did.

use super::plugins::{install, step};
use super::*;

fn gate(plugin: Json) -> Json {
    json!({"step": "gate", "as": "g", "name": "g", "families": ["llm.request"], "target": "i", "plugin": plugin,
        "reason": "ill", "raises": null})
}

fn ungate() -> Json {
    json!({"step": "ungate", "as": "u", "of": "g"})
}

/// Runs steps on a fake; returns the records of the step `u`, which is the last but one, and what the fake was asked.
fn last(steps: Json) -> (Json, Vec<String>) {
    let fake = Fake::default();
    let asked = Arc::clone(&fake.asked);
    let seen = run(&Actor::new(fake), steps).unwrap();
    let log = seen["log"].as_array().unwrap();
    (log[log.len() - 2].clone(), lock(&asked).clone())
}

#[test]
fn a_gate_of_the_programs_own_is_about_the_name_itself() {
    let (ended, asked) = last(json!([intercept("i", json!([])), gate(Json::Null), ungate()]));
    let families = ["llm.request", "subscriber"];
    let given = json!([{"families": families, "name": "i"}, {"families": families, "name": "another"}]);
    assert_eq!(ended, json!({"fact": "done", "step": "u", "value": {"was": true, "given": given}}));
    assert_eq!(asked, ["gate about i"]);
}

#[test]
fn a_gate_about_what_a_plugin_registered_takes_the_name_of_the_listing() {
    let plugin = install(json!([step(intercept("i", json!([])))]));
    let (ended, asked) = last(json!([intercept("i", json!([])), plugin, gate(json!("p")), ungate()]));
    let families = ["llm.request", "subscriber"];
    let given = json!([{"families": families, "name": "i", "plugin": "p"}, {"families": families, "name": "another"}]);
    assert_eq!(ended["value"]["given"], given);
    assert_eq!(asked[0], "gate about p.i");
}

#[test]
fn a_gate_about_what_no_plugin_has_fails() {
    let (ended, asked) = last(json!([intercept("i", json!([])), gate(json!("p")), ungate()]));
    assert_eq!(ended["error"]["message"], "step 'u': 'g' has failed");
    assert!(asked.is_empty());
    let seen = run(&Actor::new(Fake::default()), json!([gate(json!("p"))])).unwrap();
    assert_eq!(seen["log"][0]["error"]["message"], "nothing is listed as 'i' of the plugin 'p'");
}

#[test]
fn a_listing_says_whose_an_entry_is() {
    let plugin = install(json!([step(intercept("i", json!([])))]));
    let list = json!({"step": "list", "as": "l", "only": null});
    let (ended, _) = last(json!([intercept("j", json!([])), plugin, list]));
    let owned = json!({"family": "llm.request", "name": "i", "plugin": "p", "number": 2});
    assert_eq!(ended["value"], json!([{"family": "llm.request", "name": "j"}, owned]));
}

#[test]
fn what_is_left_is_counted_by_family_and_name() {
    let before = [Listed::own("subscriber", "s")];
    let owned = Listed { effective: "x".into(), plugin: Some("p".into()), ..before[0].clone() };
    assert_eq!(without(vec![owned.clone()], &before), []);
    let left = without(vec![before[0].clone(), owned], &before);
    assert_eq!(left.iter().map(Listed::bare).collect::<Json>(), json!([{"family": "subscriber", "name": "s"}]));
}
