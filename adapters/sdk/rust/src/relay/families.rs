//! What the core calls each family, what a callback of it is given, and its natural reply: the same for every binding.
//!
//! Enters: what the binding handed over, as JSON. Leaves: the reply, read into the binding's own type. Must not know any
//! binding's types.

use serde::de::DeserializeOwned;

use crate::json::{Json, object};
use crate::relay::around::{Ended, Execution, Proceed};
use crate::relay::callback::{Callback, Raised};
use crate::relay::natural::{decoded, encoded, tool_outcome};
use crate::relay::refusal::Failure;

/// Family → what the core's own listing calls it.
const KINDS: [(&str, &str); 16] = [
    ("subscriber", "subscriber"),
    ("llm.request", "llm_request_intercept"),
    ("llm.execution", "llm_execution_intercept"),
    ("llm.stream", "llm_stream_execution_intercept"),
    ("llm.conditional", "llm_conditional_execution_guardrail"),
    ("llm.sanitize_request", "llm_sanitize_request_guardrail"),
    ("llm.sanitize_response", "llm_sanitize_response_guardrail"),
    ("tool.request", "tool_request_intercept"),
    ("tool.execution", "tool_execution_intercept"),
    ("tool.conditional", "tool_conditional_execution_guardrail"),
    ("tool.sanitize_request", "tool_sanitize_request_guardrail"),
    ("tool.sanitize_response", "tool_sanitize_response_guardrail"),
    ("mark.sanitize", "mark_sanitize_guardrail"),
    ("start.sanitize", "scope_sanitize_start_guardrail"),
    ("end.sanitize", "scope_sanitize_end_guardrail"),
    ("event.metadata", "event_metadata_injector"),
];

/// Returns what is given to what wraps an LLM's execution, and of which codecs that is told, where it is.
pub fn with_codecs(codecs: Option<Json>, mut given: Json) -> Json {
    if let (Some(told), Some(members)) = (codecs, given.as_object_mut()) {
        members.insert("codecs".to_owned(), told);
    }
    given
}

/// Returns what the core's own listing calls a family.
pub fn kind_of(family: &str) -> &str {
    KINDS.iter().find(|(known, _)| *known == family).map_or(family, |(_, kind)| kind)
}

/// Returns the family of a kind in the core's own listing; one that is not known stays as it is.
pub fn family_of(kind: &str) -> &str {
    KINDS.iter().find(|(_, known)| *known == kind).map_or(kind, |(family, _)| family)
}

impl Callback {
    /// Plays an intercept of LLM requests.
    pub async fn llm_request<T: DeserializeOwned>(
        &self,
        name: &str,
        request: Json,
        annotated: Json,
    ) -> Result<T, Raised> {
        let both = [("request", request), ("annotated_request", annotated)];
        let [request, annotated] = both.clone();
        let given = object([("name", name.into()), request, annotated]);
        let [request, annotated] = both;
        self.answer(&given, object([request, annotated, ("pending_marks", Json::Array(Vec::new()))])).await
    }

    /// Plays a conditional of LLM calls; the reply is the reason to reject.
    pub async fn llm_conditional(&self, request: Json) -> Result<Option<String>, String> {
        self.say_in_time("conditional", &object([("request", request)]), Json::Null).await
    }

    /// Plays what wraps the execution of an LLM call; `proceed` and `said` are those of an [`Execution`]. `codecs` are
    /// those that it is told of, where it is told.
    pub async fn llm_execution<T: DeserializeOwned, E: Send + Sync>(
        &self,
        name: &str,
        argument: Json,
        codecs: Option<Json>,
        proceed: impl Proceed<E>,
        said: fn(&E) -> Failure,
    ) -> Result<T, Ended<E>> {
        let given = with_codecs(codecs, object([("name", name.into()), ("request", argument.clone())]));
        self.wrap(given, Execution { argument, form: Option::unwrap_or_default, proceed, said }).await
    }

    /// Plays a sanitizer of an LLM's request.
    pub fn llm_sanitize_request<T: DeserializeOwned>(&self, request: Json, codec: Json) -> Result<T, String> {
        self.say("llm.sanitize_request", &object([("request", request.clone()), ("codec", codec)]), request)
    }

    /// Plays a sanitizer of an LLM's response.
    pub fn llm_sanitize_response<T: DeserializeOwned>(&self, response: Json, codec: Json) -> Result<T, Raised> {
        self.play(&object([("response", response.clone()), ("codec", codec)]), response)
    }

    /// Plays an intercept of tool requests.
    pub async fn tool_request<T: DeserializeOwned>(&self, name: &str, args: Json) -> Result<T, Raised> {
        self.answer(&object([("name", name.into()), ("args", args.clone())]), args).await
    }

    /// Plays a sanitizer of a tool, which is given its name and one value, `args` or `result`, that it answers with.
    pub fn tool<T: DeserializeOwned>(&self, name: &str, argument: &'static str, value: Json) -> Result<T, Raised> {
        self.play(&object([("name", name.into()), (argument, value.clone())]), value)
    }

    /// Plays a conditional of tool calls; the reply is the reason to reject.
    pub async fn tool_conditional(&self, name: &str, args: Json) -> Result<Option<String>, String> {
        self.say_in_time("conditional", &object([("name", name.into()), ("args", args)]), Json::Null).await
    }

