//! Natural replies that are the same for every binding.
//!
//! Enters: what the callback was given. Leaves: its reply before any op. Must not know any binding's types.

use serde_json::{Map, json};

use crate::json::{Json, object};

/// Returns the plain chat form of a request: its messages, and its model where it has one.
pub fn decoded(request: &Json) -> Json {
    let content = &request["content"];
    let mut plain = Map::new();
    let messages = content.get("messages").filter(|messages| !is_empty(messages));
    plain.insert("messages".into(), messages.cloned().unwrap_or_else(|| json!([])));
    if let Some(model) = content.get("model") {
        plain.insert("model".into(), model.clone());
    }
    Json::Object(plain)
}

/// Returns the original request with the annotation's members laid over its content.
pub fn encoded(annotated: &Json, original: &Json) -> Json {
    let mut content = original["content"].as_object().cloned().unwrap_or_default();
    content.extend(annotated.as_object().cloned().unwrap_or_default());
    object([("headers", original["headers"].clone()), ("content", Json::Object(content))])
}

/// Returns the reply that an answer to `next` makes of a tool's execution intercept; without one there is no result.
pub fn tool_outcome(answer: Option<Json>) -> Json {
    let mut reply = answer.unwrap_or_else(|| json!({"result": null, "annotation": null}));
    reply["pending_marks"] = json!([]);
    reply
}

/// No messages at all, in whichever way a request says that.
fn is_empty(messages: &Json) -> bool {
    match messages {
        Json::Null | Json::Bool(false) => true,
        Json::Number(number) => number.as_f64() == Some(0.0),
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        Json::Bool(true) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_messages_and_model() {
        let request = json!({"headers": {}, "content": {"messages": [1], "model": "m", "other": 2}});
        assert_eq!(decoded(&request), json!({"messages": [1], "model": "m"}));
        for content in [json!({}), json!({"messages": null}), json!("text"), json!(null), json!([1])] {
            assert_eq!(decoded(&json!({"headers": {}, "content": content})), json!({"messages": []}));
        }
    }

    #[test]
    fn encodes_over_the_content() {
        let original = json!({"headers": {"h": 1}, "content": {"a": 1, "b": 2}});
        let expected = json!({"headers": {"h": 1}, "content": {"a": 3, "b": 2}});
        assert_eq!(encoded(&json!({"a": 3}), &original), expected);
        let plain = json!({"headers": {}, "content": "text"});
        assert_eq!(encoded(&json!({"a": 3}), &plain), json!({"headers": {}, "content": {"a": 3}}));
    }
}
