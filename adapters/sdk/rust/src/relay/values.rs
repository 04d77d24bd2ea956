//! The values of a scenario: JSON in which `{"$get": …}` and `{"$none": true}` stand for something else.
//!
//! Enters: a value as the scenario writes it, and a lookup by name. Leaves: a plain value. Must not know ops.

use crate::json::Json;
use crate::relay::pointer::{self, PlaceError};
use crate::signals::Stop;

/// What is known by name: "given", and the ids of finished steps.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<Json>;

/// Why a value could not be made.
#[derive(Debug, PartialEq)]
pub enum Unresolved {
    /// A `$get` names nothing that exists.
    Place(PlaceError),
    /// The value cannot be said in Rust.
    Stop(Stop),
}

impl From<PlaceError> for Unresolved {
    fn from(error: PlaceError) -> Self {
        Self::Place(error)
    }
}

/// Returns `value` with every `$get` replaced by what it names.
pub fn resolve(value: &Json, known: Lookup<'_>) -> Result<Json, Unresolved> {
    match value {
        Json::Array(items) => items.iter().map(|item| resolve(item, known)).collect(),
        Json::Object(members) if members.len() == 1 && members.contains_key("$get") => get(&members["$get"], known),
        Json::Object(members) if members.len() == 1 && members.contains_key("$none") => {
            let reason = "Rust has no value for undefined: a JSON value is there, null included, or its key is not";
            Err(Unresolved::Stop(Stop::inexpressible("$none", reason)))
        }
        Json::Object(members) => members
            .iter()
            .map(|(key, item)| Ok((key.clone(), resolve(item, known)?)))
            .collect::<Result<_, _>>()
            .map(Json::Object),
        plain => Ok(plain.clone()),
    }
}

fn get(path: &Json, known: Lookup<'_>) -> Result<Json, Unresolved> {
    let path = path.as_str().ok_or_else(|| PlaceError(format!("$get {path}: it takes a text")))?;
    let (name, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
    let document = known(name).ok_or_else(|| PlaceError(format!("$get '{path}': nothing is called '{name}' here")))?;
    let found = pointer::find(&document, rest).map_err(|error| PlaceError(format!("$get '{path}': {}", error.0)))?;
    Ok(found.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn known(name: &str) -> Option<Json> {
        (name == "given").then(|| json!({"a": {"$get": "given"}, "b": [1, 2]}))
    }

    #[test]
    fn replaces_what_is_named() {
        assert_eq!(resolve(&json!([{"$get": "given/b/1"}, {"x": 1.0}]), &known), Ok(json!([2, {"x": 1.0}])));
        assert_eq!(resolve(&json!({"$get": "given/a"}), &known), Ok(json!({"$get": "given"})));
        assert_eq!(resolve(&json!({"$get": "given/b", "more": 1}), &known), Ok(json!({"$get": "given/b", "more": 1})));
    }

    #[test]
    fn names_what_is_missing() {
        for (path, said) in [
            (json!("c/x"), "$get 'c/x': nothing is called 'c' here"),
            (json!("given/c"), "$get 'given/c': there is no member 'c'"),
            (json!(1), "$get 1: it takes a text"),
        ] {
            assert_eq!(resolve(&json!({"$get": path}), &known), Err(Unresolved::Place(PlaceError(said.into()))));
        }
    }

    #[test]
    fn has_no_undefined() {
        let Err(Unresolved::Stop(Stop::Inexpressible { path, .. })) = resolve(&json!([{"$none": true}]), &known) else {
            panic!("it was resolved");
        };
        assert_eq!(path, "$none");
    }
}
