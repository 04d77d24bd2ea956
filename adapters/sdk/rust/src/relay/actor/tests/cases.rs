//! The cases that the SDKs of all languages run.

use std::fs;
use std::sync::atomic::Ordering;

use super::toy::Toy;
use super::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../cases/relay");

#[test]
fn the_cases_of_all_sdks() {
    let files = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let tables: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect();
    assert!(!tables.is_empty());
    let mut broken = Vec::new();
    for path in tables {
        let table: Json = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for case in table["cases"].as_array().unwrap() {
            if case["only"].as_array().is_none_or(|sdks| sdks.contains(&json!("rust")))
                && let Err(why) = holds(case, &table["steps"])
            {
                broken.push(format!("{}: {}: {why}", path.display(), case["name"]));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Whether a toy does what the case says of this SDK; the error is what it does instead.
fn holds(case: &Json, steps: &Json) -> Result<(), String> {
    let expected = case["instead"].get("rust").unwrap_or(case);
    let toy = Toy::lacking(case["lacks"].as_str().unwrap_or_default());
    let plugins = Arc::clone(&toy.plugins);
    let chosen: Vec<&Json> =
        case["steps"].as_array().unwrap().iter().map(|name| &steps[name.as_str().unwrap()]).collect();
    let text = json!({"steps": chosen}).to_string();
    let seen = Actor::new(toy).run("relay", &RawValue::from_string(text).unwrap());
    let (mut seen, wanted) = match (seen, expected.get("log")) {
        (Ok(seen), Some(wanted)) => (seen, wanted),
        (Err(stop), None) if stops_as(&stop, &expected["stops"]) => return Ok(()),
        (other, _) => return Err(format!("{other:?}")),
    };
    let log = seen["log"].as_array_mut().unwrap();
    if log.pop() != Some(json!({"fact": "settled"})) {
        return Err("it does not settle in the end".into());
    }
    let got: Json = (0..log.len()).map(|at| like(&log[at], &wanted[at])).collect();
    let left = expected.get("left").cloned().unwrap_or(json!([]));
    if got != *wanted || seen["left"] != left || seen["stray"] != json!([]) {
        return Err(format!("{got:#}, left {}, stray {}", seen["left"], seen["stray"]));
    }
    let plugins = plugins.load(Ordering::SeqCst);
    if plugins == 0 { Ok(()) } else { Err(format!("{plugins} plugins are installed in the end")) }
}

fn stops_as(stop: &Stop, wanted: &Json) -> bool {
    match stop {
        Stop::Unsupported { capability, .. } => wanted["unsupported"] == **capability,
        Stop::Inexpressible { path, .. } => wanted["inexpressible"] == **path,
        Stop::Fault(text) => wanted["fault"].as_str().is_some_and(|wanted| text.contains(wanted)),
    }
}

/// As much of a record as the expected one says. Errors have no identity here: whose one is nobody knows.
fn like(record: &Json, expected: &Json) -> Json {
    let Some(members) = expected.as_object() else {
        let who = ["callback", "step", "subscriber"].iter().find_map(|key| record[key].as_str());
        return json!(format!("{} {}", record["fact"].as_str().unwrap(), who.unwrap_or_default()));
    };
    let mut there = picked(record, members.keys());
    if let (Some(error), Some(wanted)) = (record["error"].as_object(), expected["error"].as_object()) {
        there["error"] = picked(&record["error"], wanted.keys());
        if error["same_as"].is_null() && wanted.contains_key("same_as") {
            there["error"]["same_as"] = wanted["same_as"].clone();
        }
    }
    there
}

fn picked<'a>(from: &Json, keys: impl Iterator<Item = &'a String>) -> Json {
    let there = keys.filter_map(|key| from.get(key).map(|item| (key.clone(), item.clone())));
    Json::Object(there.collect())
}