    /// Plays what wraps the execution of a tool call; `proceed` and `said` are those of an [`Execution`].
    pub async fn tool_execution<T: DeserializeOwned, E: Send + Sync>(
        &self,
        name: &str,
        id: Option<&str>,
        argument: Json,
        proceed: impl Proceed<E>,
        said: fn(&E) -> Failure,
    ) -> Result<T, Ended<E>> {
        let given = object([("name", name.into()), ("args", argument.clone()), ("tool_call_id", id.into())]);
        self.wrap(given, Execution { argument, form: tool_outcome, proceed, said }).await
    }

    /// Plays a sanitizer of an event's fields.
    pub fn event_fields<T: DeserializeOwned>(&self, event: Json, fields: Json) -> Result<T, String> {
        self.say("fields", &object([("event", event), ("fields", fields.clone())]), fields)
    }

    /// Plays an injector of an event's metadata.
    pub fn event_metadata<T: DeserializeOwned>(&self, event: Json) -> Result<T, String> {
        self.say("metadata", &object([("event", event)]), object([]))
    }

    /// Plays the provider of an LLM call.
    pub async fn llm_provider<T: DeserializeOwned>(&self, request: Json) -> Result<T, Raised> {
        self.answer(&object([("request", request)]), object([("ok", true.into())])).await
    }

    /// Plays the provider of a tool call.
    pub async fn tool_provider<T: DeserializeOwned>(&self, args: Json) -> Result<T, Raised> {
        let natural = object([("result", object([("ok", true.into())])), ("annotation", Json::Null)]);
        self.answer(&object([("args", args)]), natural).await
    }

    /// Plays the part of a codec that makes an annotation of a request.
    pub fn decode<T: DeserializeOwned>(&self, request: Json) -> Result<T, Raised> {
        let natural = decoded(&request);
        self.play(&object([("request", request)]), natural)
    }

    /// Plays the part of a codec that lays an annotation over a request.
    pub fn encode<T: DeserializeOwned>(&self, annotated: Json, original: Json) -> Result<T, Raised> {
        let natural = encoded(&annotated, &original);
        self.play(&object([("annotated_request", annotated), ("original", original)]), natural)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::relay::callback::tests::{at_once, callback};

    fn entered(play: impl FnOnce(&Callback) -> Json) -> (Json, Json) {
        let (callback, recorder) = callback(json!([]));
        let reply = play(&callback);
        (recorder.take_log()[0]["given"].clone(), reply)
    }

    #[test]
    fn each_is_given_its_own_and_replies_naturally() {
        let (given, reply) = entered(|one| at_once(one.llm_request("gpt", json!(1), json!(2))).unwrap());
        assert_eq!(given, json!({"name": "gpt", "request": 1, "annotated_request": 2}));
        assert_eq!(reply, json!({"request": 1, "annotated_request": 2, "pending_marks": []}));
        let (given, reply) = entered(|one| at_once(one.tool_request("t", json!(1))).unwrap());
        assert_eq!((given, reply), (json!({"name": "t", "args": 1}), json!(1)));
        let (given, reply) = entered(|one| one.tool("t", "result", json!(1)).unwrap());
        assert_eq!((given, reply), (json!({"name": "t", "result": 1}), json!(1)));
        let (given, reply) = entered(|one| one.event_fields(json!({"e": 1}), json!({"data": 2})).unwrap());
        assert_eq!((given, reply), (json!({"event": {"e": 1}, "fields": {"data": 2}}), json!({"data": 2})));
        let (given, reply) = entered(|one| at_once(one.tool_provider(json!([1]))).unwrap());
        assert_eq!((given, reply), (json!({"args": [1]}), json!({"result": {"ok": true}, "annotation": null})));
        let (given, reply) = entered(|one| one.event_metadata(json!(1)).unwrap());
        assert_eq!((given, reply), (json!({"event": 1}), json!({})));
    }

    #[test]
    fn what_wraps_is_told_of_codecs_where_there_are_some() {
        let given = object([("request", json!(1))]);
        assert_eq!(with_codecs(None, given.clone()), given);
        assert_eq!(with_codecs(Some(json!({"request": 2})), given), json!({"request": 1, "codecs": {"request": 2}}));
    }

    #[test]
    fn a_family_has_a_kind_in_the_listing() {
        assert_eq!((kind_of("llm.stream"), kind_of("new")), ("llm_stream_execution_intercept", "new"));
        assert_eq!((family_of("scope_sanitize_end_guardrail"), family_of("new_kind")), ("end.sanitize", "new_kind"));
    }

    #[test]
    fn a_conditional_lets_pass() {
        let (callback, _) = callback(json!([]));
        assert_eq!(at_once(callback.llm_conditional(json!({}))), Ok(None));
        assert_eq!(at_once(callback.tool_conditional("t", json!({}))), Ok(None));
    }

    #[test]
    fn what_wraps_answers_with_what_it_wraps() {
        let (callback, recorder) = callback(json!([]));
        let proceed = |argument: Json| Ok(async move { Ok(json!({"result": argument, "annotation": null})) });
        let said = |error: &String| Failure { kind: "E".into(), message: error.clone(), code: None };
        let reply = at_once(callback.tool_execution::<Json, String>("t", Some("id"), json!(1), proceed, said));
        assert_eq!(reply, Ok(json!({"result": 1, "annotation": null, "pending_marks": []})));
        assert_eq!(recorder.take_log()[0]["given"], json!({"name": "t", "args": 1, "tool_call_id": "id"}));
    }
}
