//! JSON values, and objects from values that are moved into them; `json!` would copy each.
//!
//! Enters: members. Leaves: an object. Must not know what it says.

/// Any JSON value.
pub type Json = serde_json::Value;

/// Returns an object of these members.
pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    Json::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}
